datatype R = Ok(v: int) | Bad {
}
function Lost(): R {
  :- Ok(3);
  Bad
}
