type Opaque
class E { constructor () { } }
class C {
  var c: E
  const d: E
  ghost var g: E
  var n: int
  var o: C?
  constructor One(b: bool, x: E)
  {
    if b { c := x; }
    d := x;
    g := x;
    new; // !
  }
  constructor Two(b: bool, x: E)
  {
    c := x;
    if b { d := x; g := x; } else { d := x; }
  } // !
  constructor Late(x: E)
  {
    new; // !
    c := x;
  }
  constructor Loop(x: E, s: seq<E>)
  {
    d := x; g := x;
    var i := 0;
    while i < |s| { c := s[i]; i := i + 1; }
    new; // !
  }
  constructor All(x: E)
  {
    this.c, d := x, x;
    g := x;
  }
}
class G<T> {
  var t: T
  var u: Opaque
  var f: int -> int
  constructor (t: T) { this.t := t; } // !
}
trait Tr {
  var tc: E
  const td: E
}
class Im extends Tr { constructor (x: E) { tc := x; } } // !
