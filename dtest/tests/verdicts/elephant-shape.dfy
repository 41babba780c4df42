// refused: 11, 12, 13, 22, 27, 28
datatype Status = Ok | Bad { predicate IsFailure() { Bad? } function PropagateFailure(): Status { this } }
datatype Result<T> = Good(v: T) | Wrong {
  predicate IsFailure() { Wrong? }
  function PropagateFailure<U>(): Result<U> { Wrong }
  function Extract(): T requires Good? { v }
}
method Two() returns (s: Status, n: int) { s, n := Ok, 2; }
method One() returns (r: Result<int>) { r := Good(1); }
method Use() returns (r: Status) {
  :- Two();
  var x, y :- Two();
  :- expect One();
  var n :- Two();
  var k :- expect One();
  r := Ok;
}
datatype Odd = Odd {
  function IsFailure(): string { "" }
  function PropagateFailure(): Odd { this }
}
method IsWrong() returns (r: Odd) { :- Odd; r := Odd; }
datatype More = More {
  predicate IsFailure(n: int) { n == 0 }
  function PropagateFailure(n: int): More { this }
}
method Misses() returns (r: More) { :- More; r := More; }
method Nothing() { :- Ok; }
