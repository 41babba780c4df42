class C {
  var x: int
  const k := 5
  constructor () { x := 0; }
  method M() { }
  function F(): int { 3 }
}
method Field(c: C?) returns (r: int) { r := c.x; } // !
method Constant(c: C?) returns (r: int) { r := c.k; } // !
method Call(c: C?) { c.M(); } // !
method Function(c: C?) returns (r: int) { r := c.F(); } // !
method AsValue(c: C?) { var f := c.F; } // !
method Store(c: C?) modifies c { c.x := 3; } // !
method Length(a: array?<int>) returns (n: nat) { n := a.Length; } // !
method Element(a: array?<int>) returns (n: int) { n := if a == null || a.Length > 0 then a[0] else 0; } // !
method Narrow(c: C?) returns (d: C) { d := c; } // !
twostate predicate Unchanged(c: C?) reads c { unchanged(c) } // !
twostate predicate SetUnchanged(s: set<C?>) reads s { unchanged(s) } // !
twostate predicate FieldUnchanged(c: C?) reads c { unchanged(c`x) } // !
method Contract(c: C?) ensures unchanged(c) // !
method SetContract(s: set<C?>) ensures unchanged(s) // !
