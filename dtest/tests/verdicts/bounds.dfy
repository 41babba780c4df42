// refused: 7, 9, 11, 14, 17, 19, 21, 23
class C { var x: int }
type Outer(==)
datatype Colour = Red | Green
ghost predicate Fine(s: set<C>) { (forall c :: c in s ==> c == c) && (forall o: Outer :: o == o) && forall f: int -> int :: f(0) == 0 }
ghost predicate Heap() reads *
{ forall c: C :: c.x == 3 }
ghost function All(): set<C>
{ set c: C | true }
ghost predicate Value(f: C -> bool) {
  (c => exists d: C :: d != c) == f
}
ghost predicate Asserted<K>(m: map<K, int>)
{ (set k: K | (assert true; k) in m) == {} }
method M(n: int, a: seq<int>) {
  ghost var all := set c: C | true;
  ghost var ints := set i: int | i > n;
  ghost var fine := set i: int | n < i < |a| && i !in a;
  ghost var bits := set b: bv4 | true;
  ghost var pairs := set i: int, j: int | 0 <= i < j < n :: (i, j);
  ghost var unbounded := map i: int | i <= n :: i;
  ghost var infinite := iset i: int | i > n;
  ghost var tuples := set p: (bool, bool) | p.0;
  ghost var colours := set c: Colour | c != Red;
  ghost var inside := set s: set<int> | s <= {1, 2, 3} && n in s;
}
