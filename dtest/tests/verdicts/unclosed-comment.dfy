// accepted
method M() returns (x: int) {
  x := 1; /* one /* nested */ comment */
}
/* this one is /* closed once */ only
method M() { }
