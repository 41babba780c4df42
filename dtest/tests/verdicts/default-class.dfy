// refused: 13, 14, 15, 16, 17
// `_default` names what a module declares outside of types.
module A {
  function f(x: nat): nat { x }
  const c := 3
  class K {}
  datatype D = Dot
  module B { export provides g function g(): int { 4 } const hidden := 5 }
}
method M() { assert A._default.f(3) >= 0; var x := A._default.c; var y := A.B._default.g(); var z := _default.h(); }
function h(): int { 3 }
method Other() {
  var x := A._default.K;
  var y := A._default.Dot;
  var z := A.B._default.hidden;
  var u := _default.A;
  var w := A._default.nothing;
}
