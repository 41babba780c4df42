//! Validation of the verdicts of `check` by executions: proofs on random inputs, verdicts within
//! bounds on all small inputs, and each assertion against its negation.

use dafny_resolve::typed::Program;
use dtest_interp::{Inputs, Interp, Limits};
use dtest_ir::{Criteria, GoalId, ObligationKind};
use dtest_lower::units::units_with_obligations;
use dtest_search::check::{CheckResult, Verdict, broken_by, check_unit};
use dtest_search::random::Random;
use dtest_search::{Options, small};
use dtest_sorted::SortedMap;

use dafny_source::Span;

/// The counts of a validation.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of programs.
    pub programs: usize,
    /// Obligations that are proved, or proved unreachable.
    pub proved: usize,
    /// Obligations that are proved within bounds.
    pub within: usize,
    /// Assertions that were negated.
    pub negated: usize,
    /// The number of executions.
    pub executions: usize,
    /// Descriptions of false claims.
    pub wrong: Vec<String>,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            programs,
            proved,
            within,
            negated,
            executions,
            wrong,
        } = self;
        write!(
            f,
            "{programs} programs, {proved} proved obligations, {within} within bounds, {negated} negated assertions, {executions} executions, {} wrong claims",
            wrong.len()
        )
    }
}

impl Tally {
    /// Adds the counts of another tally.
    pub fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.proved += other.proved;
        self.within += other.within;
        self.negated += other.negated;
        self.executions += other.executions;
        self.wrong.extend(other.wrong);
    }
}

/// The effort for one program.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Options of the search.
    pub options: Options,
    /// Number of random inputs of each unit.
    pub random: usize,
    /// Number of small inputs of each unit and size.
    pub small: usize,
    /// Maximum number of steps of one execution.
    pub fuel: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            options: Options {
                queries: 2,
                ..Options::default()
            },
            random: 1_000,
            small: 400,
            fuel: 20_000,
        }
    }
}

/// An assertion, and whether it is claimed to hold.
pub type Asserted = (Span, bool);

/// Checks every unit of a program, and executes inputs that could refute the verdicts. `text` is
/// the text of the program, for messages. Returns the assertions, each with whether it is claimed
/// to hold.
pub fn hold(typed: Program, text: &str, effort: &Effort, tally: &mut Tally) -> Vec<Asserted> {
    tally.programs += 1;
    let program = crate::pipeline::lower(typed, Criteria::obligations());
    let limits = Limits {
        steps: effort.fuel,
        ..Limits::default()
    };
    let interp = Interp::new(&program, limits);
    let mut asserted = Vec::new();
    for unit in units_with_obligations(&program.typed, |_| true) {
        let result = check_unit(&program, unit.callable, &effort.options);
        // Assertions with their verdicts are for the comparison with the verifier.
        for (goal, verdict) in &result.obligations {
            let goal = program.goal(unit.callable, *goal);
            if let Some((ObligationKind::Assertion, _)) = goal.and_then(|g| g.obligation()) {
                let holds = matches!(verdict, Verdict::Holds | Verdict::HoldsWithin { .. });
                asserted.extend(goal.map(|g| (g.span, holds)));
            }
        }
        // A claim is a proof, or "holds within bounds". Only claims can be refuted.
        let claims = claims(&result, tally);
        if claims.is_empty() {
            continue;
        }
        // Small inputs exhaustively, then random ones.
        let mut inputs = small::inputs(&program, &interp, unit.callable, effort.small);
        if let Some(mut random) = Random::new(&program, &interp, unit.callable, 1) {
            inputs.extend((0..effort.random).map_while(|_| random.inputs()));
        }
        tally.executions += inputs.len();
        let options = Options {
            fuel: effort.fuel,
            ..effort.options.clone()
        };
        // Only certain violations count: an assumed one may rest on an unknown function.
        for (goal, violation) in broken_by(&program, unit.callable, &options, &inputs) {
            let claim = goal.and_then(|goal| claims.get(&goal));
            let Some(verdict) = claim.filter(|_| violation.is_certain()) else {
                continue;
            };
            if is_refuted(verdict, &violation.inputs) {
                tally.wrong.push(format!(
                    "{}: {} at {:?}: {verdict:?}, but {:?}\n{text}",
                    unit.path, violation.failure.message, violation.failure.span, violation.inputs
                ));
                break;
            }
        }
    }
    asserted
}

/// Returns the claims about obligations.
fn claims(result: &CheckResult, tally: &mut Tally) -> SortedMap<GoalId, Verdict> {
    let mut claims = SortedMap::new();
    for (goal, verdict) in &result.obligations {
        match verdict {
            Verdict::Holds | Verdict::NotReached => tally.proved += 1,
            Verdict::HoldsWithin { .. } => tally.within += 1,
            Verdict::Violated(_) | Verdict::HoldsAssuming(_) | Verdict::Open(_) => continue,
        }
        claims.insert(*goal, verdict.clone());
    }
    claims
}

/// Whether inputs that violate an obligation refute its verdict.
fn is_refuted(verdict: &Verdict, inputs: &Inputs) -> bool {
    match verdict {
        Verdict::Holds | Verdict::NotReached => true,
        Verdict::HoldsWithin { scope, .. } => inputs.are_within(scope),
        Verdict::Violated(_) | Verdict::HoldsAssuming(_) | Verdict::Open(_) => false,
    }
}

/// Negates up to `most` assertions of a program that are claimed to hold, one at a time: the
/// negation must not hold. `resolve` resolves a text as a program.
pub fn negate(
    text: &str,
    asserted: &[Asserted],
    most: usize,
    effort: &Effort,
    resolve: &dyn Fn(&str) -> Option<Program>,
    tally: &mut Tally,
) {
    let holding = asserted.iter().filter(|(_, holds)| *holds).take(most);
    for (span, _) in holding {
        let (start, end) = (span.start as usize, span.end as usize);
        let (Some(before), Some(cond), Some(after)) =
            (text.get(..start), text.get(start..end), text.get(end..))
        else {
            continue;
        };
        let negated = format!("{before}!({cond}){after}");
        let Some(typed) = resolve(&negated) else {
            continue;
        };
        tally.negated += 1;
        let said = hold(typed, &negated, effort, &mut Tally::default());
        if said
            .iter()
            .any(|(at, holds)| at.start == span.start && *holds)
        {
            tally
                .wrong
                .push(format!("both `{cond}` and its negation hold\n{text}"));
        }
    }
}
