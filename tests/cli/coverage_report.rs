//! `gen --coverage-report`: the pages and the LCOV file.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::Package;

/// A program with nested blocks, ghost code, unreachable code, and an open goal.
pub(super) const SHOP: &str = "\
/** Things that a report has to show. */
module Shop.Prices {
  datatype Kind = Book | Food | Other(rate: nat)

  // The tax of a thing & its <kind>, in percent.
  function Tax(kind: Kind, price: nat): nat
  {
    match kind
    case Book => if price > 100 && price < 50 then 1 else 7
    case Food => 7
    case Other(rate) => if rate > 100 then 100 else rate
  }

  method Sum(prices: seq<nat>) returns (total: nat)
    requires |prices| < 5
  {
    total := 0;
    var i := 0;
    ghost var seen := {};
    while i < |prices|
      invariant 0 <= i <= |prices|
    {
      if prices[i] > 0 && prices[i] < 1000 {
        total := total + prices[i];
      }
      seen := seen + {i};
      i := i + 1;
    }
    assert i == |prices|;
    if |prices| > 40 {
      total := 0;
      return;
    }
    while true
      decreases 4 - total
    {
      total := total + 1;
      if total > 3 {
        return;
        total := 9;
      }
    }
    total := 1;
  }

  class Die {
    var side: int
  }

  method {:extern} Roll() returns (die: Die)
    ensures fresh(die) && die.side * die.side == 2

  method Play(early: bool) returns (won: bool) {
    won := false;
    if early {
      return;
    }
    var die := Roll();
    if die.side > 3 && die.side < 7 {
      won := true;
    }
  }
}
";

fn read(package: &Package, path: &str) -> String {
    std::fs::read_to_string(package.root().join(path)).unwrap()
}

/// Returns the last line of a run with `--message-format json`.
pub(super) fn totals(stdout: &str) -> serde_json::Value {
    serde_json::from_str(stdout.lines().last().unwrap()).unwrap()
}

/// The keys of the table's columns.
pub(super) const KEYS: [&str; 9] = [
    "units",
    "goals",
    "covered",
    "proved_unreachable",
    "unreachable_at_caps",
    "unreachable_within_bounds",
    "out_of_budget",
    "unsupported",
    "tests",
];

#[test]
fn the_pages_have_the_totals_of_the_table_and_the_outcome_of_every_goal() {
    let package = Package::new(&[
        ("src/lib.dfy", SHOP),
        ("src/more/Empty.dfy", "module Nothing { const c := 1 }\n"),
    ]);
    let run = package.run(&[
        "gen",
        "--coverage-report",
        "cov",
        "--message-format",
        "json",
    ]);
    let (index, totals) = (read(&package, "cov/index.html"), totals(&run.stdout));
    for key in KEYS {
        let row = index.split("id=\"totals\"").nth(1).unwrap();
        let cell = row.split(&format!("data-total=\"{key}\"")).nth(1).unwrap();
        let shown = cell.split(['>', '<']).nth(1).unwrap();
        assert_eq!(shown, totals[key].to_string(), "{key}");
    }
    let page = read(&package, "cov/src-lib.dfy.html");
    // Every goal has a row, whatever its outcome; every uncovered goal also has a note at its line.
    assert_eq!(
        page.matches("<tr id=\"u").count(),
        totals["goals"].as_u64().unwrap() as usize
    );
    let open = totals["goals"].as_u64().unwrap() - totals["covered"].as_u64().unwrap();
    let survivors = page.matches("<div class=\"a s\"").count();
    assert_eq!(
        page.matches("<div class=\"a ").count() - survivors,
        open as usize
    );
    assert_eq!(index.contains("<p>The suite kills "), survivors > 0);
    for expected in [
        "<code>price &gt; 100 &amp;&amp; price &lt; 50</code> holds</a>: unreachable, proved",
        "open: not supported: extern",
        "href=\"../tests/dtest/shop/prices/sum.rs\"",
        "The tax of a thing &amp; its &lt;kind&gt;, in percent.",
    ] {
        assert!(page.contains(expected), "{expected} is not in\n{page}");
    }
    assert!(
        !page.contains("http"),
        "a page asks for something of the network"
    );
    assert!(index.contains("src-more-Empty.dfy.html"));
    assert!(read(&package, "cov/src-more-Empty.dfy.html").contains("No goals"));
}

/// Parses `DA` lines: a line, and the number of tests that reach it.
fn counted(lcov: &str) -> BTreeMap<usize, usize> {
    let pairs = lcov
        .lines()
        .filter_map(|l| l.strip_prefix("DA:")?.split_once(','));
    pairs
        .map(|(line, n)| (line.parse().unwrap(), n.parse().unwrap()))
        .collect()
}

