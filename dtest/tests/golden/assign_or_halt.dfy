// gen --strength mutants
datatype Status = Done | Failed(error: string) {
  predicate IsFailure() { Failed? }
  function PropagateFailure(): Status requires Failed? { this }
}

function Open(path: string): Status {
  if path == "" then Failed("no path") else Done
}

method Use(path: string) {
  :- expect Open(path);
}
