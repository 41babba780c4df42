module Outer {
  module Inner {
    function One(): int {
      1
    }
  }

  function Two(): int {
    Inner.One() + 1
  }
}
