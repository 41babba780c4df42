//! `gen --emit vectors`: the format, its schema, and the runners on ports in every language that is
//! on the machine. A planted bug in each port fails.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::Package;

/// Mocks, objects that calls lead to, output, a halt, function values, ghost state.
const SHOP: &str = "\
module Shop {
  datatype Kind = Plain | Rare(factor: nat, ghost age: nat)

  class Till {
    var sum: int
    ghost var history: seq<int>

    constructor Open(start: int)
      ensures sum == start
    {
      sum := start;
      history := [];
    }

    method Add(x: int) returns (isLarge: bool)
      modifies this
      ensures sum == old(sum) + x
    {
      sum := sum + x;
      print x, \"\\n\";
      isLarge := sum > 100;
    }

    method Split() returns (other: Till)
      modifies this
      ensures fresh(other)
    {
      other := new Till.Open(sum / 2);
      sum := sum - sum / 2;
    }
  }

  trait Feed {
    function Limit(n: nat): int

    method Next() returns (x: int)
      modifies this
      ensures x > 0
  }

  method Sum(feed: Feed) returns (sum: int)
    modifies feed
  {
    var a := feed.Next();
    if a == 5 && feed.Limit(2) == 3 {
      return 0;
    }
    sum := a;
  }

  function Price(kind: Kind, base: int): int {
    match kind
    case Plain => base
    case Rare(f, _) => base * f
  }

  method Apply(f: int -> int, x: int) returns (y: int)
    requires f(3) == 4
  {
    if f(x) == 7 {
      return 0;
    }
    y := f(x);
  }

  method Halve(x: int) returns (y: int) {
    if x > 9 {
      expect false, \"large\";
    }
    y := x / 2;
  }
}
";

