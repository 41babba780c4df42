//! `dead`: the claims about unreachable code, and the ways to allow it.

use super::Package;

const SAMPLE: &str = "newtype Byte = x: int | 0 <= x < 256

method Implied(x: int) returns (r: int) {
  if x > 10 {
    if x < 5 { return 1; }
    return 2;
  }
  return 3;
}

method Range(b: Byte) returns (r: int) {
  if b as int > 255 { return 1; }
  return 0;
}

method Never(x: int) returns (r: int)
  requires x > 5
  requires x % 2 == 0
  requires x < 3
{
  if x == 4 { r := 1; } else { r := 2; }
}

method Sum(s: seq<int>) returns (r: int) {
  var i := 0;
  r := 0;
  while i < |s|
    invariant i <= |s|
  {
    r := r + s[i];
    i := i + 1;
  }
  if i > |s| { r := 0; }
}

method Steps(n: nat) returns (r: nat) {
  r := 0;
  while r < n { r := r + 1; }
  if r > n { r := 0; }
}
";

#[test]
fn every_dead_block_is_shown_with_its_strength_and_its_causes() {
    let package = Package::new(&[("src/lib.dfy", SAMPLE)]);
    insta::assert_snapshot!(package.run(&["dead"]).shown());
    insta::assert_snapshot!(package.run(&["dead", "--message-format", "short"]).shown());
}

/// Returns the outermost dead blocks of a run in JSON: unit, claim, options to raise.
fn roots(package: &Package, arguments: &[&str]) -> Vec<(String, String, String)> {
    let arguments: Vec<&str> = ["dead", "--message-format", "json"]
        .iter()
        .chain(arguments)
        .copied()
        .collect();
    let run = package.run(&arguments);
    let lines = run
        .stdout
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
    let roots = lines.filter(|l| l["kind"] == "dead" && l.get("inside").is_none());
    let options = |l: &serde_json::Value| {
        l["raise"].as_array().map_or_else(String::new, |o| {
            o.iter().map(text).collect::<Vec<_>>().join(" ")
        })
    };
    roots
        .map(|l| (text(&l["unit"]), text(&l["claim"]), options(&l)))
        .collect()
}

#[test]
fn an_entry_has_the_dead_blocks_of_its_callees() {
    let package = Package::new(&[(
        "src/lib.dfy",
        "function {:testInline} Clamp(x: int): int { if x < 0 then 0 else x }
method Take(x: nat) returns (r: int) { r := Clamp(x); if x > 9 { r := Twice(r); } }
method Twice(x: int) returns (r: int) { if x < 10 { r := 0; } else { r := x + x; } }
",
    )]);
    // Each by itself has none, because other inputs reach every block.
    assert_eq!(roots(&package, &[]), []);
    let proved = || ("Take".to_owned(), "proved".to_owned(), String::new());
    assert_eq!(
        roots(&package, &["--entry", "Take"]),
        [proved(), proved()],
        "a block of `Clamp` and one of `Twice`"
    );
    let unknown = package.run(&["dead", "--entry", "Tak"]);
    assert!(
        unknown.code == 1 && unknown.stderr.contains("cli/unknown-entry"),
        "{}",
        unknown.stderr
    );
    // With marks, only the callees that are marked count.
    let text = std::fs::read_to_string(package.root().join("src/lib.dfy")).unwrap();
    package.write(
        "src/lib.dfy",
        text.replace("method Take", "method {:testEntry} Take"),
    );
    assert_eq!(roots(&package, &[]), [proved()]);
}

#[test]
fn ten_planted_blocks_are_found_with_the_right_strength_and_none_that_only_looks_dead() {
    let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .join("fixtures/dead/src");
    let read = |name: &str| std::fs::read_to_string(fixture.join(name)).unwrap();
    let package = Package::new(&[
        ("src/dead.dfy", &read("dead.dfy")),
        ("src/alive.dfy", &read("alive.dfy")),
    ]);
    let expected = [
        ("Withdraw", "proved", ""),
        ("Halve", "proved", ""),
        ("Grade", "proved", ""),
        ("Carry", "proved", ""),
        ("Parity", "proved", ""),
        ("Area", "proved", ""),
        ("Serve", "proved", ""),
        ("Digit", "proved", ""),
        ("Sum", "given-assertions", ""),
        ("Steps", "within-bounds", "`--unroll`"),
    ];
    let expected: Vec<_> = expected
        .map(|(u, c, r)| (format!("Dead.{u}"), c.to_owned(), r.to_owned()))
        .into();
    assert_eq!(roots(&package, &[]), expected);
    let run = package.run(&["dead"]);
    assert!(
        run.stdout.contains("   22      84       74             8                 1            0              1             0     0"),
        "{}",
        run.shown()
    );
}

