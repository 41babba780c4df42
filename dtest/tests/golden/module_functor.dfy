abstract module Order {
  type T
  predicate Less(a: T, b: T)
}

module Numbers refines Order {
  type T = int
  predicate Less(a: T, b: T) {
    a < b
  }
}

module Client {
  import N = Numbers

  predicate Before(a: int, b: int) {
    N.Less(a, b)
  }
}
