// refused: 6, 8, 9, 10
// first: 9
// That lines have another type than the first is one error, and what a step compares another; the first comes before the second.
lemma Steps(x: int, b: bool, s: seq<int>) {
  var same :=
    x == b;
  calc {
    x;
    s;
    b;
  }
}
