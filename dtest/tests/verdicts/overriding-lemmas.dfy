// refused: 19, 20, 21, 22, 23, 30, 31
module Kinds {
  trait Base extends object {
    lemma Plain()
    lemma Simple()
    twostate lemma Two()
    least lemma Least()
    greatest lemma Greatest()
    least predicate P[nat]()
    greatest predicate Q()
  }
  class Same extends Base {
    lemma Plain() {} lemma Simple() {} twostate lemma Two() {}
    least lemma Least() {} greatest lemma Greatest() {}
    least predicate P[nat]() { true }
    greatest predicate Q[ORDINAL]() { true }
  }
  class Other extends Base {
    twostate lemma Plain() {}
    least lemma Simple() {}
    lemma Two() {}
    greatest lemma Least() {}
    lemma Greatest() {}
    least predicate P[nat]() { true }
    greatest predicate Q() { true }
  }
  class Steps extends Base {
    lemma Plain() {} lemma Simple() {} twostate lemma Two() {}
    greatest lemma Greatest() {}
    least lemma Least[nat]() {}
    least predicate P() { true }
    greatest predicate Q() { true }
  }
}
