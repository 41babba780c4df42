// Dafny names the precondition as a related place.
method Call(n: int) requires n < 100 { Take(n); } method Take(n: int) requires n > 0 requires n < 100 { } // !
function InExpression(n: int): int { Half(n) } function Half(n: int): int requires n % 2 == 0 { n / 2 } // !
method OfLemma(n: int) { Lemma(n); } lemma Lemma(n: int) requires n == 0 { } // !
method New(n: nat) { var c := new C(n); } class C { constructor (n: nat) requires n > 0 { } } // !
method Applied(f: int --> int) returns (r: int) { r := f(0); } // !
method Sequence(f: int --> int) returns (s: seq<int>) { s := seq(3, f); } // !
