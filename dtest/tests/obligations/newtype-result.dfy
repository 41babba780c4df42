// options: --type-system-refresh --general-newtypes
newtype Byte = x: int | 0 <= x < 256
newtype Bits = x: bv7 | 2 <= x < 5 witness 2
newtype Three = s: seq<int> | |s| == 3 witness [1, 2, 3]
newtype Few = s: set<int> | |s| < 2
newtype Bag = s: multiset<int> | |s| < 2
newtype Pairs = s: map<int, int> | |s| < 2
newtype Yes = b: bool | b witness true
method Sum(a: Byte, b: Byte) returns (r: Byte) { r := a + b; } // !
method Minus(a: Byte) returns (r: Byte) { r := -a; } // !
method Literal() returns (r: Byte) { r := 256; } // !
method Parentheses() returns (r: Byte) { r := -(256); } // !
method Shift(a: Bits) returns (r: Bits) { r := a << 1; } // !
method Complement(a: Bits) returns (r: Bits) { r := !a; } // !
method Or(a: Bits, b: Bits) returns (r: Bits) { r := a | b; } // !
method And(a: Bits, b: Bits) returns (r: Bits) { r := a & b; } // !
method Xor(a: Bits, b: Bits) returns (r: Bits) { r := a ^ b; } // !
method Slice(a: Three) returns (s: Three) { s := a[..2]; } // !
method Concatenation(a: Three) returns (s: Three) { s := a + a; } // !
method Display() returns (s: Three) { s := [1]; } // !
method Union(a: Few, b: Few) returns (s: Few) { s := a + b; } // !
method SetDisplay() returns (s: Few) { s := {1, 2}; } // !
method BagSum(a: Bag, b: Bag) returns (s: Bag) { s := a + b; } // !
method BagDisplay() returns (s: Bag) { s := multiset{1, 1}; } // !
method Merge(a: Pairs, b: Pairs) returns (s: Pairs) { s := a + b; } // !
method MapDisplay() returns (s: Pairs) { s := map[1 := 2, 2 := 2]; } // !
method Not(a: Yes) returns (s: Yes) { s := !a; } // !
method Comparison(x: int) returns (s: Yes) { s := x == 3; } // !
method Fits(a: Few, b: Few) returns (s: Few) { s := a * b; }
