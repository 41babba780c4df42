datatype Rule = Rule(apply: int -> int)

function Use(r: Rule, n: int): int {
  r.apply(n)
}
