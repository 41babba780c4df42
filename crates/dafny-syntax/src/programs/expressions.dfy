function Expressions(): int
  requires a <==> b <==> c
  requires a ==> b ==> c
  requires (a ==> b) ==> c
  requires a <== b <== c
  requires && a && b && (c || d)
  requires || a || b
  requires a == b != c < d <= e
  requires a > b >= c == d
  requires a !! b !! c
  requires x in s && y !in s && !(x in s)
  requires a ==#[k] b && a !=#[k + 1] b
  requires a decreases to b
  requires (a, b decreases to c, d) && (decreases to) && (a nonincreases to b)
  requires x << 1 >> 2 == 1 + 2 - 3 * 4 / 5 % 6
  requires x & y & z == (x | y) ^ z
  requires !x as bv8 == -y as int as real && z is C<int> && - - x == !!x
  requires f<int>(x) == g<seq<int>, (int, bool)>.h<T>
  requires a < b && c > d
  requires f(a < b, c > d) == F(a<b, c>(d))
  requires |s| + |s + t| == |(x | y)| + |set x | x in s|
  requires old(x) == old@L(x) && fresh(x) && fresh@L({x}) && unchanged(this, a`b, `c) && unchanged@L(a) && allocated(x) && assigned(y)
  requires two@L(x) == this.two@L(x, y)
  requires P#[k](x) && this.P#<int>[k + 1](x, y := 2)
  requires x.0.1 == x.(f := 1, 0 := 2).f && x.C? && e'.f' == _x
  requires s[0] == s[1..2][..3][4..][..][1 : 2 : ][1 : 2 : 3] + s[0 := 1] + a[1, 2]
  requires f.requires(x) && f.reads(x) == {}
{
  var x := 1; var y: int, (z, _) := 2, (3, 4); ghost var w := 5;
  var q: int, r {:attr} :| q < r; var t :- Try(); :- Try(); var Cons(a, b) := l;
  assert x == y; assert L: true by { Lemma(); } assume {:axiom} true; expect x == 1, "no"; reveal F(); calc { 1; 1; } Lemma(x); M.Lemma(y);
  hide *;
  if x > 0 then 1 else if i: int :| i > 0 then 2 else
  match x { case 0 => 1 case Cons(h, _) | Nil => 2 case -1 => match y case 1 => 2 case _ => 3 }
}

const literals := [true, false, null, 0, 1_000, 0xFF_ff, 1.5, 1_0.0_1, 1e3, 1.5e-3, .5, 'a', '\'', '\\', '"', '\U{41}', '\U{1F600}', 'é', "", "a\"b\n\t\0\r\\", @"a""b\", "\U{1_F600}"]
const collections := {1, 2} + iset{3} + multiset{4} + multiset(s) + [] + map[1 := 2, 3 := 4] + imap[] + seq(10, i => i) + seq<int>(n, f)
const comprehensions := (set x: int | 0 <= x < 10) + (set x <- s, y <- t | x < y :: x + y) + (iset x | P(x), y | Q(x, y) :: y)
const maps := (map x: int | 0 <= x < 10 :: x * 2) + (map x <- s :: x + 1 := x) + (imap x, y | x == y :: (x, y) := 3)
const quantifiers := (forall x: int, y :: x == y) && (exists x {:trigger f(x)} | P(x) :: Q(x)) && (forall x | x in s ensures P(x) { Lemma(x); } true)
const lambdas := (x => x)((x, y: int) => x + y)(() => 1)((x: int) requires x > 0 reads this, {} => x)(x requires P(x) reads * => y => x + y)(_ => 0)
const tuples := ((), (1, 2), (ghost 1), (ghost 1, 2), (1), (1 := 20, 0 := 10), ((a, b)))
const endless := a && forall x :: x ==> exists y :: x == y
const negative := -forall_ + -match_ * (match x { case 0 => 1 } + 2)
const named := f(x := 1, y := 2, 3)
const types: map<int, seq<set<array<array2?<object>>>>> := x as (int, bool) -> int --> ORDINAL ~> M.N<int>.T?
const lines :=
  && a
  && (|| b
      || c)
