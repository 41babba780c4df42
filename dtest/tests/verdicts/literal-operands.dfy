// refused: 3, 4, 5, 6, 7, 8, 9
function F(x: int): int { x }
method In(n: int) returns (b: bool) { b := n in 3; }
method Not() returns (b: bool) { b := !2; }
method Call() { var n := 3(); }
method Index() { var n := 12[0]; }
method Null() { print null[2]; }
method Size() { var n := |1.5|; }
method Minus() { var n := -true; }
method Fine(b: bv8, f: int -> int) { var n := !b; n := !1; var k := -1.5 + -2.0; k := f(-1) as real; }
