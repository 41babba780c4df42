// refused: 4
module A { }
// The circle is told at its first module.
module B {
  import C
}
module C {
  import D
}
module D {
  import A
  import B
}
