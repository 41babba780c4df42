const Given: int
function Constants(n: int): int {
  match n
  case Given => 1
}
