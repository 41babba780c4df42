// refused: 5, 6, 8
newtype {:nativeType "int"} I = x: int | 0 <= x < 100
newtype {:nativeType false} R = x: real | true
newtype Real = real
newtype {:nativeType "int"} Fraction = x: real | true
newtype {:nativeType true} Other = real
newtype
  {:nativeType} Of = Real
