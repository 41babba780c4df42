//! Tests of entries: goals in the callees of a unit.

use super::{GoalStatus, Options, UnitResult, search_unit};
use dafny_source::SourceMap;
use dtest_ir::{Criteria, Program};
use dtest_lower::testing::lowered;
use dtest_lower::{entries, units};

fn entered(source: &str, names: &[&str]) -> (SourceMap, Program) {
    let (map, mut program) = lowered(source, Criteria::default());
    let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    assert!(entries::enter(&mut program, &names, |_| true).is_empty());
    (map, program)
}

fn through(source: &str, entry: &str, options: &Options) -> (SourceMap, Program, UnitResult) {
    let (map, program) = entered(source, &[entry]);
    let unit = program
        .entries
        .clone()
        .and_then(|e| e.first().copied())
        .expect("an entry");
    let result = search_unit(&program, unit, options);
    (map, program, result)
}

/// Options without seeds, so that every test comes from a model.
fn solver_only() -> Options {
    Options {
        seeds: 0,
        enumerate: 0,
        ..Options::default()
    }
}

/// The source texts of the goals that are not covered, with their status.
fn open(source: &str, entry: &str, options: &Options) -> Vec<(String, GoalStatus)> {
    let (map, program, result) = through(source, entry, options);
    let text = |g| {
        program
            .goal(result.unit, g)
            .map_or_else(String::new, |g| map.text(g.span).to_owned())
    };
    result
        .goals
        .iter()
        .filter(|(_, s)| !s.is_covered())
        .map(|(g, s)| (text(*g), s.clone()))
        .collect()
}

#[test]
fn models_reach_goals_in_callees_of_every_kind() {
    let sources = [
        "method E(x: int) returns (r: int) { r := A(x + 3); } method A(y: int) returns (r: int) { if y * 3 == 300 { return 1; } r := 2; }",
        "method E(x: int) returns (r: int) { r := F(x - 8) + F(x * 2); } function F(y: int): int { if y == 4711 then 1 else G(y) } function G(y: int): int { if y < -999 then 5 else 6 }",
        "method E(x: int, y: int) { if x > 5 && P(y) { print 1; } } predicate P(y: int) { y > 10 && y % 7 == 3 }",
        "class C { var n: int method Add(k: int) modifies this { if n + k == 99 { n := 0; } else { n := n + k; } } } method E(k: int) { var c := new C; c.n := 5; c.Add(k); c.Add(k); }",
        "trait T { method M(k: int) returns (r: int) } class A extends T { method M(k: int) returns (r: int) { if k == 77 { r := 1; } else { r := 2; } } } class B extends T { method M(k: int) returns (r: int) { if k == 78 { r := 1; } else { r := 2; } } } method E(b: bool, k: int) returns (r: int) { var t: T; if b { t := new A; } else { t := new B; } r := t.M(k); }",
        "method E(n: nat) returns (r: nat) { r := Even(n); } method Even(n: nat) returns (r: nat) { if n == 0 { return 100; } r := Odd(n - 1); } method Odd(n: nat) returns (r: nat) { if n == 0 { return 200; } r := Even(n - 1); }",
        "method E(s: seq<int>) returns (r: seq<int>) { r := seq(|s|, i requires 0 <= i < |s| => F(s[i])); } function F(x: int): int { if x == 12 then 0 else x }",
        "method E(x: int) { A(x); expect x != 40; print 1; } method A(x: int) { if x == 40 { print 2; expect false; } }",
        "function Up(x: int): int { if x == 31 then 0 else x + 1 } method E(x: int) returns (r: int) { var f := Up; r := f(x); }",
        "function Fib(n: nat): nat { n } by method { if n == 5 { return 5; } return n; } method E(n: nat) returns (r: nat) { r := Fib(n + 2); }",
    ];
    for source in sources {
        let left = open(source, "E", &solver_only());
        assert!(left.is_empty(), "{source}: {left:?}");
    }
}

#[test]
fn goals_are_those_of_compiled_code_that_is_called_once_each() {
    let source = "method E(x: int) { var y := A(x); y := A(y); ghost var g := Spec(x); assert Spec(x) >= 0; }
        method A(x: int) returns (y: int) requires Pre(x) { y := F(x); } function F(x: int): int { x }
        predicate Pre(x: int) { true } function Spec(x: int): int { 1 } method Unused() {} lemma L() {}";
    let (_, program) = entered(source, &["E"]);
    let entry = program.entries.clone().expect("entries")[0];
    let names: Vec<String> = program.systems[&entry]
        .callees
        .iter()
        .map(|c| program.typed.callable_path(*c))
        .collect();
    assert_eq!(names, ["A", "F"]);
    assert_eq!(program.goals(entry).len(), 3);
}

