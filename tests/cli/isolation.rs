//! A unit that exceeds a resource limit affects itself alone: every other unit has the same result
//! as without it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Package;

/// Units that exhaust memory, time and the limits of recursion, each on its own.
const GREEDY: &str = "method Memory(x: int) returns (s: seq<seq<int>>) {
  s := [[x, x]];
  var i := 0;
  while i < 40 decreases 40 - i { s := s + s; i := i + 1; }
  if |s| == 7 { s := []; }
}
method Time(x: bv64, y: bv64) returns (r: int) {
  var h := (x * 0x9E3779B97F4A7C15) ^ (y * 0xC2B2AE3D27D4EB4F);
  if h * h * x == 0x77777777 && y * h * x == 0x33333331 { r := 1; } else { r := 2; }
}
function Count(n: nat): nat { if n == 0 then 0 else 1 + Count(n - 1) }
method Stack(n: nat) returns (r: nat) {
  r := Count(n + 1_000_000);
  if r == 7 { r := 0; }
}
";
const GREEDY_UNITS: [&str; 4] = ["Memory", "Time", "Count", "Stack"];

/// Generates units that need few resources.
fn modest() -> String {
    let unit = |i: usize| {
        format!(
            "method Unit{i}(x: int) returns (r: int) ensures r >= {i} {{ if x < {i} {{ r := {i}; }} else {{ r := x; }} assert r != {} || x == r; }}\n",
            i + 100
        )
    };
    (0..47).map(unit).collect()
}

/// Returns the messages about each unit, without times.
fn by_unit(lines: &[Value]) -> BTreeMap<String, Vec<String>> {
    fn without_times(value: &Value) -> Value {
        match value {
            Value::Object(fields) => Value::Object(
                fields
                    .iter()
                    .filter(|(k, _)| !["seconds", "times", "cached"].contains(&k.as_str()))
                    .map(|(k, v)| (k.clone(), without_times(v)))
                    .collect(),
            ),
            Value::Array(items) => Value::Array(items.iter().map(without_times).collect()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        if let Some(unit) = line["unit"].as_str() {
            let said = all.entry(unit.to_owned()).or_default();
            said.push(without_times(line).to_string());
        }
    }
    all
}

fn lines(command: &str, source: &str, limits: &[&str]) -> (i32, Vec<Value>) {
    let package = Package::new(&[("src/lib.dfy", source)]);
    let arguments: Vec<&str> = [command, "--timeout", "2", "--message-format", "json"]
        .into_iter()
        .chain(limits.iter().copied())
        .collect();
    let run = package.run(&arguments);
    let lines = run
        .stdout
        .lines()
        .map(|l| serde_json::from_str(l).expect("a line of JSON"))
        .collect();
    (run.code, lines)
}

#[test]
fn units_that_exhaust_memory_time_or_recursion_leave_the_results_of_all_others_as_they_are() {
    let modest = modest();
    let whole = modest.clone() + GREEDY;
    for command in ["gen", "check", "dead", "mutants"] {
        let (code, alone) = lines(command, &modest, &[]);
        assert_eq!(code, 0, "{command}");
        let (code, all) = lines(command, &whole, &["--max-memory", "300"]);
        assert!([0, 5].contains(&code), "{command}: {code}");
        let (alone, mut all) = (by_unit(&alone), by_unit(&all));
        GREEDY_UNITS.iter().for_each(|unit| _ = all.remove(*unit));
        assert_eq!(alone, all, "{command}");
    }
}

#[test]
fn a_watched_command_loses_only_the_unit_that_exhausts_memory() {
    let source = "method Small(x: int) returns (r: int) ensures r >= x { r := x; }\n".to_owned()
        + GREEDY.split_inclusive("}\n").next().expect("a method")
        + "}\n";
    let command = ["check", "--message-format", "json", "--max-memory", "300"];
    let package = Package::new(&[("src/lib.dfy", source.as_str())]);
    let arguments: Vec<&str> = ["watch", "--times", "1"]
        .into_iter()
        .chain(command)
        .collect();
    let lines = package.run(&arguments).stdout;
    let records = lines.lines().filter_map(|l| serde_json::from_str(l).ok());
    let mut by_unit = by_unit(&records.collect::<Vec<Value>>());
    by_unit.remove("Memory").expect("the unit is reported");
    let (_, alone) = self::lines("check", &source, &command[3..]);
    let mut alone = self::by_unit(&alone);
    alone.remove("Memory");
    assert_eq!(by_unit, alone);
    assert!(by_unit.contains_key("Small"), "{lines}");
}

/// The check of the libraries runs an engine that dies, before any attempt.
#[cfg(unix)]
const LOADS: &str = r#"if [ "$1" = --version ]; then exit 0; fi"#;

/// Runs the launcher with a script as its engine.
#[cfg(unix)]
fn with_engine(script: &str) -> (std::process::Output, tempfile::TempDir) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let launcher = folder.path().join("cargo-dtest");
    std::fs::copy(env!("CARGO_BIN_EXE_cargo-dtest"), &launcher).unwrap();
    let engine = folder.path().join("cargo-dtest-engine");
    std::fs::write(&engine, format!("#!/bin/sh\n{LOADS}\n{script}\n")).unwrap();
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = std::process::Command::new(&launcher)
        .arg("dtest")
        .env("LOG", folder.path().join("log"))
        .output()
        .unwrap();
    (output, folder)
}

#[cfg(unix)]
#[test]
fn an_engine_that_dies_of_a_unit_is_started_again_without_it() {
    // Two units are at work, of which the second kills the process whenever it is searched.
    let script = r#"cat "$DTEST_ATTEMPTS" >> "$LOG"; echo -- >> "$LOG"
if grep -q "given-up.crash.B" "$DTEST_ATTEMPTS"; then exit 3; fi
if grep -q alone "$DTEST_ATTEMPTS"; then printf 'begin\tA\nend\tA\nbegin\tB\n' >> "$DTEST_ATTEMPTS"; kill -SEGV $$; fi
printf 'begin\tA\nbegin\tB\n' >> "$DTEST_ATTEMPTS"; kill -ABRT $$"#;
    let (output, folder) = with_engine(script);
    assert_eq!(output.status.code(), Some(3));
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert_eq!(
        log,
        "--\nalone\tA\nalone\tB\n--\nalone\tA\ngiven-up\tcrash\tB\n--\n"
    );
}

#[cfg(unix)]
#[test]
fn an_engine_that_dies_of_no_unit_or_is_ended_is_not_started_again() {
    for script in [
        "kill -SEGV $$",
        r#"printf 'begin\tA\ncause\tended\n' >> "$DTEST_ATTEMPTS"; kill -KILL $$"#,
    ] {
        let (output, _folder) = with_engine(script);
        assert_eq!(output.status.code(), Some(70));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("the engine was terminated"), "{said}");
    }
}

