// refused: 13, 16, 18, 21, 24, 25, 28
class C {
  var x: int
  ghost constructor A() { x := 1; }
  ghost constructor () { x := 1; }
  constructor B() {}
}
class K { var c: C? ghost var d: C? }
method M(k: K) modifies k
{
  ghost var e := new C.A();
  var d: C;
  d := new C.A();
  print d.x;
  var f := new C.A();
  print f.x;
  var g := new C();
  k.c := new C();
  k.d := new C();
  var h := new C.B();
  h := new C();
  var i: C? := new C();
}
method N() returns (c: C) { c := new C.A(); }
method N2() returns (c: C) { return new C.A(); }
method N3() returns (ghost c: C) { c := new C.A(); }
ghost method O() returns (c: C) { c := new C.A(); var a := new C[3]; }
method P() { var a := new C?[3]; a[0] := new C.A(); }
