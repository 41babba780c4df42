datatype Result = Success(value: int) | Failure(error: string) {
  predicate IsFailure() { Failure? }
  function PropagateFailure(): Result requires Failure? { this }
  function Extract(): int requires Success? { value }
}

function Parse(s: string): Result {
  if s == "1" then Success(1) else Failure("bad")
}

method Doubled(s: string) returns (r: Result) {
  var n :- Parse(s);
  return Success(2 * n);
}
