function Both(f: bool -> int): int {
  f(true) + f(false)
}
