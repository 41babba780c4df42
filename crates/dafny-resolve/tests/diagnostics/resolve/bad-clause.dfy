method Count(n: nat) {
  while n > 3
    reads {}
  {}
}
