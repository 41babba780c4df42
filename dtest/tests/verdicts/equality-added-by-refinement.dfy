// refused: 12, 16, 19, 20, 21, 22, 24, 25, 26
abstract module Interface {
  class Store<Thing> { ghost var contents: set<Thing> method Put(x: Thing) }
  type T<A>
  type T2<A>
  type T3<A>
  datatype D<A> = D(A)
  datatype D2<A> = D(set<A>)
  trait Tr<A> { }
  type Sy<A> = set<A>
  class Store2<Thing(==)> { }
  class Store3<Thing> { const s: set<Thing> }
  newtype N<A> = int
}
module Implementation refines Interface {
  class Store<Thing(==)> ... {
    method Put(x: Thing) { }
  }
  datatype T<A(==)> = C(A)
  type T2<A(==)> = seq<A>
  class T3<A(==)> {}
  datatype D<A(==)> ... { function F(): int {3} }
  datatype D2<A(==)> ... { function F(): int {3} }
  trait Tr<A(==)> ... { }
  class Store2<Thing> ... { }
  class Store3<Thing(==)> ... { }
}
