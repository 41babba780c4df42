// refused: 11, 15
abstract module A {
  type X(==)
}
module B refines A {
  export provides X
  type X = int
}
module C {
  import B
  method M(x: B.X) returns (b: bool) { b := x == x; }
}
module B5 refines A {
  export provides X
  type X = int -> int
}
module B6 {
  export provides X
  type X(==) = int 
}
module C6 {
  import B6
  method M(x: B6.X) returns (b: bool) { b := x == x; }
}
