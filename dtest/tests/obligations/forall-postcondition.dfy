lemma Claim(n: nat) {
  forall i | 0 <= i <= n
    ensures i < 3 // !
  { }
}
