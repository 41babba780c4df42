lemma Claim(n: nat) {
  forall i | 0 <= i <= n
    ensures i < 3 // !
  { }
}
method Range(d: int) {
  forall i | 0 <= i < 3 && i < 9 / d { } // !
}
