newtype Real = real
newtype
  {:nativeType} Of = Real
