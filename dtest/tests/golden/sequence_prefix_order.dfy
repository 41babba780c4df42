predicate Starts(s: string, t: string) {
  s <= t && s != t
}
