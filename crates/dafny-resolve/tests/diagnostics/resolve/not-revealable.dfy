module A {
  export
    reveals M
  method M() { }
}
