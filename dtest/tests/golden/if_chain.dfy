function Size(n: nat): string {
  if n < 10 then "small" else if n < 100 then "medium" else "large"
}
