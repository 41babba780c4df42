//! What is said of promises, by one-line programs.

use std::fmt::Write;
use std::sync::Arc;

use super::{CheckResult, Verdict, check_unit};
use crate::ir::{Criteria, GoalReason};
use crate::search::Options;
use crate::testing::resolved;

/// What is said of every promise that is not plainly kept, in the order of the units: its text, its kind, its verdict, the inputs.
fn check(source: &str) -> String {
    check_by(source, dafny_resolve::typed::Options::default())
}

fn check_by(source: &str, options: dafny_resolve::typed::Options) -> String {
    let (sources, typed) = resolved(source, options);
    let program = crate::lower::lower_for(Arc::new(typed.unghosted()), Criteria::promises());
    let mut out = String::new();
    for unit in crate::lower::units::promising(&program.typed, |_| true) {
        let result = check_unit(&program, unit.callable, &Options::default());
        tell(&program, &sources, &unit.path, &result, &mut out);
    }
    out
}

fn tell(program: &crate::ir::Program, sources: &dafny_syntax::source::SourceMap, path: &str, result: &CheckResult, out: &mut String) {
    for (id, verdict) in &result.promises {
        let goal = program.goal(result.unit, *id).unwrap();
        let GoalReason::Broken { promise, .. } = &goal.reason else { panic!("a goal that is no promise") };
        let said = match verdict {
            Verdict::Violated(v) => {
                let inputs = crate::describe::inputs(program, result.unit, &v.inputs).join(", ");
                let how = if v.choices.is_some() { " by choice" } else { "" };
                format!("violated{}{how}: {inputs}", if v.is_certain() { "" } else { " assuming" })
            }
            Verdict::Holds => continue,
            Verdict::HoldsWithin { .. } => "within bounds".to_owned(),
            Verdict::Open(reason) => format!("open: {reason}"),
        };
        writeln!(out, "{path}: {promise:?} `{}`: {}", sources.text(goal.span), said.trim_end_matches([':', ' '])).unwrap();
    }
    for v in &result.others {
        writeln!(out, "{path}: elsewhere `{}`: {}", sources.text(v.failure.span), v.failure.message).unwrap();
    }
}

#[track_caller]
fn assert_said(source: &str, expected: &[&str]) {
    let said = check(source);
    assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{source}");
}

#[test]
fn assertions_and_contracts_are_broken_by_small_inputs() {
    assert_said(
        "method Abs(x: int) returns (y: int) ensures y >= 0 { if x < 0 { y := -x - 1; } else { y := x - 1; } }",
        &["Abs: Postcondition `y >= 0`: violated: x = 0"],
    );
    assert_said("method M(x: int) { assert x != 77; }", &["M: Assertion `x != 77`: violated: x = 77"]);
    assert_said(
        "method P(n: int) requires n > 3 {} method Q(n: int) { if n != 2 { P(n); } }",
        &["Q: Precondition `P(n);`: violated: n = 0"],
    );
    assert_said(
        "ghost predicate P(a: array?<int>) reads a { forall i :: a != null && 0 <= i < a.Length ==> a[i] > 0 }",
        &[
            "P: NonNull `a.Length`: open: a bound of a quantifier has no value, but an earlier condition may guard it",
            "P: Reads `a[i]`: within bounds",
            "P: NonNull `a[i]`: within bounds",
            "P: Index `a[i]`: within bounds",
        ],
    );
}

#[test]
fn lemmas_and_ghost_code_are_executed() {
    assert_said("lemma L(x: int) requires x > 3 ensures x * x > 16 {}", &["L: Postcondition `x * x > 16`: violated: x = 4"]);
    assert_said("ghost function At(s: seq<int>, i: int): int { s[i] }", &["At: Index `s[i]`: violated: s = [], i = 0"]);
    assert_said(
        "method M(n: nat) { ghost var g := n; if g > 2 { assert g != 5; } calc { g; == { assert n != 9; } n; } }",
        &["M: Assertion `g != 5`: violated: n = 5", "M: Assertion `n != 9`: violated: n = 9"],
    );
}

#[test]
fn invariants_are_told_apart_on_entry_and_after_an_iteration() {
    assert_said(
        "method M(n: nat) returns (s: nat) { s := 0; var i := 0;
           while i < n invariant i <= n invariant s == 2 * i invariant n != 4 { s := s + i; i := i + 1; } }",
        &[
            "M: InvariantOnEntry `n != 4`: violated: n = 4",
            "M: InvariantKept `s == 2 * i`: violated: n = 1",
            "M: InvariantKept `n != 4`: violated assuming: n = 4",
        ],
    );
}

#[test]
fn forall_statements_are_looked_into() {
    assert_said(
        "lemma L(n: nat) { forall x | 0 <= x < n ensures x < 5 { assert x != 3; } }",
        &["L: Assertion `x < 5`: violated: n = 6", "L: Assertion `x != 3`: violated by choice: n = 4"],
    );
    assert_said(
        "lemma P(n: int) requires n > 5 {} lemma L(n: int) { calc ==> { n > 6; { P(n); } n > 5; { P(n - 2); } n > 4; } }",
        &["L: Precondition `P(n - 2);`: violated: n = 6"],
    );
    assert_said("function F(n: nat): nat { 0 } by method { var a := new nat[1](_ => 0); return a[0]; }", &[]);
}

#[test]
fn a_partial_function_is_known_where_it_was_asked_for_and_nowhere_else() {
    assert_said(
        "lemma Next(f: int --> int, x: int) requires f.requires(x) { assert f.requires(x); assert f.requires(x + 1); }",
        &["Next: Assertion `f.requires(x + 1)`: violated: f = {_ => 0} only for 0, x = 0"],
    );
    assert_said(
        "method M(f: int --> int) returns (y: int) requires !f.requires(1) requires f.requires(2) { y := f(2); y := f(1); }",
        &["M: Application `f(1)`: violated: f = {_ => 0} only for 2"],
    );
    assert_said(
        "datatype Box = Box(g: (int, bool) --> int) lemma L(b: Box) requires b.g.requires(0, true) { assert b.g.requires(0, false); }",
        &["L: Assertion `b.g.requires(0, false)`: violated: b = {_ => 0} only for (0, true)"],
    );
    // What a function that reads the heap gives is another matter after a change of it.
    assert_said(
        "class Cell { var v: int }
         method M(c: Cell, f: Cell ~> int) requires f.requires(c) modifies c { c.v := 3; assert f.requires(c); }",
        &["M: Assertion `f.requires(c)`: open: function values that may read the heap (`~>`) are tried only as functions that do not"],
    );
    assert_said("lemma L(f: int -> int) { assert f.requires(1); }", &[]);
}

#[test]
fn parts_of_a_value_are_below_it() {
    let data = "datatype List = Nil | Cons(h: int, t: List) datatype Rose = Rose(v: int, kids: seq<Rose>) ";
    let said = |source: &str, expected: &[&str]| assert_said(&format!("{data}{source}"), expected);
    said("function Zip(a: List, b: List): List { if a.Cons? && b.Cons? then Cons(a.h + b.h, Zip(a.t, b.t)) else Nil }", &[]);
    said("function Even(l: List): bool { if l.Cons? && l.t.Cons? then Even(l.t.t) else l.Nil? }", &[]);
    said(
        "function Sum(r: Rose): int { r.v + Sums(r.kids) } function Sums(rs: seq<Rose>): int { if rs == [] then 0 else Sum(rs[0]) + Sums(rs[1..]) }",
        &[],
    );
    said(
        "function Grow(l: List, n: nat): nat decreases l { if n == 0 then 0 else Grow(Cons(1, l), n - 1) }",
        &["Grow: Decreases `Grow(Cons(1, l), n - 1)`: violated: l = List.Nil, n = 1"],
    );
    said(
        "function Turn(s: seq<int>): nat decreases s { if |s| > 2 then Turn([s[1], s[0]] + s[2..]) else 0 }",
        &["Turn: Decreases `Turn([s[1], s[0]] + s[2..])`: violated: s = [0, 0, 0]"],
    );
}

