function IsZero(n: int): bool {
  match n
  case 0 => true
  case _ => false
}
