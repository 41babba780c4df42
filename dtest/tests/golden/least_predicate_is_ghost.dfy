least predicate Even(n: nat) {
  n == 0 || (n >= 2 && Even(n - 2))
}

method Next(n: nat) returns (r: nat)
  ensures r == n + 2
{
  r := n + 2;
}
