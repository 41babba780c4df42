method Compare(a: int, b: int) returns (r: int)
  ensures r < 0 <==> a < b
  ensures r == 0 <==> a == b
{
  r := if a < b then -1 else if a == b then 0 else 1;
}
