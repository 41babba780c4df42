function Parts(m: map<int, char>): (set<int>, set<char>, set<(int, char)>) {
  (m.Keys, m.Values, m.Items)
}
