class Counter {
  const step: int
  method Count()
    modifies this`step
  {}
}
