class Counter {
  var value: int
  constructor ()
    modifies this
  {
    value := 0;
  }
}
