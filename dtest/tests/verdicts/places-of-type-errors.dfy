// refused: 2, 7, 12, 15, 21, 25
function Body(n: nat): bool
{
  n + 1
}
method Assigned() {
  var x: bool :=
    3;
}
method Both(c: bool) returns (n: int)
{
  n := if c
    then 3 else true;
}
method Call() { var n: bool :=
  Far(
    2); }
function Far(n: int): int { n }
method Compare(n: int) returns (b: bool) {
  b := n
    == true;
}
method Argument() {
  var n := Far(
    true);
}