/// Functions that return their argument: every kind of value, read and compared by a runner.
const ECHO: &str = "\
module Echo {
  datatype Color = Red | Mix(left: Color, share: real, int)
  newtype Byte = x: int | 0 <= x < 256

  class Cell {
    var next: Cell?
  }

  function Large(x: int): int requires x > 9007199254740992 { x }
  function Negative(x: int): int requires x < -9007199254740992 { x }
  function Flag(x: bool): bool requires x { x }
  function Letter(x: char): char requires x as int > 0x10000 { x }
  function Text(x: string): string requires |x| == 3 && x[1] == '\\\"' { x }
  function Share(x: real): real requires 0.0 < x < 1.0 { x }
  function Bits(x: bv8): bv8 requires x > 200 { x }
  function WideBits(x: bv64): bv64 requires x > 0x7fff_ffff_ffff_ffff { x }
  function Byte_(x: Byte): Byte requires x > 100 { x }
  function Lists(x: seq<seq<int>>): seq<seq<int>> requires |x| == 2 && |x[0]| == 1 { x }
  function Bag(x: multiset<int>): multiset<int> requires |x| == 3 && x[4] == 2 { x }
  function Group(x: set<string>): set<string> requires |x| == 2 { x }
  function Table(x: map<int, seq<int>>): map<int, seq<int>> requires 3 in x && x[3] == [4] { x }
  function Pair(x: (int, string)): (int, string) requires x.0 > 3 && |x.1| == 1 { x }
  function Tree(x: Color): Color requires x.Mix? && x.left.Mix? { x }
  function Nothing(x: Cell?): Cell? requires x == null { x }
  method Array(x: array<int>) returns (y: array<int>) requires x.Length == 2 { y := x; }
}
";

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Writes the vectors of a program, and returns the package and the text of the file.
fn vectors(program: &str) -> (Package, String) {
    let package = Package::new(&[("lib.dfy", program)]);
    let run = package.run(&["gen", "lib.dfy", "--emit", "vectors", "--out", "."]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let text = std::fs::read_to_string(package.root().join("lib.vectors.jsonl")).unwrap();
    (package, text)
}

/// Returns the source of a fixture.
fn fixture(name: &str) -> String {
    let path = root().join("fixtures").join(name).join("src/lib.dfy");
    std::fs::read_to_string(path).unwrap()
}

/// Returns the lines of a file as JSON.
fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

#[test]
fn vectors_read_like_data_that_a_person_writes() {
    let (_, text) = vectors(SHOP);
    // The header has hashes and versions.
    let tests: Vec<&str> = text.lines().skip(1).collect();
    insta::assert_snapshot!(tests.join("\n"));
}

#[test]
fn every_line_satisfies_the_schema_and_damaged_ones_do_not() {
    let schema = std::fs::read_to_string(root().join("runners/vectors.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let check = |line: &Value| Schema { root: &schema }.check(&schema, line);
    for program in [
        SHOP,
        ECHO,
        &fixture("bounded-queue"),
        &fixture("expression"),
        &fixture("inventory"),
        &fixture("linked-list"),
        &fixture("matrix"),
        &fixture("sensors"),
        &fixture("streams"),
        &fixture("iterators"),
    ] {
        let (_, text) = vectors(program);
        let all = lines(&text);
        assert!(all.len() > 1, "{text}");
        for line in &all {
            assert_eq!(check(line), Ok(()), "{line}");
            // Each member is there for a reason, and no other is allowed.
            let members = line.as_object().unwrap();
            let optional = ["halts_at", "results", "objects_after", "output"];
            for name in members.keys().filter(|n| !optional.contains(&n.as_str())) {
                let mut damaged = line.clone();
                damaged.as_object_mut().unwrap().remove(name);
                assert!(check(&damaged).is_err(), "without {name}: {damaged}");
            }
            let mut damaged = line.clone();
            damaged["more"] = json!(1);
            assert!(check(&damaged).is_err(), "{damaged}");
        }
    }
    for (value, is_good) in [
        (json!({"set": [1, {"chars": [65]}]}), true),
        (json!("9007199254740992"), true),
        (json!(9_007_199_254_740_992_i64), false),
        (json!("12"), false),
        (json!(1.5), false),
        (json!([1]), false),
        (json!({"seq": [1], "set": [1]}), false),
        (json!({"bv": 1}), false),
        (json!({"map": [[1]]}), false),
    ] {
        let of_value = &schema["$defs"]["value"];
        let checked = Schema { root: &schema }.check(of_value, &value);
        assert_eq!(checked.is_ok(), is_good, "{value}");
    }
}

#[test]
fn the_same_program_gives_the_same_bytes_and_foreign_files_stay() {
    let (package, text) = vectors(SHOP);
    let arguments = ["gen", "lib.dfy", "--emit", "vectors", "--out", "."];
    let check = package.run(&[&arguments[..], &["--check"]].concat());
    assert_eq!(check.code, 0, "{}", check.shown());
    package.write(
        "lib.vectors.jsonl",
        text.replace("\"schema\":1", "\"schema\":0"),
    );
    let check = package.run(&[&arguments[..], &["--check"]].concat());
    assert_eq!(check.code, 3, "{}", check.shown());
    package.write("lib.vectors.jsonl", "{\"mine\":1}\n");
    let refused = package.run(&[&arguments[..], &["--no-cache"]].concat());
    assert_eq!(refused.code, 1, "{}", refused.shown());
    let kept = std::fs::read_to_string(package.root().join("lib.vectors.jsonl")).unwrap();
    assert_eq!(kept, "{\"mine\":1}\n");
}

#[test]
fn options_of_other_suites_are_refused() {
    let package = Package::new(&[("lib.dfy", SHOP)]);
    for option in [
        &["--target", "cs"][..],
        &["--run", "py"],
        &["--against", "crate::shop"],
        &["--keep-failing"],
        &["--scenarios", "2"],
    ] {
        let run = package.run(&[&["gen", "lib.dfy", "--emit", "vectors"][..], option].concat());
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(run.stderr.contains("cli/emit"), "{}", run.shown());
    }
}

/// A runner with its ports.
struct Runner {
    /// The directory below `runners/`.
    directory: &'static str,
    /// The program that has to be on the machine.
    program: &'static str,
    /// The files of the runner.
    files: &'static [&'static str],
    /// The directory of the ports below the directory of the runner.
    ports: &'static str,
    /// Returns the file of a port.
    file: fn(&str) -> String,
    /// Commands that build the runner and the ports.
    build: fn(&Path) -> Vec<Command>,
    /// The command that runs a port on the vectors.
    run: fn(&Path, &str) -> Command,
    /// Planted bugs: a port, a text in it, and the text that replaces it.
    bugs: &'static [(&'static str, &'static str, &'static str)],
}

