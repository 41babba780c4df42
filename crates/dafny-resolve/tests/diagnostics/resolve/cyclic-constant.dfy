module Own {
  const a: int := a + 1
}
