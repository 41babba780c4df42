datatype Figure = Dot(x: int) | Bar(x: int, length: int)

function Shifted(f: Figure): int {
  f.x + 1
}
