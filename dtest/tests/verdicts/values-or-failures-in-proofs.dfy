// refused: 12, 13, 14, 15
// A proof assigns only what it declares and does not return, also not by `:-` (reference manual, "Update with Failure Statement").
datatype R<T> = Ok(value: T) | Err {
  predicate IsFailure() { Err? }
  ghost function PropagateFailure<U>(): R<U> requires Err? { R.Err }
  function Extract(): T requires Ok? { value }
}
ghost function Get(): R<int> { R.Ok(1) }
ghost method Returns() returns (r: R<int>) {
  var g :- Get();
  g :- Get();
  assert true by { var own :- Get(); }
  assert true by { g :- assert Get(); }
  assert true by { g := 1; }
  calc { 1; { g :- assert Get(); } 1; }
  assert true by { var own :- assert Get(); own :- assert Get(); }
  r := R.Ok(g);
}
lemma Ends() returns (r: R<int>) {
  var g :- Get();
  g :- Get();
  return R.Ok(g);
}
