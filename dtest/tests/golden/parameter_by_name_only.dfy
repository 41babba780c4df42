function Price(cents: int, nameonly discount: int := 0): int {
  cents - discount
}

function Sale(): int {
  Price(100, discount := 20)
}
