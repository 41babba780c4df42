lemma {:axiom} Ext(f: int -> int, g: int -> int) requires forall x :: f(x) == g(x) ensures f == g
datatype Box = Box(f: int -> int)
datatype Tree<T> = Leaf(t: T) | Node(l: Tree<T>, r: Tree<T>)
method All() {
  var f, g := (x: int) => x + 1, (x: int) => 1 + x;
  Ext(f, g);
  ghost var s := {f, g};
  assert |s| == 1;
  assert g in {f};
  ghost var m := map[f := 1];
  assert m[g] == 1;
  assert Box(f) == Box(g);
  assert Leaf(f) == Leaf(g);
  assert multiset{f, f} == multiset{f, g};
  assert {f} <= {g} && {f} * {g} == {f} && {f} - {g} == {};
  assert [f] == [g] && (f, 1) == (g, 1);
  assert f in multiset{g} && {Box(f)} == {Box(g)};
}
