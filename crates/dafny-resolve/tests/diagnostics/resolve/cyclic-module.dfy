module B {
  import B
}
