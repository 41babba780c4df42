// refused: 6, 7
// options: --reads-clauses-on-methods=true
class Cell { var n: int }
method Get(c: Cell) returns (n: int) reads c { n := c.n; }
method All() reads * { }
ghost method Note(c: Cell) reads c`n { }
lemma L(c: Cell) reads c { }
