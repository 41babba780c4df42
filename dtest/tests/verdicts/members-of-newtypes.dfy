// refused: 8, 12, 18, 19, 23, 27, 41, 42, 47
// options: --type-system-refresh=true --general-newtypes=true --general-traits=full

module Declared {
  newtype Truth = bool {
    const n: int := 3
    static function Two(): int { 2 }
    predicate Both(other: Truth) { this && other }
  }

  newtype Sure = t: Truth | t witness true {
    predicate Both() { n == Two() }
    function Sum(): int { n + Two() + Truth.Two() + Sure.Two() }
  }

  newtype Numbers = map<int, int> {
    function Ends(): set<int> { Keys }
    const Items: int
    method Values()
  }

  trait Able { function Keys(): int }
  newtype Doubled extends Able = imap<int, int> {
    function Size(): int { 1 }
  }

  newtype Bits = bv4 { const RotateLeft: int }
}

module Used {
  trait Adder { function Add(x: int): int }
  newtype Bag extends Adder = set<int> { function Add(x: int): int { x } }
  newtype Sack = Bag {
    const three: int := Add(3) + Zero()
    static function Zero(): int { 0 }
  }
  newtype Pack extends Adder = Bag {}

  method Use(bag: Bag, sack: Sack, pack: Pack) {
    var a: Adder := bag;
    a := sack;
    var isIt := sack is Adder;
    a := pack;
    var sum := sack.Add(1) + sack.three + Sack.Zero();
    var same := a is Bag && a is Pack && a == pack;
    a := sack as Bag;
    assert (sack as set<int>).Add(2) == 2;
  }
}
