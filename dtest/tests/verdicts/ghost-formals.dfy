// refused: 2, 3, 4, 5, 6, 7
ghost function F(ghost x: int): int { 3 }
ghost method M(ghost x: int) { }
lemma L(ghost x: int) { }
lemma R() returns (ghost x: int) { x := 3; }
least predicate P(ghost x: int) { true }
twostate predicate Q(ghost x: int) { true }
method Fine(ghost x: int) returns (ghost y: int) { y := x; }
function Also(ghost x: int, y: int): int { y }
class C { constructor (ghost x: int) { } }
