method Identity(n: nat) returns (m: array2<int>)
  ensures fresh(m) && m.Length0 == n && m.Length1 == n
{
  m := new int[n, n]((i, j) => if i == j then 1 else 0);
}
