//! Tests of the search on small programs: the status of each goal, and the tests.

use super::{GoalStatus, Minimize, Options, UnitResult, search_unit};
use dafny_source::SourceMap;
use dtest_ir::{Criteria, Program};
use dtest_lower::testing::lowered;
use dtest_lower::units::units;
use dtest_value::{Contents, Value};

/// Options without seeds, so that every test comes from a model.
pub(super) fn solver_only() -> Options {
    Options {
        seeds: 0,
        enumerate: 0,
        ..Options::default()
    }
}

pub(super) fn search(source: &str, options: &Options) -> (SourceMap, Program, Vec<UnitResult>) {
    search_for(source, Criteria::default(), options)
}

pub(super) fn search_for(
    source: &str,
    criteria: Criteria,
    options: &Options,
) -> (SourceMap, Program, Vec<UnitResult>) {
    let (map, program) = lowered(source, criteria);
    let results = units(&program.typed, |_| true)
        .iter()
        .map(|u| search_unit(&program, u.callable, options))
        .collect();
    (map, program, results)
}

/// The goals that no test reaches, by their source text, with their status.
pub(super) fn open_goals(source: &str, options: &Options) -> Vec<(String, GoalStatus)> {
    let (map, program, results) = search(source, options);
    let mut open = Vec::new();
    for r in results {
        for (block, status) in r.goals {
            let goal = program.goal(r.unit, block);
            if !status.is_covered() {
                open.push((
                    goal.map_or_else(String::new, |g| map.text(g.span).to_owned()),
                    status,
                ));
            }
        }
    }
    open
}

#[test]
fn models_reach_every_goal_of_every_kind_of_value() {
    let sources = [
        "method M(x: int, y: int) { if x * 7 - y == 1000 { if x > y + 3 { print 1; } } }",
        "method M(x: int, y: int) { if y != 0 && x / y == -3 && x % y == 5 { print 1; } }",
        "method M(r: real) { if r * 4.0 == 1.0 { print 1; } else if r.Floor == -2 { print 1; } }",
        "method M(c: char) { if c == '!' { print 1; } else if 'p' < c < 'r' { print 1; } }",
        "method M(b: bv8) { if b & 0x0F == 0x0A && b > 0xF0 { print 1; } else if b << 1 == 2 && b != 1 { print 1; } }",
        "method M(b: bv8, n: int) { if b as int == n && n > 200 { print 1; } }",
        "method M(s: seq<int>) { if |s| == 3 && s[0] > s[1] > s[2] > 10 { print 1; } else if |s| > 0 && s[..1] + [5] == s { print 1; } }",
        "method M(s: string) { if s == \"hello\" { print 1; } else if |s| > 2 && s[1..] == \"ab\" + \"c\" { print 1; } }",
        "method M(s: set<int>) { if |s| == 2 && 7 in s && 9 in s { print 1; } else if s * {1, 2} == {2} { print 1; } else if s > {5} { print 1; } }",
        "method M(m: multiset<int>) { if m[3] == 2 && |m| == 3 { print 1; } else if m - multiset{1} == multiset{1, 2} { print 1; } }",
        "method M(m: map<int, int>) { if 5 in m && m[5] == 9 { print 1; } else if m.Values == {4} && |m| == 2 { print 1; } }",
        "method M(m: map<int, int>, k: int) { var n := m[k := 3]; if |n| == |m| && |n| == 2 { print 1; } }",
        "datatype T = A | B(n: int, next: T) method M(t: T) { match t case A => case B(4, A) => case B(_, B(n, _)) => if n == 17 { print 1; } case B(_, _) => }",
        "method M(p: (int, bool)) { if p.0 == 12 && p.1 { print 1; } else if p == (3, false) { print 1; } }",
        "method M(f: int -> int) { if f(3) == 4 && f(4) == 3 { print 1; } else if f(f(1)) == 100 { print 1; } }",
        "method M<T(==)>(x: T, y: T, s: seq<T>) { if x in s { if x != y && [x, y] <= s { print 1; } } }",
        "newtype byte = x: int | 0 <= x < 256 method M(s: seq<byte>) { if |s| == 2 && s[0] as int + s[1] as int == 500 { print 1; } }",
        "type Even = x: int | x % 2 == 0 method M(e: Even) { if e > 100 { print 1; } }",
        "newtype uint32 = x: int | 0 <= x < 0x1_0000_0000 predicate P(m: map<uint32, bool>, x: uint32) { x in m ==> m[x] } method M(m: map<uint32, bool>) requires forall x: uint32 :: P(m, x) { if 3 in m { print 1; } else if |m| > 1 { print 2; } }",
    ];
    for source in sources {
        let open = open_goals(source, &solver_only());
        assert!(open.is_empty(), "{source}: {open:?}");
    }
}

