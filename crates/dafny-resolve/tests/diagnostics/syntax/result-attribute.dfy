function Half(n: int): ({:result} r: int) {
  n / 2
}
