// refused: 4, 8, 12, 13
datatype D = D(int, y: int) | E(y: int, bool) | F(y: int)
method M(d: D) {
  var e := d.(y := 3);
}
datatype D2 = G(int, y: int) | F2(y: int)
method M2(d: D2) {
  var e := d.(y := 3);
}
datatype D3 = G(int, y: int) 
method M3(d: D3) {
  var e := d.(y := 3);
  var f := d.(0 := 3);
}
