// refused: 3
class C { var x: int; }
datatype D = A | B;
