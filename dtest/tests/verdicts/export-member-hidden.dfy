// refused: 26, 27, 28, 29, 30, 31, 35, 36, 40
module Shop {
  export provides Till, Till.Total, Coin, Box.Put, Box.size reveals Box, Sign, Label
  class Till {
    var sum: int
    const Limit := 9
    method Total() returns (r: int) { r := sum; }
    method Drop() { }
  }
  datatype Coin = Heads(weight: int) | Tails
  class Box {
    var content: int
    const size: int
    constructor () { size := 2; }
    constructor Full() { size := 3; }
    method Put() { }
    static function Empty(): int { 0 }
  }
  datatype Sign = Plus(shade: int) | Minus { function Flip(): Sign { this } }
  trait Label { function Text(): string }
}
module Customer {
  import Shop
  method Pay(t: Shop.Till, c: Shop.Coin) {
    var a := t.Total();
    t.Drop();
    var b := t.sum;
    var d := t.Limit;
    var e := c.weight;
    assert c.Heads?;
    var f := new Shop.Box.Full();
  }
  method Pack(b: Shop.Box, s: Shop.Sign)
    requires s.Plus? && s.shade == 2
    modifies b`content
    ensures Shop.Box.Empty() == 0
  {
    var box := new Shop.Box();
    box.Put();
    var t := s.Flip();
    var u := s.(shade := box.size);
  }
}
// What an import shows of its own imports can be used.
module Inner {
  class Cell {
    var v: int
    method Clear() modifies this { v := 0; }
  }
}
module Middle {
  import Inner
  class Row { var cell: Inner.Cell constructor (c: Inner.Cell) { cell := c; } }
}
module Outer {
  import Middle
  method Wipe(r: Middle.Row) modifies r.cell { r.cell.Clear(); r.cell.v := 2; }
}
// A module's own names are not hidden from itself, and an export set that reveals everything hides nothing.
module Open {
  export reveals *
  class Part { var n: int constructor Make() { } method Turn() { } }
  iterator Steps(n: int) yields (x: int) { x := n; yield; }
  datatype Pair = Pair(l: int, r: int) { function Sum(): int { l + r } }
}
module Builder {
  import opened Open
  method Build(p: Pair) {
    var a := new Part.Make();
    a.Turn();
    var s := a.n + p.Sum() + p.l;
    var i := new Steps(3);
    var more := i.MoveNext();
    var x := i.x;
  }
}
