function Swap(p: (int, bool)): (bool, int) {
  (p.1, p.0)
}
