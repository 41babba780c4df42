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
    let package = Package::new(&[("in/sum.dfy", SUM), ("in/wrong.dfy", "method M() { x := 1; }")]);
    let run = package.run(&["fuzz", "--from", "in", "--rounds", "2", "--jobs", "1", "--out", "made"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.starts_with("2 programs (1 skipped), 2 rewritten by "), "{}", run.stdout);
    let lines = |package: &Package| package.files()["made/results.jsonl"].lines().map(str::to_owned).collect::<Vec<_>>();
    let first = lines(&package);
    assert!(first[0].starts_with("{\"round\":0,\"program\":\"in/sum.dfy\",\"chains\":[[\""), "{}", first[0]);
    assert!(first[1].contains("\"program\":\"in/wrong.dfy\",\"skipped\":\"it does not resolve: "), "{}", first[1]);
    let run = package.run(&["fuzz", "--resume", "made", "--rounds", "1", "--message-format", "json"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let whole: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&whole["totals"]["programs"], &whole["totals"]["skipped"]), (&3.into(), &1.into()), "{whole}");
    let second = lines(&package);
    assert_eq!((&second[..2], second.len()), (&first[..], 3));
    assert!(second[2].starts_with("{\"round\":2,\"program\":\"in/sum.dfy\""), "{}", second[2]);
}

#[test]
fn random_programs_agree_with_what_is_said_of_them() {
    let package = Package::new(&[]);
    let run = package.run(&["fuzz", "--random", "--seed", "6", "--rounds", "1", "--rewritten", "1", "--out", "made"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.starts_with("1 programs, 1 rewritten by "), "{}", run.stdout);
}

#[test]
fn what_is_wrong_with_a_command_line_is_said_at_once_and_leaves_nothing_behind() {
    let package = Package::new(&[("in/sum.dfy", SUM), ("full/mine.txt", "mine")]);
    let refused = |arguments: &[&str], said: &str| {
        let run = package.run(&[&["fuzz"], arguments].concat());
        assert_eq!(run.code, 1, "{arguments:?}: {}", run.shown());
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    };
    refused(&["--out", "made"], "a campaign needs programs");
    refused(&["--from", "in"], "results need a folder");
    refused(&["--from", "nowhere", "--out", "made"], "`nowhere` does not exist");
    refused(&["--from", "in", "--out", "full"], "`full` is not empty and was left alone");
    refused(&["--resume", "made"], "`made` holds no campaign");
    assert!(!package.root().join("made").exists());
    let run = package.run(&["fuzz", "--from", "in", "--rounds", "1", "--rewritten", "0", "--out", "made"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    refused(&["--from", "in", "--out", "made"], "`made` holds a campaign");
}
