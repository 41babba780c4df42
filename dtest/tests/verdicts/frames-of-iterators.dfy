// refused: 4, 5
class Cell { var x: int var y: int }
iterator Numbers(c: Cell) yields (n: int)
  reads c`x
  modifies c, c`y
  yield requires true
{ yield 3; }
iterator Whole(c: Cell) yields (n: int)
  reads c modifies c
{ yield 3; }
