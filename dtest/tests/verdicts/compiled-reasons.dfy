// refused: 11, 12, 13, 15, 19, 22, 30
datatype D = A(c: int) | ghost B(c: int, x: int)
function Half(n: int, ghost m: int): int { n / 2 }
function Mix(a: int, b: int): int { a + b }
function Sum(n: int, ghost m: int): int
{
  if n == 0 then 0
  else if m > 3 then
    var r, z := Sum(n, m - 1), 7;
    if m > 5 then r else Sum(n, 0)
  else Mix(m,
    if m > 4 then
      m
    else n)
    + m
}

method Updates(d: D) returns (r: D) {
  r := d.(x := 2);
  r := d.(c := 2);
  var e := d.(x := 3);
  r := e;
  ghost var f := d.(x := 3);
}

method Values() returns (f: (int, int) -> int)
{
  ghost var g := Half;
  f := Mix;
  f := Half;
}
