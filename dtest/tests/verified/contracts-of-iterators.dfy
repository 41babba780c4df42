// What is known where a clause of an iterator is evaluated: preconditions, also of state that the
// `reads` clause keeps, earlier clauses, and what callers of MoveNext ensure, at the first call too.
class Cell {
  var data: int
  constructor () { data := 1; }
  predicate Ok() reads this { data > 0 }
}
iterator KeepsState(c: Cell) requires c.data > 0 reads c yield requires 10 / c.data > -1 { }
iterator KeepsPredicate(c: Cell) requires c.Ok() reads c yield requires 10 / c.data > -1 { }
iterator KeepsSet(s: set<Cell>, c: Cell) requires c in s && c.data > 0 reads s yield requires 10 / c.data > -1 { }
iterator EarlierState(c: Cell) yield ensures c.data == old(c.data) && c.data > 0 yield ensures 10 / c.data > -1
iterator EarlierFresh(c: Cell) yields (y: int) yield ensures fresh(_new) && y > 0 yield ensures 10 / y > -1
iterator EarlierThis(c: Cell) yields (y: int) yield ensures this.y > 0 yield ensures 10 / y > -1
iterator Resumed(n: int) yield requires n > 0 yield requires 10 / n > -1 yield ensures 10 / n > -1
iterator Ended(n: int) yield requires n > 0 ensures 10 / n > -1
iterator Histories(n: int) yields (y: int, z: int) yield ensures |ys| == |zs| && zs[|zs| - 1] == z
iterator ResumedHistory(n: int) yields (y: int) yield requires |ys| > 0 yield ensures ys[1] == ys[1] ensures ys[0] == ys[0]
iterator NotNull(c: Cell?) yields (y: int) requires c != null reads c yield ensures c.data == c.data
iterator Lengths(a: array<int>) yields (y: int) requires a.Length > 3 yield ensures a[3] == a[3]
iterator FirstCall(n: int) yields (y: int) yield requires n > 0 ensures 10 / n > -1 { assert n > 0; y := 10 / n; }
