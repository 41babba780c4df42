// refused: 5, 6
// first: 6
module Outer {
  const y := 3
  module Inner {
    const x: int := true
  }
  function F(): int { Inner.x }
}