#[test]
fn what_callers_exclude_is_proved_unreachable_through_the_entry() {
    let source = "method E(x: nat) returns (r: int) { r := A(x + 1); } method A(y: int) returns (r: int) { if y <= 0 { return 1; } r := 2; }";
    let left = open(source, "E", &Options::default());
    assert!(
        matches!(left.as_slice(), [(_, GoalStatus::UnreachableProved { .. })]),
        "{left:?}"
    );
    // Code after a cut loop may call the callee with any argument. Nothing is proved, although no
    // execution within the bounds gets there.
    let source = "method E(x: nat) returns (r: int) { var i := 0; while i < x { i := i + 1; } r := A(if i > 100 then 0 else 5); }
        method A(y: int) returns (r: int) { if y <= 0 { return 1; } r := 2; }";
    let left = open(source, "E", &solver_only());
    assert!(
        left.iter()
            .all(|(_, s)| !matches!(s, GoalStatus::UnreachableProved { .. })),
        "{left:?}"
    );
}

#[test]
fn ghost_code_covers_nothing() {
    let source = "class C { ghost var g: int var n: int }
        method E(c: C, x: int) modifies c { assert F(x) > 0; c.g := F(x); G(F(x)); var y := assert F(x) > 0; x; c.n := if y == 5 then F(y) else 1; } method G(ghost z: int) {}
        function F(x: int): int { if x > 100 then 2 else 1 }";
    let left = open(source, "E", &Options::default());
    assert_eq!(
        left.iter()
            .map(|(text, _)| text.as_str())
            .collect::<Vec<_>>(),
        ["2"]
    );
}

#[test]
fn attributes_name_entries_and_what_counts_beside_them() {
    let source = "method {:testEntry} E(n: nat) returns (r: nat) requires n >= 3 { r := Mod3(n); r := Other(r); }
        function {:testInline 2} Mod3(n: nat): nat { if n == 0 then 0 else if n == 1 then 1 else if n == 2 then 2 else Mod3(n - 3) }
        function Other(n: nat): nat { if n == 7 then 1 else 2 }";
    let (_, program) = entered(source, &[]);
    let all = units::units(&program.typed, |_| true);
    assert_eq!(
        all.iter().map(|u| u.path.as_str()).collect::<Vec<_>>(),
        ["E"]
    );
    let result = search_unit(&program, all[0].callable, &solver_only());
    assert!(
        result.goals.len() > 5 && result.goals.iter().all(|(_, s)| s.is_covered()),
        "{:?}",
        result.goals
    );
    // With one unrolling, the base cases are not reached.
    let (_, program) = entered(&source.replace("testInline 2", "testInline"), &[]);
    let result = search_unit(&program, all[0].callable, &solver_only());
    assert!(result.goals.iter().any(|(_, s)| !s.is_covered()));
}

/// Methods or functions in `depth` layers, each of which calls the next one at three places: a tree
/// of 3^depth calls.
fn tree(depth: u32, function: bool) -> String {
    let layer = |i: u32| {
        let (next, odd) = (i + 1, 7 * i + 1);
        match (function, i == depth) {
            (false, true) => format!(
                "method L{i}(x: int, y: int) returns (r: int) {{ if x == {odd} {{ r := y; }} else {{ r := x; }} }}"
            ),
            (false, false) => format!(
                "method L{i}(x: int, y: int) returns (r: int) {{ if x > {i} {{ r := L{next}(x - 1, y); }} else if y == {i} {{ r := L{next}(y, x + 1); }} else {{ r := L{next}(x + y, y - 2); r := r + 1; }} }}"
            ),
            (true, true) => {
                format!("function L{i}(x: int, y: int): int {{ if x == {odd} then y else x }}")
            }
            (true, false) => format!(
                "function L{i}(x: int, y: int): int {{ if x > {i} then L{next}(x - 1, y) else if y == {i} then L{next}(y, x + 1) else L{next}(x + y, y - 2) + 1 }}"
            ),
        }
    };
    (0..=depth).map(layer).collect::<Vec<_>>().join("\n")
}

