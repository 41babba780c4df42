// refused: 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16
class Cell { var n: int }
function A(x: seq<int>): int reads x { 3 }
function B<T>(x: T): int reads x { 3 }
function C(f: int -> Cell): int reads f { 3 }
method D(f: int ~> set<Cell>) modifies f.reads { }
method E(n: int) modifies n { }
function Fine(c: Cell, s: set<Cell>, i: iset<object>, m: multiset<Cell?>, f: int -> set<object>, a: array<int>): int
  reads c, s, i, m, f, a, c`n, s`n, {c, a}
{ 3 }
function Number(): int reads 1.5 { 3 }
method Numbers() modifies {1, 2} { }
method Lambda() { modify x => x; }
method New() ensures fresh({1}) { }
method NothingNew() ensures fresh([]) { }
method Part() { ghost var part := 3[0..]; }
function Nothing(): int reads null, {}, [] { 3 }
