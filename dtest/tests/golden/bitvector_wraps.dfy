function Increment(a: bv4): bv4 {
  a + 1
}
