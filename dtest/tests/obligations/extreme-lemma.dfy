// Least and greatest lemmas: their postconditions, and the obligations of their proofs.
codatatype Stream = Cons(head: int, tail: Stream)

function Up(n: int): Stream { Cons(n, Up(n + 1)) }

greatest predicate Pos(s: Stream) { s.head > 0 && Pos(s.tail) }

least predicate Even(n: int) { n == 0 || Even(n - 2) }

greatest lemma UpIsPos(n: int)
  requires n > 0
  ensures Pos(Up(n))
{
  assert n >= 1;
  UpIsPos(n + 1);
}

greatest lemma AllUpIsPos(n: int) ensures Pos(Up(n)) { AllUpIsPos(n + 1); } // !

greatest lemma Assertion(n: int)
  requires n > 0
  ensures Pos(Up(n))
{
  assert n > 1; // !
  Assertion(n + 1);
}

lemma NeedsPositive(n: int) requires n > 0 { }

greatest lemma Precondition(n: int)
  requires n > 0
  ensures Pos(Up(n))
{
  NeedsPositive(n - 1); // !
  Precondition(n + 1);
}

least lemma EvenIsNatural(n: int)
  requires Even(n)
  ensures n >= 0 && n % 2 == 0
{
  if n != 0 {
    EvenIsNatural(n - 2);
  }
}

least lemma EvenIsPositive(n: int) requires Even(n) ensures n > 0 { } // !

least lemma Division(n: int)
  requires Even(n)
  ensures n >= 0
{
  var quotient := 10 / (n - 4); // !
}

// A proof that mentions `_k` is executed for each `_k` that has a predecessor.
greatest lemma Limited(n: int) ensures Pos(Up(n)) { if _k.Offset > 0 { Limited#[_k - 1](n + 1); } } // !
greatest lemma OfOrdinal(n: int)
  requires n > 0
  ensures Pos(Up(n))
{
  assert _k.Offset > 0;
  assert n > 1 || _k.Offset > 3; // !
  OfOrdinal#[_k - 1](n + 1);
}
greatest predicate Above[nat](s: Stream) { s.head > 0 && Above(s.tail) }
greatest lemma OfNatural[nat](n: int)
  requires n > 0
  ensures Above(Up(n))
{
  var m := _k;
  assert m > 0;
  assert m > 2; // !
  NeedsPositive(n - _k); // !
  OfNatural(n + 1);
}
// Which steps a precondition about the predicate allows is not followed.
least predicate Double[nat](n: int) { n == 0 || Double(n - 2) }
least lemma Steps[nat](n: int) requires Double(n) ensures n >= 0 { if n != 0 { Steps#[_k - 1](n - 2); } }
