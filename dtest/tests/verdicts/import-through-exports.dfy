// refused: 8
module Tower {
  export provides Hall
  export Deep provides Cellar, Hall
  module Cellar { const depth := 3 }
  module Hall { const height := 4 }
}
module Visitor { import Tower.Cellar }
module Guest { import Tower.Hall const h := Hall.height }
module Keeper { import T = Tower`Deep import C = T.Cellar const d := C.depth }
module Street {
  module House { module Room { const size := 9 } }
}
module Postman { import Street.House.Room import opened Street.House const s := Room.size }
