//! The meaning of messages: one table of all ids.

use serde::Serialize;

/// The table. Each block has an id, its meaning, an example, and a remedy.
const TABLE: &str = include_str!("explanations.txt");

/// The explanation of a message id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The id, as messages have it in brackets.
    pub id: &'static str,
    /// The meaning of the message.
    pub means: &'static str,
    /// An example of the message.
    pub example: &'static str,
    /// A remedy.
    pub help: &'static str,
}

impl Explanation {
    /// Formats the explanation for people.
    pub fn text(&self) -> String {
        let Self {
            id,
            means,
            example,
            help,
        } = self;
        format!("{id}\n  {means}\n  For example: {example}\n  What to do: {help}\n")
    }
}

/// Returns all explanations, in the order of their ids.
pub fn all() -> impl Iterator<Item = Explanation> {
    TABLE.split("\n\n").filter_map(|block| {
        let mut lines = block.trim().lines().map(str::trim);
        let (id, means, example, help) =
            (lines.next()?, lines.next()?, lines.next()?, lines.next()?);
        Some(Explanation {
            id,
            means,
            example: example.strip_prefix("e.g. ")?,
            help,
        })
    })
}

/// Returns the explanation of an id, or of all ids of a stage (`check`).
pub fn of(wanted: &str) -> Vec<Explanation> {
    let stage = wanted.trim_end_matches('/');
    all()
        .filter(|e| e.id == wanted || e.id.split_once('/').is_some_and(|(s, _)| s == stage))
        .collect()
}

/// Returns ids that contain a word of the query, for suggestions.
pub fn like(wanted: &str) -> Vec<&'static str> {
    let words: Vec<&str> = wanted
        .split(['/', '-', '_', ' '])
        .filter(|w| w.len() > 2)
        .collect();
    all()
        .map(|e| e.id)
        .filter(|id| {
            words
                .iter()
                .any(|w| id.split(['/', '-']).any(|part| part == *w))
        })
        .take(8)
        .collect()
}
