class Cell {
  var n: int
  method {:synthesize} Make() returns (c: Cell)
    ensures c.n > 3
}
