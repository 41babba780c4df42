predicate Even(n: nat) {
  n % 2 == 0
}
lemma Use(k: nat)
  requires Even#[k](4)
{}
