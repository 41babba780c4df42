newtype Small = x: int | 0 <= x < 10
method ToInt(r: real) returns (n: int) { n := r as int; } // !
method ToBits(n: int) returns (b: bv4) requires 0 <= n { b := n as bv4; } // !
method ToNat(n: int) returns (m: nat) { m := n as nat; } // !
method ToNewtype(n: nat) returns (s: Small) { s := n as Small; } // !
method ToChar(n: nat) returns (c: char) requires n < 0x10_0000 { c := n as char; } // !
method ToOrdinal(n: int) returns (ghost o: ORDINAL) { o := n as ORDINAL; } // !
method Fits(n: nat) returns (s: Small) requires n < 3 { s := n as Small; }
