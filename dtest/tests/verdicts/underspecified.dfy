// refused: 8, 9, 10, 11, 12, 13, 14, 17, 18, 19
datatype Opt<T> = None | Some(value: T)
class Cell<T> { constructor () { } }
function Id<T>(x: T): T { x }
function Count<T>(): int { 3 }
method Make<T>() { }
method M() {
  var a := [];
  var b := None;
  var c := Id;
  var d := Count();
  Make();
  var e := new Cell();
  var f := map[1 := []];
}
method N() returns (r: bool) {
  r := [] == [];
  r := |{}| == 0;
  var a := x => true;
}
method Fine() returns (r: seq<int>, o: Opt<bool>, n: int) {
  var a := [];
  a := a + [1];
  var b := None;
  o := b;
  r := [];
  var c := {};
  c := c + {true};
  n := |a| + Count<bool>();
  Make<int>();
  var d := new Cell<nat>();
  var f: int -> int := Id;
  if o == None || r == [] { }
  var z := null;
  assert forall x :: x in a ==> x == 1;
}
