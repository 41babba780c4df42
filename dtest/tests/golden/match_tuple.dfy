function Order(a: bool, b: bool): int {
  match (a, b)
  case (true, true) => 2
  case (false, false) => 0
  case _ => 1
}
