// refused: 5, 6, 8, 10, 11
class Cell<T> { constructor () { } }
datatype Box<T> = Box(value: T)
trait Able extends object { } class Does extends Able { }
method Arrays(a: array<nat>, b: seq<array<nat>>) { var x: array<int> := a; }
method Cells(c: Cell<int>) { var x: Cell<nat> := c; }
method Nested(b: seq<array<nat>>) returns (x: seq<array<int>>) { x := b; }
function Does2(d: array<Does>): array<Able> { d }
// `Does` has the constraint that it is not null.
function Nulls(d: array<Does>): array<Does?> { d }
method Boxed(c: Cell<Does?>) returns (d: Cell<Does>) { d := c; }
method Fine(a: array<nat>, b: Box<nat>, s: seq<nat>, t: seq<int>, d: seq<Does>) returns (x: array?<nat>, y: Box<int>) {
  x, y := a, b;
  var u: seq<nat>, v: seq<int>, w: seq<Able> := t, s, d;
  var n := new nat[3];
  var m: Cell<nat> := new Cell();
}
