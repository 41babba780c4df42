//! The oracles of tests: state by value and identity by shape, wherever new objects are; ghost
//! constraints of types; and that an unchecked test is reported.

use super::Package;
use super::suite::cargo_test;

const ORDERS: &str = include_str!("orders.dfy");

#[test]
fn new_objects_are_compared_wherever_they_lie() {
    let package = Package::new(&[("src/lib.dfy", ORDERS)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen", "src/lib.dfy"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let (passed, text) = cargo_test(&package, "oracles");
    assert!(passed, "{text}");

    // Wrong implementations that satisfy every clause: the test of each unit fails.
    let mut library = std::fs::read_to_string(package.root().join("src/lib.rs")).unwrap();
    for (right, wrong) in [
        (
            "seq![first.clone(), second, first.clone()]",
            "seq![first.clone(), second.clone(), second]",
        ),
        (
            "Order::new(&int(7), amount,",
            "Order::new(&int(7), &int(7),",
        ),
        (
            "(str(\"near\"), near.clone())",
            "(str(\"near\"), far.clone())",
        ),
        ("amount + 5", "amount + 6"),
        ("Parcel::new(weight)", "Parcel::new(&(weight + 1))"),
        (
            "Order::new(&this.orders.get().len(), amount,",
            "Order::new(&this.orders.get().len(), &int(0),",
        ),
        // The argument itself instead of a copy.
        (
            "        copy.set(&i, values.get(&i));\n    }\n    copy\n",
            "        copy.set(&i, values.get(&i));\n    }\n    values.clone()\n",
        ),
        // A function in a datatype in a sequence.
        ("*x > limit", "*x >= limit"),
    ] {
        assert!(library.contains(right), "no `{right}` in\n{library}");
        library = library.replacen(right, wrong, 1);
    }
    package.write("src/lib.rs", library);
    let (passed, text) = cargo_test(&package, "oracles");
    assert!(!passed, "{text}");
    for unit in [
        "split",
        "accept",
        "by_name",
        "pool",
        "wrap",
        "book_enter",
        "mirror",
        "rules",
    ] {
        let is_noticed = text
            .lines()
            .any(|l| l.starts_with(&format!("{unit}::")) && l.ends_with("FAILED"));
        assert!(is_noticed, "a wrong `{unit}` goes unnoticed\n{text}");
    }
    assert!(
        text.contains("values and copy are the same object"),
        "{text}"
    );
}

#[test]
fn ghost_constraints_of_types_are_executed_and_unchecked_tests_say_so() {
    let package = Package::new(&[("src/lib.dfy", ORDERS)]);
    let run = package.run(&["gen", "src/lib.dfy", "--fail-unchecked"]);
    assert_eq!(run.code, 5, "{}", run.shown());
    let said =
        "error[cli/fail-unchecked]: 2 tests are unchecked, which --fail-unchecked forbids: quiet::";
    assert!(run.shown().contains(said), "{}", run.shown());
    let suite = |unit: &str| {
        std::fs::read_to_string(package.root().join(format!("tests/dtest/{unit}.rs"))).unwrap()
    };
    assert!(
        suite("quiet").contains("\n/// Unchecked: no result, no state and no clause is checked"),
        "{}",
        suite("quiet")
    );
    assert!(
        suite("widen")
            .contains("require!(spec::ordered(&spans), \"src/lib.dfy:99:16: spans is a Spans\");"),
        "{}",
        suite("widen")
    );
    assert!(
        suite("widen").contains(
            "expect!(spec::ordered(&result), \"src/lib.dfy:99:10: the result is a Spans\");"
        ),
        "{}",
        suite("widen")
    );
    let summary = package.run(&[
        "gen",
        "src/lib.dfy",
        "--message-format",
        "json",
        "--no-cache",
    ]);
    assert!(
        summary.stdout.contains("\"unchecked\":2"),
        "{}",
        summary.shown()
    );
}
