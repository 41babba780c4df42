// refused: 23, 24, 30, 36
// first: 24
// In the view of an export set, what a class inherits from a trait of another module has its body still.
module T {
  trait {:termination false} I extends object {
    method Go(x: int) returns (y: int) { y := Go'(x); }
    method Go'(x: int) returns (y: int)
    function F(): int { 3 }
  }
}
module L {
  import T
  export
    reveals C
    provides T, C.Go'
  class C extends T.I {
    constructor () {}
    method Go'(x: int) returns (y: int) { y := x + 1; }
  }
}
module N {
  import T
  export reveals C provides T
  class C extends T.I {
    constructor () {}
    method Go'(x: int) returns (y: int) { y := x + 1; }
  }
}
module O {
  export reveals C, I provides I.Go', I.Go, I.F
  trait I extends object {
    method Go(x: int) returns (y: int) { y := Go'(x); }
    method Go'(x: int) returns (y: int)
    function F(): int { 3 }
  }
  class C extends I {
    constructor () {}
    method Go'(x: int) returns (y: int) { y := x + 1; }
  }
}
