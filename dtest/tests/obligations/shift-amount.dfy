method Below(a: bv8, n: int) returns (r: bv8) requires n <= 8 { r := a << n; } // !
method Above(a: bv8, n: nat) returns (r: bv8) { r := a >> n; } // !
method Rotate(a: bv8, n: nat) returns (r: bv8) { r := a.RotateLeft(n); } // !
method Fits(a: bv8, n: nat) returns (r: bv8) requires n <= 8 { r := a << n; }
