//! Compiles and runs translations and suites: one crate for all programs.
//!
//! The interpreter executes each program on given inputs, and its results become the expected
//! values of the suite. A run of the suite therefore compares the translation with the interpreter.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use dafny_resolve::typed::{
    Arena, Attributes, CallableId, CallableKind, FieldId, Options, Program, Type, TypeId,
};
use dafny_source::SourceMap;
use dtest_emit::case::{Case, CaseOutcome, Declared, FrameKept, SuiteOptions, TestRole, Tests};
use dtest_emit::{Placement, suite, translate};
use dtest_interp::{Inputs, Interp, Limits, Outcome};
use dtest_sorted::SortedMap;
use dtest_value::{Contents, Elements, FunctionValue, Heap, Object, ObjectId, Value};

/// Features of the language, with a unit for each.
const PROGRAM: &str = r#"
datatype List<T> = Nil | Cons(head: T, tail: List<T>)

function Length<T>(xs: List<T>): nat
{
  match xs
  case Nil => 0
  case Cons(_, Cons(_, rest)) => 2 + Length(rest)
  case Cons(_, Nil) => 1
}

datatype Result<T> = Success(value: T) | Failure(error: string) {
  predicate IsFailure() { Failure? }
  function PropagateFailure<U>(): Result<U> requires Failure? { Failure(error) }
  function Extract(): T requires Success? { value }
}

newtype byte = x: int | 0 <= x < 256
type Digit = x: int | 0 <= x < 10 witness 7

module Bytes {
  import opened M = Main_
  function Checksum(xs: seq<Octet>): Octet
  {
    if |xs| == 0 then 0 else ((xs[0] as int + Checksum(xs[1..]) as int) % 256) as Octet
  }
}

module Main_ {
  newtype Octet = x: int | 0 <= x < 256
}

// No domain holds all values that its clauses speak of: each has several.
method Distinct(xs: seq<int>) returns (found: set<int>, squares: nat)
  ensures forall x :: x in found <==> exists i :: 0 <= i < |xs| && xs[i] == x
  ensures forall x :: x in found || x in xs ==> x in found && x in xs
  ensures squares > 0 ==> exists x, k: int :: x in xs && x == k * k
  ensures squares == 0 ==> !exists x | x in xs :: exists k: int :: x == k * k
{
  found := set x | x in xs;
  squares := 0;
  for i := 0 to |xs| {
    if exists k | 0 <= k <= xs[i] :: k * k == xs[i] { squares := squares + 1; }
  }
}

ghost predicate Sorted(xs: seq<int>)
{
  forall i, j | 0 <= i < j < |xs| :: xs[i] <= xs[j]
}

method Insert(xs: seq<int>, x: int) returns (ys: seq<int>)
  requires Sorted(xs)
  ensures Sorted(ys)
  ensures multiset(ys) == multiset(xs) + multiset{x}
{
  var i := 0;
  while i < |xs| && xs[i] < x
    invariant 0 <= i <= |xs|
    invariant forall j | 0 <= j < i :: xs[j] < x
  {
    i := i + 1;
  }
  assert xs == xs[..i] + xs[i..];
  ys := xs[..i] + [x] + xs[i..];
}

method Double(a: array<int>)
  modifies a
  ensures forall i | 0 <= i < a.Length :: a[i] == 2 * old(a[i])
{
  for i := 0 to a.Length
    invariant forall j | 0 <= j < i :: a[j] == 2 * old(a[j])
    invariant forall j | i <= j < a.Length :: a[j] == old(a[j])
  {
    a[i] := 2 * a[i];
  }
}

function Squares(s: set<int>): set<int> { set x | x in s && x > 0 :: x * x }

function Index(xs: seq<int>): map<int, int> { map i | 0 <= i < |xs| :: i := xs[i] }

function Twice(f: int -> int, x: int): int { f(f(x)) }

function AddTwice(n: int, x: int): int { Twice(y => y + n, x) }

function Quotients(a: int, b: int): (int, int)
  requires b != 0
{
  (a / b, a % b)
}

method Least(s: set<int>) returns (m: int)
  requires s != {}
  ensures m in s && forall x | x in s :: m <= x
{
  m :| m in s && forall x | x in s :: m <= x;
}

method Parse(s: string) returns (r: Result<int>)
{
  if s == "" { return Failure("empty"); }
  return Success(|s|);
}

