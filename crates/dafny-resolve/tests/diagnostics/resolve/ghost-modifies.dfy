// options: --reads-clauses-on-methods=true
class Cell { var n: int }
ghost method Note(c: Cell) reads c`n { }
