datatype Shells<A> = Atom(a: A) | Shell(inner: Shells<A>)
datatype Pair<A, B> = Pair(first: A, second: B)
datatype Color = Red | Green
datatype Late = Twice(l: Late, r: Late) | End(n: int)
newtype Small = x: int | 3 <= x < 9 witness 5
newtype Byte = x: int | 0 <= x < 256
type Odd = x: int | x % 2 == 1 witness 7
type Text = s: seq<char> | |s| <= 3
class C { var n: int var b: bool var o: C? constructor () { } }
method Of<T(0)>() returns (t: T) { var x: T; t := x; }
method Main() {
  var i: int; var n: nat; var r: real; var b: bool; var c: char; var v: bv8; var z: bv0;
  print i, " ", n, " ", r, " ", b, " ", v, " ", z, " ", c == 'D', "\n";
  var s: seq<int>; var t: set<int>; var m: map<int, int>; var u: multiset<int>; var w: string;
  print s, " ", t, " ", m, " ", u, " [", w, "]\n";
  var p: (int, bool); var q: Pair<int, Pair<bool, seq<int>>>; var k: Color; var l: Late;
  print p, " ", q, " ", k, " ", l, "\n";
  var one: Shells<int>; var two: Shells<Shells<int>>; var three: Shells<Shells<Pair<Small, Odd>>>;
  print one, " ", two, " ", three, "\n";
  var small: Small; var byte: Byte; var odd: Odd; var text: Text;
  print small, " ", byte, " ", odd, " [", text, "]\n";
  var o: C?; var a: array?<int>; var e: object?;
  print o == null, " ", a == null, " ", e == null, "\n";
  var d := new C();
  print d.n, " ", d.b, " ", d.o == null, "\n";
  var g: int -> Small; var h: (int, int) -> Pair<int, Color>;
  print g(8), " ", h(1, 2), "\n";
  var x := Of<Shells<Shells<int>>>(); var y := Of<seq<Small>>(); var f := new Small[2];
  print x, " ", y, " ", f[0], " ", f[1], "\n";
  for j := 0 to 2 { var again: int; print again, " "; again := j + 5; }
  print "\n";
}
