function Parts(s: string): seq<string>
  requires |s| == 5
{
  s[2:1:]
}
