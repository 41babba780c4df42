function Middle(s: seq<int>): seq<int>
  requires |s| >= 2
{
  s[1..|s| - 1]
}
