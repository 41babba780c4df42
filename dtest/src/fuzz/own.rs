//! Self-comparison of this tool, without external tools:
//!
//! - The interpreter runs `Main`, and every unit on the inputs that the search finds, in the
//!   program and in an equivalent one.
//! - Proofs of `check` are validated by executions of random inputs, and compared with the
//!   violations in the equivalent program.
//! - Claims of dead code, equivalence and determined values are validated by executions
//!   ([`super::claims`]).

use std::sync::Arc;
use std::time::Duration;

use dafny_resolve::typed::visit::{Visit, walk_body, walk_call, walk_stmt};
use dafny_resolve::typed::{Body, Call, Callable, CallableId, Program, Stmt, StmtKind};
use dafny_rewrite::{Rewritten, Subject};
use dtest_interp::{Inputs, Interp, Limits, Outcome};
use dtest_ir::{self as ir, Criteria};
use dtest_lower::units::{Unit, units, units_with_obligations};
use dtest_search::check::{CheckResult, Verdict, Violation, broken_by};
use dtest_search::random::Random;
use dtest_search::{Options, search_unit};
use dtest_sorted::SortedSet;

use super::claims::{self, Tally};
use super::{Class, Disagreement};
use crate::pipeline::equivalent::{Comparison, Twins};

/// Number of random inputs for validating claims and proofs.
const INPUTS: usize = 40;
/// Maximum number of steps of one execution.
const STEPS: u64 = 1_000_000;

/// Returns the options of the search for one program.
fn effort() -> Options {
    Options {
        timeout: Duration::from_secs(2),
        rlimit: 100_000,
        queries: 3,
        fuel: 100_000,
        seeds: 20,
        enumerate: 40,
        ..Options::default()
    }
}

/// The result of running `Main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The printed text.
    pub printed: String,
    /// The end of the run.
    pub end: End,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// `Main` returned.
    Returned,
    /// An `expect` was false, with this message.
    Halted(String),
    /// The run violated an obligation, which no verified program does.
    Broken,
}

/// The reason why the output of a program is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRun {
    /// It has no `Main`.
    NoMain,
    /// It makes a choice that other implementations may make differently.
    Nondeterministic,
    /// It exceeds the limits.
    TooLong,
    /// It has a construct that the interpreter does not execute, or a false assumption.
    Unsupported,
    /// It violates an obligation, after which anything may be printed.
    Broken,
}

impl NoRun {
    /// Describes the reason.
    pub fn text(self) -> &'static str {
        match self {
            Self::NoMain => "its output is unknown, as it has no `Main`",
            Self::Nondeterministic => "its output is unknown, as it makes nondeterministic choices",
            Self::TooLong => "its output is unknown, as it takes too long",
            Self::Unsupported => "its output is unknown, as the interpreter cannot execute it",
            Self::Broken => "its output is unknown, as it violates an obligation",
        }
    }
}

/// Runs `Main` in the interpreter.
///
/// # Errors
/// The reason why the output is unknown. A run that violates an obligation is no error.
pub fn run(program: &ir::Program) -> Result<Run, NoRun> {
    if program.typed.main.is_none() {
        return Err(NoRun::NoMain);
    }
    let mut printed = String::new();
    let execution = Interp::new(
        program,
        Limits {
            steps: STEPS,
            ..Limits::default()
        },
    )
    .run_main(&[], &mut |s| printed.push_str(s));
    let end = match execution.outcome {
        Outcome::Returned(_) => End::Returned,
        Outcome::Halted { message, .. } => End::Halted(message),
        Outcome::Failed(_) => End::Broken,
        Outcome::OutOfFuel(_) => return Err(NoRun::TooLong),
        Outcome::Infeasible(_) | Outcome::Unsupported(_) => return Err(NoRun::Unsupported),
    };
    if execution.deterministic {
        Ok(Run { printed, end })
    } else {
        Err(NoRun::Nondeterministic)
    }
}

/// A program with all results of this tool about it.
pub struct Known {
    ir: ir::Program,
    main: Option<Run>,
    /// The inputs that the search finds for each unit.
    inputs: Vec<(Unit, Vec<Inputs>)>,
    checked: Checked,
}

/// A program whose obligations were checked.
pub struct Checked {
    program: ir::Program,
    results: Vec<(Unit, CheckResult)>,
}

