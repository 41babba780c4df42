function Replaced(s: seq<int>): seq<int>
  requires |s| > 1
{
  s[1 := 7]
}