/// The same for methods that read and write fields of their object and return values of a datatype.
/// No small change of an input leads from one branch to another.
fn object_tree(depth: u32) -> String {
    let layer = |i: u32| {
        let (next, odd, large) = (i + 1, 13 * i + 5, 100 * (i + 1));
        let body = match i == depth {
            true => {
                "if 3 * n + x == 1009 { n := x; r := Bad(n); } else { n := n + 1; r := Good(x); }"
                    .to_owned()
            }
            false => format!(
                "if 2 * n == 7 * x + {odd} {{ m := m + 1; r := L{next}(x + 1); }} else if x > {large} {{ n := n + 2; r := L{next}(x - 1); n := n + m; }} else {{ r := L{next}(x + n); if r.Bad? {{ n := x; }} }}"
            ),
        };
        format!("method L{i}(x: int) returns (r: R) modifies this {{ {body} }}")
    };
    let layers: Vec<String> = (0..=depth).map(layer).collect();
    format!(
        "datatype R = Good(value: int) | Bad(code: int) class C {{ var n: int var m: int {} }}",
        layers.join("\n")
    )
}

#[test]
fn methods_of_an_object_share_copies_with_what_the_object_holds() {
    let cost = |depth: u32| {
        let (_, _, result) = through(&object_tree(depth), "C.L0", &solver_only());
        assert!(
            result.goals.iter().all(|(_, s)| s.is_covered()),
            "{depth}: {:?}",
            result.goals
        );
        (result.queries, result.tests.len())
    };
    let (small, large) = (cost(6), cost(12));
    assert!(large.0 <= 4 * small.0, "queries: {small:?}, {large:?}");
    assert!(large.1 <= 3 * small.1, "tests: {small:?}, {large:?}");
}

#[test]
fn pairs_of_executions_know_what_a_call_finds_and_leaves_in_an_object() {
    use super::session::{Session, Verdict};
    use dtest_encode::{Bounds, Mode, Pairs, encode_for};
    use dtest_interp::{Inputs, Interp, Limits};
    let source = "class C { var n: int
          method F(x: int) returns (r: int) modifies this { for i := 0 to 1 { r := 40; } if x + n > 50 { r := 30; n := 7; } } }
        method E(a: int, b: int, n: int) returns (r: int) { var c := new C; c.n := n; var x := c.F(a); var y := c.F(b); if a + b == 107 && x == 30 && y == 40 && c.n == 7 { r := 1; } else { r := 2; } }";
    let (map, program) = entered(source, &["E"]);
    let unit = program.entries.clone().expect("entries")[0];
    let is_wanted = |text: &str| text.contains("r := 1") && !text.contains("if");
    let goal = program
        .goals(unit)
        .into_iter()
        .find(|(_, g)| is_wanted(map.text(g.span)))
        .expect("a goal")
        .0;
    let bounds = Bounds {
        calls: 1,
        ..Bounds::START
    };
    let reaches = |pairs: Pairs| {
        let encoding = encode_for(&program, unit, &[], (bounds, Mode::Cut), pairs, false)
            .expect("an encoding");
        matches!(
            Session::new(encoding, &Options::default()).reach(goal),
            Verdict::Model(_)
        )
    };
    assert!(!reaches(Pairs::default()));
    let interp = Interp::new(&program, Limits::default());
    interp.summarise();
    let value = dtest_value::Value::int;
    interp.run(
        unit,
        &Inputs {
            args: vec![value(104), value(3), value(5)],
            ..Default::default()
        },
    );
    let pairs = interp.pairs();
    assert_eq!(pairs.len(), 2, "{pairs:?}");
    assert!(reaches(Pairs::of(pairs)));
}

#[test]
fn a_copy_that_makes_objects_is_used_by_one_call_of_an_execution() {
    use super::session::{Session, Verdict};
    use dtest_encode::{Bounds, Mode, Pairs, encode_for};
    let source = "class B { var v: int constructor (v: int) ensures this.v == v { this.v := v; } }
        method Make(x: int) returns (r: B) ensures fresh(r) { r := new B(x); for i := 0 to 1 { r.v := x; } if x > 7 { r.v := 7; } }
        method Two(x: int) { var a := Make(x); var b := Make(x); if a == b { print 1; } else if a.v == b.v { print 2; } }
        method Either(c: bool, x: int) { var a; if c { a := Make(x); } else { a := Make(x + 1); } if a.v == 3 && !c { print 3; } }
        method E(c: bool, x: int) { if x > 3 { Two(x); } else { Either(c, x); } }";
    let (map, program) = entered(source, &["E"]);
    let unit = program.entries.clone().expect("entries")[0];
    let reaches = |calls: u32, text: &str| {
        let goal = program
            .goals(unit)
            .into_iter()
            .find(|(_, g)| map.text(g.span).trim_matches(['{', '}', ' ']) == text)
            .expect("a goal")
            .0;
        let bounds = Bounds {
            calls,
            ..Bounds::START
        };
        let encoding = encode_for(
            &program,
            unit,
            &[],
            (bounds, Mode::Cut),
            Pairs::default(),
            false,
        )
        .expect("an encoding");
        matches!(
            Session::new(encoding, &Options::default()).reach(goal),
            Verdict::Model(_)
        )
    };
    // Two distinct objects and two successive calls each need a copy of their own. Calls that
    // exclude each other share one.
    assert_eq!(
        [1, 2, 3].map(|i| reaches(1, &format!("print {i};"))),
        [false, false, true]
    );
    assert_eq!(
        [1, 2, 3].map(|i| reaches(2, &format!("print {i};"))),
        [false, true, true]
    );
}

