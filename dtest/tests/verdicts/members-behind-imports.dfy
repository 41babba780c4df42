// refused: 18, 19, 20, 29
module Colour {
  const hue := 2
  datatype Tone = warm
  datatype Colour = Red | Green {
    static const hue := 1
    static const depth := 3
    static const warm := 4
  }
  type shade = int
  module Inner { const hue := 9 }
}
module Painter {
  import opened Colour
  const fine := Colour.Red
  const alone := Colour.depth
  method M() {
    print Colour.hue;
    var x := Colour.hue + Colour.depth;
    print Colour.warm;
    print Inner.hue;
  }
}
module Renamed {
  import opened Colour = Plain
  const right := Colour.hue
  const inner: Colour.Colour := Colour.Colour.Blue
  // The name of the import, not of the module, is here.
  const wrong: Colour := Colour.Colour.Blue
}
module Plain { const hue := 1 datatype Colour = Blue { static const hue := 2 } }
