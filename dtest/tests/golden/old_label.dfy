class Counter {
  var count: int

  method Twice()
    modifies this
  {
    count := count + 1;
    label middle:
    count := count + 1;
    assert count == old@middle(count) + 1;
  }
}
