method Gcd(a: nat, b: nat) returns (r: nat)
  requires a > 0 && b > 0
{
  var x, y := a, b;
  while
    invariant x > 0 && y > 0
    decreases x + y
  {
    case x > y => x := x - y;
    case y > x => y := y - x;
  }
  r := x;
}