#[test]
fn measures_are_guessed_from_guards_that_are_negated() {
    let ends = |guard: &str, step: &str| {
        let said = check(&format!("method M(s: set<int>, n: nat) {{ var t, i := s, n; while {guard} {{ {step} }} }}"));
        assert!(said.contains("Decreases") && !said.contains("violated") && !said.contains("open"), "{said}");
    };
    let take = "var x :| x in t; t := t - {x};";
    ends("!(t == {})", take);
    ends("!!(t != {})", take);
    ends("!(t == {} || i > 3)", take);
    ends("!({} < t ==> i > 3)", take);
    let said = check("method M(n: nat) { var i := n; while !(i <= 0) { i := i - 1; } while !(i <= 0) { i := i + 1; } }");
    assert!(!said.contains("violated"), "{said}");
}

#[test]
fn of_values_of_which_nothing_is_known_it_is_known_whether_they_are_the_same() {
    let said = check("type A method M<Y>(y: Y, a: A, n: nat) { var i := n; while i > 0 decreases y, a, i { i := i - 1; } }");
    assert!(!said.contains("violated"), "{said}");
    assert_said(
        "method M<Y>(y: Y, n: nat) decreases y { if n > 0 { M(y, n - 1); } }",
        &["M: Type `n - 1`: within bounds", "M: Decreases `M(y, n - 1);`: violated: y = 0, n = 1"],
    );
}

#[test]
fn expressions_in_an_older_state_are_evaluated_there() {
    let class = "class C { var data: int method M() returns (ghost x: int) requires data == 3 modifies this { data := 4; ";
    let kept = |body: &str| assert_said(&format!("{class} x := 3; {body} }} }}"), &[]);
    kept("x := old(var y :| y == data; y); assert x == 3;");
    kept("x := old(var y := data; if y == 3 then y else data); assert x == 3;");
    kept("x := old(assert data == 3; data); assert x == 3;");
    kept("assert old(data == 3 && (data > 2 ==> data < 4));");
}

#[test]
fn there_are_ordinals_beyond_the_natural_numbers() {
    let open = "open: values of type ORDINAL are tried as natural numbers only";
    assert_said("lemma L(o: ORDINAL) { assert o.IsNat; }", &[&format!("L: Assertion `o.IsNat`: {open}")]);
    assert_said("lemma L(o: ORDINAL) requires o.IsLimit { assert o == 0; }", &[&format!("L: Assertion `o == 0`: {open}")]);
    assert_said("lemma L(o: ORDINAL) requires o < 3 { assert o != 2; }", &["L: Assertion `o != 2`: violated: o = 2"]);
}

#[test]
fn what_nobody_proves_is_taken_for_granted() {
    assert_said(
        "method M(s: set<int>, y: int) { forall x | x in s ensures x < 0 assert y in s ==> y < 0; assert y in s ==> y != -4; }",
        &["M: Assertion `y in s ==> y < 0`: within bounds", "M: Assertion `y in s ==> y != -4`: violated: s = {-4}, y = -4"],
    );
    assert_said(
        "function P(n: nat): int lemma L() { forall n: nat | n < 3 ensures P(n) == 5 { assume false; } }",
        &["L: Assertion `P(n) == 5`: within bounds"],
    );
    assert_said(
        "lemma L(k: nat) { forall n: nat | n < k ensures n < 3 { assume {:axiom} n != 4; } }",
        &["L: Assertion `n < 3`: violated by choice: k = 4"],
    );
}

#[test]
fn what_a_lemma_claims_is_its_promise() {
    assert_said(
        "lemma Zero(x: int) ensures x == 0 {} method M(x: int) { Zero(x); assert x == 0; }",
        &[
            "Zero: Postcondition `x == 0`: violated: x = 1",
            "M: Assertion `x == 0`: violated assuming: x = 1",
            "M: elsewhere `x == 0`: the postcondition does not hold",
        ],
    );
    assert_said(
        "lemma Known(s: seq<int>) ensures s != [] ==> s[0] in s {} method M(s: seq<int>) { Known(s); assert |s| != 4; }",
        &["M: Assertion `|s| != 4`: violated: s = [0, 0, 0, 0]"],
    );
    let lemma = "class C { var d: int } twostate lemma Same(c: C) returns (e: C) { e := c; }";
    let said = check(&format!("{lemma} method M(c: C) {{ var e := Same(c); }}"));
    assert!(!said.contains("M: Frame"), "{said}");
}

#[test]
fn choices_are_explored() {
    assert_said(
        "newtype Byte = x: int | 0 <= x < 256 method M() { var y: Byte := *; y := y + 1; }",
        &["M: Type `y + 1`: violated by choice"],
    );
    assert_said(
        "method M(n: nat) { var y :| 0 <= y <= n; assert y == 0; }",
        &["M: Existence `var y :| 0 <= y <= n;`: within bounds", "M: Assertion `y == 0`: violated by choice: n = 1"],
    );
    assert_said("method M(s: set<int>) { var y :| y in s; }", &["M: Existence `var y :| y in s;`: violated: s = {}"]);
}

#[test]
fn choices_of_the_solver_are_followed() {
    assert_said("method M() { var x: int := *; assert 3 * x != 37035; }", &["M: Assertion `3 * x != 37035`: violated by choice"]);
    assert_said(
        "ghost method M() { var x: int :| x * x > 1000000; assert x != -1729; }",
        &[
            "M: Existence `var x: int :| x * x > 1000000;`: open: no violation was found within the bounds, and no proof",
            "M: Assertion `x != -1729`: violated by choice",
        ],
    );
    assert_said(
        "method M(k: int) { if { case true => case true => case true => case true => case true => case true => case true =>
           case true => case true => case k > 5 => assert k != 40; } }",
        &["M: Assertion `k != 40`: violated by choice: k = 40"],
    );
}

#[test]
fn a_function_chooses_the_same_for_the_same_arguments() {
    let pick = "function Pick(s: set<int>): int requires s != {} { var x :| x in s; x }";
    let said = check(&format!("{pick} method M(a: set<int>) {{ var b := a; if |a| > 1 {{ assert Pick(a) == Pick(b); }} }}"));
    assert!(!said.contains("violated"), "{said}");
    let said = check(&format!("{pick} method M(a: set<int>, b: set<int>) {{ if |a| > 1 && a < b {{ assert Pick(a) == Pick(b); }} }}"));
    assert!(said.contains("Assertion `Pick(a) == Pick(b)`: violated"), "{said}");
    let all = "function Sum(s: set<int>): seq<int> { if s == {} then [] else var x :| x in s; [x] + Sum(s - {x}) }";
    let said = check(&format!("{all} method M() {{ assert Sum({{1, 2, 3}}) == Sum({{3, 2, 1}}); }}"));
    assert!(!said.contains("violated"), "{said}");
}

#[test]
fn values_are_held_against_types_wherever_they_go() {
    assert_said(
        "function F(n: nat): nat { n } method M(i: int, a: array<nat>) requires a.Length == 1 modifies a { var x := F(i); a[0] := i - 1; }",
        &["M: Type `i`: violated: i = -1, a = array<nat> [0]", "M: Type `i - 1`: violated: i = 0, a = array<nat> [0]"],
    );
    assert_said(
        "newtype byte = x: int | 0 <= x < 256 function Sum(a: byte, b: byte): byte { a + b }",
        &["Sum: Type `a + b`: violated: a = 1, b = 255"],
    );
}

