// refused: 5, 8, 11
iterator Fine<T(0)>(s: seq<T>) yields (x: T, y: seq<T>, z: int) { }
iterator Noted<T(00)>() yields (ghost x: T) { }
class C { constructor () { } }
iterator Objects() yields (x: C) { }
iterator Maybe() yields (x: C?, f: int --> C) { }
type Abstract
iterator Abstracts() yields (x: Abstract) { }
iterator Given<T>(x: T, s: seq<T>) yields (n: nat) { }
type Sure = x: int | x > 5 ghost witness 6
iterator Ghosts() yields (ghost a: Sure, b: Sure) { }
method M() {
  var i := new Fine<int>([]);
}
