// accepted
abstract module T { type X const c: X }
abstract module M {
  import A : T
  import B : T
  function F(x: A.X, y: B.X): (A.X, B.X) { (x, y) }
}
module Int refines T { type X = int const c := 3 }
module Real refines T { type X = real const c := 0.5 }
module N refines M {
  import A = Int
  import B = Real
  function G(): (int, real) { F(A.c, B.c) }
}