#[test]
fn what_nobody_assigned_is_one_value_in_every_state() {
    assert_said(
        "method M() { var a := new int[3]; var s := a[..]; label L: assert a[..] == s; assert old@L(a[0]) == a[0]; assert a[1] == 0; }",
        &["M: Assertion `a[1] == 0`: violated by choice"],
    );
    assert_said(
        "class C { var n: int } method M() { var c := new C; label L: assert old@L(c.n) == c.n; assert c.n != 5; }",
        &["M: Assertion `c.n != 5`: violated by choice"],
    );
}

#[test]
fn inputs_get_smaller_together() {
    assert_said(
        "method M(s: seq<int>, k: int) requires |s| == 3 && s[0] == s[1] < s[2] == k - 40 && k < 0 { assert s[2] < -90; }",
        &["M: Assertion `s[2] < -90`: violated: s = [-42, -42, -41], k = -1"],
    );
    assert_said(
        "method M(s: seq<int>, k: int) { assert !(|s| == 3 && s[0] == s[1] < s[2] == k); }",
        &["M: Assertion `!(|s| == 3 && s[0] == s[1] < s[2] == k)`: violated: s = [0, 0, 1], k = 1"],
    );
}

#[test]
fn conversions_are_promises_wherever_they_stand() {
    assert_said("method M(r: int) { if * { var x := r as bv3; } }", &["M: Type `r as bv3`: violated by choice: r = -1"]);
    assert_said("method M(r: real) { if r > 1000.0 { var x := r as int; } }", &["M: Type `r as int`: violated: r = 1000.5"]);
    assert_said(
        "trait T {} class C extends T {} class D extends T {} method M() { var t: T := new D; var c: C := t; }",
        &["M: Type `t`: violated"],
    );
    assert_said("datatype P<A> = P(a: A) method M(p: P<int>) { var q: P<nat> := p; }", &["M: Type `p`: violated: p = -1"]);
}

#[test]
fn what_an_execution_rests_on_is_told() {
    assert_said(
        "method {:extern} Get() returns (x: int) ensures x > 0 method M() { var x := Get(); assert x > 5; }",
        &["M: Assertion `x > 5`: violated assuming"],
    );
    // An execution in which the claim of an axiom is false does not exist.
    assert_said(
        "lemma {:axiom} Ax(x: int) ensures x < 3 method M(x: int) { Ax(x); assert x < 4; }",
        &["Ax.claim: Postcondition `x < 3`: violated: x = 3", "M: Assertion `x < 4`: within bounds"],
    );
    assert_said("method M(x: int) { assume {:axiom} x < 3; assert x < 4; }", &["M: Assertion `x < 4`: within bounds"]);
}

#[test]
fn what_has_no_body_gives_what_its_contract_allows() {
    assert_said(
        "function F(x: int): int method M(n: nat) { var y := F(3); assert y != 7 || F(4) != 9; }",
        &["M: Assertion `y != 7 || F(4) != 9`: violated assuming: n = 0"],
    );
    assert_said("function F(x: int): int method M() { assert F(3) == F(1 + 2); }", &[]);
    assert_said(
        "ghost predicate P(x: int) lemma L(x: int) requires P(x) ensures P(x + 1) {}",
        &["L: Postcondition `P(x + 1)`: violated assuming: x = 0"],
    );
    assert_said(
        "class C { var s: seq<int> constructor () ensures |s| == 0 } method M() { var c := new C(); assert |c.s| == 0; var t := *; assert t != 4; }",
        &[
            "M: Assertion `|c.s| == 0`: open: no violation was found within the bounds, and no proof",
            "M: Assertion `t != 4`: violated assuming by choice",
        ],
    );
    assert_said(
        "greatest predicate H[nat](x: int) { x > 0 && H(x) } lemma L(k: nat, x: int) requires H#[k](x) requires k > 0 ensures x > 0 {}",
        &[
            "L: Postcondition `x > 0`: open: inputs were found that violate it, but it could not be decided whether a precondition holds for them: `H#` has no body",
        ],
    );
    // Of what lemmas without a proof speak, no answer is an execution by itself.
    assert_said(
        "function E(x: int): int lemma {:axiom} A(x: int) ensures E(x) > 0 lemma B() ensures E(0) > 0 { A(0); } method M() { B(); assert E(0) > 0; }",
        &[
            "A.claim: Postcondition `E(x) > 0`: open: it constrains the result of code without a body",
            "B: Postcondition `E(0) > 0`: within bounds",
            "M: Assertion `E(0) > 0`: open: the interpreter could not confirm any model of the solver",
        ],
    );
}

#[test]
fn a_promise_comes_after_those_before_it() {
    assert_said("method M(x: int) { assert x > 0; assert x > -1; }", &["M: Assertion `x > 0`: violated: x = 0"]);
}

#[test]
fn constants_and_witnesses_are_looked_at() {
    assert_said("const c: nat := -5", &["c: Type `-5`: violated"]);
    assert_said("type Odd = x: int | x % 2 == 1 witness 4", &["Odd: Witness `4`: violated"]);
    assert_said("type Even = x: int | x % 2 == 0 witness 4 const d: Even := 2", &[]);
    assert_said("class C { const c: nat := -5 }", &["C.c: Type `-5`: violated: this = C"]);
    assert_said("type Odd = x: int | x % 2 == 1", &["Odd: Witness `Odd`: violated"]);
    assert_said("class C {} type D = c: C | true", &["D: Type `D`: violated"]);
    assert_said("class C { var x: int const u := 2 const v := u + 1 const w := x }", &["C.w: Reads `x`: violated: this = C { x: 0 }"]);
    assert_said(
        "class C { var x: int function F(): int reads this { x } const w := F() }",
        &["C.w: Reads `F()`: violated: this = C { x: 0 }"],
    );
    assert_said(
        "newtype A = x: int | 100 <= x witness 102 newtype B = a: A | true witness 103 newtype C = A newtype D = A witness 104 newtype E = A witness 13 newtype F = A witness *",
        &["C: Type `C`: violated", "E: Type `13`: violated"],
    );
    assert_said("type S = s: seq<int> | |s| < 3 newtype N = x: int | x < 5 type O = x: int | x > 0 witness *", &[]);
}

#[test]
fn what_a_constant_is_computed_from_is_its_own_matter() {
    assert_said(
        "function F(): int requires false { F() + 1 } const X := (T(); F()) lemma T() ensures false { var x := F(); } lemma Use() { var x := X; }",
        &[
            "X: Precondition `F()`: violated assuming",
            "X: elsewhere `false`: the postcondition does not hold",
            "T: Precondition `F()`: violated",
            "T: Postcondition `false`: within bounds",
        ],
    );
}

#[test]
fn numbers_are_values_of_their_newtypes() {
    assert_said(
        "newtype Even = x: int | x % 2 == 0
newtype Low = x: int | -5 <= x < 0 witness -1
newtype Unit = r: real | 0.0 <= r <= 1.0
method M(o: Even) returns (e: Even, u: Unit, l: Low) requires 1 < o { e := 3; u := 2.0; l := -3; }
method N(o: Even) returns (e: Even, u: Unit) requires 2 < o { e := 4; u := 0.5; if o == 6 { e := 5; } }
method L() returns (l: Low) { l := -6; }
",
        &["M.contract: Type `1`: violated: o = 0", "N: Type `5`: violated: o = 6", "L: Type `-6`: violated"],
    );
}