#[test]
fn models_follow_loops_calls_quantifiers_and_choices() {
    let sources = [
        "method M(n: nat) { var i, s := 0, 0; while i < n { s := s + i; i := i + 1; } if s == 10 { print 1; } }",
        "function F(s: seq<int>): int { if s == [] then 0 else s[0] + F(s[1..]) } method M(s: seq<int>) { if |s| > 2 && F(s) == 77 { print 1; } }",
        "method Inc(x: int) returns (y: int) { y := x + 1; } method M(x: int) { var y := Inc(x); var z := Inc(y); if z == 7 { print 1; } }",
        "method M(s: seq<int>) requires forall i, j :: 0 <= i < j < |s| ==> s[i] < s[j] { if |s| == 3 && s[2] == 2 { print 1; } }",
        "method M(s: seq<int>) { if exists i :: 0 <= i < |s| && s[i] == i + 40 { print 1; } }",
        "method M(s: set<int>) { var t := set x | x in s && x > 10 :: x - 10; if 5 in t { print 1; } }",
        "method M(s: set<int>) requires s != {} { var x :| x in s; if x == 4 { print 1; } }",
        "method M(n: int) { for i := 0 to 5 { if i == n { return; } } }",
        "method M(a: array<int>) requires a.Length > 1 modifies a { a[0] := a[1] + 1; if a[0] == 10 { print 1; } }",
        "method M(a: array2<int>) requires a.Length0 == 2 && a.Length1 == 2 { if a[1, 0] == 5 && a[0, 1] == 6 { print 1; } }",
        "class C { var n: int var next: C? } method M(c: C) modifies c { c.n := c.n + 1; if c.next != null && c.next != c && c.next.n == c.n { print 1; } }",
        "trait T { function F(): int } class A extends T { function F(): int { 1 } } class B extends T { function F(): int { 2 } } method M(t: T) { if t.F() == 2 { print 1; } }",
        "ghost predicate Total<T(!new)>(r: (T, T) -> bool) { forall x, y :: r(x, y) || r(y, x) } method M<T(!new)>(r: (T, T) -> bool, x: T, y: T) requires Total(r) { if r(x, y) && !r(y, x) { print 1; } }",
    ];
    for source in sources {
        let open = open_goals(source, &solver_only());
        assert!(open.is_empty(), "{source}: {open:?}");
    }
}

#[test]
fn models_reach_every_goal_of_every_kind_of_statement() {
    let sources = [
        "method M(n: int) { var i := n; while decreases i { case i > 10 => i := i - 5; case i > 7 => i := i - 1; } if i == 7 { print 1; } }",
        "method M(s: seq<int>) { label l: for i := 0 to |s| { for j := 0 to i { if s[j] > s[i] { break l; } if s[j] == s[i] { continue l; } } } }",
        "method M(n: nat) decreases * { for i := n downto 0 { if i == 2 { break; } } for i := 0 to * { if i * i >= n { break; } } }",
        "method M(s: set<int>) { if x :| x in s && x > 5 { if x == 9 { print 1; } } else { print 2; } }",
        "method M(x: int) { if { case x > 3 => print 1; case x < 9 => print 2; } if case x % 7 == 3 => print 1; case x % 7 != 3 => print 2; }",
        "datatype T = A | B(n: int) | C(l: T, r: T) method M(t: T) { match t case A | B(0) => case B(1) | B(2) => print 1; case C(A, C(_, A)) | C(B(_), C(_, A)) => print 2; case _ => print 3; }",
        "method M(a: array<int>) requires a.Length == 3 modifies a { forall i | 0 <= i < 3 { a[i] := a[i] * 2; } if a[0] + a[1] == 10 && a[2] < 0 { print 1; } }",
        "datatype R = Ok(v: int) | Bad { predicate IsFailure() { Bad? } function PropagateFailure(): R { this } function Extract(): int requires Ok? { v } }
         method F(n: int) returns (r: R) { return if n > 4 then Bad else Ok(n + 1); } method M(n: int) returns (r: R) { var x :- F(n); x :- F(x * 2); if x == 5 { print 1; } return Ok(x); }",
        "method M(x: int) returns (r: int) { r :| r in {1, 2, 3} && r > x; if r == 3 { print 1; } }",
        "function F(n: nat): nat { n * n } by method { var r := 0; for i := 0 to n { r := r + n; } return r; } method M(n: nat) { if F(n) == 9 { print 1; } }",
        "method M(x: int, y: int) { var a, b := x, y; a, b := b, a; if a == 3 && b == 4 { print 1; } label l: { if a > b { break l; } print 2; } }",
        "method M(x: int) { assert x == x by { calc { x; x; } } assume {:axiom} x != 5; expect x != 6; if 4 < x < 8 { print 1; } }",
        "class C { var n: int } method M(k: int) { var c, d := new C, new C; c.n, d.n := k, k + 1; c.n, d.n := d.n, c.n; modify c { c.n := c.n + 1; } if c.n == 12 { print 1; } }",
    ];
    let open = sources.map(|source| (source, open_goals(source, &solver_only())));
    assert_eq!(
        open.iter()
            .filter(|(_, open)| !open.is_empty())
            .collect::<Vec<_>>(),
        Vec::<&(&str, Vec<(String, GoalStatus)>)>::new()
    );
}

