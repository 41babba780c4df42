// refused: 16
// A module may be provided that has named export sets only; whoever imports it names one.
module Outer {
  export provides Inner
  module Inner {
    export Public provides x
    const x := 3
  }
  module Deep { export provides Deeper module Deeper { export Named reveals y const y := 4 } }
}
module Client {
  import I = Outer.Inner`Public
  const z := I.x
}
module Other {
  import I = Outer.Inner
}
