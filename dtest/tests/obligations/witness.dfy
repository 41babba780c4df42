type Big = x: int | x > 10 // !
type Wrong = x: int | x > 10 witness 3 // !
newtype Other = x: int | x > 10 witness 3 // !
type Right = x: int | x > 10 witness 11

// Dafny tries no value of these types: they need a `witness` clause, whatever the constraint.
datatype Light = Red | Green(seconds: nat)
trait Shape { }
type NotRed = l: Light | l != Red // !
type AnyLight = l: Light | true // !
type Pair = p: (int, bool) | p.0 == 0 // !
type Constant = f: int -> int | f(0) == f(1) // !
type Same<T> = x: T | true // !
type Some<T> = p: (T, int) | p.1 == 0 // !
type Narrower = l: SomeLight | true // !
type SomeLight = l: Light | true witness *
type OfGreen = l: Light | l.Green? witness Green(3)
type OfGhost = l: Light | l.Green? ghost witness Green(4)
type BadGreen = l: Light | l.Green? && l.seconds > 3 witness Green(3) // !
type Longer = s: seq<Light> | |s| > 0 // !
type Empty = s: seq<Light> | |s| == 0
type NoArray = a: array?<int> | a == null
type RealArray = a: array<int> | a.Length == 0 // !
type AnyShape = s: Shape | true // !
newtype Odd = x: int | x % 2 == 1 witness 1
newtype LargeOdd = x: Odd | x > 4 // !
newtype Three = x: Odd | x == 3 witness 3
