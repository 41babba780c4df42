datatype One = A(x: int := 3, bool)
