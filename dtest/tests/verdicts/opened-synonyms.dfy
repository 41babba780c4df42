// refused: 10, 11, 16
// Two opened synonyms of one type mean the same, if the module sees what they stand for.
module A { type Bytes = seq<int> type Pair<T> = (T, int) type Word = Bytes type Small = x: int | x > 0 witness 1 datatype D = Dot }
module B { import A type Bytes = seq<int> type Pair<U> = (U, int) type Word = seq<int> type Small = x: int | x > 0 witness 1 type D = A.D }
module H { export provides Bytes type Bytes = seq<int> }
module C {
  import opened A
  import opened B
  method M(b: Bytes, w: Word, d: D) returns (n: int) { n := |b| + |w|; }
  method P(p: Pair<int>) {}
  method S(s: Small) {}
}
module E {
  import opened A
  import opened H
  method M(b: Bytes) {}
}
