method Own(x: int := x) { }
