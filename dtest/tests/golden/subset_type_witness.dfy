type Odd = x: int | x % 2 == 1 witness 1

function Following(n: Odd): Odd {
  n + 2
}
