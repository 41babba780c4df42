// refused: 3, 4, 8, 9
module Nothing {
  type Opaque ...
  type Members ... { }
}
abstract module Base {
  type T {
    const size: int
    function F(): int
  }
}
module Clash refines Base {
  datatype T = T(size: int, F: int)
}
