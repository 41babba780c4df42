// refused: 4, 5, 7, 9
trait T { }
datatype D
  extends T = D
method M() { var x := ; }
type A
  extends T
newtype N
  extends T = int
