function Abs(n: int): (r: int)
  ensures r >= 0
  ensures r == n || r == -n
{
  if n < 0 then -n else n
}
