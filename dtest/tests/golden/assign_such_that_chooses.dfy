method Element(s: set<int>) returns (r: int)
  requires |s| > 0
  ensures r in s
{
  r :| r in s;
}
