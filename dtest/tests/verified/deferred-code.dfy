type Even = x: int | x % 2 == 0
function Id(n: nat): nat { n }
function Of(f: Even -> int, e: Even): int { f(e) }
function Fold<T, U>(f: (T, U) -> U, u: U, l: seq<T>): U { if l == [] then u else f(l[0], Fold(f, u, l[1..])) }
method Argument(e: Even) returns (r: int) { r := Of((n: Even) => (assert n % 2 == 0; n), e); }
method Annotated() { var f: nat -> nat := n => n + 1; var g: nat -> nat := n => Id(n); }
method Result() returns (f: nat -> nat) { f := n => Id(n); }
method Elements(s: seq<nat>) returns (r: seq<nat>) { r := seq(|s|, i requires 0 <= i < |s| => Id(s[i])); }
method Folded(l: seq<nat>) returns (r: int) { r := Fold((x, y) => x + y, 0, l); }
class C { var v: int var next: C?
  method Fields(c: C) { var f := (x: int) reads c => c.v + x; var g := (c: C) reads c => c.v; }
  method Elements(cs: set<C>) { var f := (c: C) requires c in cs reads cs => c.v; }
  method Null(c: C?) { var f := (x: int) requires c != null reads c => c.v; }
}
datatype Tree = Leaf | Node(f: nat -> Tree)
function Complete(n: nat): Tree { if n == 0 then Leaf else Node(i => Complete(n - 1)) }
codatatype Automaton = State(final: bool, next: int -> Automaton)
function Sum(n: int): Automaton { State(n == 0, c => Sum(n + c)) }
method Keys(m: map<int, int>) { var f := k requires k in m => m[k]; var g := (k: int, j: int) requires k in m && j in m => m[k] + m[j]; }
method Applied(n: nat) { var f := (x: int) requires x != 0 => n / x; var m := f(1); }
codatatype Bits = Bit(head: int, tail: Bits) {
  static function Up(n: nat): Bits { Bit(10 / (n + 1), if n % 2 == 0 then Up(n + 1) else Bit(n, Up(n + 2))) }
  static function Of(s: seq<int>, i: nat): Bits requires i < |s| { Bit(s[i], if i + 1 < |s| then Of(s, i + 1) else Of(s, 0)) }
}
function Ghost(n: nat, ghost g: nat): (r: nat) ensures r == n { if g > 0 then Ghost(n, g - 1) else n }
