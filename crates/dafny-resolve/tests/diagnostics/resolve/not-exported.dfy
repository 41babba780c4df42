module Tower {
  export provides Hall
  module Hall { const height := 4 }
  const cellar := 3
}
module Visitor {
  import Tower
  const low := Tower.cellar
}
