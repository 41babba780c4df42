method Fresh<T(0)>() returns (t: T) {
  t := *;
}

method Number() returns (n: nat) {
  var x: nat := Fresh<nat>();
  n := 0 * x;
}
