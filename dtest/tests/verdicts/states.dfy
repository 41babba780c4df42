// refused: 4, 7, 10, 13, 14, 16, 17, 29, 33
class C { var f: int }

lemma Before(c: C) requires old(c.f) == 3 { }
twostate lemma Both(c: C) requires old(c.f) == 3 { }
method New(c: C)
  requires fresh(c) { }
lemma After(c: C) ensures old(c.f) == c.f { }
function Now(c: C): int
  ensures allocated(c) { 3 }
iterator Steps(c: C) yields (x: int)
  yield ensures old(c) == c
  yield requires old(c) == c
  requires unchanged(c)
{ }
ghost const K := allocated(0)
type Some = x: int | allocated(x) witness 0
method Here(c: C) returns (b: bool)
  ensures old(c.f) == c.f
{
  assert allocated(c);
  label L: b := true;
  assert old@L(b) == b;
  Both(c);
}
twostate function Old(c: C): int reads c { old(c.f) }
function Uses(c: C): int
  reads c
{ Both(c); 3 }
ghost function Takes(c: C): bool reads c { unchanged'(c) }
predicate unchanged'(c: C) { true }
lemma Nested(c: C) ensures true {
  assert old(old(c.f)) == 3;
}
