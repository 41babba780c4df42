// refused: 11, 12
// A variable that `:-` declares is declared like any other (reference manual, "Type parameter characteristics").
datatype R<T> = Ok(value: T) | Err {
  predicate IsFailure() { Err? }
  function PropagateFailure<U>(): R<U> requires Err? { R.Err }
  function Extract(): T requires Ok? { value }
}
type Eq<T(==)> = s: seq<T> | true
method Get() returns (r: R<seq<int -> int>>) { return R.Ok([]); }
method M() returns (r: R<int>) {
  var x: Eq<int -> int> := [];
  var y: Eq<int -> int> :- Get();
  var z: seq<int -> int> :- Get();
  ghost var g: Eq<int -> int> := [];
  return R.Ok(0);
}
