datatype Reply = Ok | Failed {
  predicate IsFailure() { Failed? }
  function PropagateFailure(): Reply { this }
}
method Nothing() {
  :- Ok;
}
