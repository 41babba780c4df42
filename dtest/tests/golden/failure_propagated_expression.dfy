datatype Option = None | Some(value: int) {
  predicate IsFailure() { None? }
  function PropagateFailure(): Option requires None? { None }
  function Extract(): int requires Some? { value }
}

function Positive(n: int): Option {
  if n > 0 then Some(n) else None
}

function Next(n: int): Option {
  var m :- Positive(n);
  Some(m + 1)
}
