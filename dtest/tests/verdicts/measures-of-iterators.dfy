// refused: 16, 17, 20
// Without a `decreases` clause, an iterator has a `_decreases` field for each parameter that has an order.
class C { }
iterator Several<T(0)>(c: C, many: iset<int>, some: set<int>, t: T, f: int -> int, ghost n: nat) yields (r: int)
{
  assert _decreases0 == c;
  assert _decreases1 == some;
  assert _decreases2 == t;
  assert _decreases3 == f;
  assert _decreases4 == n;
}
method Reads(it: Several<int>) {
  ghost var x := it._decreases1 + {3};
}
iterator Wrong(n: int) {
  assert _decreases1 == n;
  assert _decreases0 == true;
}
iterator None() {
  assert _decreases0 == 3;
}
iterator Given(n: int) decreases n, n { assert _decreases1 == _decreases0; }
