function Sum(a: int, b: int): int {
  a + b
}
const Five := Sum(2, a := 3)
