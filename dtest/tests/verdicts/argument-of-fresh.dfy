// refused: 3, 4, 5, 6
class Cell { }
method A() returns (r: bool) ensures fresh(r) { r := true; }
method B() returns (r: multiset<Cell>) ensures fresh(r) { r := multiset{}; }
method C() returns (r: set<nat>) ensures fresh(r) { r := {}; }
method D<T>() returns (r: seq<T>) ensures fresh(r) { r := []; }
method Fine() returns (c: Cell, s: set<Cell>, q: seq<Cell?>, a: array<int>, i: iset<object>)
  ensures fresh(c) && fresh(s) && fresh(q) && fresh(a) && fresh(i) && fresh({c, a})
