// refused: 4, 8
// What is called has a type by then: nothing is guessed from how it is called.
ghost predicate Holds(f: int --> bool)
  requires forall x :: f.requires(x(0)) { true }

ghost predicate Later(f: int --> bool) {
  var g := f;
  exists h :: h(3) && (g.requires(3) ==> h == g)
}

ghost predicate Known(f: int --> bool) {
  var g := f;
  exists h: int -> bool :: h(3) && (g.requires(3) ==> h == g)
}

function Twice(n: int): int {
  var f := (x: int) => x + x;
  f(f(n))
}
