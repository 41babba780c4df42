// `!` twice is nothing, for a bit-vector that is passed by reference too.
method Both(a: int) returns (r: multiset<int>, s: bv32, t: bool) {
  r, s := multiset{}, 5;
  t := a > 2;
  if t {
    return r, (!(!s)), (!(!t));
  }
}

method Main() {
  var x, y, z := Both(3);
  print x, " ", y, " ", z, "\n";
  x, y, z := Both(1);
  print x, " ", y, " ", z, "\n";
}
