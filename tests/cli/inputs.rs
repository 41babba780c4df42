//! `[inputs]` in `dtest.toml`: configured values come first, and errors in them are reported at
//! their location.

use super::Package;
use super::suite::cargo_test;

const QUEUE: &str = "\
module Queues {
  newtype Weight = n: int | n % 7 == 3 witness 3

  class Queue {
    var items: array<int>
    var first: nat
    var count: nat

    ghost predicate Valid() reads this, items {
      0 < items.Length && first < items.Length && count <= items.Length
    }

    constructor (capacity: nat)
      requires 0 < capacity <= 5
      ensures Valid() && fresh(items)
    {
      items := new int[capacity](i => -1);
      first, count := 0, 0;
    }

    method Add(x: int)
      requires Valid() && count < items.Length
      modifies this, items
      ensures Valid() && count == old(count) + 1
    {
      items[(first + count) % items.Length] := x;
      count := count + 1;
    }
  }

  method Filled(capacity: nat, x: int) returns (queue: Queue)
    requires 2 <= capacity <= 5
    ensures queue.Valid()
  {
    queue := new Queue(capacity);
    queue.Add(x);
    queue.Add(40);
  }

  method Head(queue: Queue) returns (x: int)
    requires queue.Valid() && queue.count > 0
  {
    x := queue.items[queue.first];
  }

  method Heavier(a: Weight, b: Weight) returns (most: Weight) {
    most := if a < b then b else a;
  }

  method Longest(names: seq<string>) returns (most: nat) {
    most := 0;
    for i := 0 to |names| {
      if |names[i]| > most {
        most := |names[i]|;
      }
    }
  }
}
";

const INPUTS: &str = r#"[inputs]
"Queues.Weight" = ["17", "Queues.Weight.Least()"]
"Queues.Queue" = ["new Queues.Queue(2)", "Queues.Filled"]
"string" = ['"Ada"', '"Blaise"']
"#;

fn package(inputs: &str) -> Package {
    let queue = QUEUE.replace(
        "witness 3\n",
        "witness 3 {\n    static function Least(): Weight { -4 }\n  }\n",
    );
    let package = Package::new(&[("dtest.toml", inputs), ("src/queues.dfy", &queue)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    package
}

fn read(package: &Package, path: &str) -> String {
    std::fs::read_to_string(package.root().join(path)).unwrap()
}

#[test]
fn configured_values_occur_in_tests_and_generators_get_arguments() {
    let package = package(INPUTS);
    let run = package.run(&["gen", "--strength", "coverage"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let heavier = read(&package, "tests/dtest/queues/heavier.rs");
    assert!(
        heavier.contains("int(17)") && heavier.contains("int(-4)"),
        "{heavier}"
    );
    let head = read(&package, "tests/dtest/queues/head.rs");
    assert!(head.contains("int(40)"), "{head}");
    let longest = read(&package, "tests/dtest/queues/longest.rs");
    assert!(
        longest.contains("\"Ada\"") || longest.contains("\"Blaise\""),
        "{longest}"
    );
    // Generated methods are not part of the program.
    assert!(
        !run.shown().contains("given") && !read(&package, "src/queues.rs").contains("given"),
        "{}",
        run.shown()
    );
    let (passed, text) = cargo_test(&package, "inputs");
    assert!(passed, "{text}");
}

#[test]
fn cached_results_depend_on_configured_inputs_and_their_callees() {
    let package = package(INPUTS);
    assert_eq!(package.run(&["gen", "--strength", "coverage"]).code, 0);
    assert_eq!(package.run(&["gen", "--strength", "coverage"]).code, 0);
    package.write("dtest.toml", INPUTS.replace("17", "24"));
    assert_eq!(package.run(&["gen", "--strength", "coverage"]).code, 0);
    assert!(read(&package, "tests/dtest/queues/heavier.rs").contains("int(24)"));
    package.write(
        "src/queues.dfy",
        read(&package, "src/queues.dfy").replace("{ -4 }", "{ -11 }"),
    );
    assert_eq!(package.run(&["gen", "--strength", "coverage"]).code, 0);
    assert!(read(&package, "tests/dtest/queues/heavier.rs").contains("int(-11)"));
}

#[test]
fn errors_in_configured_inputs_have_their_location() {
    let cases = [
        (
            "\"Queues.Weight\" = [\"4\"]",
            "dtest.toml:2:20",
            "its value is not a member of `Weight`",
        ),
        (
            "\"Queues.Weight\" = [\"3\", \"true\"]",
            "dtest.toml:2:25",
            "expected Weight, found bool",
        ),
        (
            "\"Queues.Weight\" = [\"3 +\"]",
            "dtest.toml:2:20",
            "expected an expression",
        ),
        (
            "\"Queues.Weight\" = [\"3; } method X() {\"]",
            "dtest.toml:2:20",
            "expected",
        ),
        (
            "\"Queues.Queue\" = [\"new Queues.Queue(9)\"]",
            "dtest.toml:2:19",
            "precondition of `Queues.Queue._ctor` does not hold",
        ),
        (
            "\"Queues.Queue\" = [\"Queues.Head\"]",
            "dtest.toml:2:19",
            "`Queues.Head` returns `int`, not `Queue`",
        ),
        (
            "\"Queues.Queue\" = [\"Queues.Queue.Add\"]",
            "dtest.toml:2:19",
            "needs a receiver",
        ),
        (
            "\"Queues.Queue?\" = [\"null\"]",
            "dtest.toml:2:1",
            "inputs must be objects",
        ),
    ];
    for (line, place, message) in cases {
        let package = package(&format!("[inputs]\n{line}\n"));
        let run = package.run(&["gen"]);
        assert!(
            run.code == 2 && run.stderr.contains(place) && run.stderr.contains(message),
            "{line}: {}",
            run.shown()
        );
    }
}

#[test]
fn a_type_that_the_program_does_not_have_is_a_warning() {
    let package = package("[inputs]\n\"Queues.Wait\" = [\"3\"]\n\"Queues.Weight\" = [\"24\"]\n");
    let run = package.run(&["gen", "--strength", "coverage", "--filter", "Heavier"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr.contains("warning[cli/unknown-inputs]") && run.stderr.contains("dtest.toml:2:9"),
        "{}",
        run.shown()
    );
    assert!(read(&package, "tests/dtest/queues/heavier.rs").contains("int(24)"));
}