method Sum(s: string, t: string) returns (r: Result<int>)
{
  var a :- Parse(s);
  var b :- Parse(t);
  return Success(a + b);
}

method Find(xss: seq<seq<int>>, x: int) returns (row: int, column: int)
{
  row, column := -1, -1;
  label rows: for i := 0 to |xss| {
    for j := 0 to |xss[i]| {
      if xss[i][j] == x {
        row, column := i, j;
        break rows;
      }
    }
  }
}

class Counter {
  var count: int
  const step: int

  constructor (step: int)
    ensures count == 0 && this.step == step
  {
    this.step := step;
    count := 0;
  }

  method Tick() returns (previous: int)
    modifies this
    ensures count == old(count) + step && previous == old(count)
  {
    previous := count;
    count := count + step;
  }
}

method Ticks(n: nat) returns (r: int)
{
  var c := new Counter(3);
  for i := 0 to n {
    var _ := c.Tick();
  }
  return c.count;
}

method Checked(x: int)
{
  expect x > 0, "not positive";
}

method {:test} SumsOfLengths() returns (r: Result<int>)
{
  r :- Sums("ab", "c");
  expect r.Success? ==> r.value == 3, "a sum of lengths";
}

method Sums(s: string, t: string) returns (r: Result<Result<int>>)
{
  var x := Sum(s, t);
  return Success(x);
}

trait Tariff extends object {
  const name: string
  var asked: nat
  function Price(weight: int, express: bool): int
  function Base(): int { 1 }
  function Twice(weight: int): int { Base() + Price(weight, false) * 2 }
}

class Scale {
  var weight: int
  var peer: Scale?
  const tariff: Tariff
  constructor (tariff: Tariff) { this.tariff := tariff; weight := 0; peer := null; }
}

method Postage(tariff: Tariff, weight: int) returns (sum: int, name: string)
  modifies tariff
{
  tariff.asked := tariff.asked + 1;
  return tariff.Price(weight, true) + tariff.Twice(weight), tariff.name;
}

method Around(scale: Scale) returns (n: int)
{
  if scale.peer == null || scale.peer.peer != scale { return 0; }
  return scale.weight + scale.peer.weight + scale.peer.tariff.Price(7, true);
}

function Classify(d: Digit, b: bool, c: char): string
{
  match (d, b)
  case (0, _) => "zero"
  case (_, true) => [c]
  case (n, false) => if n < 5 then "low" else "high"
}
"#;

/// Creates a mock of a tariff, with a stub for `Price` and, if `base`, for `Base`, which has a
/// body.
fn tariff(program: &Program, base: bool) -> Object {
    let find = |name: &str| {
        Arena::<CallableId>::ids(program)
            .into_iter()
            .find(|c| program.callable_path(*c) == name)
            .unwrap()
    };
    let field = |name: &str| {
        Arena::<FieldId>::ids(program)
            .into_iter()
            .find(|f| &*program[*f].name == name)
            .unwrap()
    };
    let ty = Arena::<TypeId>::ids(program)
        .into_iter()
        .find(|t| &*program[*t].name == "Tariff")
        .unwrap();
    let fields = [
        (field("name"), Value::string("cheap")),
        (field("asked"), Value::int(2)),
    ]
    .into();
    let entry = |weight: i64, express, price: i64| {
        (
            vec![Value::int(weight), Value::Bool(express)],
            Value::int(price),
        )
    };
    let price = FunctionValue::Table {
        entries: vec![entry(5, true, 15), entry(5, false, 4)],
        default: Value::int(30),
    };
    let mut redefined = SortedMap::from([(find("Tariff.Price"), price)]);
    if base {
        redefined.insert(
            find("Tariff.Base"),
            FunctionValue::Table {
                entries: Vec::new(),
                default: Value::int(100),
            },
        );
    }
    Object {
        redefined,
        ..Object::new(Type::named(ty, Vec::new()), Contents::Fields(fields))
    }
}

/// Creates two scales that are each other's peers, with one tariff.
fn scales(program: &Program) -> Heap {
    let field = |name: &str| {
        Arena::<FieldId>::ids(program)
            .into_iter()
            .rfind(|f| &*program[*f].name == name)
            .unwrap()
    };
    let ty = Arena::<TypeId>::ids(program)
        .into_iter()
        .find(|t| &*program[*t].name == "Scale")
        .unwrap();
    let scale = |weight: i64, peer| {
        let fields = [
            ("weight", Value::int(weight)),
            ("peer", Value::Ref(ObjectId(peer))),
            ("tariff", Value::Ref(ObjectId(2))),
        ];
        Object::new(
            Type::named(ty, Vec::new()),
            Contents::Fields(fields.map(|(n, v)| (field(n), v)).into()),
        )
    };
    Heap {
        objects: vec![scale(1, 1), scale(2, 0), tariff(program, false)],
    }
}

