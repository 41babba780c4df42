// accepted
// The proof of a statement sees the variables that the statement declares.
method P(n: int) returns (r: int) requires n > 0 { r := n; }
method M() {
  var x :| x == 3 by { assert x == x; assert 3 == 3; }
  var y := P(3) by { assert y == y; }
  var z := P(3) by { var y := 3; var q := 4; }
  var q := 3;
}
