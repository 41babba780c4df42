// Expressions that may be changed, in every position.
datatype Op = Plus | Minus | Times
datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)
datatype Result = Good(v: int) | Bad {
  predicate IsFailure() { Bad? }
  function PropagateFailure(): Result requires Bad? { Bad }
  function Extract(): int requires Good? { v }
}
type Small = x: int | 0 <= x < 10
newtype Byte = x: int | 0 <= x < 256
const Limit: int := Twice(4) + 1

function Twice(n: int): int { n * 2 }

method Quantifiers(n: int, s: seq<int>) returns (a: bool, b: bool, c: bool)
  requires 0 <= n < 6
{
  a := forall x: int :: 0 <= x < 10 ==> x < 20 - n;
  b := exists i, j :: 0 <= i < j < |s| && s[i] == s[j];
  c := forall i | 0 <= i < |s| :: s[i] > 0 || s[i] in s[..i];
}

method Comprehensions(n: int, s: set<bool>) returns (a: set<int>, b: map<int, int>, c: set<bool>)
  requires 0 <= n < 6
{
  a := set x: int | 1 <= x < n && x % 2 == 0 :: x * x;
  b := map x: int | 0 <= x <= n && x != 2 :: x := x + 1;
  c := set o: bool <- s | o;
}

method Lambdas(n: int) returns (r: int) {
  var f := (x: int) => if x < 3 then x + n else x - n;
  r := f(2) + f(4);
}

function LetSuchThat(n: int): int {
  var x :| x == n + 1;
  x * 2
}

function Match(a: Op, b: Op, n: int): int {
  match (a, b)
  case (Plus, Plus) => n + 1
  case (Minus, _) => n - 1
  case (Plus, Times) | (Times, Times) => n * 2
  case _ => 0
}

function Numbers(n: int): int {
  match n
  case 0 => 5
  case 7 => 1
  case _ => n
}

function Sum(t: Tree): int {
  match t
  case Leaf => 0
  case Node(l, v, r) => Sum(l) + v - Sum(r)
}

function ByMethod(n: nat): (r: nat) {
  n + n
} by method {
  r := 2 * n;
}

function WithDefault(n: int, step: int := 3): int { n + step }

method Defaults(n: int) returns (r: int) { r := WithDefault(n) - WithDefault(n, 2); }

method Chains(x: int, y: int) returns (r: bool) { r := 0 <= x - 3 < 10 || (y < x < 20 && !(x == y)); }

method Failing(n: int) returns (r: Result) {
  var v :- Parse(n);
  return Good(v + 1);
}

function Parse(n: int): Result { if n < 0 then Bad else Good(n) }

method Loops(s: seq<int>) returns (r: int) {
  r := 0;
  for i := 0 to |s| { r := r + s[i] * 2; }
  for i := |s| downto 0 { if s[i] == 3 { break; } r := r - 1; }
}

method Constants(n: int) returns (r: bool) { r := n < Limit; }

method Subsets(n: Small) returns (r: int) { r := if n > 4 then n - 1 else n + 1; }

method Slices(s: seq<int>) returns (r: seq<int>)
  requires |s| > 2
{
  r := s[1..|s| - 1] + s[..2];
}

class Cell {
  var content: int
  var other: int
  method Mix(from: Cell) returns (r: int)
    modifies this
  {
    content := from.content - other;
    other := if content < 0 then 1 else other;
    r := content - other;
  }
}

datatype Span = Span(low: int, high: int)
datatype Shape = Box(size: int, name: int) | Dot(name: int)

function Moved(r: Span, n: int): Span { r.(low := r.low + n, high := r.high - n) }

function Renamed(s: Shape, name: int): Shape { s.(name := name + 1) }

method Ends(s: seq<int>, a: array<int>, i: nat, j: nat) returns (r: seq<int>, t: seq<int>)
  requires i <= j <= |s| && j <= a.Length
{
  r := s[i..] + s[..j];
  t := a[i..] + a[..j] + s[i..j] + a[i..j];
}

method Bounds(n: int, k: nat) returns (r: int, c: nat)
  requires 0 <= n < 6
{
  r, c := n + k, 0;
  for i := 0 to n { if i == k { c := c + 1; } else { r := r + i; } }
  var j := n;
  while 0 < j && r != 7 { j := j - 1; r := r + 2 * j; }
  for i := n downto c { r := r * 2 - i; }
}

function Smart(low: int, high: int): Span { if low > high then Swapped(low, high) else Span(low, high) }

function Swapped(low: int, high: int): Span { Span(high, low) }

function Sorted(low: int, high: int): Span { Smart(low, high) }

function Digits(n: nat, count: int, sum: nat): Span {
  if n == 0 then Span(count, sum) else Digits(n / 10, count + 1, sum + n % 10)
}

method Count(n: nat) returns (r: nat) { r := n; r := Next(r); r := Next(r + n); }

method Next(n: nat) returns (r: nat) { r := Same(n); r := r + 1; }

method Same(n: nat) returns (r: nat) { r := n; }

class Counter {
  var count: nat
  var all: map<int, nat>
  method Add(key: int, more: seq<nat>) returns (keys: set<int>)
    modifies this
  {
    count := Next(count);
    all := all[key := |more|];
    var old_ := if key in all then all[key] else count;
    all := all[key + 1 := old_ + 1];
    keys := all.Keys + {key};
  }
}

method Made(n: int) returns (f: int -> int, g: seq<int> -> bool) {
  f := x => if x > 100 then x - n else x + n;
  g := s => |s| > 1 && s[0] == n;
}

datatype Figure = Circle(r: int) | Square(r: int) | Point | Origin

method Figures(x: int) returns (s: Figure) {
  s := if x < 0 then Figure.Circle(x) else Square(x + 1);
  if x == 7 { s := Figure.Point; }
  if x == 9 { s := Figure.Square(r := x); }
}

function Lets(n: int, m: int): int { (var k := n + 1; k * k) - m * (var j, k := m, n; j - k) }

method Infinite(n: int) returns (b: bool) {
  var s: iset<int> := iset{1, 2, n};
  var m: imap<int, int> := imap[n := 1, 2 := n];
  b := 2 in s && n + 1 in m;
}

iterator Steps(n: int) yields (y: int)
{
  y := 1;
  yield;
  match n {
    case 2 | 7 => y := y + 3;
    case 0 =>
    case other => if 0 <= other < y + 4 { y := other; }
  }
  yield;
}

method LetOperands(s: seq<int>, n: int) returns (r: int) requires |s| > 1
{
  r := (var t: seq<int> := s; if n > 0 then t[|(var e: seq<int> := [n]; e)| % |t|] else n);
}

method Lengths(s: seq<int>) returns (r: seq<int>) requires |s| > 3 { r := s[1:2][1]; }
