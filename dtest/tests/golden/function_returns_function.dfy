function Curried(a: int): int -> int -> int {
  b => c => a + b * c
}

function Applied(): int {
  Curried(1)(2)(3)
}
