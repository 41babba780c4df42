//! Enumeration of the executions of a procedure.
//!
//! Key function: [`explore`].

use std::time::Duration;

use boogie_resolve::typed::{
    BlockId, Expr, ExprKind, FunctionId, ProcedureId, Program, StmtKind, VarId,
};
use dafny_source::Span;
use dtest_sorted::SortedSet;
use rustc_hash::FxHashSet;

use crate::execution::{Ending, Execution, FailureKind};
use crate::functions::{parts, variables};
use crate::input_values::Given;
use crate::machine::{Machine, Modular, State};
use crate::obligations::Obligation;
use crate::world::{Limits, Stop, World};

/// The options of the search for executions.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The limits.
    pub limits: Limits,
    /// The procedures and loops that are represented by their specification.
    pub modular: Modular,
    /// Whether numbers in reported executions are minimized.
    pub minimize: bool,
    /// Proved obligations of the entry. The search for violations skips them.
    pub proved: SortedSet<Obligation>,
    /// Inputs with configured values.
    pub given: Vec<Given>,
    /// Whether the steps of executions are recorded.
    pub traced: bool,
    /// The time limit for one procedure, a safety net behind the other limits.
    pub timeout: Option<Duration>,
}

/// The statistics of a search.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// The number of executions that reached an end or an undecidable point.
    pub tried: usize,
    /// The number of infeasible paths.
    pub infeasible: usize,
    /// Whether all paths were explored.
    pub is_complete: bool,
    /// The limit that ended the search, if any.
    pub limit: Option<&'static str>,
    /// The cost, in points of about half a microsecond.
    pub effort: u64,
    /// The obligations that executions reached.
    pub obligations: Vec<(FailureKind, Span)>,
    /// Inputs whose configured values do not exist in the program, so that they have arbitrary
    /// values.
    pub not_given: Vec<String>,
    /// The entered blocks, each with the number of its body.
    pub entered: Vec<(ProcedureId, usize, BlockId)>,
}

/// The number of infeasible paths allowed for each execution.
const INFEASIBLE: usize = 32;

/// Explores executions of a procedure, short ones first, and passes each to `found`, until that
/// returns `false` or a limit is reached. Values are only computed for executions that are
/// `wanted`.
pub fn explore(
    program: &Program,
    entry: ProcedureId,
    options: &Options,
    mut wanted: impl FnMut(&Ending) -> bool,
    mut found: impl FnMut(Execution) -> bool,
) -> Explored {
    let mut world = World::new(program, options.limits);
    world.account.deadline = options
        .timeout
        .map(|most| (dtest_limits::clock::now(), most));
    let axioms = relevant_axioms(program, &world.rules.axioms, entry);
    let mut machine = Machine::new(world, options);
    let mut out = Explored::default();
    let mut next = Some(machine.enter(entry, &axioms));
    let mut is_last_cut = false;
    while let Some((state, ending)) = next {
        let (state, ending) = match state {
            // Preconditions and axioms may already decide the first state; otherwise it is run to
            // its end.
            Some(mut state) => {
                let ending = match ending {
                    Ending::Passed => machine.run(&mut state),
                    other @ (Ending::Repeated
                    | Ending::Failed(_)
                    | Ending::Infeasible(_)
                    | Ending::Cut
                    | Ending::ObligationNotDecided(..)
                    | Ending::NotDecided(_)) => other,
                };
                (Some(state), ending)
            }
            None => (None, ending),
        };
        match ending {
            Ending::Infeasible(_) => out.infeasible += 1,
            Ending::Passed
            | Ending::Repeated
            | Ending::Failed(_)
            | Ending::Cut
            | Ending::ObligationNotDecided(..)
            | Ending::NotDecided(_) => out.tried += 1,
        }
        is_last_cut = matches!(
            ending,
            Ending::ObligationNotDecided(_, Stop::Limit(_)) | Ending::NotDecided(Stop::Limit(_))
        );
        let execution = match state.filter(|_| wanted(&ending)) {
            Some(state) => shown(&mut machine, state, ending, options),
            None => Execution {
                ending,
                ..Execution::default()
            },
        };
        let goes_on = found(execution);
        // Limits are checked after each execution, so that its result is kept.
        out.limit = if out.tried >= options.limits.tried {
            Some("executions")
        } else if out.infeasible >= options.limits.tried.saturating_mul(INFEASIBLE) {
            Some("infeasible paths")
        } else {
            machine.world.take_stock();
            machine.world.account.over
        };
        if !goes_on {
            break;
        }
        if out.limit.is_some() {
            out.is_complete = machine.is_done();
            break;
        }
        next = machine.next();
        out.is_complete = next.is_none();
    }
    // If no path is left, no limit cut the search short, but one may have left its last path
    // undecided.
    if out.is_complete {
        out.limit = machine.world.account.over.filter(|_| is_last_cut);
    }
    out.effort = machine.world.points();
    out.not_given = std::mem::take(&mut machine.not_given);
    out.obligations = machine.obligations.iter().copied().collect();
    out.obligations.sort();
    out.entered = machine.entered.iter().copied().collect();
    out.entered.sort();
    out
}

fn shown<'p>(
    machine: &mut Machine<'p>,
    mut state: State<'p>,
    ending: Ending,
    options: &Options,
) -> Execution {
    let is_shown = matches!(
        ending,
        Ending::Passed | Ending::Repeated | Ending::Failed(_)
    );
    if is_shown && options.minimize {
        // Numbers that cannot be minimized are shown as they are.
        let _ = machine.minimize(&mut state, QUERIES);
    }
    let calls = machine.calls(&state);
    let (inputs, outputs) = if is_shown {
        values(machine, &state)
    } else {
        (Vec::new(), Vec::new())
    };
    let printed = if is_shown {
        machine.printed(&state)
    } else {
        Vec::new()
    };
    let trace = if is_shown {
        machine.steps(&state)
    } else {
        Vec::new()
    };
    Execution {
        ending,
        inputs,
        outputs,
        calls,
        printed,
        steps: state.steps,
        trace,
    }
}

