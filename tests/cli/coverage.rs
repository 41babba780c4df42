//! Coverage criteria, minimization, and their messages.

use std::path::Path;

use super::Package;

/// Returns the chapter whose worked example is checked here.
fn chapter() -> String {
    std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .unwrap()
            .join("docs/criteria.md"),
    )
    .unwrap()
}

/// Returns the text between the first line that begins with `open` and the next that begins with
/// `close`.
fn section<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    text.lines()
        .skip_while(|l| !l.starts_with(open))
        .skip(1)
        .take_while(|l| !l.starts_with(close))
        .collect()
}

/// Returns a cell of the last table of a run, by its heading.
fn total(shown: &str, heading: &str) -> usize {
    let lines: Vec<&str> = shown.lines().collect();
    let at = lines
        .iter()
        .rposition(|l| l.starts_with("units  goals"))
        .unwrap();
    let column = lines[at]
        .split("  ")
        .filter(|c| !c.is_empty())
        .position(|c| c.trim() == heading)
        .unwrap();
    let cells: Vec<&str> = lines[at + 1].split_whitespace().collect();
    cells[column].parse().unwrap()
}

#[test]
fn the_worked_example_of_the_chapter_has_the_numbers_that_it_gives() {
    let chapter = chapter();
    let program = section(&chapter, "```dafny", "```").join("\n");
    let rows: Vec<Vec<String>> = section(&chapter, "| Criterion", "\n")
        .into_iter()
        .take_while(|l| l.starts_with('|'))
        .skip(1)
        .map(|l| {
            l.trim_matches('|')
                .split('|')
                .map(|c| c.trim().trim_matches('`').to_owned())
                .collect()
        })
        .collect();
    assert_eq!(rows.len(), 8, "{rows:?}");
    for row in rows {
        let package = Package::new(&[("src/lib.dfy", &program)]);
        let run = package.run(&[
            "gen",
            "--coverage",
            &row[0],
            "--minimize",
            "optimal",
            "--strength",
            "coverage",
        ]);
        assert_eq!(run.code, 0, "{}", run.shown());
        let said = run.shown();
        let numbers = ["goals", "covered", "unreachable: proved", "tests"]
            .map(|h| total(&said, h).to_string());
        assert_eq!(
            numbers.as_slice(),
            row.get(1..5).unwrap(),
            "{} gives\n{said}",
            row[0]
        );
        assert!(
            said.contains("the minimum that reaches these goals"),
            "{said}"
        );
    }
}

#[test]
fn code_without_goals_is_counted() {
    let program = "
const Width: int := if |\"abc\"| > 2 then 1 else 2

function Sum(s: seq<int>, f: int -> int): int {
  if s == [] then 0 else f(s[0]) + Sum(s[1..], f)
}

method Clipped(s: seq<int>, top: int := if Width > 1 then 10 else 20) returns (total: int, small: bool) {
  total := Sum(s, x => if x > top then top else if x < 0 then 0 else x);
  small := forall x | x in s && 0 <= x < top :: x < 5 && x % 2 == 0;
}
";
    let package = Package::new(&[("src/lib.dfy", program)]);
    let run = package.run(&["list"]);
    let said = "2 units, 4 goals\n\
        11 arms and operands are not goals (see docs/criteria.md): 4 in lambdas, 2 in values of constants, \
        2 in default values of parameters, 3 in quantifiers and comprehensions\n";
    assert!(run.stdout.ends_with(said), "{}", run.shown());
    let run = package.run(&["list", "--message-format", "json"]);
    let total = r#"{"kind":"total","units":2,"goals":4,"uncounted":{"lambdas":4,"constants":2,"defaults":2,"binders":3}}"#;
    assert!(run.shown().contains(total), "{}", run.shown());
}

const DIAMONDS: &str = "method M(a: bool, b: bool, c: bool) returns (r: nat) {
  r := 0;
  if a { r := r + 1; }
  if b { r := r + 2; }
  if c { r := r + 4; }
}
";

