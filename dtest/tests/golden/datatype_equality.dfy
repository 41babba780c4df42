datatype Key = Number(n: int) | Name(s: string)

predicate Same(a: Key, b: Key) {
  a == b
}
