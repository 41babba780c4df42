// refused: 2, 3
datatype One = A(x: int := 3, bool)
datatype Two = B(int, x: int := 3, y: int := 4, int, z: int := 5)
datatype Fine = C(int, x: int := 3)
