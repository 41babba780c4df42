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
