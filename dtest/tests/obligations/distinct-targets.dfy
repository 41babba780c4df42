class Cell { var f: int constructor () { f := 0; } }
method Elements(a: array<int>, i: nat, j: nat) modifies a requires i < a.Length && j < a.Length { a[i], a[j] := 1, 2; } // !
method Fields(c: Cell, d: Cell) modifies c, d { c.f, d.f := 1, 2; } // !
method Two() returns (a: int, b: int) { a, b := 1, 2; }
method Results(c: Cell, d: Cell) modifies c, d { c.f, d.f := Two(); } // !
method Equal(c: Cell, d: Cell) modifies c, d { c.f, d.f := 1, 1; }
