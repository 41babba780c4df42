// refused: 4, 8, 10, 12
class Cell {
  var n: int
  constructor () reads {} { n := 0; }
  function Get(): int reads this { n }
  function Twice(): int reads this { 2 * n } by method { return n + n; }
  method Set()
    reads this`n
    modifies this
  ghost method Note() reads this { }
  method All()
    reads *
}
iterator Count(c: Cell) yields (x: int) reads c { }
