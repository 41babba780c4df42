least predicate Even(n: nat)
  ensures n % 2 == 0
{
  n == 0 || (n >= 2 && Even(n - 2))
}
