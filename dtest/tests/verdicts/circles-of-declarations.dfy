// refused: 4, 13, 27, 29, 34, 39, 43, 48, 51, 54
// By way of a lemma; a type that is written is mentioned, one that is inferred is not.
module ByLemma {
  newtype Digit =
    x: int | (Fact(); 0 <= x < 10)
  lemma Fact() { var d: Digit; }
  type Even = x: int | IsEven(x)
  predicate IsEven(n: int) { var m := Half(n); m == m }
  function Half(n: int): int { n / 2 }
}

module ByWitnesses {
  type Small = n: int | true witness Pick()
  function Pick(): int { var t: Tall := 3; t }
  type Tall = n: int | forall s: Small :: s == s
}

// A constraint does not call the method; a value that is compiled does.
module ByMethods {
  type Fine = n: int | Holds(n)
  predicate Holds(n: int) { n < 9 } by method { var f: Fine := 3; return n < 9; }
  ghost const g := Ten()
  function Ten(): int { 10 } by method { ghost var h := g; return 10; }
}

module ByCompiledMethods {
  type Bad = n: int | true witness Nine()
  function Nine(): int { 9 } by method { var f: Bad := 3; return 9; }
  const c := Ten()
  function Ten(): int { 10 } by method { return 10 + c - c; }
}

module Itself {
  newtype Own = x: int | var y: Own := 3; x < 4
}

module Values {
  function Apply(f: int -> int, n: int): int { f(n) }
  function Twice(n: int): int { if n <= 0 then 0 else Apply(Twice, n - 1) }
  function Once(n: nat): nat { if n == 0 then 0 else Apply(x => n, 1) }
  function Count(n: nat): nat
    ensures Count(n) == n
    decreases if n == 0 then 0 else Count(n - 1)
  {
    n
  }
  function Ping(n: nat): nat
    decreases Pong(n)
  { n }
  function Pong(n: nat): nat
    decreases Ping(n)
  { n }
  ghost function Up(n: nat): bool {
    Up == Up
  }
  function Down(n: nat): int { Apply(Half, n) }
  function Half(n: int): int { n / 2 }
}
