// refused: 2, 3, 4, 5, 6, 7
method M1(x: int) { expect x - 1 decreases to x; }
method M2(x: int) { expect (x - 1 decreases to x) || true; }
method M4(x: int) { print x nonincreases to x; }
method M7(x: int) { expect true, if x decreases to x then 1 else 2; }
method M9(x: int) { var b: bool; b := x - 1 decreases to x; print b; }
method M10(x: int) returns (b: bool) { return x - 1 decreases to x; }
