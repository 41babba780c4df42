// refused: 4, 14, 19
abstract module A { function F(): int  type T }
module Importer {
  import A
}
abstract module AlsoAbstract {
  import X : A
}
abstract module Uses {
  import X : A
  import B = A
  method M() { var x := X.F(); var y := B.F(); }
}
module Refining refines AlsoAbstract { method N() { var x := X.F(); } }
module Outer {
  abstract module Inner { function F(): int }
  method M() {
    var x :=
      Inner.F();
  }
}
