function IsThree(n: int): bool {
  n as bool
}
