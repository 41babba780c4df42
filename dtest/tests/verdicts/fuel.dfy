// refused: 5, 8, 11
function F(n: nat): nat { if n == 0 then 0 else F(n - 1) }
method M() {
  assert {:fuel F, 2, 3} F(3) == 0;
  assert {:fuel F, 2, 4} F(3) == 0;
  assert {:fuel F} {:fuel F, 4} {:fuel F, 0, 0} F(3) == 0;
}
method {:fuel F, 3, 3} N()
{ }
function G(): int {
  assert {:fuel F, 1, 1} true; 3
}
