method Array(a: array<int>, i: int) returns (r: int) { r := a[i]; } // !
method Matrix(a: array2<int>, i: nat) returns (r: int) requires i < a.Length0 { r := a[i, 0]; } // !
method Sequence(s: seq<int>, i: nat) returns (r: int) { r := s[i]; } // !
method Update(s: seq<int>, i: nat) returns (r: seq<int>) { r := s[i := 3]; } // !
method Slice(s: seq<int>, i: nat) returns (r: seq<int>) { r := s[..i]; } // !
method OfArray(a: array<int>, i: nat) returns (r: seq<int>) { r := a[i..]; } // !
method Order(s: seq<int>, i: nat, j: nat) returns (r: seq<int>) requires i <= |s| && j <= |s| { r := s[i..j]; } // !
method Key(m: map<int, int>) returns (r: int) { r := m[3]; } // !
method Guarded(m: map<int, int>) returns (r: int) { r := if 3 in m then m[3] else 0; }
iterator Frame(a: seq<array<int>>) reads a[0] // !
iterator Changes(a: seq<array<int>>) requires |a| > 0 modifies a[0]
iterator First() yields (y: int) yield requires ys[0] == 1 // !
iterator Last() yields (y: int) yield ensures ys[|ys| - 1] == y
method KeyOfImap(n: int) { ghost var y := (imap x: int | x > 0 :: x + 1)[n]; } // !
method KeyOfNarrowImap(n: int) { assert (imap x: nat :: x)[n] == (imap x: nat :: x)[n]; } // !
method KeyOfImapWithin(n: int) requires n > 0 { ghost var y := (imap x: int | x > 0 :: x + 1)[n]; assert y == n + 1; }