#[test]
fn contracts_are_well_formed_by_themselves() {
    assert_said("function F(a: int, b: int): int requires a / b > 2 { a }", &["F.contract: Divisor `a / b`: violated: a = 0, b = 0"]);
    assert_said("function F(a: int, b: int): int requires b != 0 requires a / b > 2 { a }", &[]);
    assert_said("method M(s: seq<int>) returns (i: nat) ensures s[i] == 0", &["M.ensures: Index `s[i]`: violated: s = [], i = 0"]);
    assert_said("method M(s: seq<int>) returns (i: nat) ensures i < |s| && s[i] == 0", &[]);
    assert_said("lemma L(n: int, m: map<int, int>) decreases m[n]", &["L.contract: Key `m[n]`: violated: n = 0, m = map[]"]);
    assert_said("class C { var v: int function F(): int requires v > 0 { 2 } }", &["C.F.reads: Reads `v`: violated: this = C { v: 1 }"]);
    // What is read may be told by a clause that comes later.
    assert_said(
        "class C { var r: set<C> var v: int predicate P(c: C) requires c.v == 1 requires c in r reads this, r { true } }",
        &["C.P.reads: Reads `c.v`: within bounds"],
    );
    assert_said("type T = x: real | 1.0 / x > 2.0 witness 0.25", &["T.constraint: Divisor `1.0 / x`: violated: x = 0.0"]);
    assert_said(
        "class C { var next: C? predicate P() reads this, next.next { true } }",
        &[
            "C.P.contract: NonNull `next.next`: violated: this = C { next: null }",
            "C.P.reads: Reads `next.next`: violated: this = C { next: C { next: null } }",
        ],
    );
}

#[test]
fn what_has_no_body_may_answer_otherwise_once_what_it_reads_is_changed() {
    let class = "class C { var d: int } function All(): int reads * function Of(c: C): int reads c function In(s: set<C>): int reads s ";
    let said = |source: &str| check(&format!("{class} method M(c: C, e: C, s: set<C>) modifies c {{ {source} }}"));
    // That it holds would be wrong. No execution is shown either: an answer to what reads the heap may be one that its contract excludes elsewhere.
    let open = |call: &str| {
        let said = said(&format!("var u := {call}; c.d := c.d + 1; assert u == {call};"));
        assert!(said.contains(&format!("Assertion `u == {call}`: open")), "{said}");
    };
    open("All()");
    open("Of(c)");
    open("In(s)");
    let kept = |source: &str| assert!(!said(source).contains("violated"), "{}", said(source));
    kept("var u := All(); assert u == All();");
    kept("var u := Of(e); if c != e { c.d := c.d + 1; } assert u == Of(e);");
    kept("var u := In(s); if c !in s { c.d := c.d + 1; } assert u == In(s);");
    kept("var u := All(); var n := new C; n.d := 3; assert u == All();");
    assert_said("class C { var d: int } function Of(c: C): int reads c method M(c: C) { assert Of(c) == Of(c); }", &[]);
}

#[test]
fn loops_without_bodies_leave_what_their_specification_allows() {
    assert_said(
        "method M(n: nat) { var i, j := 0, 2; while i < n invariant 0 <= i <= n assert i == n; assert j == 2; assert n != 3; }",
        &["M: Assertion `n != 3`: violated by choice: n = 3"],
    );
    assert_said("method M(n: int) { var i := 0; while i < n assert i < 9; }", &["M: Assertion `i < 9`: violated by choice: n = 0"]);
    assert_said(
        "class C { var y: int } method M(c: C) modifies c { while c.y < 5 invariant c.y <= 7 assert c.y != 6; }",
        &["M: InvariantOnEntry `c.y <= 7`: violated: c = C { y: 8 }", "M: Assertion `c.y != 6`: violated by choice: c = C { y: 0 }"],
    );
    assert_said(
        "method M(n: nat) { var s := 0; for i := 0 to n invariant s <= 2 * i assert s <= 3; }",
        &["M: Assertion `s <= 3`: violated by choice: n = 2"],
    );
}

#[test]
fn loops_without_bodies_change_and_make_what_the_method_may() {
    let class = "class C { var y: int } ";
    let said = |source: &str, expected: &[&str]| assert_said(&format!("{class}{source}"), expected);
    said(
        "method M() { var k := new C; k.y := 2; var i := 0; while i < 7 invariant k.y % 2 == 0 assert k.y == 2; }",
        &["M: Assertion `k.y == 2`: violated by choice"],
    );
    let new = check(&format!(
        "{class} method M() {{ var k := new C; var c, i := k, 0; while i < 7 invariant fresh(k) && k.y == k.y assert k == c; }}"
    ));
    assert!(new.contains("Assertion `k == c`: violated by choice"), "{new}");
    let kept = check(&format!("{class} method M(c: C) {{ var i, y := 0, c.y; while i < 7 invariant c.y == c.y assert y == c.y; }}"));
    assert!(!kept.contains("violated"), "{kept}");
}

#[test]
fn inputs_that_are_excluded_for_one_promise_prove_nothing_of_the_next() {
    let options = dafny_resolve::typed::Options { relax_definite_assignment: true, ..dafny_resolve::typed::Options::default() };
    let said =
        check_by("method P(n: nat) {} method M() { var a, b, c: int; if false { a, b := -1, -1; } P(a); P(b); assert c > 3; }", options);
    assert!(said.contains("open") && said.contains("Assertion `c > 3`: violated"), "{said}");
}

#[test]
fn what_stands_behind_a_broken_promise_rests_on_disregarding_it() {
    assert_said(
        "method M(x: int) { assert x != x; assert x < x; assert x <= x; }",
        &["M: Assertion `x != x`: violated: x = 0", "M: Assertion `x < x`: violated assuming: x = 0"],
    );
    assert_said(
        "method N(s: seq<int>) ensures |s| > 9 { assert |s| != |s|; var x := s[|s|]; assert x != x; }",
        &["N: Assertion `|s| != |s|`: violated: s = []", "N: Index `s[|s|]`: violated assuming: s = []"],
    );
    assert_said(
        "method L(n: nat) { var i, j := 0, 0; while i < n invariant i < 1 invariant j < 1 { i, j := i + 1, j + 1; } }",
        &["L: InvariantKept `i < 1`: violated: n = 1", "L: InvariantKept `j < 1`: violated assuming: n = 1"],
    );
}

#[test]
fn older_states_know_what_was_allocated() {
    let class = "class C { var x: int const k: int ghost function F(): int reads this { x } } ";
    let broken = |body: &str, expected: &[&str]| assert_said(&format!("{class}{body}"), expected);
    broken("method M() { var c := new C; ghost var y := old(c.x); }", &["M: Allocated `c`: violated"]);
    broken("method M() { var c := new C; ghost var y := old(c.k); }", &["M: Allocated `c`: violated"]);
    broken("method M() { var c := new C; ghost var y := old(c.F()); }", &["M: Allocated `c`: violated"]);
    broken("method M() { var c := new C; label L: assert old@L(c.x) == c.x; }", &[]);
    broken("method M(c: C) { assert old(c.x) == c.x; assert unchanged(c); }", &[]);
    broken("method M() { var c := new C; assert unchanged(c); }", &["M: Allocated `c`: violated"]);
    broken("method M() { var a := new int[1]; ghost var x := old(a[0]); }", &["M: Allocated `a`: violated"]);
    broken("method M() { var c := new C; assert !old(allocated(c)) || old(c.x) == 0; }", &[]);
    broken(
        "twostate function G(c: C, new d: C): int { 1 } method M(c: C) { var d := new C; assert G(c, d) == 1; ghost var y := G(d, c); }",
        &["M: Allocated `d`: violated: c = C { x: 0, k: 0 }"],
    );
    broken(
        "twostate lemma G(c: C, new d: C) {} method M(c: C) { var d := new C; G(c, d); label L: G@L(d, c); G(d, c); }",
        &["M: Allocated `d`: violated: c = C { x: 0, k: 0 }"],
    );
}

