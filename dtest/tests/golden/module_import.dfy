module Library {
  function Twice(n: int): int {
    2 * n
  }
}

module Client {
  import L = Library

  function Four(n: int): int {
    L.Twice(L.Twice(n))
  }
}