#[test]
fn paths_stop_at_the_limit_and_open_paths_are_reported() {
    let package = Package::new(&[("src/lib.dfy", DIAMONDS)]);
    let all = package.run(&["gen", "--coverage", "path"]);
    assert!(
        all.stdout
            .contains("8 paths: no other is feasible within the bounds"),
        "{}",
        all.shown()
    );
    assert_eq!(total(&all.stdout, "tests"), 8);
    let some = package.run(&["gen", "--coverage", "path", "--max-paths", "3"]);
    assert!(
        some.stdout
            .contains("at most 5 more paths within the bounds; the limit is 3 (`--max-paths`)"),
        "{}",
        some.shown()
    );
    assert_eq!(
        (
            total(&some.stdout, "tests"),
            total(&some.stdout, "out of budget")
        ),
        (3, 1)
    );
}

/// A function with two call sites; an arm is never taken from one of them.
const TWO_CALLS: &str = "\
function Sign(n: int): int {
  if n < 0 then -1 else if n == 0 then 0 else 1
}
method Use(n: nat, k: int) returns (a: int, b: int) {
  a := Sign(n + 1);
  b := Twice(k);
}
method Twice(k: int) returns (r: int) {
  var s := Sign(k - 3);
  r := s + s;
}
";

#[test]
fn blocks_of_callees_are_goals_for_each_call() {
    let package = Package::new(&[("src/lib.dfy", TWO_CALLS)]);
    let listed = package.run(&["list", "--coverage", "inlined-block"]);
    let chain = "in Sign, called at src/lib.dfy:9:12 through src/lib.dfy:6:3: `n < 0` holds";
    assert!(listed.stdout.contains(chain), "{}", listed.shown());
    assert!(
        listed
            .stdout
            .contains("in Sign, called at src/lib.dfy:5:8: `n == 0` holds"),
        "{}",
        listed.shown()
    );
    let report = [
        "gen",
        "--coverage",
        "inlined-block",
        "--coverage-report",
        "report",
    ];
    let run = package.run(&report);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(
        (
            total(&run.stdout, "goals"),
            total(&run.stdout, "covered"),
            total(&run.stdout, "unreachable: proved")
        ),
        (23, 21, 2)
    );
    let open = "src/lib.dfy:2:40: Sign, called at src/lib.dfy:5:8, of Use: `n == 0` holds: unreachable, proved";
    assert!(run.stdout.contains(open), "{}", run.shown());
    let suite = std::fs::read_to_string(package.root().join("tests/dtest/use_.rs")).unwrap();
    assert!(suite.contains("in `Sign`, called at src/lib.dfy:9:12 through src/lib.dfy:6:3, `n < 0` holds (goal 9 of 12)"), "{suite}");
    assert!(
        suite.contains("fn sign_call_2_when_n_is_less_than_0()"),
        "{suite}"
    );
    // A goal that one call never reaches is not open code, because other calls cover it: it is
    // shown below its line, and not counted.
    let read =
        |name: &str| std::fs::read_to_string(package.root().join("report").join(name)).unwrap();
    let tracefile = read("lcov.info");
    assert!(
        tracefile.contains("BRF:4\nBRH:4\n") && tracefile.contains("LF:5\nLH:5\n"),
        "{tracefile}"
    );
    assert!(read("src-lib.dfy.html").contains("Sign, called at src/lib.dfy:5:8"));
    // The cached result of a run is the same, and that of another criterion is separate.
    assert_eq!(package.run(&[&report[..], &["--check"]].concat()).code, 0);
    let warm = package.run(&[
        "gen",
        "--coverage",
        "inlined-block",
        "--message-format",
        "json",
    ]);
    let units = warm.lines("unit");
    assert!(
        units.iter().all(|u| u["cached"] == true),
        "{}",
        warm.shown()
    );
    let goals = units[1]["goals"].as_array().unwrap();
    let by_two = goals
        .iter()
        .find(|g| g["calls"].as_array().is_some_and(|c| c.len() == 2))
        .unwrap();
    assert_eq!(
        by_two["calls"],
        serde_json::json!(["src/lib.dfy:6:3", "src/lib.dfy:9:12"])
    );
    assert_eq!(
        (&by_two["in"], &by_two["criterion"]),
        (
            &serde_json::json!("Sign"),
            &serde_json::json!("inlined-block")
        )
    );
    let plain = package.run(&["gen"]);
    assert_eq!(
        (
            total(&plain.stdout, "goals"),
            total(&plain.stdout, "covered")
        ),
        (7, 7)
    );
}

