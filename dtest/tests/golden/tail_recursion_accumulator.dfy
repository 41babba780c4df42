function Length(s: string): nat {
  if s == "" then 0 else 1 + Length(s[1..])
}