const ASSUMED: &str = "method Assumed(x: int) returns (r: int) {
  assume {:axiom} x > 3;
  if x <= 3 { r := 1; } else { r := 2; }
}

method Behind(x: int) returns (r: int) {
  r := 0;
  if x > 10 {
    assume {:axiom} x < 5;
    r := 3;
  }
}

function Called(x: int): int {
  assume {:axiom} x > 5;
  x
}

method Calls(x: int) returns (r: int) {
  var y := Called(x);
  if y == 5 { r := 1; } else { r := 2; }
}

method {:extern} Read() returns (value: nat)
  ensures value != 7

method Answered() returns (r: int) {
  var x := Read();
  if x < 0 { return 1; }
  if x == 7 { return 2; }
  return 3;
}

lemma {:axiom} Obligationd(x: int)
  ensures x > 3

lemma NoProof(x: int)
  ensures x > 3

method Lemmas(x: int) returns (r: int) {
  Obligationd(x);
  NoProof(x);
  if x <= 3 { r := 1; } else { r := 2; }
}
";

#[test]
fn dead_code_that_depends_on_an_assumption_or_external_contract_is_never_proved() {
    let package = Package::new(&[("src/lib.dfy", ASSUMED)]);
    let expected = [
        ("Assumed", "given-assumptions", ""),
        ("Calls", "given-assumptions", ""),
        ("Answered", "given-assumptions", ""),
        ("Answered", "given-assumptions", ""),
    ];
    assert_eq!(
        roots(&package, &[]),
        expected.map(|(u, c, r)| (u.to_owned(), c.to_owned(), r.to_owned()))
    );
    insta::assert_snapshot!(package.run(&["dead", "--message-format", "short"]).shown());
    insta::assert_snapshot!(package.run(&["gen"]).shown());
    // A gate for proved blocks passes; one for all claims fails.
    assert_eq!(package.run(&["dead", "--fail-on", "proved"]).code, 0);
    assert_eq!(package.run(&["dead", "--fail-on", "any"]).code, 5);
}

const FAILING: &str = "newtype Port = x: int | 0 < x < 65536 witness 80

function ToPort(n: nat): Port {
  if n == 65536 then n as Port else 80
}

method Divide(a: int, b: int) returns (r: int) {
  r := 0;
  if b == 40404 { r := a / (b - 40404); }
}

method Last(s: seq<int>, b: bool) returns (r: int) {
  if b { r := s[|s|]; } else if s == [] { r := 1; } else { r := s[0]; }
}

method Broken(x: int) returns (r: int)
  ensures r > 0
{
  if x > 700 {
    r := 0;
    if x == 800 { r := -1; }
    return;
  }
  return 1;
}

method Later(x: int) returns (r: int) {
  var y := x;
  if x > 90 { y := 3; } else { y := 4; }
  assert y == 4;
  return y;
}

method Sometimes(x: int, y: int) returns (r: int) {
  if x == 0 { r := 10 / y; } else { r := 1; }
}

method Halts(x: int) returns (r: int) {
  r := 1;
  if x == 5 { expect x != 5; }
}

method Callee(x: int) {
  if x > 3 { print x; assert x < 3; }
}

method Through(x: int) {
  if x > 5 { Callee(x); }
}
";

#[test]
fn blocks_that_nothing_passes_that_ends_well_always_fail_in_one_judgement_with_gen() {
    let package = Package::new(&[("src/lib.dfy", FAILING)]);
    let fails = |u: &str| (u.to_owned(), "always-fails".to_owned(), String::new());
    let expected = [
        "ToPort", "Divide", "Last", "Broken", "Later", "Callee", "Through",
    ]
    .map(fails);
    assert_eq!(roots(&package, &[]), expected);
    insta::assert_snapshot!(package.run(&["dead"]).shown());
    let gen_run = package.run(&["gen"]);
    assert!(
        !gen_run.stdout.contains("unreachable, proved"),
        "{}",
        gen_run.shown()
    );
    assert_eq!(
        gen_run.stdout.matches("reached only by findings").count(),
        9,
        "{}",
        gen_run.shown()
    );
}

const CAUSES: &str = "datatype Tree = Leaf | Node(left: Tree, right: Tree)

function Size(t: Tree): int { if t.Leaf? then 1 else Size(t.left) + Size(t.right) + 1 }

function Count(n: nat): int
  ensures Count(n) >= n
{ if n == 0 then 0 else 1 + Count(n - 1) }

method BySize(t: Tree) returns (r: int) {
  if Size(t) % 2 == 0 { return 1; }
  return 0;
}

method ByPostcondition(n: nat) returns (r: int) {
  if Count(n) < n { return 1; }
  return 0;
}

method ByFailure(s: seq<int>) returns (r: int) {
  r := s[0];
  expect r > 5, \"small\";
  if |s| == 0 { r := 1; }
  if r == 3 { r := 2; }
}

