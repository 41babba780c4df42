function Half(n: int): int {
  n / 2
}
const Four := Half(8, 2)