#[test]
fn one_array_type_of_many_dimensions_costs_no_other_unit() {
    let source = "class Grid<A> {
  var g: array300<A>
  constructor (g: array300<A>) ensures this.g == g { this.g := g; }
  method Same(h: array300<A>) returns (r: bool)
    ensures r <==> g == h
  {
    if g == h { r := true; } else { r := false; }
  }
}
method Double(n: int) returns (m: int) ensures m == n + n { m := 2 * n; }
";
    let (code, all) = lines("gen", source, &[]);
    assert_eq!(code, 0);
    let double = all.iter().find(|l| l["unit"] == "Double").unwrap();
    assert_eq!(double["goals"][0]["status"], "covered");
    assert_eq!(lines("check", source, &[]).0, 0);
}

#[test]
fn mutants_whose_conditions_grow_exponentially_are_given_up() {
    // Each update copies the previous ones several times.
    let source = "datatype Tables = Tables(a: seq<int>, b: seq<int>, c: seq<int>, d: seq<int>)
function Upd(s: seq<int>, i: int, v: int): seq<int> { if 0 <= i < |s| then s[i := v] else s }
function All(c: Tables, i: int, v: int): Tables {
  var c1 := c.(a := Upd(c.a, i, v));
  var c2 := c1.(b := Upd(c1.b, i, |c1.a|));
  var c3 := c2.(c := Upd(c2.c, i, |c2.b|));
  var c4 := c3.(d := Upd(c3.d, i, |c3.c|));
  var c5 := c4.(a := Upd(c4.a, |c4.d|, v));
  c5.(b := Upd(c5.b, |c5.a|, v))
}
";
    let (code, all) = lines("gen", source, &[]);
    assert_eq!(code, 0);
    assert!(all.iter().any(|l| l["unit"] == "All"));
}
