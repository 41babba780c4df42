// Every block of this program is reached by some input, if only by large ones.
datatype List = Nil | Cons(head: int, tail: List)
function Len(l: List): nat { match l case Nil => 0 case Cons(_, t) => 1 + Len(t) }
method Deep(l: List) returns (r: int) {
  r := 0;
  if l.Cons? && l.tail.Cons? && l.tail.tail.Cons? && l.tail.tail.tail.Cons? && l.tail.tail.tail.tail == Cons(51, Nil) { r := 1; }
}
method DeepLen(l: List) returns (r: int) { r := 0; if Len(l) == 23 { r := 1; } }
method EqDeep(a: List, b: List) returns (r: int) {
  r := 0;
  if a != b && a.Cons? && b.Cons? && a.head == b.head && a.tail.Cons? && b.tail.Cons? && a.tail.head == b.tail.head && a.tail.tail.Cons? && b.tail.tail.Cons? && a.tail.tail.head == b.tail.tail.head { r := 1; }
}
trait Shape { function Area(): int reads this  var k: int }
class Sq extends Shape { function Area(): int reads this { k * k } }
class Ci extends Shape { function Area(): int reads this { 3 * k } }
class Tr extends Shape { function Area(): int reads this { k } }
class Qu extends Shape { function Area(): int reads this { -77 } }
method Dispatch(s: Shape) returns (r: int) { r := 0; if s.Area() == -77 && s.k == 5 { r := 1; } }
method SeqOfSeq(s: seq<seq<int>>) returns (r: int) {
  r := 0;
  if |s| == 7 && |s[6]| == 9 && s[6][8] == 31 && |s[0]| == 0 { r := 1; }
}
method Strings(s: string) returns (r: int) { r := 0; if |s| > 40 && s[40] == 'x' && s[..5] == "hello" && 'q' !in s { r := 1; } }
method Mapped(m: map<int, seq<int>>, k: int) returns (r: int) {
  r := 0;
  if |m| == 5 && k in m && |m[k]| == 6 && m[k][5] == 991 && m[k] == m[k] + [] { r := 1; }
}
method Keys(m: map<int, int>) returns (r: int) {
  r := 0;
  if |m| == 5 && m.Keys == {1, 2, 3, 4, 55} && m.Values == {6} { r := 1; }
}
method SubMap(m: map<int, int>, n: map<int, int>) returns (r: int) {
  r := 0;
  if |m| == 6 && |n| == 6 && |m + n| == 6 && m != n { r := 1; }
  if |m| == 6 && |m - {1, 2, 3}| == 3 { r := 2; }
}
method MS(s: seq<int>) returns (r: int) {
  r := 0;
  if |s| == 7 && multiset(s)[4] == 7 { r := 1; }
  if |s| == 7 && |multiset(s) - multiset{9, 9, 9, 9}| == 3 { r := 2; }
}
method SetOps(a: set<int>, b: set<int>) returns (r: int) {
  r := 0;
  if |a| == 6 && |b| == 6 && |a + b| == 6 && a * b == a { r := 1; }
  if |a| == 6 && a < b && |b| == 7 { r := 2; }
  if |a| == 6 && a !! b && |a + b| == 12 { r := 3; }
}
class Cell { var v: int }
method CellsSeq(cs: seq<Cell>) returns (r: int) modifies cs {
  r := 0;
  if |cs| == 5 && cs[0] != cs[1] {
    cs[4].v := 17;
    if cs[3].v == 17 && cs[3] != cs[4] { r := 1; }
    if cs[0].v == 17 { r := 2; }
  }
}
method Sorted(a: array<int>) returns (r: bool) {
  r := true;
  var i := 1;
  while i < a.Length { if a[i-1] > a[i] { r := false; } i := i + 1; }
  if r && a.Length == 9 && a[0] == 8 && a[8] == 900 { r := false; }
}
method Fun(f: int -> int, n: int) returns (r: int) {
  r := 0;
  var i := 0;
  while i < 9 { r := r + f(i); i := i + 1; }
  if r == 12345 && f(0) == 0 && f(1) == 1 && f(8) == 11111 { r := 1; }
}
method Cut(n: nat, s: seq<int>) returns (r: int) {
  r := 0;
  if n <= |s| && |s[n..]| == 6 && s[n..][5] == 61 && |s| == 9 { r := 1; }
  if n <= |s| && |s[..n]| == 6 && s[..n][5] == 61 && |s| == 9 { r := 2; }
  if n < |s| && s[n := 77][8] == 5 && s[8] == 5 && n == 7 { r := 3; }
}
method Grid(g: array2<int>) returns (r: int) {
  r := 0;
  if g.Length0 == 5 && g.Length1 == 6 && g[4, 5] == 87 && g[0, 0] == 3 { r := 1; }
}
method NewArr(n: nat) returns (r: int) {
  var a := new int[n](i => i * 2);
  r := 0;
  if n == 61 && a[60] == 120 { r := 1; }
  if n > 50 { a[50] := 3; if a[50] == 3 && a[49] == 98 { r := 2; } }
}
method Ex(s: seq<int>) returns (r: int) {
  r := 0;
  if |s| == 6 && (exists i | 0 <= i < |s| :: s[i] == 81) && s[0] != 81 && s[1] != 81 && s[2] != 81 { r := 1; }
  if |s| == 6 && (forall i | 0 <= i < |s| :: s[i] > 81) { r := 2; }
  if |s| == 6 && |set i | 0 <= i < |s| :: s[i]| == 6 { r := 3; }
}
method Mutual(n: int) returns (r: int) { r := A(n); if r == 99 { r := 0; } }
function A(n: int): int { if n <= 0 then 0 else 1 + B(n - 1) }
function B(n: int): int { if n <= 0 then 0 else 2 + A(n - 1) }
iterator Up(n: nat) yields (x: int) { x := 0; while x < n { yield; x := x + 1; } }
