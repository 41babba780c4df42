// refused: 5, 6, 7, 8, 9, 10, 11, 12
datatype Box = Box(n: int)
trait Able extends object { } class Does extends Able { } class Other { }
method M<T>(b: bool, f: int --> int, s: seq<char>, t: T, x: Box, a: Able, o: Other, n: nat) {
  var c := b as int;
  var g := f as int -> int;
  var k := s as string;
  var y := t as T;
  var z := x as Box;
  var w := o as Does;
  var v := 3 as bool;
  var q := o is Does;
  var r := n is int;
  var d, e := a as Does, a is Does;
  var h, i, j := n as real, 1.0 as int, ('a' as bv8) as ORDINAL;
  var l := a is object;
}
