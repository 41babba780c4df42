function Three(n: int): seq<int> {
  [n, n + 1, n + 2]
}
