//! `check --executions`: all executions, one per path, in the order of a strategy.

use super::Package;

/// Based on listing 2.4 of Spettel's thesis on Delfy (2013).
const BAD: &str = "method Good(a: bool, b: bool, c: bool, d: bool) {
  var n := 0;
  if a { print \"b\"; n := n + 1; } else { print \"g\"; }
  if b { print \"a\"; n := n + 1; } else { print \"o\"; }
  if c { print \"d\"; n := n + 1; } else { print \"o\"; }
  if d { print \"!\"; n := n + 1; } else { print \"d\"; }
  if n >= 3 {
    assert false;
  }
}

lemma Half(n: nat) returns (h: nat)
  ensures 2 * h == n || 2 * h + 1 == n
{
  if n < 2 { h := 0; } else { h := Half(n - 2); h := h + 1; }
}

method Star() returns (y: nat) {
  y := 2;
  while *
    decreases y
  {
    if y == 0 { break; }
    y := y - 1;
  }
  assert y != 0;
  assert y != 1;
}
";

/// Returns the inputs in order, one letter each.
fn order(package: &Package, strategy: &str) -> Vec<String> {
    let run = package.run(&[
        "check",
        "--executions",
        "--entry",
        "Good",
        "--strategy",
        strategy,
        "--message-format",
        "json",
    ]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let records: Vec<serde_json::Value> = run
        .stdout
        .lines()
        .map(|l| serde_json::from_str(l).expect("a record"))
        .collect();
    let of_inputs = |r: &serde_json::Value| {
        let letter = |v: &serde_json::Value| {
            if v.as_str().unwrap_or_default().ends_with("true") {
                'T'
            } else {
                'F'
            }
        };
        r["inputs"]
            .as_array()
            .map(|inputs| inputs.iter().map(letter).collect())
    };
    records.iter().filter_map(of_inputs).collect()
}

#[test]
fn sixteen_inputs_of_which_five_fail_in_the_orders_of_the_strategies() {
    let package = Package::new(&[("src/lib.dfy", BAD)]);
    // Algorithms 2 to 4 of the thesis, from left to right through the tree of its figure 2.2, from
    // the right, and by its generations.
    let depth = "FFFF FFFT FFTF FFTT FTFF FTFT FTTF FTTT TFFF TFFT TFTF TFTT TTFF TTFT TTTF TTTT";
    let breadth = "FFFF TFFF TTFF TTTF TTTT TTFT TFTF TFTT TFFT FTFF FTTF FTTT FTFT FFTF FFTT FFFT";
    let generational =
        "FFFF FFFT FFTF FTFF TFFF FFTT FTFT FTTF TFFT TFTF TTFF FTTT TFTT TTFT TTTF TTTT";
    for (strategy, expected) in [
        ("depth", depth),
        ("breadth", breadth),
        ("generational", generational),
    ] {
        assert_eq!(order(&package, strategy).join(" "), expected, "{strategy}");
    }
    let shown = package
        .run(&["check", "--executions", "--entry", "Good"])
        .stdout;
    assert!(
        shown.contains(
            "\n   1  a = false, b = false, c = false, d = false\n      returns; printed \"good\"\n"
        ),
        "{shown}"
    );
    assert!(
        shown.contains(
            "violates an obligation: this assertion does not hold (src/lib.dfy:8:12); printed \"gad!\"\n"
        ),
        "{shown}"
    );
    assert!(
        shown.contains(
            "16 executions, 5 of them violate an obligation; every path within the bounds"
        ),
        "{shown}"
    );
}

#[test]
fn lemmas_and_choices_are_explored_and_reached_bounds_are_reported() {
    let package = Package::new(&[("src/lib.dfy", BAD)]);
    let half = package.run(&["check", "--executions", "--entry", "Half"]);
    assert!(
        half.code == 0 && half.stdout.contains("n = 0\n      returns with h = 0\n"),
        "{}",
        half.shown()
    );
    let star = package
        .run(&["check", "--executions", "--entry", "Star"])
        .stdout;
    assert!(
        star.contains(
            "chosen: another iteration of the loop in line 20; exit from the loop in line 20\n"
        ),
        "{star}"
    );
    assert!(
        star.contains(
            "4 executions, 3 of them violate an obligation; every path within the bounds"
        ),
        "{star}"
    );
    let fewer = package
        .run(&[
            "check",
            "--executions",
            "--entry",
            "Star",
            "--unroll-choice",
            "1",
        ])
        .stdout;
    assert!(
        fewer.contains("2 executions, 1 of them violate an obligation"),
        "{fewer}"
    );
    assert!(
        fewer.contains("larger bounds have more executions: raise `--unroll`, `--unroll-choice`"),
        "{fewer}"
    );
    let shallow = package
        .run(&["check", "--executions", "--entry", "Good", "--depth", "2"])
        .stdout;
    assert!(
        shallow.contains("4 executions, 1 of them violate")
            || shallow.contains("4 executions, 0 of them violate"),
        "{shallow}"
    );
    assert!(
        shallow.contains("only the first 2 branches of an execution were negated: raise `--depth`"),
        "{shallow}"
    );
    let unknown = package.run(&["check", "--executions", "--entry", "Haf"]);
    assert!(
        unknown.code == 1 && unknown.stderr.contains("did you mean `Half`?"),
        "{}",
        unknown.shown()
    );
}

#[test]
fn the_value_of_an_unassigned_field_is_a_choice() {
    let program = "class C { var n: int constructor () { } }
method M() returns (r: int) { var c := new C(); if c.n > 3 { r := 1; } else { r := 0; } }
";
    let run =
        Package::new(&[("src/lib.dfy", program)]).run(&["check", "--executions", "--entry", "M"]);
    for (value, result) in [(0, 0), (4, 1)] {
        let told = format!(
            "chosen: {value} for the unassigned field `n`\n      returns with r = {result}\n"
        );
        assert!(run.stdout.contains(&told), "{}", run.shown());
    }
}
