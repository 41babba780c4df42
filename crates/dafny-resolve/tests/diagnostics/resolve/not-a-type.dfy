module Renamed {
  import opened Colour = Plain
  const wrong: Colour := Colour.Colour.Blue
}
module Plain { const hue := 1 datatype Colour = Blue { static const hue := 2 } }