#[test]
fn functions_are_of_the_types_that_they_are_used_as() {
    assert_said("method M(f: int -> int) { var g: int -> nat := f; }", &["M: Type `f`: violated: f = {_ => -1}"]);
    assert_said("method M(f: int --> int) { var g: int -> int := f; }", &["M: Type `f`: violated: f = (a function that `requires false`)"]);
    assert_said("method M(f: int -> nat) { var g: nat --> int := f; var h: int ~> int := g; }", &[]);
    assert_said("method M(f: nat ~> int, x: int) requires x < 0 || f.requires(x) {}", &[]);
    assert_said("function F(f: nat -> int, x: int): int { f(x) }", &["F: Type `x`: violated: f = {_ => 0}, x = -1"]);
    assert_said(
        "method M() { var f: nat -> nat := x => x + 1; }",
        &["M: Type `x => x + 1`: open: no violation was found within the bounds, and no proof"],
    );
}

#[test]
fn sequences_are_made_by_functions_that_are_defined_for_every_index() {
    assert_said(
        "function S(n: nat): seq<int> { seq(n, i requires i < 2 => i) }",
        &["S: Application `seq(n, i requires i < 2 => i)`: violated: n = 3"],
    );
    assert_said(
        "function S(n: nat): seq<int> { seq(n, i requires i < n => i) }",
        &["S: Application `seq(n, i requires i < n => i)`: within bounds"],
    );
    assert_said(
        "class C { var x: int function G(i: nat): int reads this { x } function S(n: nat): seq<int> { seq(n, G) } }",
        &[
            "C.S: Type `seq(n, G)`: within bounds",
            "C.S: Application `seq(n, G)`: within bounds",
            "C.S: Reads `seq(n, G)`: violated: this = C { x: 0 }, n = 1",
        ],
    );
    assert_said(
        "class C { var x: int function S(): seq<int> { seq(2, i => x) } }",
        &["C.S: elsewhere `x`: this is not in the `reads` clause"],
    );
    assert_said(
        "class C { var x: int function S(): seq<int> reads this { seq(2, i reads this => x) } }",
        &["C.S: Reads `seq(2, i reads this => x)`: open: the interpreter could not confirm any model of the solver"],
    );
}

#[test]
fn two_state_callables_begin_in_the_earlier_state() {
    let class = "class C { var x: int } ";
    let broken = |body: &str, expected: &[&str]| assert_said(&format!("{class}{body}"), expected);
    broken(
        "twostate lemma L(c: C) ensures old(c.x) == c.x {}",
        &["L: Postcondition `old(c.x) == c.x`: violated by choice: c = C { x: 0 }"],
    );
    broken(
        "twostate lemma L(c: C) requires unchanged(c) ensures old(c.x) == c.x {}",
        &["L: Postcondition `old(c.x) == c.x`: within bounds"],
    );
    broken("twostate function F(new c: C): int reads c { old(c.x) }", &["F: Allocated `c`: violated by choice: c = C { x: 0 }"]);
    broken(
        "twostate lemma L(c: C) requires old(c.x) < c.x ensures c.x != 7 {}",
        &["L: Postcondition `c.x != 7`: violated by choice: c = C { x: 0 }"],
    );
    broken("twostate predicate P(c: C) { unchanged(c) }", &["P: Reads `c`: violated: c = C { x: 0 }"]);
    broken("twostate predicate P(c: C) reads c { c.x == 0 }", &[]);
}

#[test]
fn what_new_parameters_stand_for_may_have_been_made_since() {
    let made = |params: &str, rest: &str| check(&format!("{rest} twostate lemma L{params} {{ assert old(allocated(x)); }}"));
    let broken = |said: String| assert!(said.contains("Assertion `old(allocated(x))`: violated by choice"), "{said}");
    let kept = |said: String| assert!(!said.contains("violated"), "{said}");
    broken(made("<X>(new x: X)", ""));
    broken(made("(new x: object)", ""));
    broken(made("(new x: T)", "trait T extends object {} class C extends T {}"));
    kept(made("<X(!new)>(new x: X)", ""));
    kept(made("<X>(x: X)", ""));
    kept(made("(new x: int)", ""));
}

#[test]
fn abstract_types_have_values_of_which_nothing_is_known() {
    let constant = check("type T { const c: int function F(): int requires c < 10 { 100 / (c - 10) } }");
    assert!(!constant.contains("violated"), "{constant}");
    assert_said("type T(==) method M(t: T, u: T) { assert t == u; }", &["M: Assertion `t == u`: violated: t = (0), u = (1)"]);
    assert_said(
        "type T method M(s: seq<T>, t: T) { assert t in s + [t]; }",
        &["M: Assertion `t in s + [t]`: open: the interpreter could not confirm any model of the solver"],
    );
}

#[test]
fn an_object_has_one_type() {
    let known = "class P {} class Cell<T> { constructor() {} }";
    for (code, expected) in [
        ("method M() { var n := new nat[2]; var a: array<int> := n; }", "M: Type `n`: violated"),
        ("method M(a: array?<P>) returns (b: array?<P?>) { b := a; }", "M: Type `a`: violated: a = array<P> []"),
        ("method M() { var c: Cell<P?>; c := new Cell<P>(); }", "M: Type `c := new Cell<P>();`: violated"),
        (
            "method M(c: Cell<bool>) returns (d: Cell<int>) { var o: object := c; d := o as Cell<int>; }",
            "M: Type `o as Cell<int>`: violated: c = Cell",
        ),
    ] {
        assert_said(&format!("{known} {code}"), &[expected]);
    }
    assert_said(&format!("{known} method M<T>(a: array<T>, c: Cell<nat>) {{ var b: array<T> := a; var d: Cell<nat> := c; }}"), &[]);
}

#[test]
fn compiled_variables_need_a_value_that_code_can_make() {
    let options = || dafny_resolve::typed::Options { relax_definite_assignment: true, ..dafny_resolve::typed::Options::default() };
    let odd = "type Odd = x | x % 2 == 1 ghost witness 1";
    for (code, expected) in [
        ("method M() { var m: Odd; var n := m; }", "M: Assigned `m`: violated\n"),
        ("method M() { ghost var m: Odd; ghost var n := m; }", ""),
        ("lemma L() { var m: Odd; assert m == m; }", ""),
        ("method M(x: int) { assert x == x by { var m: Odd; assert m == m; } }", ""),
        ("method M<T(0), U(00)>() { var t: T; var u := t; if * { var v: U; var w := v; } }", "M: Assigned `v`: violated by choice\n"),
    ] {
        assert_eq!(check_by(&format!("{odd} {code}"), options()), expected, "{code}");
    }
}

#[test]
fn what_overrides_takes_and_ensures_what_is_overridden() {
    let shelf = "trait Shelf extends object { const size: nat var f: int method Put(n: nat) returns (left: nat) requires n <= 10 ensures left <= 10 - n }
        trait Rooms extends object { const size: nat var f: int function Room(n: nat): nat requires n <= size }";
    for (member, expected) in [
        ("method Put(n: nat) returns (left: nat) requires n <= 20 ensures left <= 10 - n { left := 0; }", ""),
        ("method Put(n: nat) returns (left: nat) requires n <= 10 { left := 9; }", "Low.Put.override: Override `Put`: violated"),
        (
            "method Put(n: nat) returns (left: nat) requires n <= 9 ensures left == 0 { left := 0; }",
            "Low.Put.override: Precondition `Put`: violated",
        ),
        (
            "method Put(n: nat) returns (left: nat) requires n <= 10 modifies this ensures left == 0 { left := 0; }",
            "Low.Put.override: Frame `Put`: violated",
        ),
        ("function Room(n: nat): nat reads this { 3 }", "Low.Room.override.reads: Reads `Room`: violated"),
    ] {
        let parent = if member.starts_with("function") { "Rooms" } else { "Shelf" };
        let said = check(&format!("{shelf} class Low extends {parent} {{ {member} }}"));
        let about: Vec<&str> = said.lines().filter(|l| l.contains("override")).collect();
        assert!(about.iter().all(|l| l.starts_with(expected)) && about.is_empty() == expected.is_empty(), "{member}: {said}");
    }
}

