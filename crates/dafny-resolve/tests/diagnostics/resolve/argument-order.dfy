method M(a: int, b: int := 2, nameonly c: int := 3) { }
method N(f: int -> int) {
  M(a := 1, 2);
}
