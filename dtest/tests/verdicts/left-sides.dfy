// refused: 9, 11, 12, 13, 15
class C { var f: int var g: array<int> method Do() }
method Set(c: C, a: array<int>, s: seq<int>) returns (x: int)
  requires a.Length > 3
  modifies c, a, c.g
{
  (c).f := 3;
  (if x > 0 then a else c.g)[0] := 2;
  (x) := 1;
  (c).Do();
  (c.f) := 2;
  |s| := 3;
  old(x) := 1;
  x :=
    1, (x), := 2;
}
