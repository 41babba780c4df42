method Largest(a: int, b: int) returns (r: int)
  ensures forall x: int :: x > r ==> x > a && x > b
{
  r := if a > b then a else b;
}
