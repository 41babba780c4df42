//! Exploration of a unit path by path: dynamic symbolic execution (Spettel, *Delfy*, ETH Zürich
//! 2013, section 2.3).
//!
//! The path condition of an execution consists of the branches that it takes, the choices that it
//! makes and the obligations that it satisfies or violates, in order. Each of these is negated, and
//! the solver is asked for inputs and choices that agree with all conditions before it. A
//! [`Strategy`] selects the next path to take. [`explore`] is the entry point; [`replay`] repeats
//! one execution with its steps.

use std::collections::VecDeque;

use super::super::api::{Bounds, Options};
use super::super::effort::Effort;
use super::super::session::{Session, Verdict as Query};
use super::super::{seeds, type_arguments};
use super::Violation;
use super::validate::Validator;
use dafny_resolve::typed::{CallableId, Type};
use dafny_source::Span;
use dtest_encode::{self as encode, BoundKind, Encoding};
use dtest_interp::{Chosen, Execution, Guide, Inputs, Interp, Limits, Outcome, Resolution, Trace};
use dtest_ir as ir;
use dtest_ir::reason::{OpenReason, Reason, Reasons, Stopped, Unsettled};
use dtest_smt::{self as smt, Assignment, Term, ThreadClock};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Heap, Value};

/// The order in which paths are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The last branch of an execution is negated first, depth-first (Algorithm 2 of the thesis).
    Depth,
    /// The first branch is negated first, depth-first (Algorithm 3).
    Breadth,
    /// All paths that follow directly from an execution come before those that follow from them
    /// (Algorithm 4; Godefroid, Levin, Molnar 2008).
    #[default]
    Generational,
}

/// The options of an exploration.
#[derive(Clone, Copy, Debug)]
pub struct Explore {
    /// The order.
    pub strategy: Strategy,
    /// Maximum number of branches of an execution that are negated, from its start.
    pub depth: u32,
    /// Maximum number of executions.
    pub most: usize,
}

impl Default for Explore {
    fn default() -> Self {
        Self {
            strategy: Strategy::default(),
            depth: 32,
            most: 500,
        }
    }
}

/// The default bounds of the encoding, if none are configured.
const DEFAULT_BOUNDS: Bounds = Bounds {
    collection: 3,
    depth: 3,
    unroll: 4,
    inline: 4,
    objects: 3,
    calls: Bounds::ALL_CALLS,
    terms: Bounds::CAPS.terms,
};

/// Number of small inputs from which the first execution is selected.
const MAX_FIRST_INPUTS: usize = 24;

/// Maximum number of arguments that are kept from the parent execution.
const MAX_PINNED: usize = 8;

/// The end of an execution.
#[derive(Clone, Debug)]
pub enum Ended {
    /// A return with these results and this heap.
    Returned(Vec<Option<Value>>, Heap),
    /// A violation of an obligation.
    Broken(Box<Violation>),
    /// A halt at an `expect`, with its location and message.
    Halted(Span, String),
    /// No execution of the program: an assumption at this location is false.
    Infeasible(Span),
    /// Unknown, because the execution could not be followed to its end.
    Open(OpenReason),
}

/// An execution.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The inputs.
    pub inputs: Inputs,
    /// The choices of the model, for nondeterministic choices and stubs.
    pub choices: Guide,
    /// The end of the execution.
    pub ended: Ended,
    /// The choices that the execution made, in order.
    pub chosen: Vec<Chosen>,
    /// The printed output.
    pub printed: String,
    /// The number of the execution whose branch was negated. `None` for the first execution.
    pub parent: Option<usize>,
    /// The position of that branch in its path, from 1.
    pub turned: usize,
    /// Number of branches of the path.
    pub branches: usize,
}

