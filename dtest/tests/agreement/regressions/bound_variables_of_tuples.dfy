newtype Byte = x: int | 0 <= x < 256
type Digit = x: int | 0 <= x < 10

method Main()
{
  var s: set<(int, Byte, bool)> := {(1, 2, true)};
  var t: set<(int, Digit)> := {(1, 2)};
  var u: seq<seq<Byte>> := [[1], []];
  print (exists x <- s :: x.2), (set x <- s | x.2 :: x.1), (exists x <- t :: x.1 == 2), (set x <- u :: |x|), "\n";
  print (set x: (int, Byte, bool) | x in s), (map x | x in s :: x.1), "\n";
}