/// Returns the units with arguments that satisfy their preconditions.
fn inputs(program: &Program) -> Vec<(&'static str, Vec<Type>, Vec<Value>, Heap)> {
    let ints = |ns: &[i64]| Value::seq(ns.iter().map(|&n| Value::int(n)));
    let plain = |name, args| (name, Vec::new(), args, Heap::default());
    let array = |ns: &[i64]| {
        let elements = ns.iter().map(|&n| Some(Value::int(n))).collect();
        let ty = Type::Array {
            dims: 1,
            nullable: false,
            elem: Box::new(Type::Int),
        };
        Heap {
            objects: vec![Object::new(ty, Contents::Elements(Elements::row(elements)))],
        }
    };
    vec![
        plain("Distinct", vec![ints(&[2, 9, -4, 2, 16])]),
        plain("Distinct", vec![ints(&[3, -1])]),
        plain("Insert", vec![ints(&[]), Value::int(3)]),
        plain("Insert", vec![ints(&[1, 3, 5]), Value::int(4)]),
        (
            "Double",
            vec![],
            vec![Value::Ref(ObjectId(0))],
            array(&[1, -2, 3]),
        ),
        plain("Squares", vec![Value::set([-1, 2, 3].map(Value::int))]),
        plain("Index", vec![ints(&[7, 8])]),
        plain("AddTwice", vec![Value::int(-4), Value::int(1)]),
        plain("Quotients", vec![Value::int(-7), Value::int(2)]),
        plain("Quotients", vec![Value::int(-7), Value::int(-2)]),
        plain("Least", vec![Value::set([5, -3, 9].map(Value::int))]),
        plain("Parse", vec![Value::string("")]),
        plain("Sum", vec![Value::string("ab"), Value::string("c\"\n")]),
        plain("Sum", vec![Value::string("ab"), Value::string("")]),
        plain(
            "Find",
            vec![
                Value::seq([ints(&[1]), ints(&[2, 3]), ints(&[3])]),
                Value::int(3),
            ],
        ),
        plain("Find", vec![Value::seq([ints(&[1])]), Value::int(3)]),
        plain("Ticks", vec![Value::int(4)]),
        plain("Checked", vec![Value::int(1)]),
        plain("Checked", vec![Value::int(0)]),
        plain(
            "Classify",
            vec![Value::int(0), Value::Bool(true), Value::Char(97)],
        ),
        plain(
            "Classify",
            vec![Value::int(3), Value::Bool(true), Value::Char(97)],
        ),
        plain(
            "Classify",
            vec![Value::int(8), Value::Bool(false), Value::Char(97)],
        ),
        plain("Bytes.Checksum", vec![ints(&[200, 100])]),
        (
            "Postage",
            vec![],
            vec![Value::Ref(ObjectId(0)), Value::int(5)],
            Heap {
                objects: vec![tariff(program, false)],
            },
        ),
        (
            "Postage",
            vec![],
            vec![Value::Ref(ObjectId(0)), Value::int(6)],
            Heap {
                objects: vec![tariff(program, true)],
            },
        ),
        (
            "Around",
            vec![],
            vec![Value::Ref(ObjectId(0))],
            scales(program),
        ),
    ]
}

