// refused: 3, 4, 5, 6, 7
trait A { }
type B extends A
datatype D extends A = D1
codatatype CD extends A = CD1
newtype N extends A = int
type B1 extends A { }
