//! `check --from-dafny`: the answer to each error of Dafny's verifier.

use super::super::places::{Place, Reported};
use crate::report::check::{ObligationReport, Standing};
use crate::report::reported::ErrorReport;
use dafny_source::{SourceMap, Span};
use dtest_ir::ObligationKind;
use dtest_sorted::SortedSet;

/// The answers to errors so far.
pub(super) struct Answers<'r> {
    errors: &'r [Reported],
    /// For each error, its most informative answer.
    best: Vec<Option<ErrorReport>>,
}

impl<'r> Answers<'r> {
    /// Starts without answers.
    pub(super) fn new(errors: &'r [Reported]) -> Self {
        Self {
            errors,
            best: vec![None; errors.len()],
        }
    }

    /// Adds the verdicts on the obligations of a program.
    pub(super) fn add(&mut self, sources: &SourceMap, obligations: &[ObligationReport]) {
        for (error, best) in self.errors.iter().zip(&mut self.best) {
            let obligation = nearest(error, sources, obligations).and_then(|i| obligations.get(i));
            if let Some(obligation) = obligation {
                let report = report(error, Some(obligation));
                let is_better = best.as_ref().is_none_or(|b| report.answer < b.answer);
                if is_better {
                    *best = Some(report);
                }
            }
        }
    }

    /// Returns an answer for each error, in order.
    pub(super) fn finish(self) -> Vec<ErrorReport> {
        let all = self.errors.iter().zip(self.best);
        all.map(|(error, best)| best.unwrap_or_else(|| report(error, None)))
            .collect()
    }
}

/// Returns the positions of the obligations that the errors are about.
pub(super) fn answered(
    errors: &[Reported],
    sources: &SourceMap,
    obligations: &[ObligationReport],
) -> SortedSet<usize> {
    let all = errors.iter();
    all.filter_map(|error| nearest(error, sources, obligations))
        .collect()
}

/// Returns the position of the obligation that an error is about.
fn nearest(
    error: &Reported,
    sources: &SourceMap,
    obligations: &[ObligationReport],
) -> Option<usize> {
    let all = obligations.iter().enumerate();
    let (_, _, i) = all
        .map(|(i, p)| (nearness(error, sources, p), std::cmp::Reverse(rank(p)), i))
        .filter(|(nearness, ..)| *nearness > 0)
        .max_by_key(|(nearness, rank, i)| (*nearness, *rank, std::cmp::Reverse(*i)))?;
    Some(i)
}

fn report(error: &Reported, obligation: Option<&ObligationReport>) -> ErrorReport {
    ErrorReport::new(error.place.to_string(), error.message.clone(), obligation)
}

/// Of several obligations at a place, the one with the most informative answer is reported.
fn rank(obligation: &ObligationReport) -> (u8, Standing) {
    let kind = match obligation.standing {
        Standing::Violated => 0,
        Standing::ViolatedAssuming => 1,
        Standing::NotDecided
        | Standing::HoldsWithinBounds
        | Standing::Holds
        | Standing::HoldsAssuming
        | Standing::NotReached => match obligation.not_implied {
            Some(_) => 2,
            None => 3,
        },
    };
    (kind, obligation.standing)
}

/// Returns how closely an obligation matches an error; 0 if it does not.
///
/// The kind counts most, since columns are those of different tokens. An error about a clause is
/// about an obligation with that clause, any other about one on its line, or on a related line if
/// there is none.
fn nearness(error: &Reported, sources: &SourceMap, obligation: &ObligationReport) -> u8 {
    let here = nearness_to(&error.place, obligation.span, sources);
    let spans = [Some(obligation.span), obligation.clause_span];
    let places = error.related.iter();
    let pairs = places.flat_map(|place| spans.iter().flatten().map(move |span| (place, *span)));
    let related = pairs
        .map(|(place, span)| nearness_to(place, span, sources))
        .max()
        .unwrap_or(0);
    let kinds = kinds(&error.message);
    let is_of_kind = kinds.contains(&obligation.obligation);
    let is_possible = match kinds.is_empty() {
        true => here > 0 || related > 0,
        // An obligation of another kind is no answer, unless an execution violates it.
        false if !is_of_kind => here > 0 && is_violated(obligation),
        false if error.is_about_clause() => related > 0,
        false => here > 0 || related > 0,
    };
    match is_possible {
        true => {
            1 + 8 * u8::from(here > 0)
                + here
                + 4 * u8::from(related > 0)
                + related
                + 32 * u8::from(is_of_kind)
        }
        false => 0,
    }
}

/// Returns how closely a place matches a span: 0 if the span is not on its line.
fn nearness_to(place: &Place, span: Span, sources: &SourceMap) -> u8 {
    let line = Place {
        column: None,
        ..place.clone()
    };
    if !line.is_in(sources, span) {
        return 0;
    }
    let at = sources.line_column(span.start);
    let begins_here = at.is_some_and(|at| at.line == place.line);
    1 + 2 * u8::from(begins_here) + u8::from(place.is_in(sources, span))
}

fn is_violated(obligation: &ObligationReport) -> bool {
    match obligation.standing {
        Standing::Violated | Standing::ViolatedAssuming => true,
        Standing::Holds
        | Standing::HoldsAssuming
        | Standing::HoldsWithinBounds
        | Standing::NotReached
        | Standing::NotDecided => obligation.not_implied.is_some(),
    }
}

/// Returns the kinds of obligations that a message of the verifier may be about.
fn kinds(message: &str) -> &'static [ObligationKind] {
    use ObligationKind as K;
    const KINDS: [(&str, &[ObligationKind]); 34] = [
        ("forall statement", &[K::Assertion]),
        ("witness", &[K::Witness, K::Inhabited, K::NonNull, K::Type]),
        ("postcondition", &[K::Postcondition, K::Override]),
        (
            "precondition",
            &[K::Precondition, K::Application, K::Override],
        ),
        ("maintained", &[K::InvariantKept]),
        ("on entry", &[K::InvariantOnEntry]),
        ("invariant", &[K::InvariantOnEntry, K::InvariantKept]),
        ("calculation step", &[K::Assertion]),
        ("assertion", &[K::Assertion]),
        ("division by zero", &[K::Divisor]),
        ("out of range", &[K::Index]),
        ("instance of type", &[K::Type, K::NonNull]),
        ("null", &[K::NonNull]),
        ("decreases", &[K::Decreases]),
        ("termination", &[K::Decreases]),
        ("modifies", &[K::Frame]),
        ("reads clause", &[K::Reads]),
        ("definite-assignment", &[K::Assigned]),
        ("such-that", &[K::Existence, K::Uniqueness]),
        ("missing case", &[K::Case]),
        ("cases", &[K::Case]),
        ("allocated", &[K::Allocated]),
        ("compilable", &[K::Uniqueness]),
        ("constructed by", &[K::Constructor, K::Assertion]),
        ("converted", &[K::Type, K::Domain]),
        ("in the map", &[K::Key]),
        ("constraint", &[K::Type]),
        ("must be an integer", &[K::Type, K::Domain]),
        ("occurrences", &[K::Domain]),
        ("look like the pattern", &[K::Constructor, K::Case]),
        ("fit in", &[K::Type]),
        ("natural number", &[K::Type]),
        ("domain", &[K::Key, K::Domain, K::Application]),
        ("ensures", &[K::Postcondition, K::Assertion]),
    ];
    let found = KINDS.iter().find(|(text, _)| message.contains(text));
    found.map_or(&[], |(_, kinds)| kinds)
}
