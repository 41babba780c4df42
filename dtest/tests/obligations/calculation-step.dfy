lemma Step(a: int, b: int) {
  calc { a + b; == b + a; == b; } // !
}
