predicate Chain(a: bool, b: bool, c: bool) {
  a ==> b ==> c
}
