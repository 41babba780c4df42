function Mix(a: bv8, b: bv8): bv8 {
  (a & b) | (a ^ !b)
}
