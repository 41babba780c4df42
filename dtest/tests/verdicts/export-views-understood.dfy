// refused: 3, 4, 9, 10, 29
module Base {
  export provides Token, Fresh, Count, Many, Half reveals Twice, Ratio
  export Whole extends Base provides Inner, Bag, Bag.Size, Bag.Add, Bag.Valid reveals Pair, Pair.Sum, Small
  type Token(==) = nat
  function Fresh(): Token { Hidden() }
  function Hidden(): nat { 7 }
  const Count := 3 + 4
  const Many := [Fresh(), Fresh()]
  const Half := (1, map[2 := 'c'])
  function Twice(n: nat): nat { 2 * n + Count } by method { return 2 * n + 7 + |Secret|; }
  const Secret := ""
  newtype Ratio = r: real | 0.0 <= r <= 1.0 witness 0.5
  module Inner { datatype T = U | V }
  trait Hider { method Go() }
  class Bag extends Hider {
    const inner: set<Small>
    var rest: seq<nat>
    constructor () { inner := {}; }
    predicate Valid() { true }
    function Size(): nat { |inner| }
    method Add(t: Inner.T) returns (b: Bag) requires Valid() ensures b.Valid() { b := this; rest := [1]; }
    method Go() { }
  }
  datatype Pair<T> = Pair(T, bool) { function Sum(): nat { 3 } function Hide(): nat { |Secret| } }
  newtype Small = int
}
module Next refines Base {
  export More extends Base provides Extra
  function Extra(t: Token): Token { t }
}
module User {
  import opened Base
  import B = Base`Whole
  import N = Next`More
  method Main() {
    var p: B.Pair<int> := B.Pair(3, true);
    print Twice(p.Sum()), Fresh() == Fresh(), Many, B.Inner.U, N.Extra(N.Fresh());
  }
}
