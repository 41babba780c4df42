//! `check`: the violated obligations of programs, and those that are not.

use super::Package;

/// Returns the places and kinds of the violations of a program, in source order.
fn violations(source: &str) -> Vec<String> {
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["check", "src/lib.dfy", "--message-format", "short"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let said = run.shown();
    let place = |l: &str| {
        let (place, rest) = l.strip_prefix("src/lib.dfy:")?.split_once(": error: ")?;
        Some(format!(
            "{place} {}",
            rest.rsplit_once('[')?.1.trim_end_matches(']')
        ))
    };
    said.lines().filter_map(place).collect()
}

#[test]
fn measures_that_do_not_get_smaller_are_found() {
    assert_eq!(
        violations(include_str!("measures.dfy")),
        [
            "2:51 check/decreases",
            "6:100 check/decreases",
            "7:33 check/decreases",
            "8:36 check/decreases",
            "11:73 check/decreases",
            "14:50 check/decreases",
            "19:38 check/decreases",
        ]
    );
}

#[test]
fn accesses_outside_of_frames_are_found() {
    let places = [
        "5:25", "6:44", "9:25", "10:48", "12:57", "13:104", "14:63", "16:84", "18:49", "19:100",
        "21:53",
    ];
    let kinds = [
        "reads", "reads", "frame", "frame", "reads", "reads", "reads", "frame", "frame", "frame",
        "frame",
    ];
    let expected: Vec<String> = places
        .iter()
        .zip(kinds)
        .map(|(p, k)| format!("{p} check/{k}"))
        .collect();
    assert_eq!(violations(include_str!("frames.dfy")), expected);
}
