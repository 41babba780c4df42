// refused: 3, 6, 7, 11, 12, 16, 19, 22, 24
// What a module declares has one name space, members of the module first.
class F { }
function F(): int { 3 }

datatype G = G
type M = int
method M() { }
const G := 3

module Inner {
  iterator Run() { }
  method Run() { }
}

module Inner2 { method P() { } module P { }
}

class C { }
type C? = int

module Nested { }
const Nested := 2
module Other { class D? { } class D { }
}