#[test]
fn dead_blocks_are_proved_whatever_the_sizes() {
    let sources = [
        "method M(x: nat) { if x < 0 { print 1; } }",
        "method M(x: int) requires x > 3 { if x * 2 < 6 { print 1; } }",
        "method M(n: nat) { var i := 0; while i < n { i := i + 1; } if n < 0 { print 1; } }",
        "method M(s: seq<int>) { if |s| < 0 { print 1; } }",
        "datatype T = A | B(t: T) method M(t: T) { if t.A? && t.B? { print 1; } }",
    ];
    for source in sources {
        let open = open_goals(source, &Options::default());
        let proved = |s: &GoalStatus| matches!(s, GoalStatus::UnreachableProved { .. });
        assert!(
            open.len() == 1 && open.iter().all(|(_, s)| proved(s)),
            "{source}: {open:?}"
        );
    }
}

#[test]
fn goals_on_the_way_to_a_finding_are_not_reported_as_unreachable() {
    let sources = [
        (
            "newtype Small = x: int | 0 <= x < 100 function F(n: nat): Small { if n == 100 then n as Small else 7 }",
            "n as Small",
        ),
        (
            "newtype Small = x: int | 0 <= x < 100 method M(n: nat) returns (r: Small) { r := 7; if n == 100 { r := n as Small; print r; } }",
            "{ r := n as Small; print r; }",
        ),
        (
            "method M(n: int) returns (r: nat) { r := 0; if n == -7 { r := n; print r; } }",
            "{ r := n; print r; }",
        ),
    ];
    for (source, text) in sources {
        for options in [solver_only(), Options::default()] {
            let (_, _, results) = search(source, &options);
            let open = open_goals(source, &options);
            let status = open.iter().find(|(t, _)| t == text).map(|(_, s)| s);
            let has_finding = results.iter().any(|r| !r.findings.is_empty());
            assert!(
                !matches!(status, Some(GoalStatus::UnreachableProved { .. })) || !has_finding,
                "{source}: {open:?}"
            );
        }
        let by_default = open_goals(source, &Options::default());
        assert!(
            by_default
                .iter()
                .any(|(t, s)| t == text && *s == GoalStatus::OnlyByFinding(0)),
            "{source}: {by_default:?}"
        );
    }
}

#[test]
fn goals_that_only_failures_from_undecided_inputs_reach_are_open() {
    let source = "method M(n: int) requires forall k: int :: k * k + n > 2 { if n > 5 { assert n < 0; print n; } }";
    let (_, _, results) = search(source, &Options::default());
    let findings: Vec<_> = results.iter().flat_map(|r| &r.findings).collect();
    assert!(
        !findings.is_empty() && findings.iter().all(|f| !f.certain),
        "{findings:?}"
    );
    for (text, status) in open_goals(source, &Options::default()) {
        assert!(
            !matches!(status, GoalStatus::OnlyByFinding(_)) && status.is_open(),
            "{text}: {status:?}"
        );
    }
}

#[test]
fn goals_that_another_choice_reaches_are_not_decided() {
    for source in super::dead::CHOICES {
        for options in [solver_only(), Options::default()] {
            let open = open_goals(source, &options);
            assert!(
                open.iter().all(|(_, status)| status.is_open()),
                "{source}: {open:?}"
            );
            assert!(
                open.iter()
                    .any(|(_, status)| *status == GoalStatus::OnlyByChoice),
                "{source}: {open:?}"
            );
        }
    }
}

