// refused: 12, 15, 18
// The value that a bound variable is equal to is not tested for the type of the variable.
class Box<A> { }
method M(o: object) returns (b: bool, s: set<object>, m: map<object, int>) {
  b := forall x: Box<int> | x == o :: true;
  b := forall x: Box<int> :: x == o ==> true;
  b := exists x: Box<int> :: o == x && true;
  s := set x: Box<int> | x == o;
  m := map x: Box<int> | x == o :: 3;
}
method InSet(o: object) returns (b: bool) {
  b := forall x: Box<int> | x in {o} :: true;
}
method InSeq(o: object) returns (b: bool) {
  b := exists x: Box<int> :: x in [o] && true;
}
method Statement(o: object, a: array<int>) modifies a requires a.Length > 3 {
  forall x: Box<int> | x in {o} { a[2] := 60; }
}
method Equal(o: object, a: array<int>) modifies a requires a.Length > 3 {
  forall x: Box<int> | x == o { a[2] := 60; }
}
