// refused: 10
class C {
  var x: int;
  const y: int := 3;
  ghost var z: set<int>;
  method M()
    requires x == 0;
    ensures true;
}
type T = int;
newtype N = int;
datatype D = A | B;
type Small = i: int | 0 <= i < 10 witness 3;
module Inner { const c := 1; }
module Outer {
  import Inner;
}
const last: int := 3;
