//! Goals that are reached only by other resolutions of nondeterministic choices.
//!
//! Tests follow the rule for choices ([`dtest_ir::Choosers`]), and so do the models of the search.
//! Dafny may choose differently, and then reach a goal that is open otherwise. [`Resolutions`]
//! searches for such executions: it executes known inputs, and inputs of models with free choices,
//! with pseudo-random choices.

use super::api::Options;
use super::constants::{Constants, Reach};
use super::session::{Session, Verdict};
use dafny_resolve::typed::Type;
use dtest_encode as encode;
use dtest_interp::{Execution, Inputs, Interp, Outcome, Resolution};
use dtest_ir::{self as ir, GoalId, Procedure};
use dtest_sorted::SortedSet;

/// Maximum number of resolutions per input.
const MAX_RESOLUTIONS: u64 = 64;
/// Maximum number of executions per unit.
const MAX_EXECUTIONS: u32 = 800;
/// Maximum number of inputs.
const MAX_INPUTS: usize = 24;
/// Maximum number of models per goal.
const MAX_MODELS: usize = 3;
/// Number of executions without an end after which no more are made.
const MAX_ENDLESS: u32 = 6;

/// `count` resolutions that differ from the rule for choices.
pub fn resolutions(program: &ir::Program, procedure: &Procedure, count: u64) -> Vec<Resolution> {
    // Constants of the program are likely to matter as choices.
    let ints: Vec<_> = Constants::of(program, procedure, Reach::FAR)
        .ints
        .into_iter()
        .collect();
    (0..count)
        .map(|seed| Resolution::Random {
            seed,
            ints: ints.clone(),
        })
        .collect()
}

/// The goals that an execution reaches.
pub(super) fn goals_of(execution: &Execution) -> impl Iterator<Item = GoalId> {
    let blocks = execution.visited.iter().map(|b| GoalId::Block(*b));
    let inner = execution.inner.iter().map(|(_, goal)| *goal);
    blocks
        .chain(inner)
        .chain(execution.shown.iter().map(|i| GoalId::Probe(*i)))
}

/// The search for goals that other resolutions reach.
pub(super) struct Resolutions<'a, 'p> {
    program: &'p ir::Program,
    procedure: &'p Procedure,
    interp: &'a Interp<'p>,
    all: Vec<Resolution>,
    /// Goals for which no resolution is known.
    pub(super) open: SortedSet<GoalId>,
    /// Goals that some resolution reaches.
    pub(super) reached: SortedSet<GoalId>,
    endless: u32,
    executions: u32,
}

impl<'a, 'p> Resolutions<'a, 'p> {
    pub(super) fn new(
        program: &'p ir::Program,
        procedure: &'p Procedure,
        interp: &'a Interp<'p>,
        open: impl IntoIterator<Item = GoalId>,
    ) -> Self {
        let all = resolutions(program, procedure, MAX_RESOLUTIONS);
        Self {
            program,
            procedure,
            interp,
            all,
            open: open.into_iter().collect(),
            reached: SortedSet::new(),
            endless: 0,
            executions: 0,
        }
    }

    /// Executes inputs under many resolutions.
    pub(super) fn try_inputs(&mut self, inputs: impl IntoIterator<Item = Inputs>) {
        for inputs in inputs.into_iter().take(MAX_INPUTS) {
            if self.is_over() {
                return;
            }
            self.execute(&inputs);
        }
    }

    fn is_over(&self) -> bool {
        self.open.is_empty() || self.endless >= MAX_ENDLESS || self.executions >= MAX_EXECUTIONS
    }

    /// Executes inputs under each resolution, or only once if no choice was made.
    fn execute(&mut self, inputs: &Inputs) {
        let unit = self.procedure.callable;
        // Only valid inputs can prove that a goal is reachable.
        if !self.interp.check_inputs(unit, inputs).verdict().is_true() {
            return;
        }
        for resolution in &self.all {
            let execution = self.interp.run_resolved(unit, inputs, resolution);
            match execution.outcome {
                // Undecided obligations on the way make the execution uncertain.
                Outcome::Returned(_) | Outcome::Halted { .. } if execution.unknown.is_empty() => {
                    for goal in goals_of(&execution) {
                        if self.open.remove(&goal) {
                            self.reached.insert(goal);
                        }
                    }
                }
                Outcome::OutOfFuel(_) => self.endless += 1,
                // A violation under another choice is not a way to reach a goal.
                Outcome::Returned(_)
                | Outcome::Halted { .. }
                | Outcome::Failed(_)
                | Outcome::Infeasible(_)
                | Outcome::Unsupported(_) => {}
            }
            self.executions += 1;
            // Without choices, every resolution gives the same execution.
            if execution.deterministic || self.is_over() {
                return;
            }
        }
    }

    /// Asks the solver for inputs and choices that reach open goals. Returns the goals that no
    /// resolution reaches within the bounds.
    pub(super) fn ask(
        &mut self,
        type_args: &[Type],
        bounds: encode::Bounds,
        options: &Options,
    ) -> Asked {
        let mut asked = Asked::default();
        if self.is_over() {
            return asked;
        }
        // Choices are unconstrained in this encoding.
        let Ok(encoding) = encode::encode_free(
            self.program,
            self.procedure.callable,
            type_args,
            bounds,
            None,
        ) else {
            return asked;
        };
        if encoding.exhausted {
            return asked;
        }
        // A claim about all choices needs an exact encoding.
        let is_complete = encoding.reasons.is_empty();
        let blurred = encoding.blurred.clone();
        let mut session = Session::new(encoding, options);
        for goal in self.open.clone() {
            for attempt in 0..MAX_MODELS {
                if !self.open.contains(&goal) || self.is_over() {
                    break;
                }
                match session.reach(goal) {
                    Verdict::Unreachable => {
                        // An execution that fails after the goal reaches it, too.
                        let is_out = matches!(session.pass_briefly(goal), Verdict::Unreachable);
                        if is_out && attempt == 0 && is_complete && !blurred.contains_key(&goal) {
                            asked.unreachable.insert(goal);
                        }
                        break;
                    }
                    Verdict::Unknown => break,
                    Verdict::Model(model) => {
                        let model = session.smaller_to(goal, model);
                        if let Some(inputs) = session.encoding.decode(&model) {
                            // A model's inputs are executed under all resolutions, because its own
                            // choices may be infeasible.
                            self.execute(&inputs);
                        }
                        if self.open.contains(&goal) {
                            session.block(goal, &model);
                        }
                    }
                }
            }
        }
        asked.queries = session.stats().queries;
        asked.solver = session.stats().time;
        asked.spent = session.take_spent();
        asked
    }
}

/// The solver's results, and their cost.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Goals that no resolution reaches within the bounds.
    pub(super) unreachable: SortedSet<GoalId>,
    pub(super) queries: u64,
    pub(super) solver: std::time::Duration,
    pub(super) spent: u64,
}
