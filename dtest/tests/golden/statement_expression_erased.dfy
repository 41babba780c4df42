lemma Trivial(n: int)
  ensures n == n
{
}

function Same(n: int): int {
  Trivial(n);
  assert n == n;
  n
}
