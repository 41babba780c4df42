function Wrapped(s: set<int>): set<set<int>> {
  {s, {}}
}