/// Names with their values.
type Values = Vec<(String, String)>;

/// Returns the inputs that an execution depends on, and its outputs.
fn values<'p>(machine: &mut Machine<'p>, state: &State<'p>) -> (Values, Values) {
    let model = std::rc::Rc::clone(&state.model);
    let outcome = machine.outcome(state);
    machine.world.free_of_charge(|world| {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let constants: Vec<_> = world
            .program
            .constants
            .iter()
            .filter_map(|c| world.constants.get(c).map(|v| (*c, *v)))
            .collect();
        for (v, value) in state.inputs.iter().copied().chain(constants) {
            if world.matters(value, &model) {
                let lines = world.lines(v, value, &model).unwrap_or_default();
                // A constant whose value is its own name carries no information.
                inputs.extend(lines.into_iter().filter(|(name, value)| name != value));
            }
        }
        for (v, value) in outcome {
            outputs.extend(world.lines(v, value, &model).unwrap_or_default());
        }
        (inputs, outputs)
    })
}

/// The limit of queries for minimizing the numbers of one execution.
const QUERIES: usize = 60;

/// Returns the axioms about symbols that the procedure uses, directly or through other axioms.
fn relevant_axioms<'p>(
    program: &'p Program,
    axioms: &[(&'p Expr, Span)],
    entry: ProcedureId,
) -> Vec<&'p Expr> {
    let mut symbols = Symbols::default();
    let mut open = vec![entry];
    let mut seen = FxHashSet::default();
    // Collect the symbols of the procedure and its callees.
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let p = program.procedure(id);
        p.requires
            .iter()
            .chain(&p.ensures)
            .for_each(|c| symbols.add(&c.expr));
        for v in p.ins.iter().chain(&p.outs).chain(&p.modifies) {
            program
                .var(*v)
                .where_clause
                .iter()
                .for_each(|e| symbols.add(e));
        }
        for body in &p.implementations {
            for v in body.locals.iter() {
                program
                    .var(*v)
                    .where_clause
                    .iter()
                    .for_each(|e| symbols.add(e));
            }
            for block in &body.blocks {
                block
                    .head
                    .iter()
                    .flat_map(|h| &h.invariants)
                    .for_each(|c| symbols.add(&c.expr));
                if let boogie_resolve::typed::End::Branch(e, ..) = &block.end {
                    symbols.add(e);
                }
                for stmt in &block.stmts {
                    match &stmt.kind {
                        StmtKind::Assert(e) | StmtKind::AssertOnly(e) | StmtKind::Assume(e) => {
                            symbols.add(e)
                        }
                        StmtKind::Assign(pairs) => pairs.iter().for_each(|(_, e)| symbols.add(e)),
                        StmtKind::Call(call) => {
                            call.args.iter().for_each(|e| symbols.add(e));
                            open.push(call.procedure);
                        }
                        StmtKind::Havoc(_) | StmtKind::Print(_) | StmtKind::Unsupported(_) => {}
                    }
                }
            }
        }
    }
    for v in &program.globals {
        program
            .var(*v)
            .where_clause
            .iter()
            .for_each(|e| symbols.add(e));
    }
    let mut left: Vec<(&'p Expr, Symbols)> = axioms
        .iter()
        .map(|(e, _)| {
            let mut own = Symbols::default();
            own.add(e);
            own.constants.retain(|v| program.constants.contains(v));
            (*e, own)
        })
        .collect();
    let mut out = Vec::new();
    // An axiom that mentions a relevant symbol makes its own symbols relevant, until a fixed point.
    loop {
        symbols.close(program);
        let (more, rest): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|(_, own)| own.touches(&symbols) || own.is_empty());
        if more.is_empty() {
            break;
        }
        left = rest;
        for (e, own) in more {
            out.push(e);
            symbols.functions.extend(own.functions);
            symbols.constants.extend(own.constants);
        }
    }
    out.sort_by_key(|e| e.span);
    out
}

/// Function and constant symbols.
#[derive(Default)]
struct Symbols {
    functions: FxHashSet<FunctionId>,
    constants: FxHashSet<VarId>,
}

impl Symbols {
    fn add(&mut self, e: &Expr) {
        let mut vars = Vec::new();
        variables(e, &mut vars);
        self.constants.extend(vars);
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            if let ExprKind::Call(f, ..) = &e.kind {
                self.functions.insert(*f);
            }
            open.extend(parts(e));
        }
    }

    /// Adds the symbols of definitions.
    fn close(&mut self, program: &Program) {
        let mut open: Vec<FunctionId> = self.functions.iter().copied().collect();
        let mut seen = FxHashSet::default();
        while let Some(f) = open.pop() {
            if !seen.insert(f) {
                continue;
            }
            if let Some(body) = &program.function(f).body {
                let mut inner = Symbols::default();
                inner.add(body);
                self.constants.extend(inner.constants);
                open.extend(inner.functions.iter().copied());
                self.functions.extend(inner.functions);
            }
        }
    }

    fn touches(&self, other: &Self) -> bool {
        self.functions.iter().any(|f| other.functions.contains(f))
            || self.constants.iter().any(|c| other.constants.contains(c))
    }

    fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.constants.is_empty()
    }
}
