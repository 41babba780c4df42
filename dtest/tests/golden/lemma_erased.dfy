lemma Positive(n: int)
  ensures n * n >= 0
{
}

method Squared(n: int) returns (r: nat) {
  Positive(n);
  r := n * n;
}
