predicate Letter(c: char) {
  'a' <= c <= 'z' || 'A' <= c <= 'Z'
}
