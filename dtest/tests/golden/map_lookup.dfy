function Price(prices: map<string, int>, item: string): int {
  if item in prices then prices[item] else 0
}
