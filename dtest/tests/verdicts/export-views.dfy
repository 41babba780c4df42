// refused: 3, 6, 10, 13, 17, 19, 20, 24, 28, 31, 32, 33, 34, 39, 41, 46, 48, 53, 54, 55
module Names {
  export provides Make, Count
  // What is provided may mention only what is provided.
  datatype Shape = Round | Square
  function Make(): Shape { Round }
  function Count(): nat { |[Round, Square]| }
}
module Reveals {
  export Open reveals Twice provides Base
  export Closed provides Twice
  function Base(): int { 3 }
  function Twice(): int { Base() + Hidden() }
  function Hidden(): int { 4 }
}
module Contracts {
  export provides Add
  export All provides *
  method Add(n: int, k: int := Limit) returns (m: int)
    requires Limit > n ensures m == n { m := n; }
  const Limit := 9
}
module Values {
  export provides Small, Zero reveals Pair
  export More reveals Small, Pair provides Zero
  newtype Small = x: int | 0 <= x < 9
  const Zero: Small := 0
  datatype Pair = Pair(first: Small, second: Small := 3)
}
module Members {
  export provides Box.Get
  export Whole provides Box, Box.Get, Box.value
  export Made provides Box, Box.Of
  export Twice provides Box.value, Box.Of
  export Right reveals Box provides Box.Get, Box.value, Box.Of
  class Box { var value: int constructor Of() { value := 3; } function Get(): int reads this { value } }
}
module Families {
  export reveals Circle
  trait Shaped { }
  class Circle extends Shaped { }
}
module Plain { type T = int const Three: T := 3 }
module Importing {
  import opened Plain
  export provides Get
  export Both provides Get, Plain
  function Get(b: T): Plain.T { 3 }
}
module Inner {
  module Core { type T = int }
  export provides Core, F
  function F(): Core.T { 3 }
  export Less provides F
  export Equal reveals F
}