#[test]
fn paths_go_through_callees_and_each_counts_also_of_an_entry() {
    let program = format!(
        "{TWO_CALLS}method {{:testEntry}} All(n: nat, k: int) returns (a: int, b: int) {{ a, b := Use(n, k); }}\n"
    );
    let program = program
        .replace("function Sign", "function {:testInline} Sign")
        .replace("method Twice", "method {:testInline} Twice");
    let package = Package::new(&[(
        "src/lib.dfy",
        &program.replace("method Use", "method {:testInline} Use"),
    )]);
    let run = package.run(&["gen", "--coverage", "path"]);
    assert!(
        run.stdout
            .contains("All: 3 paths: no other is feasible within the bounds"),
        "{}",
        run.shown()
    );
    assert_eq!(
        (total(&run.stdout, "goals"), total(&run.stdout, "tests")),
        (3, 4)
    );
    let suite = std::fs::read_to_string(package.root().join("tests/dtest/all.rs")).unwrap();
    assert!(suite.contains("Path: n >= 0, n != 0, n < 0."), "{suite}");
    assert!(
        suite.contains("Reaches src/lib.dfy:12:21: a path through the body"),
        "{suite}"
    );
    let (passed, text) = super::suite::cargo_test(&package, "package");
    assert!(passed && text.contains("4 passed"), "{text}");
}

#[test]
fn criteria_are_also_keys_of_the_file() {
    let package = Package::new(&[
        ("src/lib.dfy", DIAMONDS),
        (
            "dtest.toml",
            "coverage = [\"block\", \"path\"]\nmax-paths = 2\n",
        ),
    ]);
    let run = package.run(&["gen"]);
    assert!(run.stdout.contains("the limit is 2"), "{}", run.shown());
    // The command line takes precedence over the file.
    let run = package.run(&["gen", "--coverage", "block"]);
    assert!(!run.stdout.contains("paths"), "{}", run.shown());
}

#[test]
fn unknown_criteria_and_limits_of_zero_are_refused() {
    let package = Package::new(&[("src/lib.dfy", DIAMONDS)]);
    for (arguments, message) in [
        (
            ["gen", "--coverage", "block,lines"],
            "[possible values: block, branch, inlined-block, path, boundary, mcdc, spec]",
        ),
        (
            ["gen", "--coverage", ""],
            "a value is required for '--coverage <CRITERIA>'",
        ),
        (
            ["gen", "--coverage", "blocks"],
            "a similar value exists: 'block'",
        ),
        (
            ["gen", "--max-paths", "3"],
            "`--max-paths` applies to the criterion `path`, but the criteria are `block`",
        ),
        (["gen", "--max-paths", "0"], "0 is not in 1..=100000"),
        (["gen", "--rlimit", "0"], "0 is not in 1..=4294967295"),
        (["gen", "--timeout", "0"], "0 is not in 1..=31536000"),
    ] {
        let run = package.run(&arguments);
        assert!(
            run.code == 1 && run.stderr.contains(message),
            "{}",
            run.shown()
        );
    }
    for (file, message) in [
        ("coverage = []", "`coverage` must list at least one value"),
        ("coverage = [\"lines\"]", "dtest.toml:1:13"),
        ("max-paths = 0", "0 is not in 1..=100000"),
    ] {
        package.write("dtest.toml", file);
        let run = package.run(&["gen"]);
        assert!(
            run.code == 1 && run.stderr.contains(message),
            "{}",
            run.shown()
        );
    }
}

#[test]
fn an_exhausted_budget_leaves_a_suite_and_reports_open_goals() {
    let hard = "method M(x: int, y: int, z: int) returns (r: int)
{
  r := 0;
  if x > 0 { r := 1; }
  if x * x * x + y * y * y + z * z * z == 33 && x > 100 { r := 2; }
}
";
    let package = Package::new(&[("src/lib.dfy", hard)]);
    let run = package.run(&[
        "gen",
        "--coverage",
        "block,boundary",
        "--minimize",
        "optimal",
        "--rlimit",
        "1",
    ]);
    assert!(
        total(&run.stdout, "tests") > 0 && total(&run.stdout, "out of budget") > 0,
        "{}",
        run.shown()
    );
    assert_eq!(total(&run.stdout, "goals"), {
        let columns = [
            "covered",
            "unreachable: proved",
            "at caps",
            "within bounds",
            "out of budget",
            "unsupported",
        ];
        columns.map(|c| total(&run.stdout, c)).iter().sum::<usize>()
    });
    assert!(
        run.stdout
            .contains("out of budget: the unit exceeded its budget; raise --rlimit"),
        "{}",
        run.shown()
    );
}
