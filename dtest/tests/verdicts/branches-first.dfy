// refused: 4, 5, 6
// first: 6
// Branches of one type, and operands of one type, come before what is assigned.
function F(b: bool, x: int, s: seq<int>): int {
  var y: bool := x;
  if b
  then s
  else x
}
