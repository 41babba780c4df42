// refused: 16, 21, 22, 25, 27, 29, 30, 32, 36, 37, 38, 39
// first: 21
// Type arguments are checked in defaults and measures, and before static members.
class Cell {
  const c: int := 1
  constructor () {}
}

function Count<X(00)>(): int { 0 }

class Shelf<X(00)> {
  static const size: int := 0
  static method Clear() { }
  static function Size(): int { 0 }
  method Use(
    other: Shelf?<Cell>
  ) { }
}

method Defaults(
  x: int := Count<Cell>(),
  y: nat := Shelf<Cell>.Size()
)
  requires x == y
  decreases Count<Cell>()
{ }
datatype Sized = Sized(size: int := Count<Cell>())
iterator Numbers(
  n: int := Count<Cell>())
  decreases Count<Cell>()
{ }
function Shared<X(==)>(n: nat := Count<Cell>()): nat { n }

method Statics(c: Cell)
{
  var size := Shelf<Cell>.size;
  size := Shelf<Cell>.Size();
  Shelf<Cell>.Clear();
  var f := Shelf<Cell>.Size;
}

method Fine(s: Shelf<int>) {
  s.Use(null);
}
