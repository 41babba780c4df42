class Counter {
  var n: int
}
lemma Reset(c: Counter) {
  c.n := 0;
}
