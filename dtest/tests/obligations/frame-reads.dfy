class C {
  var x: int
  constructor () { x := 0; }
  function Own(): int { x } // !
  ghost predicate {:axiom} Ok() ensures Ok() ==> x == 0 // !
}
function Field(c: C): int { c.x } // !
function Element(a: array<int>): int requires a.Length > 0 { a[0] } // !
function Reads(c: C): int reads c { c.x }
function Call(c: C): int { Reads(c) } // !
function Precondition(c: C): int requires c.x > 0 { 3 } // !
function {:axiom} Postcondition(c: C): (r: int) ensures r > c.x // !
class D { var x: int var y: int
  twostate predicate Two(d: D) reads d { old(x) == d.x && x == 3 } // !
  twostate function Older(d: D): int { old(d.x) }
  function Get(): int reads this { x }
  least predicate Least(n: nat) { n == x || Least(n + 1) } // !
  greatest predicate Greatest(n: nat) reads `x { n == y && Greatest(n + 1) } // !
  least predicate Calls(n: nat) { Get() == n || Calls(n + 1) } // !
  least predicate Named(n: nat) reads this { n == x || Named(n + 1) }
}
class Cell { var data: int var next: Cell? }
ghost function Total(cells: set<Cell>): int reads cells
ghost function First(cells: seq<Cell>): int reads cells`data
ghost function Known(): set<Cell>
ghost function Shared(): int reads Known()
method OfSet(c: Cell, s: set<Cell>) modifies c { ghost var a := Total(s); c.data := c.data + 3; assert a == Total(s); } // !
method OfOtherSet(c: Cell, s: set<Cell>) requires c !in s modifies c { ghost var a := Total(s); c.data := c.data + 3; assert a == Total(s); }
method OfSequence(c: Cell, s: seq<Cell>) modifies c { ghost var a := First(s); c.data := c.data + 3; assert a == First(s); } // !
method OfOtherField(c: Cell, s: seq<Cell>) modifies c { ghost var a := First(s); c.next := null; assert a == First(s); }
method OfItself(c: Cell) modifies c { ghost var a := Shared(); c.data := c.data + 3; assert a == Shared(); } // !
method OfOthers(c: Cell) requires c !in Known() modifies c { ghost var a := Shared(); c.data := c.data + 3; assert a == Shared(); }
