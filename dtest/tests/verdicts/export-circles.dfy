// refused: 3, 9
module Round {
  export extends A provides x
  export A extends B
  export B extends Round
  const x: int := 3
}
module Pairs {
  export A extends B provides x
  export B extends A, C
  export C provides x
  const x: int := 3
}
