// refused: 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28, 30, 31, 32, 33, 34, 35, 36, 39, 40, 41, 44, 45, 48, 49, 50, 52, 53, 54
// first: 11
method M(a: int)
  decreases a + true
  modifies a
  ensures a + {}
  requires a + []
  ensures a + nope
  decreases a + nope2
  modifies nope3
  requires nope4
  requires nope5
{}
function F(a: int): int
  decreases a + true
  reads a
  ensures a + {}
  requires a + []
  ensures a + nope
  decreases a + nope2
  reads nope3
  requires nope4
  requires nope5
lemma L(a: int)
  decreases nope1
  modifies nope2
  ensures nope3
  requires nope4
iterator It(a: int) yields (b: int)
  decreases nope1
  modifies nope2
  ensures nope3
  requires nope4
  reads nope5
  yield requires nope6
  yield ensures nope7
method N() {
  while true
    decreases nope1
    modifies nope2
    invariant nope3
  { }
  for i := 0 to 3
    modifies nope2
    invariant nope3
  { }
  var f := x
    requires nope1
    reads nope2
    requires nope3 => 3;
  forall x: int
    ensures nope1
    ensures nope2
  { var f := nope0; }
}
