// refused: 15, 19, 27, 29, 33, 35, 40
module Base {
  class Cell { var x: int }
  method Loop() returns (n: nat) { n := 0; while n < 10 { n := n + 1; } }
  method Leave() { var i := 3; while i < 10 { i := i + 1; } }
  method Change(c: Cell) modifies c { modify c { c.x := 3; } }
  method Keep(c: Cell) modifies c { c.x := 3; }
  iterator Numbers() yields (n: int) { n := 3; yield; }
}
module Next refines Base {
  method Leave ... {
    ...;
    while ... {
      label Around: {
        break;
        break Around;
      }
      while true decreases 3 { break; }
      while true decreases 3 { break break; }
      return;
      ...;
    }
    ...;
  }
  iterator Numbers ... {
    ...;
    yield 3;
    ...;
    if { case true => yield; case true => }
  }
  method Loop ... {
    ...;
    while ...
  }
  method Change ... { modify ...; }
}
module Right refines Base { method Change ... { modify ... { ...; } } method Loop ... { ...; while ... { ...; } } }
module Other refines Base {
  method Keep ... {
    ...; modify ...;
  }
}
