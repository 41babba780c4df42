// refused: 3, 8
module Own {
  const a: int := a + 1
  const b: int := c
  const c: int := b
}
module Others {
  const a: int := F()
  function F(): int { b }
  const b: int := if true then a else 0
}
module Fine {
  const a: int := F(0)
  function F(n: nat): int { if n == 0 then 1 else F(n - 1) }
}
