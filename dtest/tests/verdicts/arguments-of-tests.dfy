// refused: 10, 20, 27
// options: --type-system-refresh=true --general-newtypes=true
module Tests {
  class Cell<X> {}
  type Half<U, V> = Cell<U>
  method Known(c: Cell<int>) {
    var a := c is Half<int, real>;
    var b := c is Cell;
    // What a synonym makes nothing of must be written all the same.
    var d := c as Half;
  }
  method Unknown(o: object) {
    var b := o is Cell;
  }
}
module Operators {
  method Sum() returns (x: int) {
    var a, b, c, d;
    x := a + b;
    c := d + d;
  }
}
module Joins {
  trait Tr<X> {} class A extends Tr<int> {} class B extends Tr<real> {} class C extends Tr<int> {}
  method M(a: A, b: B, c: C) {
    var s := [a, c];
    var t := [a, b];
  }
}
