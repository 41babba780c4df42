// refused: 4, 5, 6, 7, 9, 10, 11, 12, 13
// The older type system does not relate a type parameter to its bound.
trait Parent extends object { var f: int method M() const c: int }
method A<T extends Parent>(t: T) returns (p: object) { p := t; }
method B<T extends Parent>(t: T) modifies t { }
method C<T extends Parent>(t: T) { t.M(); }
method D<T extends Parent>(t: T) returns (x: int) { x := t.f + t.c; }
class Cell extends Parent { method M() {} constructor () {} }
method E<T extends object>(t: T) returns (x: object) { x := t; }
method F<T extends object>(t: T, o: object) returns (x: bool) { x := t == o; }
method G<T extends object>(t: T) returns (x: T) { x := null; }
method I<T extends Parent>(t: T) returns (p: bool) { p := t is Parent; }
method J<T extends Parent>(t: T, p: Parent) returns (s: seq<Parent>) { s := [p, t]; }
method Same<T extends Parent>(t: T, u: T) returns (s: seq<T>) { s := [t, u]; }
method Use(c: Cell) { var x := A(c); var y := D<Cell>(c); }
