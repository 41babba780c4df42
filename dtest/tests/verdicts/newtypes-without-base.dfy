// refused: 14, 15
module Words { newtype uint32 = x | 0 <= x < 0x1_0000_0000  class C { const one: uint32 := 1 } }
module Client {
  import opened Words
  const Start: uint32 := 1
  const Half: Ratio := 0.5
  function Next(x: uint32): uint32 requires x < 0xFFFF_FFFF { x + Start }
  import opened Reals
}
module Reals { newtype Ratio = x | 0.0 <= x <= 1.0 }
module Own {
  newtype Small = x | 0 <= x < 100
  newtype Half = x | 0.0 <= x <= 1.0
  const A: Small := 1
  const B: Half := 0.5
  const C: int := 1
  class K { const D: Small := 2 static const E: Small := 3 }
  module Inner { import opened Own2 const F: Tiny := 1 }
}
module Own2 { newtype Tiny = x | 0 <= x < 10 }