#[test]
fn the_cost_of_a_tree_of_calls_grows_with_the_program() {
    use dtest_encode::{Bounds, Mode, encode};
    for function in [false, true] {
        let cost = |depth: u32| {
            let (_, program, result) = through(&tree(depth, function), "L0", &solver_only());
            assert!(
                result.goals.iter().all(|(_, s)| s.is_covered()),
                "{depth}: {:?}",
                result.goals
            );
            // One copy per layer is enough, because an execution makes only one of its calls.
            let encoding = encode(
                &program,
                result.unit,
                &[],
                Bounds::START.rationed(),
                Mode::Cut,
            )
            .expect("an encoding");
            (
                encoding.terms().work() as u64,
                result.queries,
                result.tests.len(),
            )
        };
        let (small, large) = (cost(6), cost(12));
        assert!(large.0 <= 3 * small.0, "terms: {small:?}, {large:?}");
        assert!(large.1 <= 3 * small.1, "queries: {small:?}, {large:?}");
        assert!(large.2 <= 2 * small.2, "tests: {small:?}, {large:?}");
    }
}

#[test]
fn an_execution_of_a_large_tree_of_calls_makes_equal_calls_once() {
    // The execution makes every call, 3^12 of them, but only few have different arguments.
    let layer = |i: u32| {
        format!(
            "method L{i}(x: int) returns (r: int) {{ var a := L{0}(x + 1); var b := L{0}(x); var c := L{0}(x + 2); r := a + b + c; if r == 77 {{ r := 0; }} }}",
            i + 1
        )
    };
    let leaf =
        "method L12(x: int) returns (r: int) { if x > 40 { r := 1; } else { r := 2; } }".to_owned();
    let source = (0..12)
        .map(layer)
        .chain([leaf])
        .collect::<Vec<_>>()
        .join("\n");
    let (_, _, result) = through(&source, "L0", &Options::default());
    let covered = result.goals.iter().filter(|(_, s)| s.is_covered()).count();
    assert!(covered > 25, "{covered} of {}", result.goals.len());
    // Goals that are reached only through shared copies, or not at all, must not be reported as
    // proved.
    let proved = |s: &GoalStatus| {
        matches!(
            s,
            GoalStatus::UnreachableProved { .. } | GoalStatus::UnreachableAtCaps { .. }
        )
    };
    assert!(
        !result.goals.iter().any(|(_, s)| proved(s)),
        "{:?}",
        result.goals
    );
}

#[test]
fn pairs_of_executions_replace_calls_that_find_no_copy() {
    use super::session::{Session, Verdict};
    use dtest_encode::{Bounds, Mode, Pairs, encode_for};
    let source = "method E(a: int, b: int) returns (r: int) { var x := F(a); var y := F(b); if a + b == 107 && x == 30 && y == 40 { r := 1; } else { r := 2; } }
        method F(x: int) returns (r: int) { for i := 0 to 1 { r := 40; } if x > 50 { r := 30; } }";
    let (map, program) = entered(source, &["E"]);
    let unit = program.entries.clone().expect("entries")[0];
    let is_wanted = |text: &str| text.contains("r := 1") && !text.contains("if");
    let goal = program
        .goals(unit)
        .into_iter()
        .find(|(_, g)| is_wanted(map.text(g.span)))
        .expect("a goal")
        .0;
    let bounds = Bounds {
        calls: 1,
        ..Bounds::START
    };
    let reaches = |pairs: Pairs| {
        let encoding = encode_for(&program, unit, &[], (bounds, Mode::Cut), pairs, false)
            .expect("an encoding");
        matches!(
            Session::new(encoding, &Options::default()).reach(goal),
            Verdict::Model(_)
        )
    };
    // One copy of `F` forces both calls to have the same argument, unless a pair from an execution
    // represents the other one.
    assert!(!reaches(Pairs::default()));
    let interp = dtest_interp::Interp::new(&program, dtest_interp::Limits::default());
    interp.summarise();
    let value = dtest_value::Value::int;
    interp.run(
        unit,
        &dtest_interp::Inputs {
            args: vec![value(100), value(3)],
            ..Default::default()
        },
    );
    let pairs = interp.pairs();
    assert_eq!(pairs.len(), 2, "{pairs:?}");
    assert!(pairs.iter().all(|p| !p.goals.is_empty()), "{pairs:?}");
    assert!(reaches(Pairs::of(pairs)));
}

