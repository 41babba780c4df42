// refused: 3, 4, 5
lemma L(m: map<int, bool>, i: imap<int, bool>, s: set<int>, t: iset<int>)
  ensures m - t == m
  ensures i - t == i
  ensures m - m == m
  ensures m - s == m && i - s == i && m - m.Keys == map[] && t - t == t
{ }
