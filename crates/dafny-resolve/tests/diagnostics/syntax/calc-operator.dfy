lemma Differ(a: int, b: int) {
  calc != {
    a;
    b;
  }
}
