ghost predicate Odd(x: int) { x % 2 == 1 }
type OddInt = x: int | Odd(x) witness 1
predicate Bad(s: set<OddInt>) {
  forall x: OddInt :: x in s ==> x < 10
}
