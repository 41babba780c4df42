// refused: 3
trait A { }
newtype N extends A = int
