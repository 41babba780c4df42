// refused: 6, 7, 8, 9, 10
// first: 8
// Errors of a refinement are in the order in which the base declares; members of the module come first.
module Base { module Part { } export Set reveals * datatype D = D class C { } method M() { } }
module Refining refines Base {
  class C { }
  export Set provides *
  method M(y: int) { }
  datatype D = E
  module Part { }
}
