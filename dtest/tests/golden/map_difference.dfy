function Without(m: map<int, int>, keys: set<int>): map<int, int> {
  m - keys
}
