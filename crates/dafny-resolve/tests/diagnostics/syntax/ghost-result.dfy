function Half(n: int): (ghost r: int) {
  n / 2
}