#[test]
fn frames_of_loops_and_of_modify_statements_bind_what_is_in_them() {
    for (code, expected) in [
        (
            "method M(a: array<int>, b: array<int>) requires a.Length > 0 && b.Length > 0 modifies a, b
          { for i := 0 to 2 modifies a { b[0] := i; } b[0] := 1; }",
            "M: Frame `b[0] := i;`: violated",
        ),
        (
            "method M(a: array<int>) requires a.Length > 0 { for i := 0 to 2 modifies a { a[0] := i; } }",
            "M: Frame `for i := 0 to 2 modifies a`: violated",
        ),
        (
            "method M(a: array<int>) requires a.Length > 0 modifies a { for i := 0 to 2 modifies {} { var b := new int[1]; b[0] := i; } }",
            "",
        ),
        ("class C { var x: int } method M(c: C) modifies c { modify {} { c.x := 1; } }", "M: Frame `c.x := 1;`: violated"),
        ("class C { var x: int } method M(c: C) modifies c { opaque modifies {} { c.x := 1; } }", "M: Frame `c.x := 1;`: violated"),
        ("class C { var x: int } method M(c: C) { opaque modifies c { } }", "M: Frame `opaque modifies c`: violated"),
        ("class C { var x: int } method M(c: C) modifies c { opaque ensures c.x == 1 { c.x := 1; } }", ""),
    ] {
        let said = check(code);
        let about: Vec<&str> = said.lines().filter(|l| l.contains("Frame")).collect();
        assert!(about.iter().all(|l| l.starts_with(expected)) && about.is_empty() == expected.is_empty(), "{code}: {said}");
    }
}

#[test]
fn ghost_code_modifies_ghost_fields_alone() {
    let said = check(
        "class C { var x: int ghost var g: int ghost method M() modifies this { var y, h := x, g; modify this; assert x == y; assert g == h; } }",
    );
    assert!(!said.contains("`x == y`: violated") && said.contains("`g == h`: violated"), "{said}");
}

#[test]
fn iterators_write_what_their_modifies_clause_names() {
    let source = "class Cell { var v: int constructor () {} }
iterator Fill(c: Cell) yields (x: int) modifies c reads c { c.v := 1; yield 1; c.v := 2; yield 2; }
iterator Other(c: Cell, d: Cell) yields (x: int) modifies c reads c {
  var e := new Cell(); e.v := 3; c.v := 1; yield 1; d.v := 2; yield 2;
}
iterator Loop(a: array<int>, b: array<int>) yields (x: int) modifies a, b reads a, b requires a != b {
  for i := 0 to a.Length modifies a { a[i] := i; yield i; if b.Length > 2 { b[0] := 1; } }
}
";
    assert_said(
        source,
        &[
            "Other: Frame `d.v := 2;`: violated: c = Cell { v: 0 }, d = Cell { v: 0 }, calls of MoveNext = 2",
            "Loop: Frame `a[i] := i;`: within bounds",
            "Loop: Index `a[i] := i;`: within bounds",
            "Loop: Frame `b[0] := 1;`: violated: a = array<int> [0], b = array<int> [0, 0, 0], calls of MoveNext = 2",
            "Loop: Index `b[0] := 1;`: within bounds",
        ],
    );
}

#[test]
fn an_iterator_remembers_the_state_in_which_it_was_made() {
    let said = check(
        "class Cell { var v: int }
iterator Keeps(c: Cell) modifies c reads c yield ensures c.v == old(c.v) ensures c.v == old(c.v) + 1 { yield; c.v := c.v + 1; }
iterator Loses(c: Cell) modifies c reads c yield ensures c.v == old(c.v) { c.v := c.v + 1; yield; }
iterator Makes() yields (c: Cell?) yield ensures c != null && fresh(c) { c := new Cell; yield; }",
    );
    let broken: Vec<&str> = said.lines().filter(|line| line.contains("violated") || line.contains("elsewhere")).collect();
    assert_eq!(broken, ["Loses: Assertion `c.v == old(c.v)`: violated: c = Cell { v: 0 }, calls of MoveNext = 1"], "{said}");
}

#[test]
fn other_code_runs_while_an_iterator_waits() {
    let class = "class Cell { var data: int } ";
    let said = |source: &str, expected: &[&str]| assert_said(&format!("{class}{source}"), expected);
    said(
        "iterator I(c: Cell) { var now := c.data; yield; assert now == c.data; }",
        &["I: Assertion `now == c.data`: violated by choice: c = Cell { data: 0 }, calls of MoveNext = 2"],
    );
    said("iterator I(c: Cell) reads c { var now := c.data; yield; assert now == c.data; }", &[]);
    let kept = check(&format!("{class} iterator I() {{ var c := new Cell; c.data := 3; yield; assert c.data == 3; }}"));
    assert!(!kept.contains("violated"), "{kept}");
    // What was promised before the body waits is a promise of its own.
    said(
        "iterator I(c: Cell) modifies c yield ensures c.data == old(c.data) { c.data := *; if * { yield; } assert c.data == 0; }",
        &[
            "I: Assertion `c.data == old(c.data)`: violated by choice: c = Cell { data: 0 }, calls of MoveNext = 1",
            "I: Assertion `c.data == 0`: violated by choice: c = Cell { data: 0 }, calls of MoveNext = 1",
        ],
    );
}

#[test]
fn iterators_know_what_they_have_allocated() {
    let class = "class Cell { constructor () {} } method Make() returns (c: Cell) ensures fresh(c) { c := new Cell(); } ";
    let said = |body: &str| check(&format!("{class} iterator I(u: Cell) {{ {body} }}"));
    let kept = |body: &str| assert!(!said(body).contains("violated"), "{}", said(body));
    kept("var c := new Cell(); assert _new == {c};");
    kept("var c := Make(); assert c in _new && u !in _new; yield; assert _new == {c};");
    let broken = said("_new := _new + {u};");
    assert!(broken.contains("Frame `_new := _new + {u};`: violated"), "{broken}");
    let broken = said("var c := new Cell(); _new := _new - {c}; assert c in _new;");
    assert!(broken.contains("Assertion `c in _new`: violated"), "{broken}");
}

#[test]
fn variables_and_results_are_assigned_before_they_are_needed() {
    assert_said(
        "method Ret(b: bool) returns (x: int) { if b { x := 1; } }
method Early(n: int) returns (x: int, y: int) { x := n; if n == 7 { return; } y := n; }
method Var(n: int) returns (x: int) { var y: int; if n > 5 { y := 1; } else if n < 5 { y := 2; } x := y + 1; }
method Turns(n: nat) returns (x: int) { for i := 0 to n { x := i; } }
method Kept(n: nat) returns (x: int) { if n > 3 { x := 1; return; } while true { x := 2; break; } }
method Guard(a: seq<int>) returns (x: int) { if i :| 0 <= i < |a| { x := i; } else { x := 0; } assert x >= 0; }
method Later(b: bool) returns (x: int) { var y: int; if b { y := 1; } if b { x := y; } else { x := 2; } }
method Any() returns (x: int) { x := *; }
",
        &[
            "Ret: Assigned `}`: violated: b = false",
            "Early: Assigned `return;`: violated: n = 7",
            "Var: Assigned `y`: violated: n = 5",
            "Turns: Assigned `}`: violated: n = 0",
            "Guard: Existence `0 <= i < |a|`: within bounds",
        ],
    );
    let options = dafny_resolve::typed::Options { relax_definite_assignment: true, ..dafny_resolve::typed::Options::default() };
    let said = check_by("method Ret<T>(b: bool, t: T) returns (x: int, y: T) { if b { x := 1; y := t; } }", options);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("Ret: Assigned `}`: violated: b = false"), "{said}");
}

