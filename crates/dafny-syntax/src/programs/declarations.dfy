include "other/file.dfy"
include @"C:\raw.dfy"

/** Documentation of M. */
@Options("--function-syntax:4")
abstract module {:options "--function-syntax:4"} M.N refines Base {
  import A
  import opened B = C.D`E
  import F : G`{H, I}
  export
  export Public extends Other, Another provides * reveals T, U.v
  export More ...
  export provides x, y provides z reveals *

  module Inner replaces Outer.Thing {}
  replaceable module R { }

  datatype List<+T> = Nil | {:attr 1} Cons(head: T, tail: List<T>)
  {
    const size := 1
    function Length(): nat { 0 }
  }
  datatype Pair<A, !B(==)> extends Printable = Pair(A, ghost B, nameonly third: int := 3, 0: bool)
  datatype Single = | Only | ghost Hidden(x: int)
  codatatype Stream<*T> = More(head: T, tail: Stream<T>)
  datatype Refined ... { predicate P() }

  newtype byte = x: int | 0 <= x < 256
  newtype {:nativeType "uint"} word extends Number = y | 0 <= y witness 7 { const zero: word := 0 }
  newtype small<T> = int witness *
  newtype again ... { }
  type Synonym<A, B> = map<A, seq<B>>
  type Subset = s: seq<int> | |s| > 0 witness [1]
  type Untyped = x | x == 1 ghost witness 1
  type Possibly = x: int | false witness *
  type Abstract(==, 0)<-T(!new), U(00) extends Trait extends Other> extends Trait {
    method M()
  }
  type Bare(==)
  type Skeleton ...

  trait {:termination false} Trait<T> extends Base, Other<int> {
    var x: int
    ghost var {:attr} y: seq<T>, z: set<T>
    const c: int
    static ghost const d := 5;
    const e ... := 6
  }

  class C<T(0)> extends Trait<T>, object {
    constructor (x: int, ghost y: int := 2)
      requires Label: x > 0
      modifies this, this`x, `x, {this}
      decreases *
      ensures fresh(this)
    {
      this.x := x;
      new;
      print "made";
    }
    constructor {:verify false} Init() {}
    constructor Empty() { new; }
    static method {:axiom} S<T>(nameonly a: int, older_: bool) returns (r: int, ghost s: bool)
      reads this`y
    method NoBody()
    least lemma Least[nat](x: int)
    greatest lemma {:attr} Greatest<T>[ORDINAL](x: T) {}
    twostate lemma Two(new x: C) ensures old(x.c) == x.c
    ghost method Refining ... { ...; }
  }

  class Refining ... { }

  function F<A, B(!new)>(f: A -> B, g: (A, B) --> A, h: () ~> B, i: ((A, B)) -> A, j: A -> B -> A): (r: B)
    requires {:error "no"} f.requires(a)
    requires f.reads(a) == {}
    reads *
    ensures r == r
    decreases f, a
  { f(a) }
  opaque ghost predicate P(older x: int, y: int): (b: bool) { true }
  predicate Named(x: int): (result: bool) { x > 0 }
  twostate function TF(new c: C): int { old(c.x) }
  twostate predicate TP(c: C)
  least predicate LP[nat](x: int) { x == 0 || LP(x - 1) }
  greatest predicate GP<T>(x: T) { true }
  function By(n: nat): nat { n } by method { return n; }
  function Extern(n: nat): (ghost int, ())
  const global := if true then 1 else 2
  const typed: bv32 := 0xFF
  ghost const unvalued: object?
  lemma L() ensures true {}

  iterator Gen<T>(x: T, n: nat) yields (y: T, z: nat)
    requires n > 0
    yield requires true
    yield ensures |ys| > 0
    reads x
    modifies x
    decreases n
  {
    yield x, n;
  }
  iterator Again ...
}
