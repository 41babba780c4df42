class Cell { var x: int var y: int }
iterator Numbers(c: Cell) yields (n: int)
  reads c`x
