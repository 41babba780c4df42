// refused: 21, 22, 24
module Base {
  method Count() returns (n: nat) {
    n := 0;
    while n < 10
    n := 10;
  }
}
module Next refines Base {
  method Count ... {
    ...;
    while ... {
      ...;
      ...;
    }
    ...;
  }
}
module Nothing {
  method M() {
    while ...
    while true
      ...
    ...;
  }
}
