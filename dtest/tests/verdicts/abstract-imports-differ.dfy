// refused: 15, 16, 17, 18
// Different modules may take the place of two abstract imports of one module.
abstract module T {
  type X
  datatype D = D(i: int)
  class C { }
  const c: X
}
abstract module M {
  import A : T
  import B : T
  import Again = A
  method P(x: A.X, c: A.C, d: A.D) returns (y: B.X, e: B.C, z: B.D, own: Again.X) {
    own := x;
    y := x;
    e := c;
    z := d;
    assert A.c == B.c;
  }
}
