method OnEntry(n: int) {
  var i := 0;
  while i < n
    invariant i > 0 // !
  { i := i + 1; }
}
method Kept(n: int) {
  var i := 0;
  while i < n
    invariant i < 3 // !
  { i := i + 1; }
}
method For(n: nat) {
  for i := 0 to n
    invariant i < 3 // !
  { }
}
