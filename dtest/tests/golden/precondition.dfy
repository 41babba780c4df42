method Divide(a: int, b: int) returns (q: int)
  requires b != 0
{
  q := a / b;
}
