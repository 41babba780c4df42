// refused: 8, 12, 14, 18, 28
codatatype Stream = More(head: int, tail: Stream)
trait Any<T> extends object { } class Keyed<K(==)> extends Any<K> { }
class Made<D(0)> extends Any<D> { }
type Six = n: int | n > 5 ghost witness 6

method Quantified(s: seq<Any<Stream>>, t: seq<Any<Six>>) returns (b: bool) {
  b := forall k: Keyed<Stream> | k in s :: true;
  ghost var g := forall k: Keyed<Stream> | k in s :: true;
  forall k: Keyed<Stream> | k in s { assert k in s; }
  var arr := new int[3];
  forall k: Made<Six> | k in t { arr[0] := 3; }
  ghost var h := (k: Keyed<Stream>) => 3;
  var f := (k: Keyed<Stream>) => 3;
}
function Let(s: seq<Keyed<int>>): int {
  ghost var k: seq<Keyed<Stream>> := [];
  var l: seq<Keyed<Stream>> := [];
  3
}

// Type parameters that are left out of an iterator's are added to it, with `(0)`.
iterator Iter() yields (s: seq) { }
method UseIter() {
  var one := new Iter();
  var m: seq<int> := one.s;
  var n: seq<Six>;
  var two := new Iter(); n := two.s;
}
