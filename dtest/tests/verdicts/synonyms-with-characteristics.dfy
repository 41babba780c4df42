// refused: 2, 3, 4, 6
type F(==) = int -> int
type R(!new) = object
type D(0) = Empty
class C { }
type N(!new, 0) = C
type Empty = x: int | x > 3 witness *
type Fine(==, 0, !new) = seq<int>
type Arrow(!new) = int -> bool
