//! The listings of Spettel's thesis on Delfy (2013), rewritten (`delfy.dfy`): each error is found,
//! with inputs as small as the thesis's or smaller. Listing 2.4 is in `executions.rs`.

use super::Package;

/// The line of the obligation, its kind, the unit, and inputs as in the thesis or smaller.
const EXPECTED: [(u32, &str, &str); 22] = [
    (7, "assertion", "Ten: x = 10"),
    (
        26,
        "assertion",
        "Third: p = Cell#1 { v: 1, next: Cell#1 }, x = 0",
    ),
    (31, "non-null", "NoThird: p = Cell { v: 0, next: null }"),
    (
        37,
        "assertion",
        "Alias: p = Cell#1 { v: 3, next: Cell#1 }, x = 1",
    ),
    (49, "invariant-kept", "SumUp: n = 0"),
    (66, "frame", "CopyBox: box = Box { data: 0 }"),
    (71, "postcondition", "CopyRight: box = Box { data: 1 }"),
    (81, "assertion", "Any: "),
    (86, "postcondition", "Either: x = 0"),
    (101, "assertion", "Rounds: "),
    (102, "assertion", "Rounds: "),
    (119, "assertion", "Member: s = {}"),
    (123, "assertion", "One: s = {}"),
    (142, "assertion", "Nested: aa = 0, bb = 0"),
    (143, "assertion", "Nested: aa = 1, bb = 2"),
    (144, "assertion", "Nested: aa = 1, bb = 0"),
    (145, "assertion", "Nested: aa = 1, bb = 0"),
    (150, "assertion", "Both: x = 1, y = 0"),
    (151, "assertion", "Both: x = 0, y = 1"),
    (161, "assertion", "Members: s = [2, 1, 4, 3]"),
    (177, "assertion", "Gcd: a = 17, b = 17"),
    (183, "assertion", "Fourth: s = [0, 0, 0, 1234]"),
];

#[test]
fn the_errors_of_the_listings_are_shown_with_the_inputs_of_the_thesis_or_smaller() {
    let package = Package::new(&[("src/lib.dfy", include_str!("delfy.dfy"))]);
    let run = package.run(&["check", "--message-format", "json"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let records: Vec<serde_json::Value> = run
        .stdout
        .lines()
        .map(|l| serde_json::from_str(l).expect("a record"))
        .collect();
    let violated = |r: &serde_json::Value| {
        let inputs: Vec<&str> = r["inputs"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|i| i.as_str())
            .collect();
        let line = r["place"].as_str()?.split(':').nth(1)?.to_owned();
        let is_violated = r["standing"] == "violated";
        is_violated.then(|| {
            format!(
                "{line} {} {}: {}",
                r["obligation"].as_str().unwrap_or_default(),
                r["unit"].as_str().unwrap_or_default(),
                inputs.join(", ")
            )
        })
    };
    let found: Vec<String> = records.iter().filter_map(violated).collect();
    let expected: Vec<String> = EXPECTED
        .iter()
        .map(|(line, kind, with)| format!("{line} {kind} {with}"))
        .collect();
    assert_eq!(found, expected);
    // The answer of a function without a body (listing 4.5) is searched by its contract.
    let of_use_two =
        |r: &&serde_json::Value| r["standing"] == "violated-assuming" && r["unit"] == "UseTwo";
    let assuming = records
        .iter()
        .find(of_use_two)
        .expect("one that rests on an answer");
    assert_eq!(assuming["inputs"][0].as_str(), Some("x = 0"));
    // After the frame violation of `CopyBox`, its postcondition is violated too.
    assert!(
        records
            .iter()
            .any(|r| r["standing"] == "violated-assuming" && r["unit"] == "CopyBox")
    );
}

#[test]
fn one_error_is_looked_for_alone() {
    let package = Package::new(&[("src/lib.dfy", include_str!("delfy.dfy"))]);
    // Figure 5.1: one input, which leads to the requested error.
    let run = package.run(&["check", "--at", "src/lib.dfy:151"]);
    let inputs: Vec<&str> = run
        .stderr
        .lines()
        .filter(|l| l.contains("= note: in `"))
        .collect();
    assert_eq!(
        inputs,
        ["    = note: in `Both` with x = 0, y = 1"],
        "{}",
        run.shown()
    );
}
