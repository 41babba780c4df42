//! The printed table.

use std::fmt::Write as _;

use super::Score;
use super::explain::Explanations;
use super::outcomes::Counts;

/// Formats the survivors, each with its explanation, then a line for each program and criterion and
/// one for each criterion.
pub fn render(scores: &[Score], criteria: &[String], explanations: &Explanations) -> String {
    let mut out = String::new();
    // Survivors with their explanations, then the table of counts.
    for score in scores {
        for (what, counts) in score.parts.all() {
            for mutant in &counts.missed {
                let _ = writeln!(
                    out,
                    "survives{what} {} ({}): {}: {}",
                    score.coverage, score.subject, mutant.place, mutant.change
                );
                let _ = writeln!(out, "    {}", mutant.line);
                match explanations.of(mutant, score, scores) {
                    Some(reason) => _ = writeln!(out, "    explained: {reason}"),
                    None => _ = writeln!(out, "    not explained"),
                }
            }
        }
    }
    let _ = writeln!(
        out,
        "{:<20} {:<18} {:>6} {:>8} {:>8} {:>8} {:>10} {:>10} {:>10} {:>7} {:>16}",
        "program",
        "coverage",
        "tests",
        "viable",
        "killed",
        "timeout",
        "surviving",
        "explained",
        "unviable",
        "score",
        "its own code"
    );
    for score in scores {
        line(
            &mut out,
            &score.subject,
            &score.coverage,
            &[score],
            scores,
            explanations,
        );
    }
    // Sums for each criterion.
    for coverage in criteria {
        let of: Vec<_> = scores.iter().filter(|s| s.coverage == *coverage).collect();
        line(&mut out, "together", coverage, &of, scores, explanations);
    }
    out
}

/// Formats the line of several scores together.
fn line(
    out: &mut String,
    name: &str,
    coverage: &str,
    of: &[&Score],
    all: &[Score],
    explanations: &Explanations,
) {
    let (mut own, mut all_parts) = (Counts::default(), Counts::default());
    for score in of {
        own.add(&score.parts.written);
        score
            .parts
            .all()
            .iter()
            .for_each(|(_, counts)| all_parts.add(counts));
    }
    let explained = |s: &&Score| {
        s.missed()
            .filter(|m| explanations.of(m, s, all).is_some())
            .count()
    };
    let _ = writeln!(
        out,
        "{name:<20} {coverage:<18} {:>6} {:>8} {:>8} {:>8} {:>10} {:>10} {:>10} {:>6.1}% {:>15.1}%",
        of.iter().map(|s| s.tests).sum::<usize>(),
        all_parts.viable(),
        all_parts.caught,
        all_parts.timed_out,
        all_parts.missed.len(),
        of.iter().map(explained).sum::<usize>(),
        all_parts.unviable,
        all_parts.percent(),
        own.percent()
    );
}
