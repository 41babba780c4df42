predicate Vowel(c: char) {
  c in "aeiou"
}
