trait T {
  method M(n: nat) decreases n
}
class Other extends T {
  constructor () { }
  method M(n: nat) decreases n + 1 { } // -
}
