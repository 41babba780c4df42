// refused: 3, 4, 5
method Large() returns (b: bv4, c: bv1) {
  b := 16;
  b, c := 15, 2;
  if b == 99 { }
}
function Zero(b: bv0): bool { b == 0 }
