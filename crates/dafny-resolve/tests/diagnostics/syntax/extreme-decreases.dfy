least predicate Even(n: nat)
  decreases n
{
  n == 0 || (n >= 2 && Even(n - 2))
}
