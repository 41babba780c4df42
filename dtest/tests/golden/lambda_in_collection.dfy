function Steps(): seq<int -> int> {
  [x => x + 1, x => 2 * x]
}

function Run(n: int): int {
  Steps()[1](Steps()[0](n))
}
