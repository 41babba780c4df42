// refused: 2, 4, 18, 22
module Two {
  export Two provides c
  export reveals c
  const c: int := 3
}
module Base {
  export Some provides a
  export More provides a
  const a := 1
}
module Plain {
}
module Own {
  import Base`Some
}
module Again refines Base {
  export Some provides b
  export More ... provides b
  const b := 2
}
module Mistaken { import Plain`Plain }
