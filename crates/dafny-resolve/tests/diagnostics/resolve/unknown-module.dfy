module A {
  import X
}
