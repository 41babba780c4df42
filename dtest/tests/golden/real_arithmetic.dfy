function Average(a: real, b: real): real {
  (a + b) / 2.0
}
