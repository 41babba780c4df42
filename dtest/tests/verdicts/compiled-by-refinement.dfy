// refused: 12
abstract module A {
  class C {
    ghost predicate P() reads this
    ghost predicate Q() reads this
    ghost predicate Kept() reads this { true }
  }
}
module B refines A {
  class C ... {
    ghost var g: set<int>
    predicate P ... { g == {} }
    ghost predicate Q ... { g == {} }
    var n: int
  }
}