#[test]
fn what_nobody_assigned_has_any_value_of_a_type_that_is_written() {
    let relaxed = || dafny_resolve::typed::Options { relax_definite_assignment: true, ..dafny_resolve::typed::Options::default() };
    let said = |source: &str| check_by(source, relaxed()).lines().map(str::to_owned).collect::<Vec<_>>();
    let types = "newtype N = x: int | x == 0 || x == 3 || x == 7 type Letter = c: char | c != 'b' ";
    assert_eq!(
        said(&format!("{types} method M() {{ var x: N, y: N; if x < y {{ y := y - x; }} }}")),
        ["M: Type `y - x`: violated by choice"],
    );
    assert_eq!(said(&format!("{types} method M() returns (c: char, l: Letter) {{ l := c; }}")), ["M: Type `c`: violated by choice"],);
    // Dafny may infer a narrower type for the variable.
    let inferred = said("method M() returns (n: nat) { var x; n := x; x := 3; }");
    assert!(inferred.iter().all(|line| !line.contains("violated")), "{inferred:?}");
}

#[test]
fn a_function_takes_the_arguments_that_it_is_declared_for() {
    assert_said(
        "function Half(n: nat): int { n / 2 } method M(x: int) { var f := Half; var y := f(x); }",
        &["M: Type `x`: violated: x = -1"],
    );
}

#[test]
fn a_value_of_a_trait_need_not_be_a_number() {
    let options = dafny_resolve::typed::Options {
        type_system_refresh: true,
        general_traits: dafny_resolve::typed::GeneralTraits::Full,
        ..dafny_resolve::typed::Options::default()
    };
    let said = check_by(
        "trait Parent {} datatype Color extends Parent = Blue newtype Small extends Parent = x | 0 <= x < 10
         method M(p: Parent) returns (s: Small) { s := p as Small; }",
        options,
    );
    assert_eq!(said.lines().collect::<Vec<_>>(), ["M: Type `p as Small`: violated: p = Color.Blue"]);
}

#[test]
fn type_parameters_stand_for_other_types_too() {
    assert_said(
        "class Box<T> { var x: T constructor (x: T) { this.x := x; } }
         method M<T>(b: Box<T>) returns (c: Box<int>) { var o: object := b; c := o as Box<int>; }",
        &["Box._ctor: Frame `this.x := x;`: within bounds", "M: Type `o as Box<int>`: violated: b = Box { x: false }"],
    );
}

#[test]
fn what_short_queries_leave_open_is_asked_once_more() {
    // The query that is short gives up.
    let said = check("lemma Nearly(x: nat, y: nat, z: nat) requires 0 < x < y < z { assert x * x + y * y != z * z + 1 || z < 300; }");
    assert!(said.contains("violated"), "{said}");
}

#[test]
fn arithmetic_stays_in_its_type() {
    assert_said(
        "method Add(c: char, d: char) returns (e: char) requires c > 'a' { e := c + d; }
method Sub(c: char) returns (e: char) { e := c - 'a'; }
newtype Prob = r: real | 0.0 <= r <= 1.0
method Plus(x: Prob, y: Prob) returns (z: Prob) requires x > 0.75 { z := x + y; }
method Half(x: Prob) returns (z: Prob) { z := x / 2.0; }
method Neg(x: Prob) returns (z: Prob) requires x < 0.5 { z := -x; }
method Ord(x: ORDINAL, y: ORDINAL) returns (z: ORDINAL) requires y.IsNat { z := x - y; }
",
        &[
            "Add: Domain `c + d`: violated: c = '\u{d7ff}', d = 'a'",
            "Sub: Domain `c - 'a'`: violated: c = 'A'",
            "Plus: Type `x + y`: violated: x = 1.0, y = 0.5",
            "Half: Type `2.0`: violated: x = 0.0",
            "Neg: Type `-x`: violated: x = 0.25",
            "Ord: Domain `x - y`: violated: x = 0, y = 1",
        ],
    );
}

#[test]
fn functions_initialize_every_element_and_keys_have_one_value() {
    assert_said(
        "method Keys(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x * x := x; }
method Even(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x + 1 := x; }
method Same(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x * x := 3; }
method Init(x: nat) { var a := new int[3](i requires i < x => i); }
method Grid(x: int) { var a := new nat[2, 2]((i, j) => i + j + x); }
method Fine(n: nat) { var a := new nat[n](i => i); }
method Lam(x: int) returns (r: int) { var f := (y: nat) => y; r := f(x); }
",
        &[
            "Keys: Aliasing `map x | x in s :: x * x := x`: violated: s = {-1, 1}",
            "Even: Aliasing `map x | x in s :: x + 1 := x`: within bounds",
            "Same: Aliasing `map x | x in s :: x * x := 3`: within bounds",
            "Init: Application `var a := new int[3](i requires i < x => i);`: violated: x = 0",
            "Grid: Type `var a := new nat[2, 2]((i, j) => i + j + x);`: violated: x = -1",
            "Fine: Type `var a := new nat[n](i => i);`: within bounds",
            "Lam: Type `x`: violated: x = -1",
        ],
    );
}

#[test]
fn of_one_promise_no_less_is_known_than_of_all() {
    let source = "class C { var n: int var s: set<object>
  predicate Ok() reads this, s { this in s && n >= 0 }
  method Less() requires Ok() modifies s ensures this in s { n := n - 1; if n == 2 { n := -7; } }
}
method Run(c: C) requires c.Ok() modifies c.s decreases * {
  while c.n > 0 invariant c.Ok() decreases * { c.Less(); }
  assert c.n == 0;
}
";
    let (_, typed) = resolved(source, dafny_resolve::typed::Options::default());
    let program = crate::lower::lower_for(Arc::new(typed.unghosted()), Criteria::promises());
    for unit in crate::lower::units::promising(&program.typed, |_| true) {
        for (id, verdict) in check_unit(&program, unit.callable, &Options::default()).promises {
            let goal = program.goal(unit.callable, id).unwrap();
            let is_wanted = |g: &crate::ir::Goal| g.span == goal.span && g.promise() == goal.promise();
            let alone = super::check_promises(&program, unit.callable, &Options::default(), &is_wanted);
            let (_, found) = alone.promises.iter().find(|(other, _)| *other == id).unwrap();
            assert!(!super::says_more(&verdict, found), "{}: {goal:?} {verdict:?} {found:?}", unit.path);
        }
    }
}

#[test]
fn postconditions_of_callees_are_their_promises_in_what_callers_execute() {
    assert_said(
        "class Log { var lines: seq<int>
  predicate Ok() reads this { |lines| != 40 }
  method Add(x: int) requires Ok() modifies this ensures Ok() { lines := lines + [x]; }
}
method Fill(l: Log) requires l.Ok() && l.lines == [] modifies l {
  var i := 0;
  while i < 40 { l.Add(i); i := i + 1; }
}
function Next(x: int): (r: int) ensures r > x ensures Next(x) != 77 { x + 1 }
method Walk(n: nat) { var i := 70; while i < 80 { i := Next(i); } }
method Bump(a: array<int>) modifies a ensures a.Length == 20 ==> a[0] == old(a[0]) + 1 { }
method Rise() { var a := new int[20](i => i); Bump(a); assert a[0] == 1; }
class Fresh { var n: int constructor(k: int) ensures fresh(this) && n == k { n := if k == 12 then 0 else k; } }
method Make(k: int) { var i := 10; while i < 14 { var f := new Fresh(i); i := i + 1; } }
",
        &[
            "Log.Add: Postcondition `Ok()`: within bounds",
            "Fill: elsewhere `Ok()`: the postcondition does not hold",
            "Next: Postcondition `Next(x) != 77`: violated: x = 76",
            "Walk: elsewhere `Next(x) != 77`: the postcondition does not hold",
            "Bump: Postcondition `a.Length == 20 ==> a[0] == old(a[0]) + 1`: violated: a = array<int> [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
            "Rise: Assertion `a[0] == 1`: violated assuming",
            "Rise: elsewhere `a.Length == 20 ==> a[0] == old(a[0]) + 1`: the postcondition does not hold",
            "Fresh._ctor: Postcondition `fresh(this) && n == k`: violated: this = Fresh, k = 12",
            "Make: elsewhere `fresh(this) && n == k`: the postcondition does not hold",
        ],
    );
}