#[test]
fn suites_of_the_translation_and_of_a_subject_by_other_hands_pass() {
    let mut sources = SourceMap::new();
    sources.add("src/features.dfy", PROGRAM, true).unwrap();
    let (tree, found) = dafny_syntax::parse(0, PROGRAM);
    assert!(found.is_empty(), "{found:?}");
    let (program, found) = dafny_resolve::resolve(vec![tree], Options::default());
    assert!(!found.iter().any(|d| d.is_error()), "{found:?}");
    let program = Arc::new(program);
    let ir = dtest_lower::lower(program.clone());
    let interpreter = Interp::new(&ir, Limits::default());

    let unit = |name: &str| -> CallableId {
        let ids: Vec<CallableId> = program.ids();
        ids.into_iter()
            .find(|&c| program.callable_path(c) == name && program[c].kind != CallableKind::Lemma)
            .unwrap()
    };
    let mut cases = Vec::new();
    for (i, (name, type_args, args, heap)) in inputs(&program).into_iter().enumerate() {
        let inputs = Inputs {
            type_args: type_args.clone(),
            args: args.clone(),
            heap: heap.clone(),
            answers: Vec::new(),
        };
        assert!(
            interpreter
                .check_inputs(unit(name), &inputs)
                .verdict()
                .is_true(),
            "{name}"
        );
        let execution = interpreter.run(unit(name), &inputs);
        let outcome = match execution.outcome {
            Outcome::Returned(values) => CaseOutcome::Returns(Some((values, execution.heap))),
            Outcome::Halted { span, .. } => CaseOutcome::Halts { span },
            other => panic!("{name}: {other:?}"),
        };
        cases.push(Case {
            unit: unit(name),
            role: TestRole::Covering(i),
            type_args,
            args,
            heap,
            name: format!("input_{i}"),
            doc: vec!["Documented.".into()],
            answers: Vec::new(),
            unanswered: Vec::new(),
            constructed: Default::default(),
            outcome,
            printed: Some(execution.printed),
            frame: FrameKept::Kept,
        });
    }

    let placement = Placement::single("src/lib.rs", "crate", "// Written by a test.");
    let translation = translate(&program, &sources, &placement);
    assert_eq!(translation.unsupported, vec![]);
    assert!(translation.clauses.is_empty(), "{:?}", translation.clauses);
    let own: Vec<Declared> = (program.ids().into_iter())
        .filter(|&c: &CallableId| program[c].attribute("test").is_some())
        .map(|callable| Declared {
            callable,
            answers: Vec::new(),
            refused: None,
        })
        .collect();
    let datatypes = dtest::pipeline::datatypes(&ir, &sources, true, None);
    let classes = dtest::pipeline::classes(&ir, &sources, true, None);
    assert!(!datatypes.is_empty() && !classes.is_empty());
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted");
    let mut files = translation.files.clone();
    for (name, is_translation) in [("ours", true), ("theirs", false)] {
        let options = SuiteOptions {
            header: "// Written by a test.".into(),
            subject: "emitted".into(),
            is_translation,
            official: None,
            directory: format!("tests/{name}"),
        };
        let tests = Tests {
            cases: &cases,
            declared: &own,
            datatypes: &datatypes,
            classes: &classes,
        };
        let suite = suite(
            &program,
            &sources,
            &placement,
            &translation,
            &tests,
            &options,
        );
        let declared: Vec<&str> = suite
            .declared
            .iter()
            .filter_map(|(_, t)| t.as_ref().ok())
            .map(|w| w.test.as_str())
            .collect();
        assert_eq!(
            declared,
            if is_translation {
                vec!["sums_of_lengths::passes"]
            } else {
                vec![]
            }
        );
        assert_eq!(
            suite
                .tests
                .values()
                .filter_map(|t| t.as_ref().err())
                .collect::<Vec<_>>(),
            Vec::<&dtest_emit::Unsupported>::new()
        );
        // The other class has functions without a body, so its objects are mocks.
        let objects: Vec<&str> = suite
            .classes
            .iter()
            .filter_map(|(_, t)| t.as_ref().ok())
            .map(|w| w.test.as_str())
            .collect();
        assert_eq!(
            objects,
            if is_translation {
                vec!["counter::object"]
            } else {
                vec![]
            }
        );
        assert!(
            suite
                .files
                .iter()
                .any(|(path, _)| path.ends_with("spec.rs"))
        );
        files.extend(suite.files);
    }
    write(&directory, &files);
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet"])
        .env("CARGO_TARGET_DIR", directory.join("target"))
        .current_dir(&directory)
        .output()
        .unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains(&format!("{} passed", cases.len()))
            && text.contains(&format!("{} passed", cases.len() + 2 + datatypes.len())),
        "{text}"
    );
}

fn write(directory: &Path, files: &[(String, String)]) {
    let workspace: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = format!(
        "[package]\nname = \"emitted\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\ndunit = {{ path = {:?} }}\ndmock = {{ path = {:?} }}\n\n[workspace]\n",
        workspace.join("dunit"),
        workspace.join("dmock")
    );
    for (path, text) in files
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .chain([("Cargo.toml", manifest.as_str())])
    {
        let path = directory.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::copy(workspace.join("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
}
