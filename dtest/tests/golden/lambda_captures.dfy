function Adder(n: int): int -> int {
  x => x + n
}

function Added(n: int): int {
  Adder(n)(10)
}