#[test]
fn every_precondition_of_a_call_is_a_promise_of_its_own() {
    assert_said(
        "method Need(x: int, y: int) requires x > 0 requires 10 / x > 3 requires y > 0 {}
method Call(x: int, y: int) { if x == 2 { Need(x, y); } else if y > 5 { Need(x, y); } }
function Half(x: int): int requires x >= 0 requires x % 2 == 0 { x / 2 }
function Use(x: nat): int { Half(x) }
",
        &[
            "Call: Precondition `Need(x, y);`: violated: x = 2, y = 0",
            "Call: Precondition `Need(x, y);`: violated: x = 0, y = 6",
            "Call: Precondition `Need(x, y);`: violated: x = 3, y = 6",
            "Use: Precondition `Half(x)`: violated: x = 1",
        ],
    );
}

#[test]
fn what_a_function_value_reads_was_allocated_in_the_state_in_which_it_is_applied() {
    assert_said(
        "class Cell { var data: int }
         method M(c: Cell) {
           var y := new Cell; y.data := c.data;
           var f := () reads y => y.data; var g := () reads c => c.data; var h := (b: bool) => if b then y else c;
           if * { assert old(g()) == g(); } else if * { assert old(h(false)) == c; } else { assert old(f()) == 0; }
         }",
        &[
            "M: Allocated `g`: open: the interpreter could not confirm any model of the solver",
            "M: Allocated `f`: violated by choice: c = Cell { data: 0 }",
            "M: Assertion `old(f()) == 0`: open: the interpreter could not confirm any model of the solver",
        ],
    );
}

#[test]
fn variables_of_patterns_are_of_the_types_that_are_written_for_them() {
    assert_said(
        "method M(p: (int, int)) { var (a: nat, b) := p; }
         method N(x: int) { match x case 3 => case n: nat => print n; }
         method W(x: int) { match x case 3 => case _: nat => }
         function F(x: int): int { match x case n: nat => n }
         method Pure(p: (int, int)) { assert (var (a: nat, b) := p; a == a) || p.0 > 0; }
         method Same(x: int) { match x case n: int => print n; case _ => }",
        &[
            "M: Type `a: nat`: violated: p = (-1, 0)",
            "N: Type `n: nat`: violated: x = -1",
            "W: Type `_: nat`: violated: x = -1",
            "F: Type `n: nat`: violated: x = -1",
            "Pure: Type `a: nat`: violated: p = (-1, 0)",
        ],
    );
}

#[test]
fn a_few_values_with_parts_refute_quantifiers() {
    assert_said(
        "datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)
         lemma S<T>() { assert forall a: set<T>, b: set<T> :: a <= b; }
         lemma M() { assert forall a: multiset<int>, t: int :: t in a; }
         lemma P() { assert forall m: map<int, bool> :: forall k | k in m :: m[k]; }
         lemma D() { assert forall t: Tree :: t.Leaf? || t.left.Leaf?; }
         lemma E() { assert exists p: (int, seq<bool>) :: p.0 == 1 && p.1 == [true]; }
         lemma N() { assert forall s: seq<nat> :: |s| < 2 || s[0] == s[1]; }
         lemma Kept() { assert forall s: seq<nat> :: |s| == 0 || s[0] >= 0; }
         class C { var x: int }
         lemma H(c: C) { assert forall d: C :: d != c || d.x == 0; }
         lemma A(a: array<nat>) requires a.Length == 1 { assert forall b: array<nat> :: b.Length == 0; }
         lemma B(a: array<nat>) requires a.Length == 1 { assert forall b: array<int> :: b.Length == 0; }
         lemma F() { assert forall f: int --> int :: f(0) == f(0); }
         lemma I() { assert forall s: seq<int> :: s[0] == s[0]; }",
        &[
            "S: Assertion `forall a: set<T>, b: set<T> :: a <= b`: violated",
            "M: Assertion `forall a: multiset<int>, t: int :: t in a`: violated",
            "P: Key `m[k]`: open: no violation was found within the bounds, and no proof",
            "P: Assertion `forall m: map<int, bool> :: forall k | k in m :: m[k]`: violated",
            "D: Constructor `t.left`: open: no violation was found within the bounds, and no proof",
            "D: Assertion `forall t: Tree :: t.Leaf? || t.left.Leaf?`: violated",
            "E: Assertion `exists p: (int, seq<bool>) :: p.0 == 1 && p.1 == [true]`: open: no violation was found within the bounds, and no proof",
            "N: Index `s[0]`: open: no violation was found within the bounds, and no proof",
            "N: Index `s[1]`: open: no violation was found within the bounds, and no proof",
            "N: Assertion `forall s: seq<nat> :: |s| < 2 || s[0] == s[1]`: violated",
            "Kept: Index `s[0]`: open: no violation was found within the bounds, and no proof",
            "Kept: Assertion `forall s: seq<nat> :: |s| == 0 || s[0] >= 0`: open: no violation was found within the bounds, and no proof",
            "H: Assertion `forall d: C :: d != c || d.x == 0`: violated: c = C { x: 1 }",
            "A: Assertion `forall b: array<nat> :: b.Length == 0`: violated: a = array<nat> [0]",
            "B: Assertion `forall b: array<int> :: b.Length == 0`: open: the interpreter could not confirm any model of the solver",
            "F: Application `f(0)`: violated",
            "F: Application `f(0)`: open: no violation was found within the bounds, and no proof",
            "F: Assertion `forall f: int --> int :: f(0) == f(0)`: open: no violation was found within the bounds, and no proof",
            "I: Index `s[0]`: violated",
            "I: Index `s[0]`: open: no violation was found within the bounds, and no proof",
            "I: Assertion `forall s: seq<int> :: s[0] == s[0]`: open: no violation was found within the bounds, and no proof",
        ],
    );
}

#[test]
fn older_parameters_are_older_where_the_predicate_holds() {
    assert_said(
        "ghost predicate Any<X>(older x: X, s: set<X>) { true }
         ghost predicate In<X>(older x: X, s: set<X>) { x in s }
         ghost predicate Out<X(!new)>(older x: X, s: set<X>) { x !in s }
         class C { const next: C? }
         ghost predicate Next(c: C, older d: C?) { d == c.next }",
        &[
            "Any: Postcondition `x`: violated: x = 0, s = {}",
            "In: Postcondition `x`: open: the interpreter could not confirm any model of the solver",
            "Next: Postcondition `d`: open: the interpreter could not confirm any model of the solver",
        ],
    );
}

#[test]
fn a_havoc_gives_no_value_where_there_may_be_none() {
    assert_said(
        "trait General {} datatype Box = Box(g: General) datatype Maybe = None | Some(g: General)
         method M() { var b: Box := *; var m: Maybe := *; var i: int := *; if * { print i; } else if * { print m; } else { print b; } }",
        &["M: Assigned `b`: violated by choice"],
    );
}

#[test]
fn default_values_are_of_their_types() {
    assert_said(
        "datatype Made = One(x: nat := -1) | Two(y: nat := 1)
         class C { var k: int ghost function F(x: int, y: nat := x): int { y } static function G(x: nat := 2): nat { x } }",
        &["One.defaults: Type `-1`: violated: x = 0", "C.F.defaults: Type `x`: violated: this = C { k: 0 }, x = -1, y = 0"],
    );
}
