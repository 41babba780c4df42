class Counter {
  var n: int := 0
}