#[test]
fn lines_are_counted_where_they_are_compiled_also_after_loops_and_branches() {
    let package = Package::new(&[("src/lib.dfy", SHOP)]);
    package.run(&["gen", "--coverage-report", "cov"]);
    let lcov = read(&package, "cov/lcov.info");
    let counts = counted(&lcov);
    let line = |text: &str| SHOP.lines().position(|l| l.contains(text)).unwrap() + 1;
    for ghost in [
        "ghost var seen",
        "invariant",
        "seen := seen",
        "assert",
        "datatype",
        "method Sum",
        "requires",
        "// The tax",
    ] {
        assert_eq!(counts.get(&line(ghost)), None, "{ghost}");
    }
    for reached in [
        "match kind",
        "case Food",
        "total := total + prices[i]",
        "i := i + 1",
        "if |prices| > 40",
        "while true",
        "won := false",
    ] {
        assert!(counts[&line(reached)] > 0, "{reached}: {counts:?}");
    }
    for missed in [
        "total := 0;\n      return",
        "total := 9;",
        "total := 1;",
        "var die := Roll",
    ] {
        let at = SHOP.split(missed).next().unwrap().lines().count();
        assert_eq!(counts[&at], 0, "{missed}: {counts:?}");
    }
    insta::assert_snapshot!("lcov", lcov);
}

#[test]
fn genhtml_accepts_the_tracefile() {
    let package = Package::new(&[("src/lib.dfy", SHOP)]);
    package.run(&["gen", "--coverage-report", "cov"]);
    let mut genhtml = Command::new("genhtml");
    genhtml
        .args([
            "--branch-coverage",
            "--output-directory",
            "out",
            "cov/lcov.info",
        ])
        .current_dir(package.root());
    let Ok(output) = genhtml.output() else {
        eprintln!("not run: there is no genhtml here (Debian's package `lcov` has it)");
        return;
    };
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{said}");
    let counts = counted(&read(&package, "cov/lcov.info"));
    let hit = counts.values().filter(|n| **n > 0).count();
    assert!(
        said.contains(&format!("({hit} of {} lines)", counts.len())),
        "{said}"
    );
    assert!(!said.to_lowercase().contains("warning"), "{said}");
}

/// Returns all files below a directory with their bytes.
fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory)
        .unwrap()
        .map(|e| e.unwrap().path());
    entries
        .map(|p| {
            (
                p.file_name().unwrap().to_string_lossy().into_owned(),
                std::fs::read(&p).unwrap(),
            )
        })
        .collect()
}

#[test]
fn the_report_is_the_same_bytes_again_replaces_itself_and_nothing_else() {
    let package = Package::new(&[
        ("src/lib.dfy", SHOP),
        ("src/old.dfy", "method Old() {}\n"),
        ("cov/notes.html", "mine"),
    ]);
    let arguments = [
        "gen",
        "--coverage-report",
        "cov",
        "--coverage",
        "block,boundary",
    ];
    package.run(&arguments);
    let first = contents(&package.root().join("cov"));
    package.run(&[&arguments[..], &["--jobs", "1"]].concat());
    assert!(
        first == contents(&package.root().join("cov")),
        "two runs differ"
    );
    assert!(String::from_utf8_lossy(&first["src-lib.dfy.html"]).contains("<td>boundary</td>"));

    // The page of a removed source is removed; other files stay.
    std::fs::remove_file(package.root().join("src/old.dfy")).unwrap();
    package.write("cov/lcov.info", "TN:mine\n");
    let run = package.run(&arguments);
    assert!(
        run.stderr
            .contains("lcov.info` was not written by cargo dtest, and was not changed"),
        "{}",
        run.shown()
    );
    let second = contents(&package.root().join("cov"));
    let names: Vec<&str> = second.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["index.html", "lcov.info", "notes.html", "src-lib.dfy.html"]
    );
    assert_eq!(second["notes.html"], b"mine");
    assert_eq!(second["lcov.info"], b"TN:mine\n");
}

#[test]
fn the_report_is_a_key_of_the_file_and_is_written_also_where_nothing_else_is() {
    let package = Package::new(&[
        ("src/lib.dfy", SHOP),
        ("dtest.toml", "coverage-report = \"target/cov\"\n"),
    ]);
    let run = package.run(&["gen", "--check"]);
    assert_eq!(run.code, 3, "{}", run.shown());
    assert!(
        package.root().join("target/cov/index.html").exists()
            && !package.root().join("tests").exists()
    );
    package.write("src/lib.dfy", "lemma L() {}\n");
    package.run(&["gen", "--coverage-report", "other"]);
    assert!(read(&package, "other/index.html").contains("0 goals"));
}

#[test]
fn goals_of_contracts_stand_at_their_clauses_and_paths_at_the_unit() {
    let text = "method M(a: bool, b: bool) returns (r: bool)\n  ensures r || a || b || true\n{\n  r := a && b;\n}\n";
    let package = Package::new(&[("src/lib.dfy", text)]);
    package.run(&["gen", "--coverage-report", "cov", "--coverage", "spec,path"]);
    let page = read(&package, "cov/src-lib.dfy.html");
    assert!(
        page.contains("<a href=\"#L2\">2</a></td><td>postcondition:"),
        "{page}"
    );
    assert!(
        page.contains("<a href=\"#L1\">1</a></td><td>a path through the body</td><td>path</td>"),
        "{page}"
    );
}
