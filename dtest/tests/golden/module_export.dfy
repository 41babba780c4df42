module Library {
  export
    provides Hidden
    reveals Shown

  function Hidden(): int {
    1
  }

  function Shown(): int {
    2
  }
}

module Client {
  import Library

  function Sum(): int {
    Library.Hidden() + Library.Shown()
  }
}