#[test]
fn an_execution_makes_equal_calls_on_an_object_once() {
    use dtest_interp::{Inputs, Interp, Limits, Outcome};
    // The execution makes every call, 3^12 of them. They read and write a field, and few of them
    // read different values.
    let layer = |i: u32| {
        format!(
            "method L{i}(x: int) modifies this {{ L{0}(x + 1); L{0}(n); n := n + 1; L{0}(x - 1); if n == {i} {{ n := x; }} }}",
            i + 1
        )
    };
    let leaf =
        "method L12(x: int) modifies this { if n > x { n := x; } else { n := n + 1; } }".to_owned();
    let layers: Vec<String> = (0..12).map(layer).chain([leaf]).collect();
    let source = format!(
        "class C {{ var n: int {} }} method E() {{ var c := new C; c.n := 0; c.L0(3); }}",
        layers.join("\n")
    );
    let (_, program) = entered(&source, &["E"]);
    let unit = program.entries.clone().expect("entries")[0];
    let interp = Interp::new(&program, Limits::default());
    interp.summarise();
    let execution = interp.run(unit, &Inputs::default());
    assert!(
        matches!(execution.outcome, Outcome::Returned(_)),
        "{:?}",
        execution.outcome
    );
    assert!(interp.steps() < 1_000_000, "{}", interp.steps());
}

#[test]
fn summaries_with_a_footprint_give_what_the_calls_give() {
    use dtest_interp::{Inputs, Interp, Limits};
    // The same call meets changed contents, another object, and an object of which only other
    // fields were changed.
    let source = "class C { var n: int var other: int var log: int
          method Step(d: C, k: int) returns (r: int) modifies this, d { if n > d.n { d.n := d.n + k; r := d.n; } else { n := n + 1; log := log + 1; r := -n; } Deep(k); }
          method Deep(k: int) modifies this { if k == 1 { log := log + 10; } }
          method All(d: C) returns (s: int) modifies this, d {
            s := 0;
            for i := 0 to 6 { var a := Step(d, 1); var b := Step(d, 2); var c := d.Step(this, 1); other := other + a; s := 3 * s + a + 5 * b + 7 * c + log + d.log; n := if i == 3 then 0 else n; }
          } }
        method E() returns (s: int) { var c := new C; c.n, c.other, c.log := 0, 0, 0; var d := new C; d.n, d.other, d.log := 3, 0, 0; s := c.All(d); var again := c.All(c); s := s + again + c.other + d.other; }";
    let (_, program) = entered(source, &["E"]);
    let unit = program.entries.clone().expect("entries")[0];
    let run = |summarises: bool| {
        let interp = Interp::new(&program, Limits::default());
        if summarises {
            interp.summarise();
        }
        let execution = interp.run(unit, &Inputs::default());
        (format!("{:?}", execution.outcome), interp.steps())
    };
    let ((plain, steps), (kept, fewer)) = (run(false), run(true));
    assert_eq!(plain, kept);
    assert!(fewer < steps, "{fewer} of {steps}");
}

#[test]
fn what_test_inline_cannot_mean_is_said() {
    let source = "method {:testEntry} E(n: nat) returns (r: nat) { r := A(n); r := B(n); r := C(n); r := D(n); }
        function {:testInline 0} A(n: nat): nat { n } function {:testInline \"2\"} B(n: nat): nat { n }
        function {:testInline 2, 3} C(n: nat): nat { n } function {:testInline 2} D(n: nat): nat { n }";
    let (file, _) = dafny_syntax::parse(0, source);
    let (_, diagnostics) =
        dafny_resolve::resolve(vec![file], dafny_resolve::typed::Options::default());
    let said: Vec<String> = diagnostics.iter().map(|d| d.message.clone()).collect();
    let about = |name: &str| {
        format!("the argument of `{{:testInline}}` on `{name}` is not an unrolling depth")
    };
    assert_eq!(said, [about("A"), about("B"), about("C")]);
}
