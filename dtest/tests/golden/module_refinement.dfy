abstract module Interface {
  function Limit(): int

  function Doubled(): int {
    2 * Limit()
  }
}

module Implementation refines Interface {
  function Limit(): int {
    21
  }
}
