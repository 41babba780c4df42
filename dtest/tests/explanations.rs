//! Every id that a message can have is explained, and no other id is.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::Path;

use dtest_sorted::SortedSet;

use dtest::message::MessageId;
use dtest::report::explain;

/// The stages that ids begin with.
const STAGES: [&str; 18] = [
    "syntax",
    "resolve",
    "load",
    "cli",
    "boogie",
    "check",
    "dead",
    "run",
    "eval",
    "watch",
    "finding",
    "fuzz",
    "rewrite",
    "mutants",
    "translate",
    "entry",
    "test",
    "cover",
];

/// Collects the ids that occur in the sources as literals, except in tests and in the list of ids.
fn ids(dir: &Path, out: &mut SortedSet<String>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            ids(&path, out);
        } else if path.extension().is_some_and(|x| x == "rs")
            && !path.ends_with("tests.rs")
            && !path.ends_with("message.rs")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let literals = code.split('"').skip(1);
            out.extend(literals.filter(|l| is_id(l)).map(str::to_owned));
        }
    }
}

fn is_id(text: &str) -> bool {
    let Some((stage, name)) = text.split_once('/') else {
        return false;
    };
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    STAGES.contains(&stage) && is_name
}

#[test]
fn every_id_has_an_explanation_and_every_explanation_an_id() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut used: SortedSet<String> = MessageId::ALL
        .iter()
        .map(|id| id.as_str().to_owned())
        .collect();
    for folder in ["crates", "crates/boogie", "crates/fuzz"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let src = entry.unwrap().path().join("src");
            if src.is_dir() {
                ids(&src, &mut used);
            }
        }
    }
    let explained: SortedSet<String> = explain::all().map(|e| e.id.to_owned()).collect();
    let missing: Vec<_> = used.difference(&explained).collect();
    let superfluous: Vec<_> = explained.difference(&used).collect();
    assert!(
        missing.is_empty() && superfluous.is_empty(),
        "not explained: {missing:?}; of no message: {superfluous:?}"
    );
}

#[test]
fn the_messages_of_this_crate_have_ids_of_the_enum() {
    let mut literals = SortedSet::new();
    ids(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut literals,
    );
    assert!(literals.is_empty(), "use `MessageId`: {literals:?}");
    let mut sorted = MessageId::ALL.to_vec();
    sorted.sort_by_key(|id| id.as_str());
    assert_eq!(sorted, MessageId::ALL);
    for id in MessageId::ALL {
        assert_eq!(MessageId::named(id.as_str()), Some(*id));
    }
}

#[test]
fn the_table_is_whole() {
    let blocks = include_str!("../src/report/explanations.txt")
        .split("\n\n")
        .filter(|b| !b.trim().is_empty())
        .count();
    let all: Vec<explain::Explanation> = explain::all().collect();
    assert_eq!(blocks, all.len());
    let distinct: SortedSet<&str> = all.iter().map(|e| e.id).collect();
    assert_eq!(distinct.len(), all.len());
    assert!(
        all.iter()
            .all(|e| e.means.ends_with('.') && !e.example.is_empty() && e.help.ends_with('.'))
    );
}
