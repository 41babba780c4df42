// refused: 2, 3, 4, 5
method Own(x: int := x) { }
function Two(x: int := y + z, y: int := 0, z: int := x): int { x }
datatype D = D(a: int := b, b: int := a)
class K { method M(c: K := c) { } constructor () { } }
method Fine(x: int := y, y: int := z, z: int := 1) { }
