// gen --strength coverage --coverage spec
function Abs(n: int): (r: int)
  ensures r == n || r == -n
{
  if n < 0 then -n else n
}
