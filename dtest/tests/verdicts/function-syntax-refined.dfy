// accepted
module {:options "--function-syntax:3"} A {
  function F(ghost x: int): int { 3 } by method { return 3; }
  function G(x: int): int { 3 }
  function method K(x: int): int 
  class C { predicate V() }
}
module {:options "--function-syntax:4"} B refines A {
  ghost function G(x: int): int
  function K(x: int): int {3 }
  class C ... { ghost predicate V() {true } }
}
module {:options "--function-syntax:4"} B1 refines A {
  function K ...
  class C ... { predicate V() {true } }
}
module {:options "--function-syntax:4"} D refines A {
  function K ... { 4 }
  class C ... { predicate V ... {true} }
}
