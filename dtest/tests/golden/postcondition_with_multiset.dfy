method Reversed(s: seq<int>) returns (r: seq<int>)
  requires |s| == 2
  ensures multiset(r) == multiset(s)
{
  r := [s[1], s[0]];
  assert s == [s[0], s[1]];
}