#[test]
fn goals_beyond_a_bound_are_not_reported_as_unreachable() {
    // The highest bounds are 32 elements and 16 iterations.
    let sources = [
        "method M(s: seq<int>) { if |s| > 1000000 { print 1; } }",
        "method M(n: nat) { var i := 0; while i < n { i := i + 1; } if i > 1000000 { print 1; } }",
        "function F(n: nat): nat { if n == 0 then 0 else 1 + F(n - 1) } method M(n: nat) { if F(n) == 3000000 { print 1; } }",
        "method M(s: set<int>) { if |s| > 1000000 { print 1; } }",
    ];
    for source in sources {
        for (text, status) in open_goals(source, &Options::default()) {
            assert!(
                !matches!(status, GoalStatus::UnreachableProved { .. }),
                "{source}: {text}: {status:?}"
            );
        }
    }
}

#[test]
fn an_input_that_violates_an_obligation_is_a_finding_and_not_a_test() {
    let (_, _, results) = search(
        "method M(x: int) returns (y: int) ensures y > x { if x == 5 { y := x; } else { y := x + 1; } }",
        &Options::default(),
    );
    let r = results.first().unwrap();
    assert_eq!(r.findings.len(), 1);
    assert!(
        r.goals
            .iter()
            .any(|(_, s)| *s == GoalStatus::OnlyByFinding(0)),
        "{:?}",
        r.goals
    );
    assert!(
        r.tests
            .iter()
            .all(|t| t.ensures.iter().all(|c| c.truth.is_true()))
    );
}

#[test]
fn what_cannot_be_run_keeps_its_goals_open_with_the_reason() {
    let open = open_goals(
        "type Reading method Read() returns (r: Reading) predicate High(r: Reading) method M() { var r := Read(); if High(r) { print 1; } }",
        &Options::default(),
    );
    assert!(
        !open.is_empty()
            && open
                .iter()
                .all(|(_, s)| matches!(s, GoalStatus::Unsupported(_))),
        "{open:?}"
    );
}

#[test]
fn no_postcondition_is_the_postcondition_true() {
    let source = "function F(): int method M(x: int) { if x > 3 { var y := F(); } } method N(x: int) { assert x + F() == F() + x; print x; }";
    for source in [source, &source.replace("F(): int", "F(): int ensures true")] {
        let open = open_goals(source, &Options::default());
        assert!(open.is_empty(), "{open:?}");
    }
}

#[test]
fn reals_are_run_as_the_literals_that_a_test_writes() {
    let source = "method M(a: real, b: real) requires a == 3.5 && b == 2.5 { print a / b, a * b; }";
    let (_, _, results) = search(source, &solver_only());
    let printed: Vec<&str> = results
        .iter()
        .flat_map(|r| &r.tests)
        .map(|t| t.execution.printed.as_str())
        .collect();
    assert_eq!(printed, ["1.4008.75"]);
}

#[test]
fn a_function_with_auto_req_requires_what_it_calls() {
    let source = "function f(x: int): bool requires x > 3 { x > 7 } function ATTRIBUTE g(y: int, b: bool): bool { if b then f(y + 2) else f(2 * y) }";
    let findings = |attribute: &str| {
        let (_, _, results) = search(&source.replace("ATTRIBUTE", attribute), &Options::default());
        let g = results.last().expect("a unit");
        (
            g.findings.len(),
            g.goals.iter().filter(|(_, s)| s.is_covered()).count(),
        )
    };
    assert_eq!(findings("{:autoReq}"), (0, 3));
    assert!(findings("{:autoReq false}").0 > 0);
}

#[test]
fn results_are_the_same_on_every_run() {
    let source = "method M(s: seq<int>, m: map<int, string>) { if |s| == 2 && s[0] in m && |m[s[0]]| == 2 { if m[s[0]][0] == 'x' { print 1; } } }";
    let shown = || {
        let (_, _, results) = search(source, &Options::default());
        results
            .iter()
            .flat_map(|r| &r.tests)
            .map(|t| format!("{:?}", t.inputs))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(), shown());
}

#[test]
fn inputs_are_as_small_as_the_goal_allows_and_their_numbers_differ() {
    let (_, _, results) = search(
        "method M(s: seq<int>, x: int) { if |s| > 2 && x > 1000 { print 1; } }",
        &Options::default(),
    );
    let inputs: Vec<String> = results
        .iter()
        .flat_map(|r| &r.tests)
        .map(|t| format!("{:?}", t.inputs.args))
        .collect();
    assert!(
        inputs.contains(&"[Seq([Int(3), Int(2), Int(7)]), Int(1001)]".to_owned()),
        "{inputs:?}"
    );
}

