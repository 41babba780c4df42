function Position<T(==)>(s: seq<T>, x: T): int {
  if |s| > 0 && s[0] == x then 0 else -1
}
