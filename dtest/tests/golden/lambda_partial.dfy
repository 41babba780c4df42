function Reciprocal(n: int): int
  requires n != 0
{
  var f: int --> int := x requires x != 0 => 100 / x;
  f(n)
}
