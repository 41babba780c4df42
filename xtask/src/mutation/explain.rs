//! Why a mutant survives: the list that people keep, and what follows from measuring two criteria.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::Score;
use super::outcomes::Mutant;

/// `fixtures/survivors.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanations {
    #[serde(default)]
    survivor: Vec<Explanation>,
}

/// Why one mutant, or each of several of the same words, survives.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Explanation {
    fixture: String,
    /// In the words of cargo-mutants, without file, line and column.
    mutant: String,
    /// The line of the translation, where the same words speak of other places too.
    line: Option<String>,
    /// Why no test can notice it, or why none is asked for.
    reason: String,
}

impl Explanation {
    fn speaks_of(&self, subject: &str, mutant: &Mutant) -> bool {
        let same_line = self.line.as_ref().is_none_or(|line| *line == mutant.line);
        self.fixture == subject && self.mutant == mutant.change && same_line
    }
}

impl Explanations {
    /// Reads the list. An error where it is missing, has unknown keys, or a reason is empty.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let list: Self = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        match list.survivor.iter().find(|e| e.reason.trim().is_empty()) {
            Some(e) => Err(format!(
                "{}: no reason for `{}` of {}",
                path.display(),
                e.mutant,
                e.fixture
            )),
            None => Ok(list),
        }
    }

    /// Why `mutant` survives by the criterion of `score`: what the list says, or that a stronger criterion that was measured
    /// asks for a test that notices it.
    pub fn of(&self, mutant: &Mutant, score: &Score, all: &[Score]) -> Option<String> {
        let listed = self
            .survivor
            .iter()
            .find(|e| e.speaks_of(&score.subject, mutant))
            .map(|e| e.reason.clone());
        // Only by a criterion that asks for more: what less catches by chance is no reason.
        let parts = |coverage: &str| {
            coverage
                .split(',')
                .map(str::to_owned)
                .collect::<BTreeSet<_>>()
        };
        let asks_more = |s: &&Score| {
            parts(&s.coverage).is_superset(&parts(&score.coverage)) && s.coverage != score.coverage
        };
        let others = all
            .iter()
            .filter(|s| s.subject == score.subject)
            .filter(asks_more);
        let mut killers = others
            .filter(|s| !s.missed().any(|m| m == mutant))
            .map(|s| format!("caught with {}", s.coverage));
        listed.or_else(|| killers.next())
    }

    /// The explanations of mutants that no criterion lets survive, among the programs that were measured.
    pub fn stale(&self, scores: &[Score]) -> Vec<String> {
        let measured = |e: &&Explanation| scores.iter().any(|s| s.subject == e.fixture);
        let survives = |e: &Explanation| {
            scores
                .iter()
                .any(|s| s.missed().any(|m| e.speaks_of(&s.subject, m)))
        };
        let stale = self
            .survivor
            .iter()
            .filter(measured)
            .filter(|e| !survives(e));
        stale
            .map(|e| format!("`{}` of {}", e.mutant, e.fixture))
            .collect()
    }
}

impl Score {
    /// All mutants that no test noticed.
    pub fn missed(&self) -> impl Iterator<Item = &Mutant> {
        self.parts
            .all()
            .into_iter()
            .flat_map(|(_, counts)| &counts.missed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcomes::{Counts, Parts};
    use super::*;

    fn score(coverage: &str, lines: &[&str]) -> Score {
        let mutant = |line: &&str| Mutant {
            change: "replace < with <= in f".into(),
            line: (*line).into(),
            place: format!("{line}:1:1"),
        };
        let written = Counts {
            missed: lines.iter().map(mutant).collect(),
            ..Counts::default()
        };
        Score {
            subject: "sums".into(),
            coverage: coverage.into(),
            tests: 1,
            parts: Parts {
                written,
                ..Parts::default()
            },
        }
    }

    #[test]
    fn a_survivor_is_explained_by_the_list_or_by_another_criterion() -> Result<(), toml::de::Error>
    {
        let list: Explanations = toml::from_str(
            "[[survivor]]\nfixture = \"sums\"\nmutant = \"replace < with <= in f\"\nline = \"a\"\nreason = \"The same.\"\n\
             [[survivor]]\nfixture = \"sums\"\nmutant = \"replace < with <= in g\"\nreason = \"Gone.\"\n",
        )?;
        let scores = [
            score("block", &["a", "b", "c"]),
            score("block,boundary", &["a", "c"]),
        ];
        let reasons: Vec<_> = scores[0]
            .missed()
            .map(|m| list.of(m, &scores[0], &scores))
            .collect();
        assert_eq!(
            reasons,
            [
                Some("The same.".to_owned()),
                Some("caught with block,boundary".to_owned()),
                None
            ]
        );
        // A hole of the stronger criterion stays one.
        let (weak, strong) = (score("block", &[]), score("block,boundary", &["c"]));
        let all = [weak, strong];
        assert!(all[1].missed().all(|m| list.of(m, &all[1], &all).is_none()));
        assert_eq!(list.stale(&scores), ["`replace < with <= in g` of sums"]);
        Ok(())
    }
}
