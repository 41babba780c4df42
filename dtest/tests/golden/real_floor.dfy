function Whole(x: real): int {
  x.Floor
}