#[test]
fn an_optimal_suite_has_the_least_number_of_tests() {
    let checks = [
        (
            "method M(a: int, b: int, c: int) { if a == 3 { print 1; } if b == 4 { print 2; } if c == 5 { print 3; } }",
            2,
        ),
        (
            "method M(a: int) { if a == 3 { print 1; } if a == 4 { print 2; } if a == 5 { print 3; } }",
            3,
        ),
        (
            "method M(a: int) { if a > 3 { print 1; } else { print 2; } if a > 5 { print 3; } else { print 4; } }",
            2,
        ),
        (
            "method M(a: int, s: seq<int>) { if a < 0 { return; } for i := 0 to |s| { if s[i] == a { print 1; } else { print 2; } } }",
            2,
        ),
    ];
    for (source, least) in checks {
        let (_, _, results) = search(
            source,
            &Options {
                minimize: Minimize::Optimal,
                ..Options::default()
            },
        );
        let r = results.first().unwrap();
        assert!(
            r.goals.iter().all(|(_, s)| s.is_covered()),
            "{source}: {:?}",
            r.goals
        );
        assert_eq!(r.tests.len(), least, "{source}: {:?}", r.claims);
        assert!(
            r.claims
                .iter()
                .any(|n| n.contains("the minimum that reaches these goals")),
            "{source}: {:?}",
            r.claims
        );
    }
}

#[test]
fn the_goals_of_iterators_and_of_their_callers_are_reached() {
    let iterator = "iterator Up(from: int, n: nat) yields (x: int) {
          for i := 0 to n { if from + i == 17 { yield 100; } else { yield from + i; } }
          if n == 3 { yield -1; }
        }";
    assert_eq!(open_goals(iterator, &solver_only()), []);
    let caller = "method M(k: int) returns (r: int) {
          var up := new Up(k, 2);
          var more := up.MoveNext();
          if up.x == 100 { more := up.MoveNext(); if up.x == 18 { r := 1; } else { r := 4; } } else { r := 2; }
        }";
    assert_eq!(
        open_goals(&format!("{iterator} {caller}"), &solver_only()),
        []
    );
}

#[test]
fn code_beyond_a_bound_does_not_blur_goals_within() {
    // One branch calls deeper than the bounds. Values in the other branches must stay exact, so
    // that the first model is confirmed.
    let source = "datatype E = Leaf(n: int) | Name(s: string) | Sum(a: E, b: E)
         datatype O = None | Some(v: int)
         function Eval(e: E, env: map<string, int>): O {
           match e
           case Leaf(n) => Some(n)
           case Name(s) => if s in env then Some(env[s]) else None
           case Sum(a, b) => match (Eval(a, env), Eval(b, env)) case (Some(x), Some(y)) => Some(x + y) case _ => None
         }";
    assert_eq!(open_goals(source, &solver_only()), []);
}

#[test]
fn mocks_answer_where_no_class_does_what_a_path_needs() {
    let sources = [
        "trait T { function F(n: int): int } class A extends T { function F(n: int): int { n } } method M(t: T) { if t.F(1) == t.F(2) + 4 { print 1; } }",
        "trait T { method Ask(n: int) returns (r: int) } method M(t: T) { var a := t.Ask(1); var b := t.Ask(1); if a == 5 && b == 7 { print 1; } }",
        "trait T { var n: int method Step() modifies this ensures n > old(n) } method M(t: T) modifies t { var m := t.n; t.Step(); if t.n == 2 * m { print 1; } }",
        "trait T { predicate P() ghost predicate Q() reads this } method M(s: T, t: T) requires s.Q() && t.Q() { if s.P() && !t.P() { print 1; } }",
        "trait S { function F(): int } trait T extends S { function G(): int { F() + 1 } } method M(t: T) { if t.G() == 12 && t.F() == 11 { print 1; } }",
        "trait T<X> { function F(x: X): X } class C<Y> extends T<Y> { function F(y: Y): Y { y } } method M(t: T<int>) { if t is C<int> && t.F(3) == 3 { print 1; } else if t.F(3) == 5 { print 2; } }",
        "trait T { const k: int } method M(ts: seq<T>, m: map<int, T>) { if |ts| == 2 && ts[0] != ts[1] && 3 in m && m[3] == ts[1] && m[3].k == 8 { print 1; } }",
        "class C { var o: object? } method M(c: C, o: object, a: array<int>) { if c.o == o && o != c && o != a { print 1; } else if o == a { print 2; } else if o == c { print 3; } }",
    ];
    for source in sources {
        let open = open_goals(source, &solver_only());
        assert!(open.is_empty(), "{source}: {open:?}");
    }
    // The cast requires the type system refresh.
    let source = "trait T { function F(): int } method M<X extends T>(x: X, y: X) { if (x as T).F() > (y as T).F() + 2 { print 1; } }";
    let open = open_goals_of_general_traits(source, &solver_only());
    assert!(open.is_empty(), "{source}: {open:?}");
}

