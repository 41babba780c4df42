method Places(a: array<int>, c: Cell) modifies a, c {
  c.x :| 0 <= c.x;
}
class Cell { var x: int
}
