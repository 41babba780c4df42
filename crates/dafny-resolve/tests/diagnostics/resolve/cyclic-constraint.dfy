module Lemmas {
  newtype Circle = x: int | (Proof(); x >= 0)
  lemma Proof()
  {
    var c: Circle := 1;
  }
}
