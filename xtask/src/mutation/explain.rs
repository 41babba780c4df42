//! The reasons why mutants survive: a hand-written list, and conclusions from measuring two
//! criteria.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::Score;
use super::outcomes::Mutant;

/// The contents of `fixtures/survivors.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanations {
    #[serde(default)]
    survivor: Vec<Explanation>,
}

/// The reason why one mutant, or several with the same description, survives.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Explanation {
    fixture: String,
    /// The description of cargo-mutants, without file, line and column.
    mutant: String,
    /// The line of the translation, if several places have the same description.
    line: Option<String>,
    /// The reason why no test can kill it, or why none is required to.
    reason: String,
}

impl Explanation {
    fn speaks_of(&self, subject: &str, mutant: &Mutant) -> bool {
        let same_line = self.line.as_ref().is_none_or(|line| *line == mutant.line);
        self.fixture == subject && self.mutant == mutant.change && same_line
    }
}

impl Explanations {
    /// Reads the list. Returns an error if it is missing, has unknown keys, or has an empty reason.
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

    /// Returns the reason why `mutant` survives with the criterion of `score`: from the list, or
    /// because a stronger measured criterion requires a test that kills it.
    pub fn of(&self, mutant: &Mutant, score: &Score, all: &[Score]) -> Option<String> {
        let listed = self
            .survivor
            .iter()
            .find(|e| e.speaks_of(&score.subject, mutant))
            .map(|e| e.reason.clone());
        // Only a stronger criterion is a reason; a weaker one may kill it by chance.
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

    /// Returns the explanations of mutants that survive with no criterion, among the measured
    /// programs.
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
    /// Returns all surviving mutants.
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
        // A survivor of the stronger criterion remains unexplained.
        let (weak, strong) = (score("block", &[]), score("block,boundary", &["c"]));
        let all = [weak, strong];
        assert!(all[1].missed().all(|m| list.of(m, &all[1], &all).is_none()));
        assert_eq!(list.stale(&scores), ["`replace < with <= in g` of sums"]);
        Ok(())
    }
}
