export provides Half
function Half(n: int): int {
  n / 2
}
