// refused: 10, 13, 20
ghost predicate Odd(x: int) { x % 2 == 1 }
predicate Positive(x: int) { x > 0 }
type OddInt = x: int | Odd(x) witness 1
type SmallOdd = x: OddInt | x < 10 witness 1
type PosInt = x: int | Positive(x) witness 1
newtype Odds = x: int | Odd(x) witness 1
predicate Fine(s: set<PosInt>) { forall x: PosInt :: x in s ==> x < 10 }
predicate Bad(s: set<OddInt>) {
  forall x: OddInt :: x in s ==> x < 10
}
method M(s: set<SmallOdd>, t: set<Odds>) returns (r: set<int>, m: map<Odds, int>) {
  r := set x: SmallOdd | x in s :: x + 1; m := map x: Odds | x in t :: 3;
  ghost var g := exists x: OddInt :: x in s;
  assert forall x: OddInt :: x in s ==> x in s;
  for i := 0 to 10
    invariant forall x: OddInt :: x in s ==> x in s
  { }
}
datatype D = D { predicate P(s: set<OddInt>) { exists x: OddInt :: x in s } }
ghost predicate Ghosts(s: set<OddInt>) { forall x: OddInt :: x in s ==> x < 10 }
