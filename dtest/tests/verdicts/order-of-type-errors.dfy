// refused: 6, 7, 8
// first: 8
// Dafny solves its constraints in rounds: types that must have a common supertype come first, then what is compared for
// equality, then what a literal would have to be.
method M(s: seq<int>, n: int)
  requires s <= 0
  requires s == n
  requires s <= n
{
}
