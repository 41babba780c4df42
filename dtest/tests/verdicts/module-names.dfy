// refused: 4, 9
// What is wrong with names of modules is all that is told.
module A {
  import X
  method Body() returns (r: int) { r := true; }
}
module B { }
module C {
  import D : B
}
abstract module E {
  import D : B
}