/// The same with datatypes and newtypes that extend traits.
fn open_goals_of_general_traits(source: &str, options: &Options) -> Vec<(String, GoalStatus)> {
    let language = dafny_resolve::typed::Options {
        type_system_refresh: true,
        general_newtypes: true,
        general_traits: dafny_resolve::typed::GeneralTraits::Full,
        ..Default::default()
    };
    let (map, typed) = dtest_lower::testing::resolved(source, language);
    let program = dtest_lower::lower_for(std::sync::Arc::new(typed), Criteria::default());
    let mut open = Vec::new();
    for unit in units(&program.typed, |_| true) {
        let result = search_unit(&program, unit.callable, options);
        let goals = result
            .goals
            .into_iter()
            .filter(|(_, status)| !status.is_covered());
        open.extend(goals.map(|(id, s)| {
            (
                program
                    .goal(unit.callable, id)
                    .map_or_else(String::new, |g| map.text(g.span).to_owned()),
                s,
            )
        }));
    }
    open
}

const SIZED: &str = "trait Sized { function Size(): int function Twice(): int { 2 * Size() } method Tell() returns (r: int) }
    newtype Flag extends Sized = bool { function Size(): int { if this then 99 else 0 } method Tell() returns (r: int) { r := 1; } }
    newtype Even extends Sized = x: int | x % 2 == 0 { function Size(): int { this as int } method Tell() returns (r: int) { r := this as int; } }
    newtype Half extends Sized = x: real | 0.0 <= x { function Size(): int { this.Floor } method Tell() returns (r: int) { r := 3; } }
    newtype Names extends Sized = s: seq<int> | |s| < 4 { function Size(): int { |this| } method Tell() returns (r: int) { r := 4; } }
    newtype Four extends Sized = e: Even | 0 <= e < 9 { }
    datatype Box extends Sized = Box(inner: int) | Twin(left: Sized, right: Sized) { function Size(): int { 8 } method Tell() returns (r: int) { r := 5; } }\n";

#[test]
fn models_are_of_every_newtype_that_extends_a_trait() {
    let sources = [
        "method M(s: Sized) { if s is Flag && s.Size() == 99 { print 1; } else if s is Even && s.Size() == 1234 { print 2; } }",
        "method M(s: Sized, t: Sized) { if s is Half && t is Names && s.Size() == t.Size() + 17 && (t as Names) == [7, 8] { print 1; } }",
        "method M(s: Sized) { if s is Half && (s as Half) == 2.75 { print 1; } else if s.Twice() == 198 { print 2; } }",
        "method M(s: Sized) { var r := s.Tell(); if r == 3 { print 1; } else if r == 1 { print 2; } else if r == 918 { print 3; } }",
        "method M(s: seq<Sized>) { if |s| == 2 && s[0] is Even && s[1] is Flag && s[0].Size() > s[1].Size() > 50 { print 1; } }",
        "method M(s: Sized) { if s is Four && (s as Four) == 6 { print 1; } }",
        "method M(s: Sized) { if s is Box && (s as Box).Twin? && (s as Box).left is Even && (s as Box).left.Size() == 432 { print 1; } }",
        "class C { var s: Sized constructor (s: Sized) { this.s := s; } } method M(c: C) { if c.s is Names && |c.s as Names| == 3 { print 1; } }",
        "method M<X extends Sized>(x: X) { if (x as Sized).Size() == 541 { print 1; } }",
        "method M(e: Even) { var s: Sized := e; if s.Twice() == 404 { print 1; } }",
    ];
    for source in sources {
        let open = open_goals_of_general_traits(&format!("{SIZED}{source}"), &solver_only());
        assert!(open.is_empty(), "{source}: {open:?}");
    }
}

#[test]
fn no_claim_about_a_trait_is_made_before_all_implementing_types_are_tried() {
    let status = |source: &str| {
        let open = open_goals_of_general_traits(source, &Options::default());
        open.iter()
            .map(|(text, status)| format!("{text}: {status:?}"))
            .collect::<Vec<_>>()
    };
    let proved = status(
        "trait T { function F(): int } newtype N extends T = x: int | 0 <= x { function F(): int { 3 } } method M(t: T) { if t is N && t.F() == 4 { print 1; } }",
    );
    assert!(
        matches!(&proved[..], [one] if one.contains("UnreachableProved")),
        "{proved:?}"
    );
    // No value of the newtype is odd, but other types that extend the trait may return odd numbers.
    let mixed = status(
        "trait T { function F(): int } newtype N extends T = x: int | x % 2 == 0 { function F(): int { this as int } } method M(t: T) { if t is N { if t.F() == 7 { print 1; } } else if t.F() == 7 { print 2; } }",
    );
    assert!(
        matches!(&mixed[..], [one] if one.contains("UnreachableProved")),
        "{mixed:?}"
    );
    // The type arguments of a generic newtype cannot all be tried.
    let generic = status(
        "trait T { function F(): int ensures F() >= 0 } newtype N<X(==)> extends T = multiset<X> { function F(): int { |this| } } method M(t: T) { if t.F() == -1 { print 1; } }",
    );
    assert!(
        matches!(&generic[..], [one] if one.contains("Extending")),
        "{generic:?}"
    );
}

