method Halvings(n: nat) returns (steps: nat)
  decreases *
{
  steps := 0;
  var x := n;
  while x > 1
    invariant x >= 0
    decreases *
  {
    x := x / 2;
    steps := steps + 1;
  }
}
