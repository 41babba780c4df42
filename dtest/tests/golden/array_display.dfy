method Primes() returns (a: array<int>)
  ensures a[..] == [2, 3, 5]
{
  a := new int[] [2, 3, 5];
}
