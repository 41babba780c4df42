class C { var x: int constructor () { x := 0; } }
trait T {
  method M(c: C)
  function F(c: C): int
}
class Wider extends T {
  constructor () { }
  method M(c: C) modifies c { c.x := 3; } // !
  function F(c: C): int reads c { c.x } // !
}
trait Holder<X> {
  var held: X
  method Drop()
  function Peek(): X reads this
}
class IntHolder extends Holder<int> {
  var other: C
  constructor () { held := 1; other := new C(); }
  method Drop() modifies this { held := 2; } // !
  function Peek(): int reads this, other { other.x } // !
}
