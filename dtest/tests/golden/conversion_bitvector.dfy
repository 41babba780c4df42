function Wide(a: bv8): bv16 {
  a as bv16 << 8
}
