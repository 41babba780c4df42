// refused: 10, 12
method M(n: nat) returns (i: nat) {
  i := 0;
  while decreases n - i {
    case i < n => i := i + 1;
  }
  while
    invariant i <= n
  {
    i := i + 1;
  }
  while decreases 3 {
  }
  while invariant i <= n
    case i < n => i := i + 1;
  while {
    i := i + 1;
  }
}
