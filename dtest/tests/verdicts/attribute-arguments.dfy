// refused: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
class {:foo none} C { var {:foo none} x: int }
datatype D = {:foo none} A(a: int) | {:foo a} B(a: int)
newtype {:foo none} N = int
type {:foo none} T = int
iterator {:foo none} I(x: int) { }
const {:foo none} K := 3
method {:foo M} M(x: int) { }
method V(x: int) { var {:foo none} y := 3; }
method Q(x: int) { forall y {:foo none} | 0 <= y < 3 { } }
function S(x: int): set<int> { set y {:foo none} | 0 <= y < 3 :: y }
iterator {:foo x} I2(x: int) { }
method {:foo x, F2, K, r} M2(x: int) returns (r: int) { r := x; }
function F2(): int { 3 }
