// refused: 3
type Fine = int
newtype N = int;
datatype D = A | B
