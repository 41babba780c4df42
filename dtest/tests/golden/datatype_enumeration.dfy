datatype Color = Red | Green | Blue

function Next(c: Color): Color {
  match c
  case Red => Green
  case Green => Blue
  case Blue => Red
}