/// The result of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The executions, in order.
    pub executions: Vec<Explored>,
    /// The bounds of the encoding.
    pub bounds: Option<Bounds>,
    /// The kinds of bounds that some execution crosses.
    pub crossed: SortedSet<BoundKind>,
    /// Whether executions from inputs within the bounds are cut, so that their ends are unknown.
    pub is_cut: bool,
    /// Whether branches were not negated because they come too late in their path.
    pub too_deep: bool,
    /// Number of paths that were not taken because there were enough executions, or a budget was
    /// exhausted.
    pub left: usize,
    /// Number of branches for which the solver did not find out whether they can be negated.
    pub unknown: usize,
    /// Number of models that are no executions.
    pub refuted: usize,
    /// Constructs that could not be encoded.
    pub reasons: Reasons,
}

impl Exploration {
    /// An exploration without executions, for one reason.
    pub fn of_nothing(reason: Reason) -> Self {
        Self {
            reasons: Reasons::from_iter([reason]),
            ..Self::default()
        }
    }

    /// Whether all executions from inputs within the bounds are known to their ends.
    pub fn is_complete(&self) -> bool {
        self.is_whole() && !self.is_cut
    }

    /// Whether every path within the bounds was taken.
    pub fn is_whole(&self) -> bool {
        !self.too_deep
            && self.left == 0
            && self.unknown == 0
            && self.refuted == 0
            && self.reasons.is_empty()
    }
}

/// Explores a unit of a program that was lowered with obligations as goals. Runs on the calling
/// thread, with a solver context of its own.
pub fn explore(
    program: &ir::Program,
    unit: CallableId,
    options: &Options,
    how: Explore,
) -> Exploration {
    let nothing = Exploration::of_nothing;
    let Some(procedure) = program.procedures.get(&unit) else {
        return nothing(Stopped::NoBody.into());
    };
    let options = &options.for_unit(program, procedure);
    let type_args = match type_arguments(program, unit) {
        Ok(type_args) => type_args,
        Err(reason) => return nothing(reason),
    };
    smt::with_fresh_context(|| {
        // All paths are searched for in one encoding and one session.
        let encoding = match encoding(program, unit, &type_args, options) {
            Ok(encoding) => encoding,
            Err(reason) => return nothing(reason),
        };
        let limits = Limits {
            steps: options.fuel,
            ..Limits::default()
        };
        let validator = Validator::new(Interp::new(program, limits), procedure, options.asked);
        // Building the encoding is part of the cost.
        let mut effort = Effort::new(options);
        effort.spent.terms += encoding.0.terms().work() as u64;
        let found = Exploration {
            bounds: Some(encoding.1),
            crossed: encoding.0.crossed.clone(),
            is_cut: !encoding.0.cut.is_empty() || encoding.0.is_partial,
            reasons: encoding.0.reasons.clone(),
            ..Exploration::default()
        };
        let mut session = Session::new(encoding.0, options);
        // Every obligation is an end, too: the execution stops where it is violated.
        let goals: Vec<ir::GoalId> = program.goals(unit).into_iter().map(|(g, _)| g).collect();
        // An execution ends by returning or by violating an obligation.
        let ends = session.end_within_bounds(&goals);
        let explorer = Explorer {
            program,
            procedure,
            options,
            how,
            session,
            ends,
            validator,
            effort,
            literals: SortedMap::new(),
            open: VecDeque::new(),
            known: SortedSet::new(),
            found,
            clock: ThreadClock::start(),
        };
        explorer.run(&type_args)
    })
}

