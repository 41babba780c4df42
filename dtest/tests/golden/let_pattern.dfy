datatype Pair = Pair(a: int, b: int)

function Sum(p: Pair): int {
  var Pair(x, y) := p;
  x + y
}
