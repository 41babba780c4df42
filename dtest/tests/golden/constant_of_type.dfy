const Names: seq<string> := ["a", "b"]

method Name() returns (s: string) {
  s := Names[1];
}
