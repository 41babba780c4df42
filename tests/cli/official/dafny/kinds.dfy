/** Every kind of value that `--convention dafny` converts, and names that Rust escapes. */
module Kinds {
  newtype byte = x: int | 0 <= x < 256
  newtype offset = x: int | -100 <= x <= 100
  type digit = x: int | 0 <= x < 10

  datatype Color = Red | Green | Mixed(first: Color, second: Color, share: nat)
  datatype Pair_of'<T, U> = Pair(fst: T, U)
  datatype Result = Good(value: int) | Bad(error: string) {
    predicate Is_good?() {
      Good?
    }

    function Or(other: int): int {
      if Good? then value else other
    }

    static function Of(x: int): Result {
      if x < 0 then Bad("negative") else Good(x)
    }
  }

  function Depth(c: Color): (depth: nat)
    ensures c.Mixed? ==> depth > Depth(c.first)
  {
    match c
    case Mixed(a, b, _) => var (x, y) := (Depth(a), Depth(b)); if x < y then y + 1 else x + 1
    case _ => 0
  }

  function Mix(a: Color, b: Color, share: nat): Color {
    if share == 5 then Mixed(b, a, share / 2) else Mixed(a, b, share)
  }

  function Next(b: byte): byte {
    if b == 255 then 0 else b + 1
  }

  function Back(o: offset): offset
    requires o > -50
  {
    if o < 0 then o - 10 else o - 1
  }

  function Low(w: bv16): bv8 {
    if w & 0xff00 == 0 then (w & 0xff) as bv8 else 255
  }

  function Twice(d: digit): int
    ensures Twice(d) % 2 == 0
  {
    if d > 5 then 2 * d as int + 100000000000000000000 else 2 * d
  }

  function Upper(c: char): char {
    if 'a' <= c <= 'z' then (c as int - 32) as char else c
  }

  method Words(s: string) returns (words: seq<string>, count: map<string, nat>)
    ensures |words| == |count|
  {
    if |s| > 1 && s[0] == s[1] {
      return [s[..1]], map[s[..1] := 2];
    }
    words, count := [s], map[s := 1];
  }

  function Odd(s: set<int>, m: multiset<char>): set<int>
    ensures Odd(s, m) <= s
  {
    if m['x'] > 1 then {} else set x | x in s && x % 2 == 1
  }

  function Swap<T, U>(p: Pair_of'<T, U>): Pair_of'<int, T> {
    Pair(1, p.fst)
  }

  function fn(type_: bool, x: (int, bool)): (bool, int) {
    if type_ then (x.1, x.0) else (false, 0)
  }

  method loop(x: int) returns (y: int)
  {
    if x > 7 {
      expect x < 7, "large";
    }
    y := x + 1;
  }
}
