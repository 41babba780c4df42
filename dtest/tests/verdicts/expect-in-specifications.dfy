// refused: 27
method M1(k: int) requires (expect true; k) >= 0 { }
method M2(k: int) ensures (expect true; k) >= 0 { }
method M3(k: int) decreases (expect true; k) { }
method M4(k: int) { assert (expect true; true); }
method M5(k: int) { var x := (expect true; 3); }
method M6(k: int) { ghost var x := (expect true; 3); }
method M7(k: int) { while true invariant (expect true; true) { break; } }
method M8(k: int) { while true decreases (expect true; 3) { break; } }
function F9(k: int): int { expect true; 3 }
function F10(k: int): int requires (expect true; true) { 3 }
function F11(k: int): int ensures (expect true; true) { 3 }
function F12(k: int): int decreases (expect true; 3) { 3 }
lemma F13() requires (expect true; true) { }
const c14 := (expect true; 3)
ghost const c15 := (expect true; 3)
type T16 = x: int | (expect true; true)
newtype T17 = x: int | (expect true; x > 0) witness 1
newtype T18 = x: int | x > 0 witness (expect true; 1)
type T19 = x: int | x > 0 ghost witness (expect true; 1)
function F20(k: int := (expect true; 3)): int { 3 }
method M21() { assert true by { assert (expect true; true); } }
method M22() { print (expect true; 3); if (expect true; true) { } }
method M23() { forall x | 0 <= x < (expect true; 3) ensures (expect true; true) { } }
method M24() { ghost var f := x => (expect true; 3); }
datatype D25 = D25(x: int := (expect true; 3))
iterator I26() requires (expect true; true) yields (x: int) yield requires (expect true; true) {}
class C27 { var x: int method M27() modifies (expect true; this) {} function F27(): int reads (expect true; this) { 3 } }
predicate P28() { expect true; true } 
method M29() { var x :| x == (expect true; 3); }
method M30() { assume {:axiom} (expect true; true); expect (expect true; true); }
method M31(k: int) requires (assert true; k) >= 0 requires (assume {:axiom} true; true) { }
