// refused: 5, 6, 7, 8, 9, 13, 15
method M(a: int, b: int := 2, nameonly c: int := 3) { }
function F(a: int, b: bool): int { a }
method N(f: int -> int) {
  M(a := 1, 2);
  M(1, a := 2);
  M(1, 2, 3);
  var x := f(n := 3);
  var y := F(a := 1, c := true);
  M(1, c := 3);
  var z := F(b := true, a := 3) + f(3);
  M(
    1, 2, c := 3, 4);
}
method Order(nameonly a: int, b: int) { }
method Fine(nameonly a: int, b: int := 3, nameonly c: int) { }
