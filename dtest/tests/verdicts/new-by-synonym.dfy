// refused: 10, 11, 12, 13, 20, 21
module Given {
  class Cell<T> { constructor (t: T) {} constructor Of() {} }
  type Ints = Cell<int>
  type Whatever = object
}
module Taken {
  import opened Given
  method M() {
    var a := new Ints(1);
    var b := new Given.Ints.Of();
    var c := new Whatever;
    var d := new object?;
    var e := new object;
    var f := new Cell(1);
    var g: Ints := new Cell<int>.Of();
  }
}
module Extended {
  trait A extends object? {}
  class B extends object? {}
  trait C extends object {}
}
