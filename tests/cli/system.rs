//! System tests: one entry, and the coverage of its callees.

use std::path::Path;

use super::Package;
use super::package::Run;
use super::suite::cargo_test;

/// Copies the fixture to a package with that name, with its own `dtest.toml` unless another one is
/// given.
fn checkout(name: &str, configuration: Option<&str>) -> Package {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .join("fixtures/checkout");
    let read = |name: &str| std::fs::read_to_string(fixture.join(name)).unwrap();
    let configured = read("dtest.toml");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n"
    );
    let files = [
        ("Cargo.toml", manifest.as_str()),
        ("src/lib.dfy", &read("src/lib.dfy")),
        ("dtest.toml", configuration.unwrap_or(&configured)),
    ];
    Package::new(&files)
}

/// Returns the JSON lines of one kind.
fn lines(run: &Run, kind: &str) -> Vec<serde_json::Value> {
    let parsed = run
        .stdout
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
    parsed.filter(|v| v["kind"] == kind).collect()
}

#[test]
fn a_program_is_covered_through_one_entry_with_fewer_tests_than_unit_by_unit() {
    let system = checkout("through", None);
    let through = system.run(&["gen", "--message-format", "json"]);
    assert_eq!(through.code, 0, "{}", through.shown());
    let unitwise = checkout("alone", Some(""));
    let alone = unitwise.run(&["gen", "--message-format", "json"]);
    assert_eq!(alone.code, 0, "{}", alone.shown());
    let count = |run: &Run, what: &str| lines(run, "summary")[0][what].as_u64().unwrap();
    // The same goals, each once, all covered.
    assert_eq!((count(&through, "units"), count(&alone, "units")), (1, 14));
    assert_eq!(
        (count(&through, "goals"), count(&through, "covered")),
        (count(&alone, "goals"), count(&alone, "goals"))
    );
    assert!(
        count(&through, "tests") * 3 <= count(&alone, "tests"),
        "{} against {}",
        count(&through, "tests"),
        count(&alone, "tests")
    );
    let all =
        |run: &Run| count(run, "tests") + count(run, "datatype_tests") + count(run, "class_tests");
    for (package, tests) in [(&system, all(&through)), (&unitwise, all(&alone))] {
        let (passed, text) = cargo_test(package, "checkout");
        assert!(
            passed && text.contains(&format!("{tests} passed")),
            "{text}"
        );
    }
    // The location of each goal in a callee is reported, and the suite has the entry's tests alone.
    let unit = &lines(&through, "unit")[0];
    let goals = unit["goals"].as_array().unwrap();
    let within = |callee: &str| goals.iter().filter(|g| g["in"] == callee).count();
    assert_eq!(
        (within("Checkout.Loyalty"), within("Checkout.Pieces")),
        (5, 3)
    );
    assert_eq!(unit["callees"].as_array().unwrap().len(), 13);
    assert!(
        system
            .root()
            .join("tests/dtest/checkout/process.rs")
            .exists()
    );
    assert!(
        !system
            .root()
            .join("tests/dtest/checkout/loyalty.rs")
            .exists()
    );
}

#[test]
fn the_report_has_the_coverage_of_each_callee_by_the_entry() {
    let package = Package::new(&[(
        "src/lib.dfy",
        "method Run(x: nat) returns (r: int)\n{\n  r := Twice(x);\n}\n\nmethod Twice(y: int) returns (r: int)\n{\n  if y < 0 {\n    return 0;\n  }\n  r := 2 * y;\n}\n",
    )]);
    // The cached result of a run without the entry is separate.
    assert_eq!(package.run(&["gen", "--out", "alone"]).code, 0);
    insta::assert_snapshot!(package.run(&["gen", "--entry", "Run"]).shown());
    insta::assert_snapshot!(package.run(&["list", "--entry", "Run"]).shown());
    insta::assert_snapshot!(
        std::fs::read_to_string(package.root().join("tests/dtest/run.rs"))
            .unwrap()
            .split_once("use ")
            .unwrap()
            .1
    );
}

#[test]
fn callees_shared_by_two_entries_count_once() {
    let source = "method A(x: int) returns (r: int) { r := F(x); } method B(x: nat) returns (r: int) { r := F(x); }
        function F(x: int): int { if x < 0 then 1 else 2 }";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&[
        "gen",
        "--entry",
        "A",
        "--entry",
        "B",
        "--message-format",
        "json",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let summary = &lines(&run, "summary")[0];
    assert_eq!(
        (&summary["goals"], &summary["covered"]),
        (&5.into(), &5.into()),
        "{summary}"
    );
}

#[test]
fn an_entry_that_does_not_exist_is_a_usage_error_with_the_name_that_was_meant() {
    let package = Package::new(&[(
        "src/lib.dfy",
        "module Shop { method Run() {} ghost method G() {} }",
    )]);
    insta::assert_snapshot!(
        package
            .run(&["gen", "--entry", "Run", "--entry", "Shop.G"])
            .shown()
    );
}
