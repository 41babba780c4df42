// Meant to be wrong: what its frames obligation does not hold.
class Cell { var x: int  var y: int  const k: int
  constructor (n: int) { x := n; k := n; }
  function Get(): int reads this { x + k }
  function Bad(): int { x }
  function Field(): int reads this`x { x + y }
  method Set(n: int) modifies this { x := n; }
  method SetX(n: int) modifies `x { x := n; }
  method Bad2(n: int) { x := n; }
  method Bad3(n: int) modifies `x { if n > 3 { y := n; } }
}
function Two(c: Cell, d: Cell): int reads c { c.Get() + d.Get() }
function Arr(a: array<int>, b: array<int>): int requires a.Length > 0 && b.Length > 0 reads a { a[0] + b[0] }
function Sl(a: array<int>, b: array<int>): seq<int> reads a { b[..] + a[..] }
method New() returns (c: Cell) ensures fresh(c) { c := new Cell(3); c.x := 4; c.Set(5); }
method Call(c: Cell, d: Cell, s: set<Cell>) modifies c, s { c.Set(3); if d.x > 2 { d.Set(4); } }
method CallOk(c: Cell, d: Cell, s: set<Cell>) requires d in s modifies c, s { c.Set(3); d.Set(4); d.SetX(3); }
method CallX(c: Cell) modifies c`x { c.SetX(3); c.Set(4); }
method Fill(a: array<int>, b: array<int>) modifies a { forall i | 0 <= i < a.Length { a[i] := 0; } forall i | 0 <= i < b.Length { b[i] := 0; } }
method FillOk(a: array<int>) modifies a { forall i | 0 <= i < a.Length { a[i] := 0; } var b := new int[3]; b[0] := 1; }
method Mod(c: Cell, d: Cell) modifies c { modify c; modify d; }
function App(f: int ~> int, x: int): int requires f.requires(x) { f(x) }
function AppOk(f: int ~> int, x: int): int requires f.requires(x) reads f.reads { f(x) }
