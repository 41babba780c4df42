// refused: 10, 13
// That `Extract` is ghost is found with names, where the value goes to a variable that is not ghost.
datatype G = G(n: int) {
  predicate IsFailure() { n < 0 }
  function PropagateFailure(): G { this }
  ghost function Extract(): int { n }
}
method A(g: G, a: array<int>) returns (r: G, s: int) modifies a requires a.Length > 0 {
  ghost var x :- g;
  s :- g;
  ghost var z: int;
  z :- g;
  a[0] :- g;
  var b, c :- g, 3;
}
