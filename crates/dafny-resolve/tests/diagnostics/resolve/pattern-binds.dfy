function Constants(n: int): int {
  match n
  case -1 | k => 3
}
