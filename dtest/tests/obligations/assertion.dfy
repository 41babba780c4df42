method Statement(n: int) { assert n > 0; } // !
function Expression(n: int): int { assert n > 0; n } // !
method By(n: int) { assert n > 0 by { } } // !
method Else(n: int) { assert n * n >= 0; }
// Proofs within conditions, under binders and in older states.
lemma Never() requires false { }
method RequiresBy(b: bool) requires (assert true by { assert b; } true) { } // !
method EnsuresBy(b: bool) ensures (assert true by { assert b; } true) { } // !
method ReadByLoop(b: bool) { for i := 0 to 3 invariant (assert true by { assert b; } true) { } } // !
method WhileBy(b: bool) { while false invariant (assert true by { assert b; } true) { } } // !
method AssertBy(b: bool) { assert (assert true by { assert b; } true); } // !
method AssumeBy(b: bool) { assume {:axiom} (assert true by { assert b; } true); } // !
method ExpectBy(b: bool) { expect b, (assert true by { assert b; } "a"); } // !
method SuchThatBy(b: bool) { var r :| r == 1 && (assert true by { assert b; } true); } // !
method ElseBy(b: bool) { if b { } else if (assert true by { assert b; } true) { } } // !
lemma QuantifierBy() { assert forall b: bool :: (assert true by { assert b; } true); } // !
lemma RangeBy() { assert forall b: bool | (assert true by { assert b; } b) :: true; } // !
lemma ProofOfProof(b: bool) { assert true by { assert (assert true by { assert b; } true); } } // !
ghost function SetBy(b: bool): set<int> { set x | 0 <= x < 3 :: (assert true by { assert b; } x) } // !
ghost function MapBy(b: bool): map<int, int> { map x | 0 <= x < 3 :: (assert true by { assert b; } x) } // !
ghost function LambdaBy(): bool -> int { (b: bool) => (assert true by { assert b; } 1) } // !
ghost function CallOfLemma(): int { assume {:axiom} (Never(); true); 1 } // !
method ElementsBy(b: bool) { var s := seq(3, i => (assert true by { assert b; } i)); } // !
method ArrayBy(b: bool) { var s := new int[3](i => (assert i >= 0 by { assert b; } i)); } // !
class Old { var b: bool method By() modifies this { b := true; assert old((assert true by { assert b; } true)); } } // !
twostate function OldBy(b: bool): int { old((assert true by { assert b; } 1)) } // !
lemma HintOf(b: bool) { assert b ==> (calc { 1; { assert !b; } 1; } true); } // !
type ConstraintBy = b: bool | (assert true by { assert b; } true) witness true // !
method ForallBy(b: bool) { forall i | 0 <= i < 3 { var q := i; assert b; } } // !
iterator YieldBy(b: bool) yield requires (assert true by { assert b; } true) // !
iterator YieldsBy(b: bool) yield ensures (assert true by { assert b; } true) // !
iterator EndBy(b: bool) ensures (assert true by { assert b; } true) // !
class Cell { var data: int var next: Cell? }
method Exists(c: Cell) { assert exists d: Cell :: d.data == 9 && d != c; } // !
method ExistsItself(c: Cell) requires c.data == 9 { assert exists d: Cell :: d.data == 9; }
method ForAll(c: Cell) requires c.next == c { assert forall d: Cell :: d.next != d; } // !
method ForAllAssumed(c: Cell) requires forall d: Cell :: d.next != d { assert c.next != c; }
method Earlier(c: Cell) modifies c requires c.data == 0 { c.data := 1; assert old(exists d: Cell :: d.data == 0 && d != c); } // !
method New() { var c := new Cell; c.data := 9; assert exists d: Cell :: d.data == 9 && d == c; }
