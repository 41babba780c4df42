//! Accepted findings: `allow` in `dtest.toml`, and baselines.

use crate::package::{Package, Run};

/// Two violations of the same text in one method, one in another, and a call that violates a
/// precondition.
const PROGRAM: &str = "\
method First(s: seq<int>, way: int) returns (x: int) {
  if way == 0 {
    x := s[0];
  } else {
    x := s[0];
  }
}
method Half(n: int) returns (h: int)
  ensures h < n
{
  h := n / 2;
}
method Root(n: int) returns (r: int)
  requires n >= 0
{
  r := 0;
}
method Use(n: int) returns (r: int) {
  r := Root(n - 1);
}
";

fn keys(run: &Run) -> Vec<String> {
    let violated = run.lines("obligation").into_iter();
    violated
        .filter(|o| o["standing"] == "violated")
        .map(|o| o["key"].as_str().unwrap().to_owned())
        .collect()
}

fn check(package: &Package, more: &[&str]) -> Run {
    package.run(&[&["check", "--message-format", "json"], more].concat())
}

#[test]
fn keys_name_a_finding_whatever_is_edited_around_it() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let run = check(&package, &[]);
    let known = [
        "First: index `s[0]`",
        "First: index `s[0]` #2",
        "Half: postcondition `h < n`",
        "Use: precondition `r := Root(n - 1);` for `n >= 0`",
    ];
    assert_eq!(keys(&run), known, "{}", run.shown());
    // New lines, other units, and other white space.
    let edited = PROGRAM
        .replace("    x := s[0];", "\n\n  x :=\n    s[0];")
        .replace("n - 1", "n  -  1");
    let edited = format!("// A comment.\nfunction New(n: nat): nat {{ n / 3 }}\n{edited}");
    package.write("src/lib.dfy", edited);
    let run = check(&package, &[]);
    assert_eq!(keys(&run).len(), known.len(), "{}", run.shown());
    let plain = |k: &str| k.replace(' ', "");
    let expected: Vec<String> = known.iter().map(|k| plain(k)).collect();
    let found: Vec<String> = keys(&run).iter().map(|k| plain(k)).collect();
    assert_eq!(found, expected);
    // A part of the search numbers the occurrences as the whole does.
    let run = check(&package, &["--at", "src/lib.dfy:13"]);
    assert_eq!(keys(&run), ["First: index `s[0]` #2"], "{}", run.shown());
    let run = package.run(&["check", "--show-keys"]);
    let said = "key: \"First: index `s[0]` #2\"";
    assert!(run.stderr.contains(said), "{}", run.shown());
}

#[test]
fn allowed_violations_do_not_fail_and_unused_entries_are_reported() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    assert_eq!(package.run(&["check"]).code, 7);
    let allow = r#"
