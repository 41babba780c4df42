// refused: 6, 8, 9, 10
type Eq<T(==)> = seq<T>
type Init<T(0)> = seq<T>
type Any<T> = seq<T>
method Fine(a: Eq<int>, ghost b: Eq<int -> int>, c: Any<int -> int>) { }
method Bad(c: Eq<int -> int>) { }
class C { constructor () { }
  var a: Init<C>
  const b: seq<Eq<int -> int>> := []
  function F(): (r: Eq<int -> int>) { [] } }
method Inferred<T>(a: Eq<T>) { }
function Asked<T(==)>(a: Eq<T>): int { 0 }
ghost function Ghosts(a: Eq<int -> int>): int { 0 }
datatype D<T> = D(ghost g: Eq<int -> int>)
