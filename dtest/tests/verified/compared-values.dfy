// The type arguments of a value that is compared are inferred with base types.
type Pos = x: int | x > 0 witness 1
datatype List<T> = Nil | Cons(head: T, tail: List<T>)
datatype Pair<T> = Pair(a: T, b: nat)
method Ensured(i: int) returns (r: List<Pos>) ensures r == Cons(i, Nil) { assume {:axiom} false; }
method Assumed(r: List<Pos>, i: int) { assume {:axiom} r == Cons(i, Nil); }
method Tested(r: List<Pos>, i: int) returns (b: bool) { b := r != Cons(i, Cons(i, Nil)); }
method Other(p: Pair<Pos>, i: int) returns (b: bool) { b := Pair(i, 3) == p; }
