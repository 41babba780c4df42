method Zeros(n: nat) returns (a: array<int>)
  ensures fresh(a) && a.Length == n
{
  a := new int[n](_ => 0);
}
