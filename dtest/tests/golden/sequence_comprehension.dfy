function Squares(n: nat): seq<nat> {
  seq(n, i => i * i)
}