/// The encoding for the exploration, within configured or small bounds, with its bounds.
fn encoding<'p>(
    program: &'p ir::Program,
    unit: CallableId,
    type_args: &[Type],
    options: &Options,
) -> Result<(Encoding<'p>, Bounds), Reason> {
    let (start, caps) = (options.start, options.caps);
    // Equal start and cap mean that the bound is configured.
    let fit = |start: u32, most: u32, small: u32| {
        if start == most {
            start
        } else {
            small.min(most)
        }
    };
    let mut bounds = Bounds {
        collection: fit(start.collection, caps.collection, DEFAULT_BOUNDS.collection),
        depth: fit(start.depth, caps.depth, DEFAULT_BOUNDS.depth),
        unroll: fit(start.unroll, caps.unroll, DEFAULT_BOUNDS.unroll),
        inline: fit(start.inline, caps.inline, DEFAULT_BOUNDS.inline),
        objects: fit(start.objects, caps.objects, DEFAULT_BOUNDS.objects),
        calls: DEFAULT_BOUNDS.calls,
        terms: caps.terms,
    };
    // The bounds shrink until the encoding fits.
    loop {
        let encoding = encode::encode_free(program, unit, type_args, bounds, options.rounds)?;
        if encoding.overflows && !bounds.is_rationed() {
            bounds = bounds.rationed();
        } else if encoding.exhausted && bounds != start {
            bounds = start;
        } else if encoding.exhausted {
            return Err(Stopped::TooLargeToEncode.into());
        } else {
            return Ok((encoding, bounds));
        }
    }
}

/// A path that is still to be taken.
struct Open {
    /// The branches before the negated one, and the negated one.
    branches: Vec<Term>,
    turned: Term,
    /// The number of the execution whose branch is negated.
    parent: usize,
}

struct Explorer<'p, 'a> {
    program: &'p ir::Program,
    procedure: &'p ir::Procedure,
    options: &'a Options,
    how: Explore,
    session: Session<'p>,
    /// The condition that an execution ends within the bounds.
    ends: Term,
    validator: Validator<'p>,
    effort: Effort,
    /// Literals by condition.
    literals: SortedMap<Term, Term>,
    open: VecDeque<Open>,
    /// Inputs and choices that were executed, as text.
    known: SortedSet<String>,
    found: Exploration,
    clock: ThreadClock,
}

impl Explorer<'_, '_> {
    fn run(mut self, type_args: &[Type]) -> Exploration {
        // Without a first execution, there is nothing to negate.
        if let Some(model) = self.first(type_args) {
            self.take(&model, None, 0);
        }
        while let Some(next) = self.next() {
            // The limits are checked before each query. The remaining paths are counted, because
            // the result must not claim completeness.
            let is_enough = self.found.executions.len() >= self.how.most;
            let is_over = self.clock.is_past(self.options.timeout)
                || self.effort.is_spent(self.validator.steps());
            if is_enough || is_over || dtest_limits::memory::is_short() {
                self.found.left = self.open.len() + 1;
                break;
            }
            let conditions: Vec<Term> = next
                .branches
                .iter()
                .chain([&next.turned])
                .copied()
                .collect();
            // The solver may find inputs, prove the path infeasible, or give up.
            match self.model_of(&conditions) {
                Query::Model(model) => {
                    // Consecutive executions should differ as little as possible.
                    let model = self.as_before(conditions, model, next.parent);
                    self.take(&model, Some(next.parent), next.branches.len() + 1);
                }
                Query::Unreachable => {}
                Query::Unknown => self.found.unknown += 1,
            }
            self.effort.spent.solver += self.session.take_spent();
        }
        self.found
    }

    /// A model of the first execution: from the smallest valid inputs, or any.
    fn first(&mut self, type_args: &[Type]) -> Option<Assignment> {
        for inputs in seeds::seeds(
            self.program,
            self.validator.interp(),
            self.procedure,
            type_args,
            MAX_FIRST_INPUTS,
        ) {
            // The first valid seed determines the arguments, and the solver completes the choices.
            let check = self
                .validator
                .interp()
                .check_inputs(self.procedure.callable, &inputs);
            if !check.verdict().is_true() {
                continue;
            }
            let pinned = self.session.encoding.pin(&inputs.args);
            let pinned = self.session.literal(pinned);
            if let Query::Model(model) = self.model_of(&[pinned]) {
                return Some(model);
            }
        }
        // Without a valid seed, any model will do, preferably a small one.
        match self.model_of(&[]) {
            Query::Model(model) => Some(self.session.smaller(&[self.ends], model)),
            Query::Unreachable => None,
            Query::Unknown => {
                self.found.unknown += 1;
                None
            }
        }
    }

