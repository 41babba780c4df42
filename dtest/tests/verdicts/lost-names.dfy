// refused: 3, 4, 5, 6, 10, 17, 19, 20, 22
module Twice {
  class C { method M() { } }
  class C { }
  datatype D = X | Y
  method Uses(c: C, d: D) { var e := X; }
  function D(): int { 3 }
  class Right { }
  datatype Once = Z
  newtype C = int
  method Good(o: Once, r: Right?) { }
}
module Other {
  method Fine() { var x := 3; }
}
module Names {
  module U.G { }
  module U {
    class G { }
    class H { }
  }
  module U.H { }
}
