method {:main} Run(n: int) {
  print n;
}
