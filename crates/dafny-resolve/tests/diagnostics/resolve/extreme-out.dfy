least predicate Even(n: nat)
{
  n == 0 || (n >= 2 && Even(n - 2))
}

least lemma Half(n: nat) returns (half: nat)
  requires Even(n)
{
}
