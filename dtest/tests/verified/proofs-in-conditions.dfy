// Proofs within conditions, under binders and in older states rest on what is known there.
predicate Even(n: int) { n % 2 == 0 }
lemma Twice(n: int) ensures Even(2 * n) { }
lemma Half(n: int) requires n > 0 ensures n / 2 < n { }

function Sum(s: seq<int>): int { if s == [] then 0 else s[0] + Sum(s[1..]) }

method Conditions(n: int, s: seq<int>)
  requires n > 0 ==> (assert n >= 1 by { assert n != 0; } n / n == 1)
  requires |s| > 3 && (assert |s| > 2 by { var first := s[0]; } s[2] == 0)
  ensures n > 0 ==> (Half(n); n / 2 < n)
{
  assert n > 3 ==> (Half(n - 1); true);
  assume {:axiom} n < 5 || (assert n >= 5 by { if n < 5 { assert false; } } true);
  expect n > 0, if n == 0 then "" else (assert n < 0 by { assert !(n > 0); } "negative");
  ghost var r :| r == n && (assert r == n by { assert r - n == 0; } true);
}

lemma Binders(s: seq<int>, a: array<int>)
  requires a.Length > 0
{
  assert forall i :: 0 <= i < |s| ==> (assert i < |s| by { var x := s[i]; } true);
  assert forall i | 0 <= i < 10 :: (Twice(i); Even(2 * i));
  ghost var some := exists i: nat | i < 3 :: (assert i >= 0 by { assert i + 1 > 0; } i == 0);
  ghost var evens := set i | 1 <= i < 5 && (Half(i); true) :: (calc { i; { Half(i); } i; } i / 2);
  ghost var halves := map i | 1 <= i < 5 :: i := (Half(i); i / 2);
  ghost var f := (i: int) requires i > 0 => (Half(i); i / 2);
  assert match |s| case 0 => true case _ => (assert |s| > 0 by { var x := s[0]; } true);
  assert var t := s + [1]; (assert |t| > 0 by { var x := t[0]; } true);
}

class Cell {
  var n: int
  method Grow()
    requires n > 0
    modifies this
    ensures old(n > 0 && (assert n != 0 by { assert n > 0; } 10 / n >= 0))
  {
    n := n - 1;
    assert old((assert n > 0 by { assert n != 0; } 10 / n) >= 0);
  }
}

method Loops(s: seq<int>) {
  var i := 0;
  while i < |s|
    invariant 0 <= i <= |s| && (assert s[..i] <= s by { if i > 0 { var x := s[i - 1]; } } true)
  {
    i := i + 1;
  }
  for k := 0 to |s|
    invariant k > 0 ==> (assert k - 1 < |s| by { var x := s[k - 1]; } true)
  { }
  var squares := seq(|s|, i requires 0 <= i < |s| => (assert i < |s| by { var x := s[i]; } i * i));
  var numbers := new int[|s|](i => (assert i >= 0 by { assert i + 1 > 0; } i));
}

ghost function Total(s: seq<int>): int
  requires forall i :: 0 <= i < |s| ==> (assert s[i] == s[i] by { } s[i] > 0)
{
  if s == [] then 0
  else if exists i :: 0 <= i < |s| && (assert s[i] > 0 by { assert 0 <= i; } s[i] == 1) then 1
  else 2
}

iterator Numbers(n: nat) yields (y: int)
  requires n > 0
  yield requires |ys| > 0 ==> (assert |ys| != 0 by { var x := ys[0]; } ys[0] == ys[0])
  yield ensures |ys| > 0 && ys[|ys| - 1] == y
  yield ensures 10 / n == 10 / n
  ensures 10 / n == 10 / n
  decreases n / n
{
  y := 1;
  yield;
}

method Proved(b: bool) { forall i | 0 <= i < 3 { var q := 1 / (if b then 1 else 2); } }
