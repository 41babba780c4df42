// Meant to be wrong, after the listings and figures of P. Spettel, Delfy: Dynamic Test Generation for Dafny (ETH Zürich, 2013). Listings 2.2, 2.3, 3.3, 3.5,
// 4.4 and 4.7 to 4.10 are what that tool makes of others, not programs.

// 2.1
method Ten(x: int) {
  if x == 10 {
    assert false;
  } else {
    print "other";
  }
}

// 3.1, and figure 6.1: a list with a next of a next, whose references may be null
class Cell {
  var v: int
  var next: Cell?
  constructor () { v := 0; next := null; }
}

function Twice(v: int): int {
  2 * v + 1
}

method Third(p: Cell, x: int) {
  if p.next != null && p.next.next != null && p.next.next.next != null {
    assert p.next.next.next.v != Twice(x);
  }
}

method NoThird(p: Cell) returns (v: int) {
  v := p.next.v;
}

method Alias(p: Cell?, x: int) {
  if x > 0 && p != null && p.v == Twice(x) {
    if p.next == p {
      assert false;
    }
  }
}

// 3.2
method SumUp(n: nat) returns (s: int)
  ensures s == n * (n + 1) / 2
{
  var i := 0;
  s := 0;
  while i <= n
    invariant s == i * (n - 1) / 2 && i <= n + 1
  {
    s := s + i;
    i := i + 1;
  }
}

// 3.4, with its line that is commented out in the place of the one before
class Box {
  var data: int
  constructor (v: int) ensures data == v { data := v; }
}

method CopyBox(box: Box) returns (copy: Box)
  ensures copy.data == box.data && fresh(copy)
{
  copy := box;
  box.data := 0;
}

method CopyRight(box: Box) returns (copy: Box)
  modifies box
  ensures copy.data == box.data
  ensures fresh(copy)
{
  copy := new Box(box.data);
  box.data := 0;
}

// 4.1, 6.3
method Any() {
  var x: int := *;
  assert x == 0;
}

// 4.2
method Either(x: int) returns (y: int)
  ensures y == 2
{
  y := x;
  if * { y := 1; } else { y := 2; }
}

// 4.3
method Rounds() returns (y: nat) {
  y := 2;
  while *
    decreases y
  {
    if y == 0 { break; }
    y := y - 1;
  }
  if y == 0 { assert false; }
  if y == 1 { assert false; }
}

// 4.5
function {:extern} Two(x: int): int
  requires 0 < x < 3
  ensures Two(x) == 2

method UseTwo(x: int) returns (s: int)
  ensures s == 2
{
  s := Two(1);
  s := Two(x);
}

// 4.6, 6.1
method Member(s: set<int>) {
  assert 1 in s;
}

method One(s: set<int>) {
  assert {1} == s;
}

// 5.1
method Nested(aa: int, bb: int) returns (a: int, b: int) {
  a, b := aa, bb;
  while *
    decreases 2 - a
  {
    if a >= 2 { break; }
    a := a + 1;
    b := 0;
    while *
      decreases 2 - b
    {
      if b >= 2 { break; }
      b := b + 1;
    }
  }
  if a == 0 && b == 0 { assert false; }
  if a == 1 && b == 2 { assert false; }
  if a == 2 && b == 1 { assert false; }
  assert false;
}

// Figure 5.1
method Both(x: int, y: int) {
  if 0 < x { assert false; }
  if 0 < y { assert false; }
}

// 6.2
method Members(s: seq<int>)
  requires 4 in s
{
  if 1 in s {
    if 2 in s {
      if 3 in s {
        assert false;
      }
    }
  }
}

// Figure 6.3 (gcd01), figure 6.4 (seq13)
method Gcd(a: int, b: int) returns (r: int) {
  if a <= 0 || b <= 0 { return 0; }
  var aa, bb := a, b;
  while bb != 0
    invariant 1 <= aa && 0 <= bb
    decreases aa + bb
  {
    if aa > bb { aa := aa - bb; } else { bb := bb - aa; }
  }
  if aa == 17 { assert false; }
  return aa;
}

method Fourth(s: seq<int>) {
  if 3 < |s| && s[3] == 1234 {
    assert false;
  }
}
