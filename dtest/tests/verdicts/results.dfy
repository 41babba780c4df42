// refused: 5, 6, 9, 12, 15, 18, 19, 26, 28
method One() returns (r: int) { r := 1; }
method Two() returns (r: int, s: int) { r, s := 1, 2; }
method Dropped() {
  One();
  Two();
}
method Handed() returns (r: int)
{ return One(); }

method Same() {
  var x: int; x, x :| x == 1;
}
method Lengths() returns (r: int, s: int)
{ return One(), 2; }

method Places(a: array<int>, c: Cell) modifies a, c {
  a[0] :| a[0] == 1;
  c.x :| 0 <= c.x;
}
class Cell { var x: int
  const k: int := 1
  method Assumes() modifies this { x :| assume {:axiom} 0 <= x; }
  method Taken() { var r := One(); var s, t := Two(); var _ := One(); }
  method Framed() modifies this`x { }
  method Constant() modifies this`k { }
  method Wild() returns (r: int) {
    r, _ := Two();
  }
}
