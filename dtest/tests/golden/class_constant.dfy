class Config {
  const limit: int := 10
  static const name := "config"

  function Half(): int {
    limit / 2
  }
}
