// refused: 25, 31
// What a refining method adds does not assign what the base declares, also not by `:-`.
module Results {
  datatype R<T> = Ok(value: T) | Err {
    predicate IsFailure() { Err? }
    function PropagateFailure<U>(): R<U> requires Err? { R.Err }
    function Extract(): T requires Ok? { value }
  }
  method Get() returns (r: R<int>) { return R.Ok(1); }
}
abstract module Base {
  import opened Results
  class Cell {
    var data: int
    method Put() returns (r: R<int>) modifies this {
      var t := 0;
      r := R.Ok(t);
    }
  }
}
module Variable refines Base {
  class Cell ... {
    method Put ... {
      ...;
      t :- Get();
    } } }
module Field refines Base {
  class Cell ... {
    method Put ... {
      ...;
      this.data :- Get();
    } } }
module Own refines Base {
  class Cell ... {
    var more: int
    method Put ... {
      ...;
      var own :- Get();
      own, more :- Two();
    }
    method Two() returns (r: R<int>, n: int) { return R.Ok(1), 2; }
  } }
