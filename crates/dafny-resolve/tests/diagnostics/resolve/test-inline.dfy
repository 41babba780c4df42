function {:testInline -1} Half(n: int): int {
  n / 2
}
