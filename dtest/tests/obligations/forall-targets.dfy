class Cell { var f: int constructor () { f := 0; } }
method Index(a: array<int>) modifies a requires a.Length == 4 { forall i | 0 <= i < 4 { a[i / 2] := i; } } // !
method Field(c: Cell) modifies c { forall i | 0 <= i < 2 { c.f := i; } } // !
method Dimension(a: array2<int>) modifies a requires a.Length0 == 2 && a.Length1 == 2 {
  forall i, j | 0 <= i < 2 && 0 <= j < 2 { a[i, 0] := j; } // !
}
method Element(a: array<Cell>) modifies a, set i | 0 <= i < a.Length :: a[i] requires a.Length == 2 {
  forall i | 0 <= i < a.Length { a[i].f := i; } // !
}
method Value(m: map<int, Cell>) modifies m.Values { forall k | k in m { m[k].f := k; } } // !
method Component(c: Cell, d: Cell) modifies c, d { forall x <- [(c, 1), (d, 2)] { x.0.f := x.1; } } // !
function Pick(c: Cell, d: Cell, i: int): Cell { if i == 0 then c else d }
method Result(c: Cell, d: Cell) modifies c, d { forall i | 0 <= i < 2 { Pick(c, d, i).f := i; } } // !
method Same(c: Cell) modifies c { forall i | 0 <= i < 2 { c.f := 7; } }
method Own(s: set<Cell>) modifies s { forall c | c in s { c.f := 7; } }
