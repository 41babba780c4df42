//! `run --replay`: repeats executions that `check` recorded.

use super::Package;

const SOURCE: &str = "method Sum(a: array<int>, n: nat) returns (s: int)
  requires n <= a.Length
{
  s := 0;
  var i := 0;
  while i < n
    invariant s >= 0
  {
    s := s + a[i];
    i := i + 1;
  }
}

method Any(k: int) {
  var x: int := *;
  assert x != 12345 + k;
}
";

#[test]
fn executions_stored_by_check_are_replayed_step_by_step() {
    let package = Package::new(&[("src/lib.dfy", SOURCE)]);
    let kept = package.run(&["check", "--message-format", "json"]);
    assert_eq!(kept.code, 7, "{}", kept.shown());
    package.write("kept.json", &kept.stdout);
    let run = package.run(&["run", "--replay", "kept.json", "--trace"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    for expected in [
        "`Sum` with a = array<int> [-1], n = 1\n",
        "src/lib.dfy:6:3  the loop, after 0 iterations  [a = array<int> [-1], n = 1, s = 0, i = 0]\n",
        "  violates an obligation: this loop invariant does not hold after an iteration (src/lib.dfy:7:15)\n",
        "`Any` with k = ",
        "src/lib.dfy:15:3  var x: int := *;  (a choice)  [k = ",
    ] {
        assert!(
            run.stdout.contains(expected),
            "{expected} in\n{}",
            run.stdout
        );
    }
    // For programs, each is a record of JSON.
    let records = package
        .run(&[
            "run",
            "--replay",
            "kept.json",
            "--trace",
            "--message-format",
            "json",
        ])
        .stdout;
    for expected in [
        r#"{"kind":"replay","unit":"Sum","number":1,"inputs":["a = array<int> [-1]","n = 1"],"outcome":"violated""#,
        r#""place":"src/lib.dfy:6:3","text":"while i < n invariant s >= 0 { s := s + a[i]; i := i + 1; }","iteration":0,"variables":["a = array<int> [-1]""#,
    ] {
        assert!(records.contains(expected), "{expected} in\n{records}");
    }
    // Every execution of an exploration can be repeated too.
    let all = package
        .run(&[
            "check",
            "--executions",
            "--entry",
            "Sum",
            "--message-format",
            "json",
        ])
        .stdout;
    package.write("kept.json", &all);
    let again = package.run(&["run", "--replay", "kept.json"]).stdout;
    let executions = all
        .lines()
        .filter(|l| l.contains("\"kind\":\"execution\""))
        .count();
    assert_eq!(
        again
            .lines()
            .filter(|l| l.starts_with("`Sum` with"))
            .count(),
        executions,
        "{again}"
    );
}

#[test]
fn executions_of_another_program_and_damaged_files_are_refused() {
    let package = Package::new(&[("src/lib.dfy", SOURCE)]);
    let kept = package
        .run(&["check", "--filter", "^Any$", "--message-format", "json"])
        .stdout;
    package.write("kept.json", &kept);
    package.write("damaged.json", kept.replace("\"data\":\"", "\"data\":\"00"));
    package.write("none.json", "{\"kind\":\"summary\"}\n");
    let refused = |file: &str, why: &str| {
        let run = package.run(&["run", "--replay", file]);
        assert!(run.code == 1 && run.stderr.contains(why), "{}", run.shown());
    };
    refused("damaged.json", "its data is damaged");
    refused("none.json", "it contains no execution");
    refused("missing.json", "missing.json");
    package.write("src/lib.dfy", SOURCE.replace("12345", "12346"));
    refused("kept.json", "the program has changed since");
    package.write("src/lib.dfy", "method Other() {}\n");
    refused("kept.json", "unknown unit");
}
