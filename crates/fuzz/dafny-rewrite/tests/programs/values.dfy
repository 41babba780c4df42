function Half(n: int): int
  requires n >= 0
{
  n / 2
}

function Larger(a: int, b: int): int {
  if a < b then b else a
}

predicate Sorted(s: seq<int>) {
  forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j]
}

method Root(n: nat) returns (r: nat)
  requires n < 1000 && n >= 0
  ensures r * r <= n
  ensures n < (r + 1) * (r + 1)
{
  r := 0;
  while (r + 1) * (r + 1) <= n
    invariant r * r <= n && r >= 0
    decreases n - r
  {
    r := r + 1;
  }
}

method Powers(n: nat) returns (p: int, c: int)
  ensures p >= 1 && c >= 0
{
  p, c := 1, 0;
  var i: int := 0;
  while i < n
    invariant 0 <= i <= n
    invariant p >= 1 && c >= 0
  {
    if i % 3 == 0 && p < 100 {
      p := p * 2;
      c := c + 1;
    }
    if c > 5 {
      c := 0;
    } else if c == 4 {
      c := c + Larger(i, 1);
    } else {
      p := p + 1;
    }
    i := i + 1;
  }
  assert i == n && c >= 0;
}

class Counter {
  var count: int
  const step: int

  constructor (step: int)
    ensures this.step == step && count == 0
  {
    this.step := step;
    count := 0;
  }

  method Add(times: nat)
    modifies this
    ensures count == old(count) + times * step
  {
    var sum := count + times * step;
    count := sum;
  }
}

method Uses(s: seq<int>, b: bool) returns (r: int, t: seq<int>)
  ensures b ==> |t| == |s| + 1
{
  var counter := new Counter(2);
  counter.Add(|s|);
  r := counter.count + Half(|s| + 1);
  var x, y := r, 7;
  t := if b then s + [x] else [y];
  if !b && Sorted(s) {
    r := -r;
  }
  x := y;
  y := x + Half(Half(100));
  r := r + x * y;
}

method Guarded(s: seq<int>, d: int) returns (b: bool)
{
  b := d != 0 && 10 / d > 2 && |s| > 1 && s[1] == d;
  var half := |s| / 2;
  var quarter := half / 2;
  b := b || quarter > d;
}