method ByDiscriminator(t: Tree) returns (r: int) {
  if t.Leaf? { return 0; }
  if t.Node? { return 1; }
  return 2;
}

method ByLength(s: seq<int>, t: seq<int>) returns (r: int)
  requires |s| <= |t|
{
  r := 0;
  if |s + t| < 2 * |s| { r := 1; }
}

class Counter {
  var n: nat
  method Step() modifies this { n := n + 1; }
}

method ByState(c: Counter) returns (r: int) modifies c {
  var before := c.n;
  c.Step();
  if c.n <= before { r := 1; }
  return;
}

method Halts(x: int) {
  expect false;
}

method ByCall(x: int) returns (r: int) {
  Halts(x);
  r := x;
}

method Assertion(x: int) returns (r: int) {
  r := 0;
  if x > 3 {
    assert false;
    r := 1;
  }
}

method Generic<T>(xs: seq<T>, eq: (T, T) -> bool) returns (r: int)
  requires forall x, y :: eq(x, y) ==> eq(y, x)
{
  r := 0;
  if |xs| > 1 && eq(xs[0], xs[1]) && !eq(xs[1], xs[0]) { r := 1; }
}
";

#[test]
fn each_cause_is_named() {
    let package = Package::new(&[("src/lib.dfy", CAUSES)]);
    insta::assert_snapshot!(package.run(&["dead"]).shown());
}

#[test]
fn allowed_dead_code_is_not_reported_and_unused_allowances_are() {
    let package = Package::new(&[("src/lib.dfy", SAMPLE)]);
    let run = |file: &str, arguments: &[&str]| {
        package.write("dtest.toml", file);
        package.run(&[&["dead", "--message-format", "short"], arguments].concat())
    };
    let list = "[dead]\nallow = [\"Implied\", \"Range: b as int > 255 holds\", \"Never: the body is entered\"]\n";
    let allowed = run(list, &[]);
    assert_eq!(allowed.code, 0, "{}", allowed.shown());
    assert!(
        !allowed.stderr.contains("dead/proved"),
        "{}",
        allowed.shown()
    );
    assert_eq!(run(list, &["--fail-on", "any"]).code, 5);
    assert_eq!(run("", &["--fail-on", "none"]).code, 0);
    assert_eq!(run("[dead]\nfail-on = \"none\"\n", &[]).code, 0);
    assert_eq!(
        run("[dead]\nfail-on = \"none\"\n", &["--fail-on", "proved"]).code,
        5
    );
    assert_eq!(run("[dead]\nfail-on = \"all\"\n", &[]).code, 1);

    let stale = run(
        "[dead]\nallow = [\"Sum: `x` holds\", \"Gone\", \"Steps\"]\n",
        &[],
    );
    assert!(
        stale.stderr.contains(
            "\"Sum: `x` holds\" under [dead] in dtest.toml is unused: that code is no longer dead"
        ),
        "{}",
        stale.shown()
    );
    assert!(
        stale.stderr.contains("there is no unit `Gone`"),
        "{}",
        stale.shown()
    );
    assert!(!stale.stderr.contains("\"Steps\""), "{}", stale.shown());
    // If only a part is searched, allowances of other units are not called unused.
    let part = run(
        "[dead]\nallow = [\"Gone\", \"Steps\"]\n",
        &["--filter", "Implied"],
    );
    assert!(!part.stderr.contains("allows nothing"), "{}", part.shown());
}

#[test]
fn an_attribute_allows_dead_code_in_a_declaration_a_type_or_a_module() {
    let body = "{ r := 0; if x * x < 0 { r := 1; } }";
    let package = Package::new(&[]);
    let run = |text: String| {
        package.write("src/lib.dfy", text);
        package.run(&["dead", "--message-format", "short"])
    };
    let plain = run(format!("method M(x: int) returns (r: int) {body}"));
    assert_eq!(plain.code, 5, "{}", plain.shown());
    for text in [
        format!("method {{:testDead}} M(x: int) returns (r: int) {body}"),
        format!(
            "method {{:testDead \"kept for the other back end\"}} M(x: int) returns (r: int) {body}"
        ),
        format!("module {{:testDead}} A {{ method M(x: int) returns (r: int) {body} }}"),
        format!("class {{:testDead}} C {{ static method M(x: int) returns (r: int) {body} }}"),
    ] {
        let allowed = run(text.clone());
        assert_eq!(
            (allowed.code, allowed.stderr.as_str()),
            (0, ""),
            "{text}\n{}",
            allowed.shown()
        );
    }
    let refused = run(format!(
        "method {{:testDead false}} M(x: int) returns (r: int) {body}"
    ));
    assert_eq!(refused.code, 5, "{}", refused.shown());
    let stale = run("method {:testDead} M(x: int) returns (r: int) { r := x; }".into());
    assert_eq!(stale.code, 0);
    assert!(
        stale.stderr.contains("src/lib.dfy:1:8: warning: unused allowance: nothing is dead here any longer [dead/stale-allowance]"),
        "{}",
        stale.shown()
    );
    let shown = {
        package.write(
            "src/lib.dfy",
            format!("method {{:testDead \"why\"}} M(x: int) returns (r: int) {body}"),
        );
        package.run(&["dead", "--show-allowed"])
    };
    assert!(
        shown.stderr.contains("note[dead/proved]")
            && shown.stderr.contains("allowed by {:testDead \"why\"}"),
        "{}",
        shown.shown()
    );
}

