trait Tr<T> {
  var t: T
  var u: seq<T>
}
class C extends Tr<int> { constructor () { } }
class D<X> extends Tr<X> { constructor (x: X) { t := x; } }
class E<X(0)> extends Tr<X> { constructor () { } }
iterator It(n: int) yields (x: int) { yield n; }
type K(00)
class F {
  ghost var s: set<object>
  ghost var k: K
  const z: int
  constructor () { z := 3; }
}
class G {
  var f: K
  constructor (k: K) { f := k; }
  ghost constructor Ghost() { }
}
lemma Chosen(s: set<int>) requires s != {} {
  var r := (var x :| x in s; x);
  var t: int;
  t := var x :| x in s; x;
  if (var x :| x in s; x) > 2 { }
  assert r in s;
}
ghost method Ghost(s: set<int>) requires s != {} { var a := [var x :| x in s; x]; }
