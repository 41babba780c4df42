// refused: 3, 4, 5, 6, 11
newtype Small = x: int | 0 <= x < 100
function And(a: int, b: int): bool { a & 6 == b }
function Or(a: Small): Small { a | 1 }
function Shift(a: nat): int { a << 2 }
function Mixed(a: bv8, b: int): bv8 { a ^ b }
method Fine(a: bv16, n: nat, s: bv3) returns (r: bv16, t: bv16) {
  r := (a & 0x0F) | ((a >> 4) ^ (a << n));
  t := !r & (1 << s);
  r := 1 << 3.0 as bv16;
  r := a >> 2.5;
}
