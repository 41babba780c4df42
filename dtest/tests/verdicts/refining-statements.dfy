// refused: 37, 38, 39, 45, 46, 52, 54
abstract module Base {
  class Cell {
    var aged: int
    constructor Plain() { }
    constructor Own() { this.aged := 3; }
    constructor Other(c: Cell) modifies c { c.aged := 3; }
    method M(a: array<int>) returns (r: int)
      requires a.Length > 3
      modifies this, a
    {
      var t := 3;
      var u :| u > t;
      if * { t := 4; }
      r := t;
    }
    method Find() returns (r: int) { r := 3; }
    method Loop() modifies this {
      while * { }
    }
  }
}

module Refined refines Base {
  class Cell ... {
    var young: int
    method M...
    {
      ...;
      var u := t + 1;
      var x := u;
      x, young := 4, 5;
      var c := new Cell.Plain(); var d := new Cell.Own();
      if young > 3 {
        x := x + 1;
      } else {
        t := 4;
        aged := 4;
        a[0] := 4;
      }
      ghost var e := 3;
      u :| u > t;
      assert x == x by { }
      c.young := 3;
      c := new Cell.Other(c);
      r := 9;
      ...;
    }
    method Find... { if young > 3 { return 4; } }
    method Loop...
    {
      while young > 3 decreases young {
        young := young - 1;
        aged := 3;
      }
    }
  }
}
