/** What shelves promise. */
module Shelves {
  trait Shelf<T> {
    const LIMIT: nat
    var limit: bool

    ghost predicate Valid()
      reads this

    ghost function Model(): seq<T>
      reads this
      requires Valid()

    function Repr(): set<object>
      reads this

    function Size(): nat
      reads this
      requires Valid()
      ensures Size() == |Model()|
  }

  /** Its names differ from inherited ones in case only, and its method hides its type parameter. */
  class Row<T> extends Shelf<T> {
    const Limit: int
    var items: seq<T>
    ghost var owners: set<object>
    var last: T

    constructor (items: seq<T>, last: T)
      ensures Valid() && this.items == items && this.last == last && Limit == 7
    {
      owners := {this};
      this.items := items;
      this.last := last;
      LIMIT := 10;
      limit := false;
      Limit := 7;
    }

    ghost predicate Valid()
      reads this
    {
      this in owners
    }

    ghost function Model(): seq<T>
      reads this
      requires Valid()
    {
      items
    }

    function Repr(): set<object>
      reads this
    {
      {this}
    }

    function Size(): nat
      reads this
      requires Valid()
      ensures Size() == |Model()|
    {
      |items|
    }

    method Tell<T>(x: T, twice: bool) returns (s: seq<T>)
      ensures |s| == if twice then 2 else 1
    {
      if twice { s := [x, x]; } else { s := [x]; }
    }
  }
}

module Shop {
  import opened Shelves

  /** No class of the program is one. */
  trait Rack {
    ghost predicate Valid()
      reads this

    ghost function Model(side: bool): seq<int>
      reads this
      requires Valid()

    function Size(): nat
      reads this
      requires Valid()
      ensures Size() == |Model(true)|
  }

  method Count(s: Rack, n: nat) returns (r: nat)
    requires s.Valid()
    requires |s.Model(true)| > n
  {
    var k := s.Size();
    if k == n + 1 { r := 0; } else { r := k; }
  }

  method Clear(row: Row<int>)
    requires row.Valid()
    modifies row.Repr()
    ensures row.Valid() && row.Size() == 0
  {
    row.items := [];
  }

  method Same<T(==)>(row: Row<T>, items: seq<T>) returns (same: bool)
    ensures same <==> items == row.items
  {
    var other: Row?<T> := null;
    for i := 0 to |items|
      invariant i <= |row.items| && items[..i] == row.items[..i]
    {
      if i >= |row.items| || row.items[i] != items[i] {
        return false;
      }
      other := row;
      if other.items == [] {
        return false;
      }
    }
    return |items| == |row.items|;
  }
}

/** Values that are long. */
module Rolls {
  type Block = s: seq<nat> | |s| == 32 witness seq(32, _ => 0)

  type Page = s: seq<Block> | |s| == 4096 witness seq(4096, _ => seq(32, _ => 0))

  datatype Roll = Roll(name: string, page: Page)

  method First(b: Block) returns (r: nat)
    ensures r == b[0]
  {
    r := b[0];
    if r > 9 { r := b[0]; }
  }
}
