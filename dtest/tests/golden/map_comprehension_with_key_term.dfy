function Tagged(words: set<string>): map<(string, bool), int> {
  map w | w in words && w != "" :: (w, true) := |w|
}
