// refused: 4, 6, 8
type Pairs<-B> =
  seq<
    (int, B)>
type Two<-B> = (B -> int,
   B)
type Sub<+B> = x: (
   B -> int,
   B) | true witness *
type Fine<+B> = seq<
  B>
