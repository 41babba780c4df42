// refused: 6, 7, 12, 19, 27
ghost function G(x: int): int { x }
function F(x: int, ghost y: int): int { x }
function Both(x: int, ghost y: int): int {
  var a := if y == 0 then 1 else 2;
  G(x) +
  y + a
}
// A test of ghosts decides between branches of which one only goes on with other ghosts.
function Fine(x: nat, ghost y: nat): nat {
  if y > 3 then var z, w := Fine(x, y - 1), 3; if w == y then z else Fine(x, y - 2) else
  if y > 2 then Fine(x + 0, y) else 2
}
function Value(x: int): int {
  var f := (x: int) => x;
  f(x)
}
function Taken(): int {
  (var g := F; g)(3, 4)
}
datatype Ghostly = Ghostly(n: int) {
  predicate IsFailure() { n < 0 }
  ghost function PropagateFailure(): int { 1 }
  ghost function Extract(): int { n }
}
method Fails(g: Ghostly) returns (r: int) {
  ghost var x :- g;
}
method Passes(g: Ghostly) returns (ghost r: int) {
  ghost var x :- g;
}
