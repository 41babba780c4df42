// refused: 9, 11, 12, 13, 19, 20, 24, 28, 29, 30, 33
codatatype Stream = Cons(head: int, tail: Stream)
greatest predicate Up(s: Stream) { s.head <= s.tail.head && Up(s.tail) }
greatest predicate Down(s: Stream) { (s.head > 0 ==> Down(s.tail)) && !!Down(s.tail) }
least predicate Even(n: int) { n == 0 || (exists m :: m == n - 2 && Even(m)) || !(Even(n - 2) ==> false) }
greatest predicate Cases(s: Stream) {
  match s case Cons(h, t) => if h > 0 then Cases(t) else var u := t; Cases(u) && forall x | 0 <= x < 3 :: Cases(t) }
least predicate Bad0(n: int) {
  !Bad0(n - 1)
}
least predicate Bad1(n: int) { Bad1(n - 1) ==> n > 0 }
least predicate Bad2(n: int) { n > 0 <== Bad2(n - 1) }
least predicate Bad3(n: int) { Bad3(n - 1) <==> n > 0 }
least predicate Back(n: int) { n > 0 <== !Back(n - 1) }
greatest predicate Two(n: int) { n > 0 && Three(n) }
greatest predicate Three(n: int) { Two(n + 1) }
greatest predicate InCondition(n: int) {
  if
    InCondition(n + 1) then true else
    (forall x | InCondition(x) :: x > 3)
}
least predicate Mixed(n: int) { Plain(n) }
ghost predicate Plain(n: int) decreases 0 { 0 == n }
greatest predicate Other(n: int) { Between(n) }
ghost predicate Between(n: int) { Other(n) }
least predicate Counted[nat](n: int) { n == 0 || exists m :: m < n && Counted(m) }
least predicate Bounded[nat](n: int) { n == 0 || forall m | 0 <= m < n :: Bounded(m) }
least predicate Unbounded[nat](n: int) { n == 0 || forall m :: m < n ==> Unbounded(m) }
least predicate ByNat[nat](n: int) { n == 0 || ByOrdinal(n - 1) }
least predicate ByOrdinal(n: int) { n == 1 || ByNat(n - 2) }
greatest lemma Again(s: Stream) requires Up(s) ensures Up(s) { Again(s.tail); Friend(s); }
greatest lemma Friend(s: Stream) requires Up(s) ensures Up(s) { Again(s); }
greatest lemma Round(s: Stream) requires Up(s) ensures Up(s) { Helper(s); }
lemma Helper(s: Stream) requires Up(s) { Round(s); }
