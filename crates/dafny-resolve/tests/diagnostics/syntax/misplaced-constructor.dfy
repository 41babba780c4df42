datatype Pair = Pair(a: int, b: int) {
  constructor () {}
}