#[test]
fn nothing_is_proved_of_what_other_implementations_of_a_trait_do() {
    let source = "trait T { function F(): int } class A extends T { function F(): int { 1 } }
        method M(t: T) { if t.F() > t.F() { print 1; } if t.F() == 2 { print 2; } if t.F() == 1 { print 3; } }";
    let open = open_goals(source, &solver_only());
    let proved = |s: &GoalStatus| matches!(s, GoalStatus::UnreachableProved { .. });
    assert!(
        open.iter().all(|(_, s)| !proved(s)) && open.len() <= 1,
        "{open:?}"
    );
}

/// For every test, the number of objects in its heap, and the number of references in arguments and
/// fields to an object that another one refers to.
fn sharing(source: &str) -> Vec<(usize, usize)> {
    let (_, _, results) = search(source, &solver_only());
    let count = |t: &super::TestCase| {
        let mut references = 0;
        let mut met = dtest_sorted::SortedSet::new();
        let mut see = |v: &Value| {
            if let Value::Ref(id) = v {
                references += 1;
                met.insert(*id);
            }
        };
        t.inputs.args.iter().for_each(&mut see);
        for o in &t.inputs.heap.objects {
            if let Contents::Fields(fields) = &o.contents {
                fields.values().for_each(&mut see);
            }
        }
        (t.inputs.heap.objects.len(), references - met.len())
    };
    results.iter().flat_map(|r| &r.tests).map(count).collect()
}

#[test]
fn objects_are_shared_only_if_a_path_or_a_precondition_requires_it() {
    let class = "class N { var v: int var next: N? }";
    let cases = [
        (
            "method M(a: N, b: N, c: N?) requires c != null && a.v == 5 && b.v == 5 && c.v == 5 { }",
            vec![(3, 0)],
        ),
        (
            "method M(n: N) requires n.next != null && n.next.next != null && n.next.next.next != null && n.next.next.next.v == 4 { }",
            vec![(4, 0)],
        ),
        ("method M(a: N, b: N) requires a == b { }", vec![(1, 1)]),
        (
            "method M(a: N) requires a.next != null && a.next.next == a { }",
            vec![(1, 1)],
        ),
        (
            "method M(a: N) requires a.next != null && a.next != a && a.next.next == a { }",
            vec![(2, 1)],
        ),
    ];
    for (method, expected) in cases {
        assert_eq!(sharing(&format!("{class} {method}")), expected, "{method}");
    }
}

#[test]
fn contracts_of_external_code_speak_of_two_states() {
    let class = "class C { var n: int var m: int } ";
    let sources = [
        "method {:extern} Set(c: C, d: C) modifies c, d ensures unchanged(c`n) && d.n > old(d.n) method M(c: C, d: C) modifies c, d { var n, k := c.n, d.n; Set(c, d); if c.n == n && d.n == k + 3 { print 1; } }",
        "method {:extern} Fill(a: array<int>, b: array<int>) modifies a, b ensures unchanged(b) method M(a: array<int>, b: array<int>) requires a.Length == 1 == b.Length modifies a, b { var x := b[0]; Fill(a, b); if b[0] == x && a[0] == 7 { print 1; } }",
    ];
    for source in sources {
        let open = open_goals(&format!("{class}{source}"), &solver_only());
        assert!(open.is_empty(), "{source}: {open:?}");
    }
}

/// A parser whose encoding grows with every recursive call.
const PARSER: &str = "
    datatype Result = Ok(text: seq<int>) | Bad(at: nat)
    function Unescape(s: seq<int>, from: nat, done: seq<int>): Result
      decreases |s| - from
    {
      if from >= |s| then Ok(done)
      else if s[from] == 92 then
        if from + 1 == |s| then Bad(from)
        else
          var c := s[from + 1];
          if c == 117 then
            if |s| < from + 6 then Bad(from)
            else if forall i | from + 2 <= i < from + 6 :: 48 <= s[i] <= 57 then Unescape(s, from + 6, done + s[from + 2..from + 6])
            else Bad(from + 2)
          else if c == 110 then Unescape(s, from + 2, done + [10])
          else if c == 116 then Unescape(s, from + 2, done + [9])
          else Bad(from + 1)
      else Unescape(s, from + 1, done + [s[from]])
    }";

