type Even = x: int | x % 2 == 0
method M(n: nat, e: Even, x: int) {
  var a := (-3) is nat;
}
