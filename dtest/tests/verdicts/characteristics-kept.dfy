// refused: 13, 14, 16, 30, 35, 46, 55
abstract module Parent {
  type Plain
  type Value(==)
  type Old(!new)
  type Made(0)
  type Some(00)
}

module Child refines Parent {
  type Plain = object -> int
  type Value = int
  class Old { }
  class Made { }
  type Made2 = int
  type Some = x: int | x > 9 && x < 8 witness *
}

module Good refines Parent {
  class Plain { }
  class Value { }
  datatype Old = Old(n: nat)
  type Made = n: int | n > 4 witness 5
  // Nothing is inherited but what is written.
  type Some = int
}

module Streams {
  codatatype Stream = More(head: int, tail: Stream)
  type Bad(==) = s: Stream | true
}

module Promises {
  type Empty = n: int | n < 0 && n > 0 witness *
  type Nonempty(00) = e: Empty | true
  type Fine(00) = n: int | n > 3 witness 4
}

// Who sees a name only must not depend on what was inferred from what stands behind it.
module Shown {
  export provides Keys
  export All reveals Keys
  export Rest reveals Others, Pair, Function
  datatype Others<A> = Others(s: set<A>)
  type Function = int -> int
  datatype Keys<A> = Keys(s: set<A>)
  type Pair<A(==)> = (A, int)
}

module Uses {
  type Pair<A(==)> = (A, int)
  method Local() {
    var good: Pair<int>;
    ghost var fine: Pair<int -> int>;
    var bad: Pair<int -> int>;
  }
}
