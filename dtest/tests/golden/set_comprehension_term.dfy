function Lengths(words: set<string>): set<int> {
  set w | w in words :: |w|
}
