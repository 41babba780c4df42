// refused: 7, 10, 16, 19
module Clauses {
  least predicate Many[nat](x: int) { x == 0 || Many(x - 1) }
  greatest predicate All(x: int) { All(x + 1) }

  least lemma Good[nat](x: int) requires Many(x) ensures 0 <= x || true { Good(x); }
  least lemma Bad(x: int) requires x > 0 && Many(x) {}
  least lemma Fine(x: int) requires !Many(x) requires Many(x) == true {}
  greatest lemma Promise(x: int) ensures All(x) { Promise(x + 1); }
  greatest lemma Wrong[nat](x: int) ensures x > 3 ==> All(x) { Wrong(x + 1); }
  greatest lemma Left[nat](x: int) ensures All(x) ==> true {}
}
// What is called on the way back to a lemma counts as it does.
module Circle {
  greatest predicate P() { P() }
  greatest lemma A() {
    B();
  }
  greatest lemma B[nat]() {
    A();
  }
  greatest lemma C() {
    B();
  }
}