    /// Asks for inputs and choices of an execution that ends.
    fn model_of(&mut self, conditions: &[Term]) -> Query {
        let all: Vec<Term> = std::iter::once(self.ends)
            .chain(conditions.iter().copied())
            .collect();
        self.session.model_of(&all)
    }

    /// A model with as many arguments unchanged from the parent execution as the conditions allow,
    /// and small others. Consecutive executions then differ only where the path requires it.
    fn as_before(
        &mut self,
        mut conditions: Vec<Term>,
        mut model: Assignment,
        parent: usize,
    ) -> Assignment {
        // The arguments of the parent execution are the reference.
        let args = self
            .found
            .executions
            .get(parent)
            .map(|e| e.inputs.args.clone())
            .unwrap_or_default();
        // Arguments are pinned one by one. A pin that contradicts the conditions is dropped.
        for (i, arg) in args.iter().enumerate().take(MAX_PINNED) {
            let same = self.session.encoding.pin_one(i, arg);
            let same = self.literal(same);
            conditions.push(same);
            match self.model_of(&conditions) {
                Query::Model(closer) => model = closer,
                Query::Unreachable | Query::Unknown => drop(conditions.pop()),
            }
        }
        conditions.push(self.ends);
        self.session.smaller(&conditions, model)
    }

    /// The next path to take.
    fn next(&mut self) -> Option<Open> {
        match self.how.strategy {
            Strategy::Depth | Strategy::Breadth => self.open.pop_back(),
            Strategy::Generational => self.open.pop_front(),
        }
    }

    /// Executes a model, and adds the paths that follow from negating each branch after the first
    /// `from`. Earlier branches were negated when the parent was executed, so that no path is added
    /// twice.
    fn take(&mut self, model: &Assignment, parent: Option<usize>, from: usize) {
        // Branches become literals, so that they can be assumed in queries.
        let branches: Vec<Term> = self
            .session
            .branches_of(model)
            .into_iter()
            .map(|b| self.literal(b))
            .collect();
        let number = self.execute(model, parent, from, branches.len());
        // An execution that is not new counts for its parent.
        let number = number.or(parent).unwrap_or_default();
        let depth = self.how.depth as usize;
        // Branches beyond the depth are counted, so that the result does not claim completeness.
        self.found.too_deep |= branches.len() > depth;
        let ends: Vec<usize> = (from..branches.len().min(depth)).collect();
        // The next path is taken from the back for the depth-first strategies and from the front
        // otherwise.
        let ordered: Vec<usize> = match self.how.strategy {
            Strategy::Depth => ends,
            Strategy::Breadth | Strategy::Generational => ends.into_iter().rev().collect(),
        };
        for at in ordered {
            let Some(branch) = branches.get(at).copied() else {
                continue;
            };
            // The path agrees with this one up to the branch, which is negated.
            let other = self.session.encoding.terms_mut().not(branch);
            let turned = self.literal(other);
            self.open.push_back(Open {
                branches: branches.iter().take(at).copied().collect(),
                turned,
                parent: number,
            });
        }
    }

    fn literal(&mut self, cond: Term) -> Term {
        if let Some(known) = self.literals.get(&cond) {
            return *known;
        }
        let literal = self.session.literal(cond);
        self.literals.insert(cond, literal);
        literal
    }