impl Checked {
    /// Searches for violations in all units.
    pub fn of(typed: Program) -> Self {
        let program = crate::pipeline::lower(typed, Criteria::obligations());
        let units = units_with_obligations(&program.typed, |_| true);
        let results = crate::pipeline::check::search(
            &program,
            &units,
            &effort(),
            1,
            None,
            &|_, _| true,
            &|_| {},
        );
        let results = units.into_iter().zip(results).collect();
        Self { program, results }
    }

    /// Returns disagreements: units that are proved in one program and violated in the other,
    /// equivalent one. `steps` describes the mutations between them.
    pub fn against(&self, other: &Self, steps: &str) -> Vec<Disagreement> {
        let mut found = Vec::new();
        for path in self
            .results
            .iter()
            .map(|(u, _)| u.path.as_str())
            .collect::<SortedSet<_>>()
        {
            let sides = [
                (self, other, "the rewritten program"),
                (other, self, "the program before"),
            ];
            for (proved, broken, which) in sides {
                if let Some(how) = broken.broken(path).filter(|_| proved.holds(path)) {
                    let detail = format!(
                        "all obligations of `{path}` hold, but in {which} (by {steps}) an execution breaks one: {how}"
                    );
                    found.push(Disagreement::new(
                        Class::Verdicts,
                        format!("{which} after {steps}"),
                        detail,
                    ));
                }
            }
        }
        found
    }

    /// Returns the number of units.
    pub fn units(&self) -> usize {
        self.results.len()
    }

    /// Whether all obligations of a unit, and of the code that it reaches, are proved.
    fn holds(&self, path: &str) -> bool {
        let is_kept = |r: &CheckResult| {
            r.others.is_empty() && r.obligations.iter().all(|(_, v)| *v == Verdict::Holds)
        };
        self.results
            .iter()
            .any(|(u, r)| u.path == path && is_kept(r))
    }

    /// Returns the first certain violation: its kind, and a description with unit, inputs and
    /// location. `text` is the text of the program.
    pub fn violated(&self, text: &str) -> Option<(String, String)> {
        self.results.iter().find_map(|(unit, _)| {
            let (violation, inputs) = self.violation(&unit.path)?;
            let line = 1 + text
                .bytes()
                .take(violation.failure.span.start as usize)
                .filter(|b| *b == b'\n')
                .count();
            let kind = format!("{:?}", violation.failure.kind);
            let message = format!(
                "`{}` with {inputs} violates an obligation in line {line} ({kind}): {}",
                unit.path, violation.failure.message
            );
            Some((kind, message))
        })
    }

    /// Whether a line has obligations, all are proved, and a verifier abstracts nothing around
    /// them: no loop, no method call, no recursive function.
    pub fn proves(&self, text: &str, line: u32) -> bool {
        let is_there = |at: u32| {
            1 + text
                .bytes()
                .take(at as usize)
                .filter(|b| *b == b'\n')
                .count()
                == line as usize
        };
        let mut any = false;
        for (unit, result) in &self.results {
            // All obligations on the line must hold, and the unit must have no other violation.
            for (goal, verdict) in &result.obligations {
                let Some(goal) = self.program.goal(unit.callable, *goal) else {
                    continue;
                };
                if !is_there(goal.span.start)
                    && !goal
                        .obligation()
                        .and_then(|(_, clause)| clause)
                        .is_some_and(|c| is_there(c.start))
                {
                    continue;
                }
                if *verdict != Verdict::Holds
                    || !result.others.is_empty()
                    || !is_whole(&self.program.typed, unit.callable)
                {
                    return false;
                }
                any = true;
            }
        }
        any
    }

    /// Describes a violation in a unit that is certain.
    fn broken(&self, path: &str) -> Option<String> {
        let (violation, inputs) = self.violation(path)?;
        Some(format!(
            "{:?} ({}) with {inputs}",
            violation.failure.kind, violation.failure.message
        ))
    }

