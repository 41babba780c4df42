function Apply(f: int -> int, n: int): int {
  f(f(n))
}

function Increment(n: int): int {
  n + 1
}

function Twice(n: int): int {
  Apply(Increment, n)
}
