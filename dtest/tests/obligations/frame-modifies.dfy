class C { var x: int constructor () { x := 0; } }
method Store(c: C, d: C) modifies d { c.x := 3; } // !
method Element(a: array<int>) requires a.Length > 0 { a[0] := 3; } // !
method Change(c: C) modifies c { c.x := 3; }
method Call(c: C) { Change(c); } // !
method Modify(c: C) { modify c; } // !
method Loop(c: C, d: C) modifies c, d {
  for i := 0 to 3
    modifies c
  { d.x := 3; } // !
}
method ForAll(s: set<C>) { forall c | c in s { c.x := 0; } } // !
method Fresh() { var c := new C(); c.x := 3; }
