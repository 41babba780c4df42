// refused: 14, 15, 16, 31, 32
module Readers {
  datatype Pack<T> = Pack(c: T)
  type Named = f: () ~> int | true witness *
  class Cell {
    var x: int
    var f: () ~> int
    ghost var p: Pack<() ~> int>
    constructor(p: Pack<() ~> int>) { f := () => 3; }
  }
  method Store(c: Cell, a: array<() ~> int>, pure: () -> int, named: Named) modifies c, a requires a.Length > 0 {
    c.f := () => 3;
    a[0] := pure;
    c.f := () reads c => c.x;
    a[0] := named;
    c.p := Pack(() reads c => c.x);
    var local := () reads c => c.x;
    local := named;
  }
}
module Owners {
  trait Base<T> extends object { const f: T }
  class Own extends Base<Own -> int> {
    const g: int -> int
    const h: seq<() -> Own?>
    const i: object -> int
    const j: seq<Other -> int>
    const k: Own?
    constructor(f: Own -> int, i: object -> int, g: int -> int, h: seq<() -> Own?>, j: seq<Other -> int>) {
      this.g := g;
      this.f := f;
      this.h := h;
      this.j := j;
      this.k := null;
    }
  }
  class Other {}
}
