datatype Outcome = Pass | Fail(error: string) {
  predicate IsFailure() { Fail? }
  function PropagateFailure(): Outcome requires Fail? { this }
}

method {:test} Reports() returns (o: Outcome) {
  o := Pass;
}
