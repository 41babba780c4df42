function Set(m: multiset<int>): multiset<int> {
  m[1 := 3]
}
