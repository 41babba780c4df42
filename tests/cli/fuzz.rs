//! `fuzz`: campaigns.

use super::Package;

const SUM: &str = "method Sum(n: nat) returns (s: int)
  ensures s >= 0
{
  s := 0;
  var i := 0;
  while i < n
    invariant s >= 0
  {
    s := s + i;
    i := i + 1;
  }
}
";

#[test]
fn a_campaign_leaves_a_line_a_round_and_goes_on_where_it_was() {
    let package = Package::new(&[
        ("in/sum.dfy", SUM),
        ("in/wrong.dfy", "method M() { x := 1; }"),
    ]);
    let run = package.run(&[
        "fuzz", "--from", "in", "--rounds", "2", "--jobs", "1", "--out", "made",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stdout
            .starts_with("2 programs (1 skipped), 2 rewritten by "),
        "{}",
        run.stdout
    );
    let lines = |package: &Package| {
        package.files()["made/results.jsonl"]
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let first = lines(&package);
    assert!(
        first[0].starts_with("{\"round\":0,\"program\":\"in/sum.dfy\",\"chains\":[[\""),
        "{}",
        first[0]
    );
    assert!(
        first[1].contains("\"program\":\"in/wrong.dfy\",\"skipped\":\"it does not resolve: "),
        "{}",
        first[1]
    );
    let run = package.run(&[
        "fuzz",
        "--resume",
        "made",
        "--rounds",
        "1",
        "--message-format",
        "json",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let whole: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&whole["totals"]["programs"], &whole["totals"]["skipped"]),
        (&3.into(), &1.into()),
        "{whole}"
    );
    let second = lines(&package);
    assert_eq!((&second[..2], second.len()), (&first[..], 3));
    assert!(
        second[2].starts_with("{\"round\":2,\"program\":\"in/sum.dfy\""),
        "{}",
        second[2]
    );
}

#[test]
fn random_programs_agree_with_the_results_of_the_tool() {
    let package = Package::new(&[]);
    let run = package.run(&[
        "fuzz",
        "--random",
        "--seed",
        "6",
        "--rounds",
        "1",
        "--rewritten",
        "1",
        "--out",
        "made",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stdout.starts_with("1 programs, 1 rewritten by "),
        "{}",
        run.stdout
    );
}

#[test]
fn errors_in_the_command_line_are_reported_first_and_leave_nothing_behind() {
    let package = Package::new(&[("in/sum.dfy", SUM), ("full/mine.txt", "mine")]);
    let refused = |arguments: &[&str], said: &str| {
        let run = package.run(&[&["fuzz"], arguments].concat());
        assert_eq!(run.code, 1, "{arguments:?}: {}", run.shown());
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    };
    refused(&["--out", "made"], "no programs for the campaign");
    refused(&["--from", "in"], "no directory for the results");
    refused(
        &["--from", "nowhere", "--out", "made"],
        "`nowhere` does not exist",
    );
    refused(
        &["--from", "in", "--out", "full"],
        "`full` is not empty, and was not changed",
    );
    refused(&["--resume", "made"], "`made` does not contain a campaign");
    assert!(!package.root().join("made").exists());
    let run = package.run(&[
        "fuzz",
        "--from",
        "in",
        "--rounds",
        "1",
        "--rewritten",
        "0",
        "--out",
        "made",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    refused(
        &["--from", "in", "--out", "made"],
        "`made` already contains a campaign",
    );
}

/// Returns a verifier that reports an error in programs that contain a text, and none in others.
fn verifier(text: &str, then: &str, els: &str) -> String {
    format!("if grep -q '{text}' \"$1\"; then {then}; else {els}; fi\n")
}

const VERIFIED: &str = "echo 'Dafny program verifier finished with 1 verified, 0 errors'";
const REFUTED: &str = "echo \"$1(3,1): Error: assertion violation\"; echo 'Dafny program verifier finished with 0 verified, 1 error'; exit 4";
const FOR: &str =
    "method Sum(n: nat) returns (s: int) { s := 0; for i := 0 to n { s := s + i; } }\n";

#[cfg(unix)]
#[test]
fn a_verifier_with_different_verdicts_on_equivalent_programs_is_detected() {
    let scripts = [
        ("sound.sh", verifier("while", VERIFIED, REFUTED)),
        ("precise.sh", verifier("while", REFUTED, VERIFIED)),
    ];
    let package = Package::new(&[
        ("in/for.dfy", FOR),
        (scripts[0].0, &scripts[0].1),
        (scripts[1].0, &scripts[1].1),
    ]);
    for (script, class) in [("sound.sh", "soundness"), ("precise.sh", "precision")] {
        let command = format!("sh {}/{script} {{}}", package.root().display());
        let run = package.run(&[
            "fuzz",
            "--from",
            "in",
            "--rounds",
            "1",
            "--mutations",
            "for-to-while",
            "--verifier",
            &command,
            "--out",
            class,
        ]);
        assert_eq!(run.code, 7, "{}", run.shown());
        let page = &package.files()[&format!("{class}/{class}-1/README.md")];
        assert!(page.contains("1. for-to-while at line "), "{page}");
        assert!(
            page.contains(&format!(
                "## `sh {}/{script} rewritten.dfy`",
                package.root().display()
            )),
            "{page}"
        );
        assert!(
            page.contains("program.dfy(3,1): Error: assertion violation"),
            "{page}"
        );
        let line = &package.files()[&format!("{class}/results.jsonl")];
        assert!(
            line.contains("\"verdicts\":[\"") && line.contains(&format!("\"class\":\"{class}\"")),
            "{line}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_verifier_is_held_against_executions() {
    let wrong = "method M(x: int) { assert x != 3; }\n";
    let right = "method M(x: int) {\n  var y := x;\n  assert y != 3 || x > 2;\n}\n";
    let package = Package::new(&[
        ("wrong/w.dfy", wrong),
        ("right/r.dfy", right),
        ("yes.sh", VERIFIED),
        ("no.sh", REFUTED),
    ]);
    for (from, script, class) in [
        ("wrong", "yes.sh", "unsound"),
        ("right", "no.sh", "incomplete"),
    ] {
        let command = format!("sh {}/{script} {{}}", package.root().display());
        let run = package.run(&[
            "fuzz",
            "--from",
            from,
            "--rounds",
            "1",
            "--verifier",
            &command,
            "--out",
            class,
        ]);
        assert_eq!(run.code, 7, "{}", run.shown());
        assert!(
            package
                .files()
                .contains_key(&format!("{class}/{class}-1/README.md")),
            "{}",
            run.shown()
        );
    }
}

#[cfg(unix)]
#[test]
fn a_tool_that_hangs_costs_its_time_limit_and_a_crash_is_reported() {
    let hang = "sleep 1000 &\nsleep 1000\n";
    let package = Package::new(&[
        ("in/for.dfy", FOR),
        ("hang.sh", hang),
        ("fall.sh", "echo 'Unhandled exception. Nothing'; exit 134"),
    ]);
    let command = format!("sh {}/hang.sh {{}}", package.root().display());
    let start = std::time::Instant::now();
    let run = package.run(&[
        "fuzz",
        "--from",
        "in",
        "--rounds",
        "1",
        "--verifier",
        &command,
        "--tool-time",
        "1",
        "--out",
        "hang",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    assert!(package.files()["hang/results.jsonl"].contains("\"verdicts\":[\"time-out\"]"));
    let command = format!("sh {}/fall.sh {{}}", package.root().display());
    let run = package.run(&[
        "fuzz",
        "--from",
        "in",
        "--rounds",
        "1",
        "--verifier",
        &command,
        "--out",
        "fall",
    ]);
    assert_eq!(run.code, 7, "{}", run.shown());
    assert!(package.files()["fall/crash-1/README.md"].contains("Unhandled exception. Nothing"));
}

#[test]
fn a_command_without_a_place_or_that_is_not_there_is_an_error_at_once() {
    let package = Package::new(&[("in/for.dfy", FOR)]);
    for (command, said) in [
        (
            "dafny verify",
            "`--verifier 'dafny verify'` does not contain `{}`",
        ),
        (
            "no-such-dafny {}",
            "`--verifier`: command `no-such-dafny` not found",
        ),
    ] {
        let run = package.run(&[
            "fuzz",
            "--from",
            "in",
            "--verifier",
            command,
            "--out",
            "made",
        ]);
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    assert!(!package.root().join("made").exists());
}

#[cfg(unix)]
#[test]
fn the_output_of_compiled_programs_is_compared_with_the_interpreter() {
    let program = "method Main() { var i := 0; while i < 2 { print {1, 3} + {i}, 0.5, \"\\n\"; i := i + 1; } }\n";
    let right = "echo 'Dafny program verifier did not attempt verification'; echo '{3, 0, 1}0.50'; echo '{1, 3}0.5'";
    let package = Package::new(&[
        ("in/p.dfy", program),
        ("right.sh", right),
        ("wrong.sh", "echo '{1, 3}0.5'; echo '{1, 3}0.5'"),
        ("dead.sh", "echo 'p.cs(1,2): error CS1628: no'; exit 3"),
    ]);
    let command = |script: &str| format!("sh {}/{script} {{}}", package.root().display());
    let (right, wrong, dead) = (command("right.sh"), command("wrong.sh"), command("dead.sh"));
    let start = [
        "fuzz",
        "--from",
        "in",
        "--rounds",
        "1",
        "--rewritten",
        "1",
        "--compiler",
        &right,
    ];
    let run = package.run(&[&start[..], &["--out", "same"]].concat());
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(package.files()["same/results.jsonl"].contains("\"prints\":[\"same\",\"same\"]"));
    let run = package.run(
        &[
            &start[..],
            &["--compiler", &wrong, "--compiler", &dead, "--out", "made"],
        ]
        .concat(),
    );
    assert_eq!(run.code, 7, "{}", run.shown());
    let page = &package.files()["made/printed-1/README.md"];
    assert!(page.contains("compiled:    {1, 3}0.5"), "{page}");
    assert!(package.files()["made/not-compiled-1/README.md"].contains("error CS1628"));
}

#[cfg(unix)]
#[test]
fn chains_and_programs_are_made_smaller_while_they_show_the_same() {
    let program = format!(
        "datatype D = A | B(x: int)\nfunction Half(n: nat): nat {{ n / 2 }}\n{FOR}{}\n",
        SUM.replace("Sum", "Again")
    );
    let holds = verifier("\"k\"", VERIFIED, REFUTED);
    let package = Package::new(&[
        (
            "in/p.dfy",
            &program.replace("var i := 0;", "var k := 0; var i := k;"),
        ),
        ("maps.sh", &holds),
    ]);
    let command = format!("sh {}/maps.sh {{}}", package.root().display());
    let run = package.run(&[
        "fuzz",
        "--from",
        "in",
        "--rounds",
        "1",
        "--rewritten",
        "16",
        "--max-order",
        "9",
        "--verifier",
        &command,
        "--out",
        "made",
    ]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let files = package.files();
    let page = &files["made/soundness-1/README.md"];
    assert!(
        page.contains("1. vars-to-map at line ") && !page.contains("\n2. "),
        "{page}"
    );
    assert_eq!(
        files["made/soundness-1/program.dfy"],
        "method Again() returns ()\n{\n  var k := 0;\n}\n"
    );
}

#[cfg(unix)]
#[test]
fn programs_that_brought_something_are_taken_more_often() {
    let script = verifier("while", VERIFIED, REFUTED);
    let package = Package::new(&[
        ("in/a.dfy", "method A() { var x := 1; }"),
        ("in/b.dfy", FOR),
        ("sound.sh", &script),
    ]);
    let command = format!("sh {}/sound.sh {{}}", package.root().display());
    let mutations = "for-to-while,vars-to-map";
    let run = package.run(&[
        "fuzz",
        "--from",
        "in",
        "--rounds",
        "6",
        "--jobs",
        "1",
        "--mutations",
        mutations,
        "--verifier",
        &command,
        "--out",
        "made",
    ]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let results = &package.files()["made/results.jsonl"];
    let of = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["program"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let programs: Vec<String> = results.lines().map(of).collect();
    assert_eq!(
        programs,
        [
            "in/a.dfy", "in/b.dfy", "in/b.dfy", "in/b.dfy", "in/a.dfy", "in/b.dfy"
        ]
    );
}

/// A verifier that reports an error in each module, or in the whole program, without the word
/// `ORDINAL`. Most claims about ordinals break a rule, which no execution shows.
const BLIND_TO_ORDINALS: &str = r#"awk -v f="$1" '
/^module Claim/ { if (start && !blind) print f "(" start ",0): Error: refused"; start = NR; blind = 0 }
/ORDINAL/ { blind = 1 }
END { if (!start) start = 1; if (!blind) print f "(" start ",0): Error: refused" }
' "$1" > "$1.errors"
cat "$1.errors"
echo "Dafny program verifier finished with 1 verified, $(wc -l < "$1.errors" | tr -d ' ') errors"
"#;

#[cfg(unix)]
#[test]
fn a_false_claim_that_the_verifier_accepts_is_found_in_a_pack() {
    let package = Package::new(&[("blind.sh", BLIND_TO_ORDINALS)]);
    let command = format!("sh {}/blind.sh {{}}", package.root().display());
    // One round of each family: those with ordinals have findings, in few kinds.
    let run = package.run(&[
        "fuzz",
        "--claims",
        "--rounds",
        "18",
        "--verifier",
        &command,
        "--out",
        "made",
    ]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let files = package.files();
    let pages: Vec<&String> = files
        .iter()
        .filter(|(path, _)| path.ends_with("program.dfy"))
        .map(|(_, text)| text)
        .collect();
    assert!(
        !pages.is_empty() && pages.iter().all(|p| p.contains("ORDINAL")),
        "{pages:?}"
    );
    let results = &files["made/results.jsonl"];
    assert!(results.contains("\"claims\":40"), "{results}");
    let page = files
        .iter()
        .find(|(path, _)| path.ends_with("accepted-1/README.md"))
        .map(|(_, text)| text)
        .unwrap();
    assert!(
        page.contains("rule: ") && page.contains("claim: "),
        "{page}"
    );
    // A finding is announced when it is made, with its directory.
    assert!(run.stderr.contains("made/accepted-1: "), "{}", run.stderr);
    // The report is in the form of Dafny's issues, with the rule.
    let section = "Expected: an error; reference manual, section \"";
    let folders = files
        .keys()
        .filter_map(|path| path.strip_suffix("/README.md"));
    let mut reports = folders.map(|folder| package.run(&["fuzz", "--report", folder]));
    let report = reports
        .find(|run| run.stdout.contains(section))
        .expect("a finding with a rule");
    assert_eq!(report.code, 0, "{}", report.shown());
    for part in [
        "### Dafny version\n",
        "### Code to produce this issue\n\n```dafny\n",
        "blind.sh program.dfy\n",
    ] {
        assert!(report.stdout.contains(part), "{part}\n{}", report.stdout);
    }
    let run = package.run(&["fuzz", "--report", "made"]);
    assert!(run.stderr.contains("fuzz/no-finding"), "{}", run.stderr);
    // A verifier that accepts nothing has no findings.
    let package = Package::new(&[("strict.sh", &BLIND_TO_ORDINALS.replace("ORDINAL", "§"))]);
    let command = format!("sh {}/strict.sh {{}}", package.root().display());
    let run = package.run(&[
        "fuzz",
        "--claims",
        "--rounds",
        "18",
        "--verifier",
        &command,
        "--out",
        "made",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stdout
            .starts_with("18 programs of 720 claims, 0 disagreements"),
        "{}",
        run.stdout
    );
}

#[cfg(unix)]
#[test]
fn what_an_earlier_version_accepts_as_well_is_no_regression() {
    let strict = BLIND_TO_ORDINALS.replace("ORDINAL", "§");
    let package = Package::new(&[("blind.sh", BLIND_TO_ORDINALS), ("strict.sh", &strict)]);
    let command = |script: &str| format!("sh {}/{script} {{}}", package.root().display());
    let (blind, strict) = (command("blind.sh"), command("strict.sh"));
    let run = |earlier: &str, out: &str| {
        let options = ["fuzz", "--claims", "--rounds", "12", "--verifier", &blind];
        package.run(&[&options[..], &["--compare", earlier, "--out", out]].concat())
    };
    let same = run(&blind, "same");
    assert_eq!(same.code, 0, "{}", same.shown());
    assert!(
        same.stdout.contains("480 claims, 0 disagreements, ")
            && same.stdout.contains(" also of the earlier version"),
        "{}",
        same.stdout
    );
    let worse = run(&strict, "worse");
    assert_eq!(worse.code, 7, "{}", worse.shown());
    assert!(!worse.stdout.contains("earlier"), "{}", worse.stdout);
    // The command line is checked like that of the verifier.
    let wrong = run("sh strict.sh", "wrong");
    assert!(
        wrong.stderr.contains("fuzz/no-place") && wrong.stderr.contains("--compare"),
        "{}",
        wrong.stderr
    );
}

/// A verifier that crashes in modules with iterators and reports a time-out where a loop begins; it
/// verifies all that contains no `assert`, and reports the lines of the rest.
const CRASHING: &str = r#"
if grep -n 'iterator' "$1" > lines; then
  head -n 1 lines | sed 's/^\([0-9]*\):.*/program.dfy(\1,0): Error: Internal error occurred during verification: no iterators/'
  echo 'Unhandled exception. System.Exception: no iterators'
  echo '   at Verifier.Iterators()'
  exit 134
fi
grep -n '' "$1" | sed 's/^\([0-9]*\):.*/program.dfy(\1,0): Error: refused/'
echo 'Dafny program verifier finished with 0 verified, 1 error'
exit 4
"#;

#[cfg(unix)]
#[test]
fn a_crash_in_a_pack_is_found_once_and_hides_no_other_claim() {
    let package = Package::new(&[("crashing.sh", CRASHING)]);
    let command = format!("sh {}/crashing.sh {{}}", package.root().display());
    let run = package.run(&[
        "fuzz",
        "--claims",
        "--rounds",
        "12",
        "--jobs",
        "1",
        "--verifier",
        &command,
        "--out",
        "made",
    ]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let files = package.files();
    assert!(
        files["made/crash-1/program.dfy"].contains("iterator"),
        "{}",
        files["made/crash-1/program.dfy"]
    );
    assert!(!files.contains_key("made/crash-2/program.dfy"));
}

#[cfg(unix)]
#[test]
fn findings_of_a_stopped_search_are_reduced_later() {
    let program = format!("datatype D = A | B(x: int)\n{FOR}");
    let crash = verifier(
        "for i",
        "echo 'Unhandled exception. System.Exception: no loops'; exit 134",
        VERIFIED,
    );
    let package = Package::new(&[("in/p.dfy", &program), ("crash.sh", &crash)]);
    let command = format!("sh {}/crash.sh {{}}", package.root().display());
    let run = package.run(&[
        "fuzz",
        "--from",
        "in",
        "--rounds",
        "1",
        "--reduce-time",
        "0",
        "--verifier",
        &command,
        "--out",
        "made",
    ]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let before = package.files();
    assert!(before["made/crash-1/program.dfy"].contains("datatype D"));
    let run = package.run(&["fuzz", "--reduce", "made", "--reduce-time", "60"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let after = package.files();
    let small = &after["made/crash-1/program.dfy"];
    assert!(
        small.contains("for i") && !small.contains("datatype"),
        "{small}"
    );
    assert_eq!(
        after["made/crash-1/unreduced.dfy"],
        before["made/crash-1/program.dfy"]
    );
    assert_eq!(after["made/results.jsonl"], before["made/results.jsonl"]);
}
