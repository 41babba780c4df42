function Combine(f: (int, int) -> int): int {
  f(1, 2)
}

function Sum(): int {
  Combine((a, b) => a + b)
}
