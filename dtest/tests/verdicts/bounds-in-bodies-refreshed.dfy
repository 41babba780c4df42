// refused: 6, 7, 8, 9
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
// A type parameter does not have the members of its bound, nor objects for frames.
trait Parent extends object { var f: int method M() const c: int }
method A<T extends Parent>(t: T) returns (p: object) { p := t; }
method B<T extends Parent>(t: T) modifies t { }
method C<T extends Parent>(t: T) { t.M(); }
method D<T extends Parent>(t: T) returns (x: int) { x := t.f; }
method G<T extends object>(t: T) returns (x: T) { x := null; }
method I<T extends Parent>(t: T, o: Parent) returns (p: bool) { p := t is Parent && o is Parent; }
method E<T extends Parent>(t: T, o: Parent) returns (p: bool) { p := t == o; }
class Cell extends Parent { method M() {} constructor () {} }
method Use(c: Cell) { var x := A(c); var y := D<Cell>(c); (c as Parent).M(); }
