// Dafny names the precondition as a related place.
method Call(n: int) requires n < 100 { Take(n); } method Take(n: int) requires n > 0 requires n < 100 { } // !
function InExpression(n: int): int { Half(n) } function Half(n: int): int requires n % 2 == 0 { n / 2 } // !
method OfLemma(n: int) { Lemma(n); } lemma Lemma(n: int) requires n == 0 { } // !
method New(n: nat) { var c := new C(n); } class C { constructor (n: nat) requires n > 0 { } } // !
method Applied(f: int --> int) returns (r: int) { r := f(0); } // !
method Sequence(f: int --> int) returns (s: seq<int>) { s := seq(3, f); } // !
class Dated {
  var date: int
  lemma Is(d: int) requires date == d { }
  method Sent() requires date == 3 modifies this { date := 100; ghost var y := old((Is(100); 0)); } // !
  method Compared() requires date == 3 modifies this { date := 100; assert old((Is(100); true)); } // !
  method Proved() requires date == 3 modifies this { date := 100; assert old((assert true by { Is(100); } true)); } // !
  method All() requires date == 3 modifies this { date := 100; assert forall i: nat :: old((Is(100); true)); } // !
  method Before() requires date == 3 modifies this { date := 100; assert old((Is(3); true)) && old((assert true by { Is(3); } true)); }
}
