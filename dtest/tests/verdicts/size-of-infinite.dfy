// refused: 3, 4, 5, 6, 7
lemma Sizes<T>(s: iset<bool>, m: imap<bool, bool>, a: array<int>, x: T, n: nat)
  ensures |s| == 2
  ensures |m| == 2
  ensures |a| == 2
  ensures |x| == 2
  ensures |7| == n
  ensures |{n}| + |multiset{n}| + |map[n := n]| + |[n]| + |"text"| == 8
{ }
