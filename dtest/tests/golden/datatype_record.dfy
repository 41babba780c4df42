datatype Point = Point(x: int, y: int)

function Mirrored(p: Point): Point {
  p.(x := p.y, y := p.x)
}
