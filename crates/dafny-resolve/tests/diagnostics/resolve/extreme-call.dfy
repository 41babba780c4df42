module Clauses {
  greatest predicate All(x: int) { All(x + 1) }
  greatest lemma Wrong[nat](x: int) ensures x > 3 ==> All(x) { Wrong(x + 1); }
}
