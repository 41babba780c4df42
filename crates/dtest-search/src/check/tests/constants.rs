//! Tests of constants and witnesses.

use super::assert_said;

#[test]
fn constants_and_witnesses_are_looked_at() {
    assert_said("const c: nat := -5", &["c: Type `-5`: violated"]);
    assert_said(
        "type Odd = x: int | x % 2 == 1 witness 4",
        &["Odd: Witness `4`: violated"],
    );
    assert_said(
        "type Even = x: int | x % 2 == 0 witness 4 const d: Even := 2",
        &[],
    );
    assert_said(
        "class C { const c: nat := -5 }",
        &["C.c: Type `-5`: violated: this = C"],
    );
    assert_said(
        "type Odd = x: int | x % 2 == 1",
        &["Odd: Witness `Odd`: violated"],
    );
    assert_said(
        "class C {} type D = c: C | true",
        &["D: Type `D`: violated"],
    );
    assert_said(
        "class C { var x: int const u := 2 const v := u + 1 const w := x }",
        &["C.w: Reads `x`: violated: this = C { x: 0 }"],
    );
    assert_said(
        "class C { var x: int function F(): int reads this { x } const w := F() }",
        &["C.w: Reads `F()`: violated: this = C { x: 0 }"],
    );
    assert_said(
        "newtype A = x: int | 100 <= x witness 102 newtype B = a: A | true witness 103 newtype C = A newtype D = A witness 104 newtype E = A witness 13 newtype F = A witness *",
        &["C: Type `C`: violated", "E: Type `13`: violated"],
    );
    assert_said(
        "type S = s: seq<int> | |s| < 3 newtype N = x: int | x < 5 type O = x: int | x > 0 witness *",
        &[],
    );
}

#[test]
fn what_a_constant_is_computed_from_is_its_own_matter() {
    assert_said(
        "function F(): int requires false { F() + 1 } const X := (T(); F()) lemma T() ensures false { var x := F(); } lemma Use() { var x := X; }",
        &[
            "X: Precondition `F()`: violated assuming",
            "X: elsewhere `false`: the postcondition does not hold",
            // The only execution ends here, so that the postcondition is not reached.
            "T: Precondition `F()`: violated",
        ],
    );
}