#[test]
fn bounds_that_are_raised_tell_more() {
    let deep = "method M(n: nat) returns (r: int) {
  r := 0;
  var i := 0;
  while i < n { i := i + 1; r := r + 3; }
  if r == 60 { r := 1; }
}
";
    let package = Package::new(&[("src/lib.dfy", deep)]);
    assert_eq!(
        roots(&package, &["--unroll", "4"]),
        [("M".into(), "within-bounds".into(), "`--unroll`".into())]
    );
    assert_eq!(roots(&package, &["--unroll", "40"]), []);
}

#[test]
fn github_shows_annotations_of_dead_code_findings_and_errors() {
    let package = Package::new(&[("src/lib.dfy", SAMPLE)]);
    let run = package.run(&["dead", "--message-format", "github"]);
    let commands: Vec<&str> = run.stdout.lines().filter(|l| l.starts_with("::")).collect();
    assert_eq!(commands.len(), 5, "{}", run.shown());
    assert!(
        commands[0].starts_with(
            "::warning file=src/lib.dfy,line=5,endLine=5,col=14,endColumn=27,title=dead/proved::`x < 5` never holds here%0Ano execution"
        ),
        "{}",
        commands[0]
    );
    package.write(
        "src/lib.dfy",
        "method M(x: int) returns (r: int) ensures r > x { r := x; }",
    );
    let run = package.run(&["gen", "--message-format", "github"]);
    assert!(
        run.stdout.contains("::error file=src/lib.dfy,line=1,endLine=1,col=43,endColumn=48,title=finding/postcondition::"),
        "{}",
        run.shown()
    );
    package.write("src/lib.dfy", "method M( {");
    let run = package.run(&["list", "--message-format", "github"]);
    assert!(
        run.code == 2 && run.stdout.starts_with("::error file=src/lib.dfy,line=1"),
        "{}",
        run.shown()
    );
}

#[test]
fn sarif_is_one_log_on_standard_output() {
    let package = Package::new(&[("src/lib.dfy", SAMPLE)]);
    let log = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&package.run(arguments).stdout).unwrap()
    };
    let dead = log(&["dead", "--message-format", "sarif"]);
    let results = dead["runs"][0]["results"].as_array().unwrap();
    let rules: Vec<&str> = results
        .iter()
        .map(|r| r["ruleId"].as_str().unwrap())
        .collect();
    assert_eq!(
        rules,
        [
            "dead/proved",
            "dead/proved",
            "dead/proved",
            "dead/given-assertions",
            "dead/within-bounds"
        ]
    );
    let implied = &results[0];
    assert_eq!(
        implied["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "src/lib.dfy"
    );
    assert_eq!(
        implied["locations"][0]["physicalLocation"]["region"]["startLine"],
        5
    );
    assert_eq!(
        implied["relatedLocations"][0]["physicalLocation"]["region"]["startLine"],
        4
    );
    // The output is the same again, and after lines were added before it, so that a reviewer sees
    // it once.
    let print =
        |log: &serde_json::Value| log["runs"][0]["results"][0]["partialFingerprints"].clone();
    package.write("src/lib.dfy", format!("// A new line.\n\n{SAMPLE}"));
    assert_eq!(
        print(&log(&["dead", "--message-format", "sarif"])),
        print(&dead)
    );

    package.write(
        "src/lib.dfy",
        "method M(x: int) returns (r: int) ensures r > x { r := x; }",
    );
    let found = log(&["gen", "--message-format", "sarif"]);
    assert_eq!(
        found["runs"][0]["results"][0]["ruleId"],
        "finding/postcondition"
    );
    assert_eq!(found["runs"][0]["results"][0]["level"], "error");
    package.write("src/lib.dfy", "method M( {");
    let broken = log(&["list", "--message-format", "sarif"]);
    assert!(
        broken["runs"][0]["results"][0]["ruleId"]
            .as_str()
            .unwrap()
            .starts_with("syntax/")
    );
    package.write("dtest.toml", "nonsense = 1");
    assert_eq!(package.run(&["list", "--message-format", "sarif"]).code, 1);
}
