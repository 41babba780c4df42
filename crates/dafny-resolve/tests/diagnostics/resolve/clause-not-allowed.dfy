// options: --reads-clauses-on-methods=true
class Cell { var n: int }
lemma L(c: Cell) reads c { }
