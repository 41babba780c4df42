function Flat(m: map<string, seq<set<int>>>): seq<set<int>> {
  if "a" in m then m["a"] else [{}]
}
