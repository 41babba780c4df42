method Tail(a: array<char>) returns (s: string)
  requires a.Length > 0
{
  s := a[1..];
}
