//! Call trees: layers of callables, each of which calls the next one in three places, tested
//! through the first.

use std::fmt::Write as _;
use std::time::Instant;

use dtest_lower::entries;
use dtest_search::{Options, search_unit};

/// Generates the text of a layer.
type Layer = fn(i: u32, is_last: bool) -> String;

const KINDS: [(&str, Layer); 5] = [
    ("methods, one call each", method),
    ("functions, one call each", function),
    ("methods, all calls", sequence),
    ("of an object", object),
    ("of an object, with sums", sums),
];

/// Branches on both parameters; an execution makes one of the calls.
fn method(i: u32, is_last: bool) -> String {
    let (next, odd) = (i + 1, 7 * i + 1);
    let body = if is_last {
        format!("if x == {odd} {{ r := y; }} else {{ r := x; }}")
    } else {
        format!(
            "if x > {i} {{ r := L{next}(x - 1, y); }} else if y == {i} {{ r := L{next}(y, x + 1); }} \
             else {{ r := L{next}(x + y, y - 2); r := r + 1; }}"
        )
    };
    format!("method L{i}(x: int, y: int) returns (r: int) {{ {body} }}")
}

/// The branches of [`method`] as functions.
fn function(i: u32, is_last: bool) -> String {
    let (next, odd) = (i + 1, 7 * i + 1);
    let body = if is_last {
        format!("if x == {odd} then y else x")
    } else {
        format!(
            "if x > {i} then L{next}(x - 1, y) else if y == {i} then L{next}(y, x + 1) else L{next}(x + y, y - 2) + 1"
        )
    };
    format!("function L{i}(x: int, y: int): int {{ {body} }}")
}

/// An execution makes all calls, few of which differ.
fn sequence(i: u32, is_last: bool) -> String {
    let next = i + 1;
    let body = if is_last {
        "if x > 40 { r := 1; } else { r := 2; }".to_owned()
    } else {
        format!(
            "var a := L{next}(x + 1); var b := L{next}(x); var c := L{next}(x + 2); r := a + b + c; if x == {i} {{ r := 0; }}"
        )
    };
    format!("method L{i}(x: int) returns (r: int) {{ {body} }}")
}

/// Methods that read and write a field.
fn object(i: u32, is_last: bool) -> String {
    let next = i + 1;
    let body = if is_last {
        "if n > x { n := x; } else { n := n + 1; }".to_owned()
    } else {
        format!(
            "if n == {i} {{ L{next}(x + 1); }} else if x > {i} {{ L{next}(n); n := n + 1; }} else {{ L{next}(x - 1); n := x; }}"
        )
    };
    format!("method L{i}(x: int) modifies this {{ {body} }}")
}

/// Branches such that no small change of an input leads from one branch to another.
fn sums(i: u32, is_last: bool) -> String {
    let (next, odd, large) = (i + 1, 13 * i + 5, 100 * (i + 1));
    let body = if is_last {
        "if 3 * n + x == 1009 { n := x; } else { n := n + 1; }".to_owned()
    } else {
        format!(
            "if 2 * n == 7 * x + {odd} {{ m := m + 1; L{next}(x + 1); }} else if x > {large} {{ n := n + 2; L{next}(x - 1); n := n + m; }} \
             else {{ L{next}(x + n); n := x; }}"
        )
    };
    format!("method L{i}(x: int) modifies this {{ {body} }}")
}

/// Prints table 3.
pub fn trees() {
    println!("Table 3: a tree of calls of fan-out three, covered through its root");
    println!(
        "{:26} {:>5} {:>6} {:>8} {:>6} {:>8} {:>8}",
        "", "depth", "goals", "covered", "tests", "queries", "ms"
    );
    for (name, layer) in KINDS {
        for depth in [3, 6, 9, 12] {
            let mut text = String::new();
            for i in 0..=depth {
                let _ = writeln!(text, "{}", layer(i, i == depth));
            }
            let (text, entry) = if name.starts_with("of an object") {
                (
                    format!("class C {{ var n: int var m: int {text} }}"),
                    "C.L0",
                )
            } else {
                (text, "L0")
            };
            let mut program = super::program(&text);
            let missing = entries::enter(&mut program, &[entry.to_owned()], |_| true);
            let Some(unit) = program.entries.as_ref().and_then(|e| e.first().copied()) else {
                panic!("no entry: {missing:?}")
            };
            let start = Instant::now();
            let result = search_unit(&program, unit, &Options::default());
            let covered = result.goals.iter().filter(|(_, s)| s.is_covered()).count();
            let (goals, tests, queries) = (result.goals.len(), result.tests.len(), result.queries);
            println!(
                "{name:26} {depth:5} {goals:6} {covered:8} {tests:6} {queries:8} {:8}",
                start.elapsed().as_millis()
            );
        }
    }
}
