// refused: 12
datatype R = Ok(v: int) | Bad {
  predicate IsFailure() { Bad? }
  function PropagateFailure(): R { Bad }
  function Extract(): int requires Ok? { v }
}
datatype Status = Fine | Wrong {
  predicate IsFailure() { Wrong? }
  function PropagateFailure(): Status { Wrong }
}
function Lost(): R {
  :- Ok(3);
  Bad
}
function Kept(): R { var _ :- Ok(3); Bad }
function Told(): Status { :- Fine; Wrong }
