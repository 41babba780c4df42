module A {
  function Value(): int {
    1
  }
}

module B {
  import A
  function Value(): int {
    A.Value() + 1
  }
}
