function F(n: nat): nat { if n == 0 then 0 else F(n - 1) }
method M() {
  assert {:fuel F, 2, 4} F(3) == 0;
}