    fn violation(&self, path: &str) -> Option<(Violation, String)> {
        let (unit, result) = self.results.iter().find(|(u, _)| u.path == path)?;
        let certain = |v: &Verdict| match v {
            Verdict::Violated(v) if v.is_certain() => Some((**v).clone()),
            Verdict::Violated(_)
            | Verdict::Holds
            | Verdict::HoldsAssuming(_)
            | Verdict::NotReached
            | Verdict::HoldsWithin { .. }
            | Verdict::Open(_) => None,
        };
        let violation = result.obligations.iter().find_map(|(_, v)| certain(v))?;
        let inputs =
            dtest_search::describe::inputs(&self.program, unit.callable, &violation.inputs)
                .join(", ");
        Some((violation, inputs))
    }
}

/// Whether a verifier abstracts nothing in a callable: it has no loop, calls no method, and no
/// function that may be recursive.
fn is_whole(program: &Program, callable: CallableId) -> bool {
    struct Modular<'p>(&'p Program, bool);
    impl<'p> Visit<'p> for Modular<'p> {
        fn stmt(&mut self, s: &'p Stmt) {
            self.1 |= matches!(s.kind, StmtKind::While { .. } | StmtKind::For { .. });
            walk_stmt(self, s);
        }
        fn call(&mut self, c: &'p Call) {
            let callee = &self.0[c.callee];
            self.1 |= !callee.kind.is_function() || calls_any(callee);
            walk_call(self, c);
        }
    }
    let mut modular = Modular(program, false);
    let body = &program[callable].body;
    walk_body(&mut modular, body);
    !matches!(body, Body::None) && !modular.1
}

/// Whether a function calls anything.
fn calls_any(function: &Callable) -> bool {
    struct Calls(bool);
    impl<'p> Visit<'p> for Calls {
        fn call(&mut self, _: &'p Call) {
            self.0 = true;
        }
    }
    let mut calls = Calls(false);
    match &function.body {
        Body::None => {}
        Body::Expr(e) | Body::ByMethod(e, _) => calls.expr(e),
        Body::Block(b) => calls.block(b),
    }
    calls.0
}

impl Known {
    /// Searches, checks and runs a program.
    pub fn of(subject: &Subject) -> Self {
        let ir = dtest_lower::lower(Arc::new(subject.program().clone()));
        let main = run(&ir).ok();
        let found = |unit: Unit| {
            let result = search_unit(&ir, unit.callable, &effort());
            let inputs = result
                .tests
                .into_iter()
                .map(|t| t.inputs)
                .chain(result.findings.into_iter().map(|f| f.inputs))
                .collect();
            (unit, inputs)
        };
        let inputs = units(&ir.typed, |_| true).into_iter().map(found).collect();
        Self {
            main,
            inputs,
            checked: Checked::of(subject.program().clone()),
            ir,
        }
    }

    /// Returns the disagreements within the program alone. `text` is its text.
    pub fn alone(&self, subject: &Subject) -> Vec<Disagreement> {
        let mut found = self.refuted();
        let mut tally = Tally::default();
        claims::hold(
            subject.program().clone(),
            subject.text(),
            INPUTS,
            false,
            &mut tally,
        );
        let first = |w: &String| w.lines().next().unwrap_or_default().to_owned();
        found.extend(
            tally
                .wrong
                .iter()
                .map(|w| Disagreement::new(Class::Claim, first(w), w)),
        );
        found
    }

    /// Returns the obligations that `check` proves and an execution violates.
    fn refuted(&self) -> Vec<Disagreement> {
        let program = &self.checked.program;
        let mut found = Vec::new();
        for (unit, result) in &self.checked.results {
            let holds: Vec<_> = result
                .obligations
                .iter()
                .filter(|(_, v)| *v == Verdict::Holds)
                .map(|(g, _)| *g)
                .collect();
            if holds.is_empty() {
                continue;
            }
            // An obligation that holds for all executions must hold for random inputs.
            for (goal, violation) in broken_by(
                program,
                unit.callable,
                &effort(),
                &random(program, unit.callable),
            ) {
                if goal.is_some_and(|g| holds.contains(&g)) && violation.is_certain() {
                    let inputs =
                        dtest_search::describe::inputs(program, unit.callable, &violation.inputs)
                            .join(", ");
                    let kind = violation.failure.kind;
                    let detail = format!(
                        "`{}` with {inputs} violates an obligation that is claimed to hold: {kind:?}",
                        unit.path
                    );
                    found.push(Disagreement::new(Class::Proof, format!("{kind:?}"), detail));
                    break;
                }
            }
        }
        found
    }