impl Runner {
    /// Runs each port on the vectors of its fixture, then with its planted bug.
    fn check(&self) {
        let version = Command::new(self.program)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if version.is_err() {
            eprintln!("not run: there is no {} here", self.program);
            return;
        }
        let (package, _) = vectors(ECHO);
        let from = root().join("runners").join(self.directory);
        let text = |file: &str| std::fs::read_to_string(from.join(file)).unwrap();
        for file in self.files {
            // A runner stays short enough to be read, and changed for a project.
            assert!(text(file).lines().count() <= 150, "{file} is too long");
            package.write(file, text(file));
        }
        let ports = ["echo", "bounded-queue", "expression"];
        for port in ports {
            let file = (self.file)(port);
            package.write(
                &format!("{}{file}", self.ports),
                text(&format!("{}{file}", self.ports)),
            );
        }
        for port in ["bounded-queue", "expression"] {
            let (of_fixture, lines) = vectors(&fixture(port));
            drop(of_fixture);
            package.write(&format!("{port}.jsonl"), lines);
        }
        std::fs::rename(
            package.root().join("lib.vectors.jsonl"),
            package.root().join("echo.jsonl"),
        )
        .unwrap();
        // Cargo takes the versions of this repository, without asking the registry.
        std::fs::copy(root().join("Cargo.lock"), package.root().join("Cargo.lock")).unwrap();
        self.build(&package);
        for port in ports {
            let (is_passed, output) = self.run_port(&package, port);
            assert!(is_passed, "{port}: {output}");
            let count = lines(
                &std::fs::read_to_string(package.root().join(format!("{port}.jsonl"))).unwrap(),
            )
            .len()
                - 1;
            assert!(
                output.contains(&format!("{count} passed, 0 failed, 0 not run")),
                "{port}: {output}"
            );
        }
        for &(port, line, bug) in self.bugs {
            let path = format!("{}{}", self.ports, (self.file)(port));
            let good = text(&path);
            assert!(good.contains(line), "{path} does not contain {line}");
            package.write(&path, good.replace(line, bug));
            self.build(&package);
            let (is_passed, output) = self.run_port(&package, port);
            assert!(
                !is_passed && output.contains(": FAILED ("),
                "{port}: {output}"
            );
        }
    }

    fn build(&self, package: &Package) {
        for mut command in (self.build)(package.root()) {
            let output = command.output().unwrap();
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }

    fn run_port(&self, package: &Package, port: &str) -> (bool, String) {
        let output = (self.run)(package.root(), port)
            .arg(format!("{port}.jsonl"))
            .current_dir(package.root())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(text).unwrap())
    }
}

/// `bounded-queue` as `BoundedQueue`.
fn upper_camel(port: &str) -> String {
    let upper = |part: &str| part[..1].to_uppercase() + &part[1..];
    port.split('-').map(upper).collect()
}

#[test]
fn the_runner_for_python_passes_the_ports_and_finds_planted_bugs() {
    Runner {
        directory: "python",
        program: "python3",
        files: &["vectors.py"],
        ports: "",
        file: |port| format!("{}.py", port.replace('-', "_")),
        build: |_| Vec::new(),
        run: |_, port| {
            let mut command = Command::new("python3");
            command.arg(format!("{}.py", port.replace('-', "_")));
            command
        },
        bugs: &[
            (
                "bounded-queue",
                "if at >= len(self.data):",
                "if at > len(self.data):",
            ),
            ("expression", "return Lit(a + b)", "return Lit(a - b)"),
            // Rounds down where the divisor is negative.
            (
                "expression",
                "return x // y if y > 0 else -(x // -y)",
                "return x // y",
            ),
        ],
    }
    .check();
}

#[test]
fn the_runner_for_javascript_passes_the_ports_and_finds_planted_bugs() {
    Runner {
        directory: "javascript",
        program: "node",
        files: &["vectors.js"],
        ports: "",
        file: |port| format!("{}.js", port.replace('-', "_")),
        build: |_| Vec::new(),
        run: |_, port| {
            let mut command = Command::new("node");
            command.arg(format!("{}.js", port.replace('-', "_")));
            command
        },
        bugs: &[
            ("bounded-queue", "this.size -= 1;", ""),
            (
                "expression",
                "value === 0n ? fields.then_ : fields.else_",
                "value !== 0n ? fields.then_ : fields.else_",
            ),
            (
                "expression",
                "const rest = ((x % y) + (y < 0n ? -y : y)) % y;",
                "const rest = x % y;",
            ),
        ],
    }
    .check();
}

#[test]
fn the_runner_for_java_passes_the_ports_and_finds_planted_bugs() {
    Runner {
        directory: "java",
        program: "javac",
        files: &["Vectors.java", "Inputs.java", "Json.java"],
        ports: "",
        file: |port| format!("{}.java", upper_camel(port)),
        build: |root| {
            let mut command = Command::new("javac");
            command
                .current_dir(root)
                .args(["-encoding", "UTF-8", "-d", "classes"]);
            let all = [
                "Vectors",
                "Inputs",
                "Json",
                "Echo",
                "BoundedQueue",
                "Expression",
            ];
            command.args(all.map(|c| format!("{c}.java")));
            vec![command]
        },
        run: |_, port| {
            let mut command = Command::new("java");
            command.args(["-cp", "classes", &upper_camel(port)]);
            command
        },
        bugs: &[
            ("bounded-queue", "data.set(at, x);", ""),
            (
                "expression",
                "x.value.add(y.value)",
                "x.value.subtract(y.value)",
            ),
            // Rounds toward zero where the dividend is negative.
            ("expression", "x.mod(y.abs())", "x.remainder(y)"),
        ],
    }
    .check();
}

