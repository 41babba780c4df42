function Shift(a: bv32, n: nat): bv32
  requires n <= 32
{
  (a << n) | (a >> n)
}