    /// Executes inputs with the choices of a model. Returns the number of the execution, or `None`
    /// if the model is no execution or not a new one.
    fn execute(
        &mut self,
        model: &Assignment,
        parent: Option<usize>,
        turned: usize,
        branches: usize,
    ) -> Option<usize> {
        // A model without decodable inputs is no execution.
        let Some((inputs, choices)) = self.session.encoding.decode_freely(model) else {
            self.found.refuted += 1;
            return None;
        };
        // Different models may have the same inputs and choices.
        if !self.known.insert(format!("{inputs:?} {choices:?}")) {
            return None;
        }
        let unit = self.procedure.callable;
        let resolution = Resolution::Guided(choices.clone());
        let execution = self
            .validator
            .interp()
            .run_resolved(unit, &inputs, &resolution);
        // A model whose inputs are invalid in the interpreter is refuted.
        let Some(ended) = ended(&self.validator, unit, &inputs, &resolution, &execution) else {
            self.found.refuted += 1;
            return None;
        };
        let Execution {
            printed, chosen, ..
        } = execution;
        self.found.executions.push(Explored {
            inputs,
            choices,
            ended,
            chosen,
            printed,
            parent,
            turned,
            branches,
        });
        Some(self.found.executions.len() - 1)
    }
}

/// The end of an execution. `None` if the inputs are not valid.
fn ended(
    validator: &Validator<'_>,
    unit: CallableId,
    inputs: &Inputs,
    resolution: &Resolution,
    execution: &Execution,
) -> Option<Ended> {
    // The validator decides about violations, with all assumptions.
    let seen = validator.validate(inputs, resolution);
    // A violation takes precedence over the outcome of the execution.
    Some(match (seen.broken, &execution.outcome) {
        (Some((_, violation)), _) => Ended::Broken(Box::new(violation)),
        (None, _)
            if validator
                .interp()
                .check_inputs(unit, inputs)
                .verdict()
                .is_false() =>
        {
            return None;
        }
        // An ordinary end carries its results.
        (None, Outcome::Returned(values)) => {
            Ended::Returned(values.clone(), execution.heap.clone())
        }
        (None, Outcome::Halted { span, message }) => Ended::Halted(*span, message.clone()),
        (None, Outcome::Infeasible(span)) => Ended::Infeasible(*span),
        (None, Outcome::OutOfFuel(_)) => Ended::Open(OpenReason::Search(Unsettled::Endless)),
        (None, Outcome::Unsupported(reason)) => Ended::Open(OpenReason::LeftOut(reason.clone())),
        // A failure that is not a violation is in doubt, for the first reason that is known.
        (None, Outcome::Failed(failure)) => {
            let doubt = seen
                .doubtful
                .map(|(_, why)| why)
                .or(seen.blocked.map(OpenReason::LeftOut));
            Ended::Open(
                doubt.unwrap_or_else(|| OpenReason::Failed(failure.message.as_str().into())),
            )
        }
    })
}

/// Executes inputs again with the choices of an earlier execution ([`Execution::chosen`]), and
/// records the steps.
///
/// # Errors
/// The reason, if the unit has no body or its precondition rejects the inputs.
pub fn replay(
    program: &ir::Program,
    unit: CallableId,
    inputs: Inputs,
    chosen: Vec<Chosen>,
    options: &Options,
) -> Result<(Explored, Trace), Reason> {
    let procedure = program.procedures.get(&unit).ok_or(Stopped::NoBody)?;
    let choices = (!chosen.is_empty()).then_some(chosen.as_slice());
    let (execution, trace) =
        super::follow::follow(program, unit, &inputs, choices, options).ok_or(Stopped::NoBody)?;
    // The trace and the verdict come from two executions with the same choices.
    let resolution = choices.map_or(Resolution::Rule, |all| Resolution::Again(all.to_vec()));
    let limits = Limits {
        steps: options.fuel,
        ..Limits::default()
    };
    let validator = Validator::new(Interp::new(program, limits), procedure, options.asked);
    let ended =
        ended(&validator, unit, &inputs, &resolution, &execution).ok_or(Stopped::NotAdmitted)?;
    let choices = Guide::default();
    Ok((
        Explored {
            inputs,
            choices,
            ended,
            chosen,
            printed: execution.printed,
            parent: None,
            turned: 0,
            branches: 0,
        },
        trace,
    ))
}
