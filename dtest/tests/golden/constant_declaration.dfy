const Limit := 40 + 2

function Within(n: int): bool {
  n <= Limit
}
