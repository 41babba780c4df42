method DivMod(a: int, b: int) returns (q: int, r: int)
  requires b > 0
  ensures a == q * b + r && 0 <= r < b
{
  q, r := a / b, a % b;
}
