function Rotate(a: bv16): bv16 {
  a.RotateLeft(3) ^ a.RotateRight(5)
}
