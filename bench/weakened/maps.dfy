// Maps: inversion, counting, prices with overrides.

predicate Injective(m: map<int, int>) {
  forall a, b :: a in m && b in m && m[a] == m[b] ==> a == b
}

method Invert(m: map<int, int>) returns (r: map<int, int>)
  requires Injective(m)
  ensures forall k :: k in m ==> m[k] in r && r[m[k]] == k
  ensures forall v :: v in r ==> r[v] in m && m[r[v]] == v
{
  r := map[];
  var rest := m.Keys;
  while rest != {}
    invariant rest <= m.Keys
    invariant forall k :: k in m && k !in rest ==> m[k] in r && r[m[k]] == k
    invariant forall v :: v in r ==> r[v] in m && m[r[v]] == v
  {
    var k :| k in rest;
    r := r[m[k] := k];
    rest := rest - {k};
  }
}

method Count(words: seq<string>) returns (m: map<string, nat>)
  ensures forall w :: w in m <==> w in words
  ensures forall w :: w in m ==> m[w] == multiset(words)[w]
{
  m := map[];
  for i := 0 to |words|
    invariant forall w :: w in m <==> w in words[..i]
    invariant forall w :: w in m ==> m[w] == multiset(words[..i])[w]
  {
    var w := words[i];
    assert words[..i + 1] == words[..i] + [w];
    m := m[w := if w in m then m[w] + 1 else 1];
  }
  assert words[..|words|] == words;
}

method Restrict(m: map<int, string>, low: int, high: int) returns (r: map<int, string>)
  ensures forall k :: k in r <==> k in m && low <= k < high
  ensures forall k :: k in r ==> r[k] == m[k]
{
  r := map k | k in m && low <= k < high :: m[k];
}