#[test]
fn the_runner_for_rust_passes_the_ports_and_finds_planted_bugs() {
    Runner {
        directory: "rust",
        program: "cargo",
        files: &["src/lib.rs", "Cargo.toml"],
        ports: "examples/",
        file: |port| format!("{}.rs", port.replace('-', "_")),
        build: |root| {
            let mut command = cargo(root);
            command.args(["build", "--offline", "--quiet", "--examples"]);
            vec![command]
        },
        run: |root, port| {
            let mut command = cargo(root);
            let name = port.replace('-', "_");
            command.args(["run", "--offline", "--quiet", "--example", &name, "--"]);
            command
        },
        bugs: &[
            ("bounded-queue", "self.first += 1;", "self.first += 2;"),
            (
                "expression",
                "1 + size(a) + size(b)",
                "2 + size(a) + size(b)",
            ),
            ("expression", "a.checked_div_euclid(b)", "a.checked_div(b)"),
        ],
    }
    .check();
}

/// Returns cargo in a package, with a directory for builds that stays.
fn cargo(root: &Path) -> Command {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("vectors");
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root).env("CARGO_TARGET_DIR", target);
    command
}

/// A validator for the keywords that the schema uses.
struct Schema<'s> {
    root: &'s Value,
}

impl Schema<'_> {
    fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let wrong = |why: &str| Err(format!("{why}: {value}"));
        for (keyword, of) in schema.as_object().unwrap() {
            match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "title" | "description" => {}
                // `additionalProperties` refers to the properties beside it.
                "properties" => {}
                "$ref" => {
                    let path = of.as_str().unwrap().strip_prefix('#').unwrap();
                    self.check(self.root.pointer(path).unwrap(), value)?;
                }
                "const" if of == value => {}
                "enum" if of.as_array().unwrap().contains(value) => {}
                "const" | "enum" => return wrong("another value"),
                "type" => {
                    let is = match of.as_str().unwrap() {
                        "object" => value.is_object(),
                        "array" => value.is_array(),
                        "string" => value.is_string(),
                        "boolean" => value.is_boolean(),
                        "null" => value.is_null(),
                        "integer" => value.is_i64() || value.is_u64(),
                        other => panic!("unknown type {other}"),
                    };
                    if !is {
                        return wrong("another type");
                    }
                }
                "minimum" | "maximum" => {
                    let n = value.as_f64().unwrap_or_default();
                    let bound = of.as_f64().unwrap();
                    if (keyword == "minimum" && n < bound) || (keyword == "maximum" && n > bound) {
                        return wrong("out of range");
                    }
                }
                "pattern" => {
                    let pattern = regex_lite::Regex::new(of.as_str().unwrap()).unwrap();
                    if value.as_str().is_some_and(|text| !pattern.is_match(text)) {
                        return wrong("another text");
                    }
                }
                "required" => {
                    for name in of.as_array().unwrap() {
                        if value.get(name.as_str().unwrap()).is_none() {
                            return wrong(&format!("no member {name}"));
                        }
                    }
                }
                "additionalProperties" => {
                    for (name, member) in value.as_object().into_iter().flatten() {
                        match (schema["properties"].get(name), of) {
                            (Some(property), _) => self.check(property, member)?,
                            (None, Value::Bool(false)) => return wrong(&format!("member {name}")),
                            (None, more) => self.check(more, member)?,
                        }
                    }
                }
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.check(of, item)?;
                    }
                }
                "prefixItems" => {
                    let items = value.as_array().into_iter().flatten();
                    for (of, item) in of.as_array().unwrap().iter().zip(items) {
                        self.check(of, item)?;
                    }
                }
                "minItems" | "maxItems" => {
                    let n = value.as_array().map_or(0, Vec::len) as u64;
                    let bound = of.as_u64().unwrap();
                    if (keyword == "minItems" && n < bound) || (keyword == "maxItems" && n > bound)
                    {
                        return wrong("another length");
                    }
                }
                "oneOf" => {
                    let all: Vec<_> = of
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|s| self.check(s, value))
                        .collect();
                    match all.iter().filter(|r| r.is_ok()).count() {
                        1 => {}
                        0 => return wrong(&format!("{all:?}")),
                        n => return wrong(&format!("{n} alternatives")),
                    }
                }
                other => panic!("the validator does not know {other}"),
            }
        }
        Ok(())
    }
}
