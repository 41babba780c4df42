function Both(a: int, b: int): set<int> {
  {a, b}
}
