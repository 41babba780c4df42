//! Tests of definite assignment: variables and fields have a value before they are read.

use super::{assert_said, check_by};

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
fn compiled_variables_need_a_value_that_code_can_make() {
    let options = || dafny_resolve::typed::Options {
        relax_definite_assignment: true,
        ..dafny_resolve::typed::Options::default()
    };
    let odd = "type Odd = x | x % 2 == 1 ghost witness 1";
    for (code, expected) in [
        (
            "method M() { var m: Odd; var n := m; }",
            "M: Assigned `m`: violated\n",
        ),
        ("method M() { ghost var m: Odd; ghost var n := m; }", ""),
        ("lemma L() { var m: Odd; assert m == m; }", ""),
        (
            "method M(x: int) { assert x == x by { var m: Odd; assert m == m; } }",
            "",
        ),
        (
            "method M<T(0), U(00)>() { var t: T; var u := t; if * { var v: U; var w := v; } }",
            "M: Assigned `v`: violated by choice\n",
        ),
    ] {
        assert_eq!(
            check_by(&format!("{odd} {code}"), options()),
            expected,
            "{code}"
        );
    }
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
        ],
    );
    let options = dafny_resolve::typed::Options {
        relax_definite_assignment: true,
        ..dafny_resolve::typed::Options::default()
    };
    let said = check_by(
        "method Ret<T>(b: bool, t: T) returns (x: int, y: T) { if b { x := 1; y := t; } }",
        options,
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("Ret: Assigned `}`: violated: b = false"),
        "{said}"
    );
}

#[test]
fn what_nobody_assigned_has_any_value_of_a_type_that_is_written() {
    let relaxed = || dafny_resolve::typed::Options {
        relax_definite_assignment: true,
        ..dafny_resolve::typed::Options::default()
    };
    let said = |source: &str| {
        check_by(source, relaxed())
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let types = "newtype N = x: int | x == 0 || x == 3 || x == 7 type Letter = c: char | c != 'b' ";
    assert_eq!(
        said(&format!(
            "{types} method M() {{ var x: N, y: N; if x < y {{ y := y - x; }} }}"
        )),
        ["M: Type `y - x`: violated by choice"],
    );
    assert_eq!(
        said(&format!(
            "{types} method M() returns (c: char, l: Letter) {{ l := c; }}"
        )),
        ["M: Type `c`: violated by choice"],
    );
    // Dafny may infer a narrower type for the variable.
    let inferred = said("method M() returns (n: nat) { var x; n := x; x := 3; }");
    assert!(
        inferred.iter().all(|line| !line.contains("violated")),
        "{inferred:?}"
    );
}
