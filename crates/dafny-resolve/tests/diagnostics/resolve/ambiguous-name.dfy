module Colour {
  const hue := 2
  datatype Colour = Red | Green {
    static const hue := 1
  }
}
module Painter {
  import opened Colour
  method M() {
    print Colour.hue;
  }
}
