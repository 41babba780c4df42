// refused: 4, 6, 9, 10, 13
predicate Plain(x: int) { x > 0 }
predicate Named(x: int): (b: bool) { x > 0 }
predicate Typed(x: int): bool { x > 0 }
ghost predicate Long(x: int)
  : bool
  requires x > 0
{ x > 0 }
least predicate Least(x: int): bool { x == 0 || Least(x - 1) }
twostate predicate Both(x: int): bool { x > 0 }
class C {
  predicate In() { true }
  predicate Out(): (n: int) { 3 }
}
