method Part(a: array<int>, n: nat) returns (s: seq<int>)
  requires n <= a.Length
{
  s := a[n..] + a[..n];
}
