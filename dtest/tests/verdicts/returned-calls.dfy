// refused: 6, 10, 15
class C { constructor () { } }
method Two() returns (x: int, y: int) { return 1, 2; }
method One() returns (x: int) { return 3; }
method BothOf() returns (x: int, y: int) {
  return Two();
}
method Mixed() returns (x: int, y: int) {
  return 1,
    One();
}
method Fine() returns (c: C) { return new C(); }
method Assigned() returns (x: int, y: int) { x, y := Two(); return; }
iterator Yielding() yields (x: int) {
  yield One();
}
