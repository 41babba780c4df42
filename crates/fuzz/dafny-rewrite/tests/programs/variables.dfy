method Swap(n: nat) returns (r: int)
{
  var x, y: int := 1, 2;
  var z := 0;
  var a := new int[3];
  while z < n
    invariant 0 <= z <= n
    invariant x + y == 3
  {
    x, a[0], y := y, z, x;
    z := z + 1;
  }
  assert x + y == 3;
  r := 10 * x + y + a[0];
}

method Late(b: bool, s: seq<int>) returns (r: int)
{
  var x: int;
  var k := |s|;
  x := if b then k else -k;
  {
    var x := x + 1;
    k := x;
  }
  var f := (i: int) => i + x;
  r := f(k);
  if r > 3 {
    var t, u := r, 2;
    t, u := u, t;
    r := t * 100 + u;
  }
}

method Seven(n: nat)
{
  var i := 0;
  while i < n
    invariant 0 <= i <= n
  {
    i := i + 1;
  }
  assert i == n;
}

method Twelve(n: nat)
{
  var x, y := 0, 1;
  while x < n {
    // only x changes
    x := x + 1;
  }
  assert y == 1;
}

method Two() returns (a: int, b: bool)
{
  return 3, true;
}

method Calls(n: nat) returns (r: int)
{
  var c, d := Two();
  var e: bool, f: int := d, n;
  f, e := Two();
  var g := f;
  if e == d {
    g := g + c;
  }
  ghost var h := g;
  h := h + 1;
  r := f + g;
}
