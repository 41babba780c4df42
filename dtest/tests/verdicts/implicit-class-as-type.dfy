// accepted
// The implicit class of a module is a type, which is no reference type, and whose members are the module's.
module A {
  function f(x: nat): nat { x }
  const k := 3
  method m() { }
  method Own(x: _default) { print x.f(3), _default.f(3); }
}
import B = A
method M(x: A._default, s: set<B._default>) returns (y: B._default) {
  assert A._default.f(3) >= 0;
  print x.f(3), x.k;
  x.m();
  y := x;
}
