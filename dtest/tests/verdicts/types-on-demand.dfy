// refused: 5, 10, 11, 16, 17, 20, 27
// options: --type-system-refresh=true --general-newtypes=true

module Constants {
  const a := b
  const b := c + 1
  const c := a
}
module Bases {
  newtype N = n | Fits(n)
  predicate Fits(m: N)
  predicate Later(m: N) { m != m }
}
module Results {
  // The type of a call is asked for, too.
  newtype M = m | m == Make()
  function Make(): M
}
module Subsets {
  const zero: S := 0
  type S = s | s >= zero
}
module Fine {
  type Low = s | s >= 0
  newtype High = h: int | 0 <= h < limit
  const limit := 100
  newtype Nothing = x | true
  const other: Low := 3
  predicate Small(h: High) { h < 3 }
}
