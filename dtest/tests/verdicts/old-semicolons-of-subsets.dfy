// refused: 2
type Small = i: int | 0 <= i < 10 witness 3;
type T = int
