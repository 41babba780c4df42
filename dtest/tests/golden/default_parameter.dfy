function Scaled(n: int, factor: int := 10): int {
  n * factor
}

function Tenfold(n: int): int {
  Scaled(n) + Scaled(factor := 2, n := n)
}
