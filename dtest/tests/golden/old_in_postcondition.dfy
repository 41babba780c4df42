class Counter {
  var count: int

  method Tick() returns (previous: int)
    modifies this
    ensures previous == old(count)
    ensures count == old(count) + 1
  {
    previous := count;
    count := count + 1;
  }
}
