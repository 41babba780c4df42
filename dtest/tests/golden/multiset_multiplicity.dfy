function Count(m: multiset<char>): nat {
  m['a']
}
