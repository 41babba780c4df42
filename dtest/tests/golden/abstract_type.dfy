module Shelf {
  type Item(==)

  predicate Same(a: Item, b: Item) {
    a == b
  }

  function Capacity(): nat {
    12
  }
}
