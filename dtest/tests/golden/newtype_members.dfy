newtype Day = x: int | 0 <= x < 7 {
  predicate IsWeekend() {
    this == 5 || this == 6
  }
}
