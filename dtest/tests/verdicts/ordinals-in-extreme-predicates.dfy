// refused: 8, 12, 16, 20, 24, 28, 32, 37, 38, 39
// Bound variables of extreme predicates cannot be or mention ORDINAL.
datatype Ranked = Ranked(rank: ORDINAL) | Unranked
datatype Box<T> = Box(value: T)
type Rank = o: ORDINAL | true witness *

least predicate All(n: int) {
  forall o: ORDINAL :: All(n)
}

greatest predicate Some(n: int) {
  exists o: ORDINAL :: Some(n)
}

least predicate Condition(n: int)
  requires forall o: ORDINAL :: o == o
{ Condition(n) }

greatest predicate InSet(n: int) {
  n in (iset o: ORDINAL | o == 0 :: 3)
}

least predicate ByNumbers[nat](n: int) {
  exists o: ORDINAL :: ByNumbers(n)
}

greatest predicate Generic(n: int) {
  exists b: Box<ORDINAL> :: b == b && Generic(n)
}

greatest predicate Pairs(w: (ORDINAL, bool)) {
  exists u: (ORDINAL, bool) :: u.0 < w.0 && Pairs(u)
}

greatest predicate Values(n: int) {
  && (forall i | 0 <= i < n ::
    exists r: Rank :: Values(i))
  && ((map r: Rank | r in {r1(), r2()} :: n) == map[])
  && (exists f: int -> ORDINAL :: f == f)
}

ghost function r1(): Rank { 0 }
ghost function r2(): Rank { 1 }

// Allowed: the fields of datatypes, variables of `let`, and everything outside of them.
greatest predicate Descends(w: Ranked) {
  exists u: Ranked :: u.Ranked? && (w.Unranked? || u.rank < w.rank) && Descends(u)
}

least predicate Bound(n: int) {
  var o: ORDINAL := 0; var p: ORDINAL :| p == o; Bound(n)
}

ghost predicate Plain() { forall o: ORDINAL :: o == o }

greatest lemma Proof(w: Ranked)
  requires Descends(w)
  ensures Descends(w)
{
  assert forall o: ORDINAL :: o == o;
}