    /// Returns the differences between the program and an equivalent one.
    pub fn against(&self, subject: &Subject, new: &Rewritten) -> Vec<Disagreement> {
        let steps: Vec<&str> = new.steps.iter().map(|s| s.mutation.name()).collect();
        let steps = steps.join(", ");
        let mut found: Vec<Disagreement> = Vec::new();
        // Steps whose result does not resolve are errors of the rewriter.
        for (step, why) in &new.unfit {
            let first = why.lines().next().unwrap_or_default();
            found.push(Disagreement::new(
                Class::Unfit,
                format!("{}: {first}", step.mutation.name()),
                format!("{step}: {why}"),
            ));
        }
        let Ok(other) = subject.same_options(&new.text) else {
            return found;
        };
        // `Main` prints the same, and ends in the same way.
        let ir = dtest_lower::lower(Arc::new(other.program().clone()));
        if let (Some(before), Ok(after)) = (&self.main, run(&ir))
            && *before != after
        {
            let detail = format!(
                "`Main` behaves as follows:\n{before:?}\nand after rewriting by {steps}:\n{after:?}"
            );
            found.push(Disagreement::new(
                Class::Meaning,
                format!("Main after {steps}"),
                detail,
            ));
        }
        // Units return the same results for the same inputs.
        let twins = Twins::new(&self.ir, &ir);
        for (unit, inputs) in &self.inputs {
            let differs = inputs.iter().find_map(|one| {
                match twins.compare(
                    unit.callable,
                    one,
                    Limits {
                        steps: STEPS,
                        ..Limits::default()
                    },
                ) {
                    Comparison::Different(how) => Some((one, how)),
                    Comparison::Same | Comparison::Open(_) => None,
                }
            });
            if let Some((one, how)) = differs {
                let inputs =
                    dtest_search::describe::inputs(&self.ir, unit.callable, one).join(", ");
                let detail = format!("`{}` with {inputs}, rewritten by {steps}: {how}", unit.path);
                found.push(Disagreement::new(
                    Class::Meaning,
                    format!("a unit after {steps}"),
                    detail,
                ));
            }
        }
        // Obligations have the same verdicts.
        found.extend(
            self.checked
                .against(&Checked::of(other.program().clone()), &steps),
        );
        found
    }
}

/// Returns random inputs of a unit.
fn random(program: &ir::Program, unit: CallableId) -> Vec<Inputs> {
    let interp = Interp::new(
        program,
        Limits {
            steps: STEPS,
            ..Limits::default()
        },
    );
    let Some(mut random) = Random::new(program, &interp, unit, 7) else {
        return Vec::new();
    };
    (0..INPUTS).map_while(|_| random.inputs()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use dafny_rewrite::Dialect;

    use super::*;

    const PROGRAM: &str = "function Half(n: nat): nat { n / 2 }
method Twice(n: int) returns (r: int)
  ensures r >= n || n < 0
{
  r := n + n;
}
method Main() { var r := Twice(4); print Half(9) + r, \"\\n\"; }
";

    fn classes(other: &str) -> Vec<Class> {
        let options = dafny_resolve::typed::Options::default();
        let subject = Subject::new(
            PROGRAM,
            &options,
            Subject::syntax_of(&options),
            Dialect::Four,
        )
        .unwrap();
        let known = Known::of(&subject);
        assert_eq!(known.alone(&subject), []);
        let mut found = known.against(
            &subject,
            &Rewritten {
                text: other.to_owned(),
                steps: Vec::new(),
                unfit: Vec::new(),
            },
        );
        found.sort_by_key(|d| d.class);
        found.into_iter().map(|d| d.class).collect()
    }

    #[test]
    fn a_program_agrees_with_itself() {
        assert_eq!(classes(PROGRAM), []);
    }

    #[test]
    fn a_changed_meaning_shows_in_units_and_in_the_output_of_main() {
        // One disagreement each for the units `Half` and `Main`, and one for running `Main`.
        assert_eq!(
            classes(&PROGRAM.replace("n / 2", "n / 3")),
            [Class::Meaning; 3]
        );
    }

    #[test]
    fn an_obligation_proved_before_and_violated_after_shows() {
        let other = PROGRAM.replace("r := n + n;", "r := n + n; assert n != 7;");
        assert_eq!(classes(&other), [Class::Verdicts]);
    }
}
