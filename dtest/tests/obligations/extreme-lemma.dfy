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

// A proof that mentions `_k` is not executed; its postcondition is checked.
greatest lemma Limited(n: int) ensures Pos(Up(n)) { if _k.Offset > 0 { Limited#[_k - 1](n + 1); } } // !
