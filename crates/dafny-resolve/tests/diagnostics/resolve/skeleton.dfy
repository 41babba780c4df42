module Nothing {
  method M() {
    ...;
  }
}
