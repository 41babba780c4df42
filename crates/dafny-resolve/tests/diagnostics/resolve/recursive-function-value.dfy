module Values {
  function Apply(f: int -> int, n: int): int { f(n) }
  function Twice(n: int): int { if n <= 0 then 0 else Apply(Twice, n - 1) }
}