[violations]
allow = [
  { key = "First", reason = "callers know the length" },
  { key = "Half: postcondition `h<n`", reason = "issue 12" },
  { key = "Use: precondition `r := Root(n - 1);` for `n >= 0`", reason = "issue 13" },
]
"#;
    package.write("dtest.toml", allow);
    let run = package.run(&["check"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(!run.stderr.contains("error"), "{}", run.shown());
    assert!(run.stdout.contains("allowed"), "{}", run.shown());
    let run = package.run(&["check", "--show-allowed"]);
    let by = "allowed by \"Half: postcondition `h<n`\" in dtest.toml: issue 12";
    assert!(run.stderr.contains(by), "{}", run.shown());
    let run = check(&package, &[]);
    let summary = &run.lines("summary")[0];
    assert_eq!(
        (&summary["violated"], &summary["allowed"]),
        (&4.into(), &4.into())
    );
    // A new violation fails; an entry that allows nothing is named.
    package.write(
        "src/lib.dfy",
        PROGRAM
            .replace("h := n / 2", "h := if n > 0 then n / 2 else n - 1")
            .replace("r := 0;", "r := 1 / n;"),
    );
    let run = package.run(&["check"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    for said in [
        "error[check/divisor]",
        "warning[check/stale-allowance]: \"Half: postcondition `h<n`\" under [violations] in dtest.toml is unused",
    ] {
        assert!(run.stderr.contains(said), "{said}\n{}", run.shown());
    }
    assert!(!run.stderr.contains("check/index"), "{}", run.shown());
    // `gen` knows the list.
    let run = package.run(&["gen", "--message-format", "json"]);
    let findings: Vec<_> = run
        .lines("unit")
        .iter()
        .flat_map(|u| u["findings"].as_array().unwrap().clone())
        .map(|f| (f["key"].clone(), f["allowed"].is_string()))
        .collect();
    let divisor = (serde_json::json!("Root: divisor `1 / n`"), false);
    assert!(findings.contains(&divisor), "{findings:?}");
    let allowed = findings.iter().filter(|(_, allowed)| *allowed).count();
    assert_eq!(allowed, 2, "{findings:?}");
    assert_eq!(run.lines("summary")[0]["allowed"], 2);
    assert_eq!(run.code, 7);
    let run = package.run(&["gen", "--filter", "First"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stdout.contains("violation is allowed by dtest.toml"),
        "{}",
        run.shown()
    );
    // A part of the search does not know what is unused.
    let run = package.run(&["check", "--filter", "First"]);
    assert!(!run.stderr.contains("stale"), "{}", run.shown());
    assert_eq!(run.code, 0, "{}", run.shown());
    let unknown = allow.replace("\"First\"", "\"Fist\"");
    package.write("dtest.toml", unknown);
    let run = package.run(&["check"]);
    assert!(
        run.stderr.contains("there is no unit `Fist`"),
        "{}",
        run.shown()
    );
}

#[test]
fn an_entry_without_a_reason_is_an_error_at_its_place() {
    let package = Package::new(&[
        ("src/lib.dfy", PROGRAM),
        (
            "dtest.toml",
            "[violations]\nallow = [\n  { key = \"Half\" },\n]\n",
        ),
    ]);
    let run = package.run(&["check", "--message-format", "short"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let said = "dtest.toml:3:3: error: \"Half\" under [violations] has no reason";
    assert!(run.stderr.contains(said), "{}", run.shown());
}

#[test]
fn only_findings_outside_of_a_baseline_fail() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let run = package.run(&["check", "--baseline", "base.toml"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stderr.contains("cli/baseline"), "{}", run.shown());
    let run = package.run(&["check", "--write-baseline", "base.toml"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr.contains("wrote 4 findings to base.toml"),
        "{}",
        run.shown()
    );
    let text = std::fs::read_to_string(package.root().join("base.toml")).unwrap();
    assert!(
        text.contains("[check]\nviolated = [\n  \"First: index `s[0]`\",\n"),
        "{text}"
    );
    let run = package.run(&["check", "--baseline", "base.toml"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    // The same text a third time is new.
    package.write(
        "src/lib.dfy",
        PROGRAM.replace(
            "  } else {",
            "  } else if way == 1 {\n    x := s[0];\n  } else {",
        ),
    );
    let run = package.run(&["check", "--baseline", "base.toml"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    assert_eq!(run.stderr.matches("error[").count(), 1, "{}", run.shown());
    // What is corrected is noted, and what is left is no news.
    package.write(
        "src/lib.dfy",
        PROGRAM.replacen("    x := s[0];", "    x := 0;", 1),
    );
    let run = package.run(&["check", "--baseline", "base.toml"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr
            .contains("1 finding of the baseline no longer occurs"),
        "{}",
        run.shown()
    );
    // A part cannot replace the whole; a filter keeps the rest.
    let run = package.run(&[
        "check",
        "--write-baseline",
        "base.toml",
        "--at",
        "src/lib.dfy:5",
    ]);
    assert_eq!(run.code, 1, "{}", run.shown());
    package.run(&[
        "check",
        "--write-baseline",
        "base.toml",
        "--filter",
        "First",
    ]);
    let text = std::fs::read_to_string(package.root().join("base.toml")).unwrap();
    assert!(!text.contains("#2") && text.contains("Half"), "{text}");
    // A file of another kind is not replaced.
    package.write("other.toml", "a = 1\n");
    let run = package.run(&["check", "--write-baseline", "other.toml"]);
    assert_eq!(run.code, 1, "{}", run.shown());
}

#[test]
fn an_undecided_obligation_of_a_baseline_fails_once_it_is_violated() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    package.write(
        "base.toml",
        "[check]\nnot-decided = [\"First: index `s[0]`\", \"First: index `s[0]` #2\"]\nviolated = [\"Half: postcondition `h < n`\", \"Use: precondition `r := Root(n - 1);` for `n >= 0`\"]\n",
    );
    let run = package.run(&["check", "--baseline", "base.toml"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    assert_eq!(run.stderr.matches("error[").count(), 2, "{}", run.shown());
    package.write("base.toml", "[check]\nwrong = []\n");
    let run = package.run(&["check", "--baseline", "base.toml"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(
        run.stderr
            .contains("the lists are `violated`, `assuming`, `not-decided`"),
        "{}",
        run.shown()
    );
}

/// `break` makes the loop faster and nothing else, which is not proved.
const PRIME: &str = "\
method Prime(n: nat) returns (r: bool) requires n >= 2 {
  r := true;
  var i := 2;
  while i * i <= n {
    if n % i == 0 { r := false; break; }
    i := i + 1;
  }
}
";

#[test]
fn accepted_mutants_do_not_count_and_new_survivors_fail() {
    let package = Package::new(&[("src/lib.dfy", PRIME)]);
    let run = package.run(&["mutants", "--message-format", "json"]);
    let survivors: Vec<String> = run
        .lines("mutant")
        .iter()
        .filter(|m| m["status"] == "survived")
        .map(|m| m["key"].as_str().unwrap().to_owned())
        .collect();
    let key = "Prime: statement: `break;` is removed";
    assert!(survivors.iter().any(|k| k == key), "{}", run.shown());
    let count = survivors.len();
    // All keys differ.
    let mut all: Vec<String> = run
        .lines("mutant")
        .iter()
        .map(|m| m["key"].as_str().unwrap().to_owned())
        .collect();
    let mutants = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), mutants, "{}", run.shown());
    // The list.
    let toml = format!("[mutants]\nallow = [{{ key = \"{key}\", reason = \"only slower\" }}]\n");
    package.write("dtest.toml", &toml);
    let summary = |args: &[&str]| {
        let run = package.run(&[&["mutants", "--message-format", "json"], args].concat());
        (run.code, run.lines("summary").pop().unwrap())
    };
    let (code, counts) = summary(&[]);
    assert_eq!(code, 0);
    assert_eq!(counts["allowed"], 1);
    assert_eq!(counts["survived"], (count - 1) as u64);
    let run = package.run(&["mutants", "--show-allowed"]);
    let said = "allowed by \"Prime: statement: `break;` is removed\" in dtest.toml: only slower";
    assert!(run.stderr.contains(said), "{}", run.shown());
    package.write("dtest.toml", toml.replace("break;", "return;"));
    let run = package.run(&["mutants"]);
    assert!(
        run.stderr.contains("mutants/stale-allowance"),
        "{}",
        run.shown()
    );
    // A baseline.
    package.write("dtest.toml", "");
    let run = package.run(&["mutants", "--write-baseline", "base.toml"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(package.run(&["mutants", "--baseline", "base.toml"]).code, 0);
    let text = std::fs::read_to_string(package.root().join("base.toml")).unwrap();
    let line = format!("  \"{key}\",\n");
    assert!(text.contains(&line), "{text}");
    package.write("base.toml", text.replace(&line, ""));
    let run = package.run(&["mutants", "--baseline", "base.toml"]);
    assert_eq!(run.code, 5, "{}", run.shown());
    assert!(
        run.stderr
            .contains("1 mutant survives that the baseline does not contain"),
        "{}",
        run.shown()
    );
}

#[test]
fn the_first_survivor_ends_a_run_that_fails_fast() {
    let later = "method Later(n: nat) returns (m: nat) { m := n + 1; }\n";
    let package = Package::new(&[("src/lib.dfy", &format!("{PRIME}{later}"))]);
    let run = package.run(&["mutants", "--fail-fast", "--message-format", "json"]);
    assert_eq!(run.code, 5, "{}", run.shown());
    let units: Vec<_> = run
        .lines("mutant")
        .iter()
        .map(|m| m["unit"].clone())
        .collect();
    assert!(units.iter().all(|u| u == "Prime"), "{units:?}");
    assert_eq!(run.lines("summary")[0]["units"], 1);
    let other = package.run(&[
        "mutants",
        "--fail-fast",
        "--message-format",
        "json",
        "--jobs",
        "1",
    ]);
    assert_eq!(other.stdout, run.stdout);
    let run = package.run(&["mutants", "--fail-fast", "--filter", "Later"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    // An accepted survivor does not end the run.
    package.run(&["mutants", "--write-baseline", "base.toml"]);
    let run = package.run(&["mutants", "--fail-fast", "--baseline", "base.toml"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

#[test]
fn a_dead_block_may_be_in_a_baseline_or_a_list_with_reasons() {
    let source = "function F(n: nat): nat { if n < 0 then 1 else if n < 0 then 2 else 3 }\n";
    let package = Package::new(&[("src/lib.dfy", source)]);
    assert_eq!(package.run(&["dead"]).code, 5);
    let run = package.run(&["dead", "--write-baseline", "base.toml"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let run = package.run(&["dead", "--baseline", "base.toml"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    // The second of two blocks of one name is another finding.
    let text = std::fs::read_to_string(package.root().join("base.toml")).unwrap();
    assert_eq!(text.matches("#2").count(), 1, "{text}");
    let without: String = text
        .lines()
        .filter(|l| !l.contains("#2"))
        .map(|l| format!("{l}\n"))
        .collect();
    package.write("base.toml", without);
    assert_eq!(package.run(&["dead", "--baseline", "base.toml"]).code, 5);
    package.write(
        "dtest.toml",
        "[dead]\nallow = [{ key = \"F\", reason = \"for later\" }]\n",
    );
    let run = package.run(&["dead", "--show-allowed"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr
            .contains("allowed by \"F\" in dtest.toml: for later"),
        "{}",
        run.shown()
    );
}
