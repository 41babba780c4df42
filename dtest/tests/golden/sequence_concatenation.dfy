function Doubled(s: seq<int>): seq<int> {
  s + s
}
