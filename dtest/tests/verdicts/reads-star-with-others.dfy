// refused: 6, 8, 10, 11
class Node {
  var x: int
  ghost predicate Valid()
    reads this
    reads *
  { x > 0 }
  ghost predicate V2() reads *, this { true }
  ghost predicate V3() reads *
  ghost predicate V4() reads * reads * { x > 0 }
  ghost predicate V5() reads *, * { x > 0 }
}
const c: int := false
function F(x: Foo): int 
