/** What shelves obligation. */
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

  const BLANK: Block := seq(32, _ => 0)

  type Page = s: seq<Block> | |s| == 4096 witness seq<Block>(4096, _ => BLANK)

  datatype Roll = Roll(name: string, page: Page)

  method First(b: Block) returns (r: nat)
    ensures r == b[0]
  {
    r := b[0];
    if r > 9 { r := b[0]; }
  }
}

/** What Rust has other rules for. */
module Odds {
  datatype light = red | green(next: light)

  datatype Either<X, Y> = Left(x: X) | Right(y: Y)

  method Replace<X, Y(==)>(e: Either<X, Y>, y: Y) returns (same: bool)
    requires e.Right?
    ensures same
  {
    var f: Either<X, Y> := e.(y := y);
    same := f.y == y;
  }

  method Volume(r: real) returns (v: real)
  {
    v := 1.0 / 3.0 * 3.14159265358979323846 * r;
    print v, "\n";
  }

  /** Without a constructor; the last one leads to itself. */
  class Link {
    var next: Link?
    ghost var Repr: set<Link>

    ghost predicate Valid()
      reads this, Repr
      decreases Repr
    {
      this in Repr && next != null &&
      (next == this || (next in Repr && next.Repr <= Repr && this !in next.Repr && next.Valid()))
    }

    method Init()
      modifies this
      ensures Valid() && next == this
    {
      next := this;
      Repr := {this};
    }
  }

  method Length(link: Link) returns (n: nat)
    requires link.Valid()
    decreases link.Repr
  {
    if link.next == link {
      n := 1;
    } else {
      n := Length(link.next);
      n := n + 1;
    }
  }

  method Two() returns (first: Link)
    ensures fresh(first) && first.next != null
  {
    var last := new Link.Init();
    first := new Link.Init();
    first.next := last;
  }

  method Cut(link: Link?)
    modifies if link != null then link.Repr + {link} else {}
    requires link != null ==> link.Valid()
    ensures link != null ==> link.next == link
  {
    if link != null {
      link.next := link;
    }
  }
}