#[test]
fn small_changes_of_known_inputs_reach_into_parsers() {
    let (_, _, results) = search(PARSER, &Options::default());
    for r in &results {
        assert!(r.goals.iter().all(|(_, s)| s.is_covered()), "{:?}", r.goals);
        assert!(r.spent.points() < 1_500_000, "{:?}", r.spent);
    }
}

#[test]
fn a_unit_costs_no_more_than_its_budget_whatever_the_clock_says() {
    let hopeless = "function Turn(n: nat, k: nat): nat decreases k { if k == 0 then n else Turn((n * 31 + k) % 1000003, k - 1) }
        method M(n: nat, m: nat) { if Turn(n, 6) == 4711 && Turn(m, 7) == 815 && n % 97 == m % 89 { print 1; } }";
    let options = Options {
        rlimit: 20_000,
        ..Options::default()
    };
    let costs = [(); 2].map(|()| {
        search(hopeless, &options)
            .2
            .into_iter()
            .map(|r| (r.spent, r.goals))
            .collect::<Vec<_>>()
    });
    assert_eq!(costs[0], costs[1]);
    // The last query and the last encoding may exceed the budget.
    assert!(
        costs[0]
            .iter()
            .all(|(spent, _)| spent.points() < 20 * 20_000 + 500_000),
        "{costs:?}"
    );
}

#[test]
fn unknown_values_at_two_places_are_not_equal() {
    let source = "datatype List = Nil | Cons(head: int, tail: List)
        function Head(l: List): int { if l.Cons? then l.head else -1 }
        function Tail(l: List): List { if l.Cons? then l.tail else l }
        method M(l: List) { var a := Tail(Tail(Tail(Tail(l)))); var b := Tail(a); if Head(a) == 123 { if Head(b) == 125 { print 1; } } }";
    let open = open_goals(source, &solver_only());
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_unit_without_inputs_has_one_execution() {
    let source = "function Power(n: nat): nat { if n == 0 then 1 else 2 * Power(n - 1) }
        method M() { var s := Power(40); if s % 7 == 3 { print 1; } else { print 2; } }";
    let (_, _, results) = search(source, &Options::default());
    let m = results.last().expect("a unit");
    assert_eq!(m.queries, 0);
    assert_eq!(
        m.goals
            .iter()
            .filter(|(_, s)| matches!(s, GoalStatus::UnreachableProved { .. }))
            .count(),
        1,
        "{:?}",
        m.goals
    );
}

#[test]
fn results_of_mocks_that_the_program_excludes_are_no_findings() {
    let sources = [
        // The lemma relates the results of the function to each other.
        "trait P { ghost predicate Good(s: seq<int>)
                   lemma Grows(s: seq<int>, x: int) requires Good(s) ensures Good(s + [x]) }
         method M(p: P, x: int) requires p.Good([]) { p.Grows([], x); assert p.Good([x]); print x; }",
        // The method's contract says how the results change.
        "trait Stack {
           ghost var size: nat
           ghost predicate Valid() reads this
           ghost function Model(): seq<int> reads this requires Valid()
           method Add(x: int) requires Valid() modifies this ensures Valid() && Model() == old(Model()) + [x] }
         method M(s: Stack, x: int) requires s.Valid() modifies s ensures s.Valid() && s.Model() == old(s.Model()) + [x] { s.Add(x); }",
    ];
    for source in sources {
        let (_, _, results) = search(source, &Options::default());
        assert!(results.iter().all(|r| r.findings.is_empty()), "{source}");
    }
}

#[test]
fn random_values_of_datatypes_that_need_each_other_are_finite() {
    let source = "datatype A = A(b: B, c: B) datatype B = B(a: A) | S(x: int, y: int) method M(a: A, s: seq<B>) returns (r: int) { r := |s|; }";
    let (_, program) = lowered(source, Criteria::default());
    let unit = units(&program.typed, |_| true)
        .first()
        .map(|u| u.callable)
        .expect("a unit");
    let interp = dtest_interp::Interp::new(&program, dtest_interp::Limits::default());
    let mut random =
        super::random::Random::new(&program, &interp, unit, 7).expect("a source of inputs");
    for _ in 0..200 {
        let inputs = random.inputs().expect("inputs");
        assert!(interp.check_inputs(unit, &inputs).verdict().is_true());
    }
}
