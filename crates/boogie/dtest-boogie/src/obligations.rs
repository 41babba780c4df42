//! The obligations of a procedure, and their verdicts.
//!
//! Key functions: [`obligations`], [`verdicts`]: proofs first, then executions for the remaining
//! obligations. Key types: [`Standing`], [`Verdicts`], [`Pool`].

use std::time::{Duration, Instant};

use boogie_resolve::typed::{Block, BlockId, End, ProcedureId, Program, StmtKind};
use dafny_source::Span;
use dtest_sorted::SortedMap;
use rustc_hash::FxHashSet;

use crate::execution::{Ending, Execution, Failure, FailureKind};
use crate::explore::{Explored, Options, explore};
use crate::proof::Proofs;
use crate::world::{Limits, Stop};

/// An obligation of a procedure's body: its kind and the source of the clause.
pub type Obligation = (FailureKind, Span);

/// The verdict on an obligation.
#[derive(Clone, Debug)]
pub enum Standing {
    /// An execution violates it.
    Violated(Box<Execution>),
    /// All paths were executed, and none violates it.
    Holds,
    /// It is implied by the contracts of callees and the invariants of loops.
    Proved,
    /// This number of executions did not violate it; nothing else is known.
    Kept(usize),
    /// The obligation is undecided; execution stopped for the given reason.
    NotDecided(Stop),
}

/// The verdicts on a procedure.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// The obligations with their verdicts.
    pub obligations: SortedMap<Obligation, Option<Standing>>,
    /// The blocks that no execution entered.
    pub dead: Vec<Span>,
    /// Whether these blocks are certainly unreachable.
    pub is_dead_sure: bool,
    /// The statistics of the executions.
    pub explored: Explored,
}

/// The budget shared by the procedures of a program.
#[derive(Debug)]
pub struct Pool {
    effort: u64,
    time: Option<(Instant, Duration)>,
    procedures: u64,
}

/// The remaining budget is divided equally, and the next procedure gets this number of parts,
/// because most procedures take less.
const PARTS: u64 = 4;

impl Pool {
    /// Creates a pool for a number of procedures: an effort in points, and a time limit as a safety
    /// net.
    pub fn new(effort: u64, time: Option<Duration>, procedures: usize) -> Self {
        Self {
            effort,
            time: time.map(|t| (dtest_limits::clock::now(), t)),
            procedures: procedures as u64,
        }
    }

    /// Returns `options` with the budget of the next procedure.
    pub fn next(&self, options: &Options) -> Options {
        let part = |whole: u64| whole.saturating_mul(PARTS) / self.procedures.max(PARTS);
        let mut out = options.clone();
        out.limits.effort = out.limits.effort.min(part(self.effort));
        if let Some((start, most)) = self.time {
            let left =
                u64::try_from(most.saturating_sub(start.elapsed()).as_millis()).unwrap_or(u64::MAX);
            let mine = Duration::from_millis(part(left));
            out.timeout = Some(out.timeout.map_or(mine, |t| t.min(mine)));
        }
        out
    }

    /// Subtracts the cost of a procedure.
    pub fn take(&mut self, explored: &Explored) {
        self.effort = self.effort.saturating_sub(explored.effort);
        self.procedures = self.procedures.saturating_sub(1);
    }
}

/// Returns the obligations of a procedure's body in source order.
pub fn obligations(program: &Program, id: ProcedureId) -> Vec<Obligation> {
    let mut out = Vec::new();
    let p = program.procedure(id);
    for body in &p.implementations {
        // An obligation has a kind and a place; a free clause has none.
        out.extend(
            p.ensures
                .iter()
                .filter(|c| !c.free && !body.free_ensures)
                .map(|c| (FailureKind::Postcondition, c.span)),
        );
        // Each invariant has two obligations: on entry and after an iteration.
        for block in &body.blocks {
            let invariants = block
                .head
                .iter()
                .flat_map(|h| &h.invariants)
                .filter(|c| !c.free);
            out.extend(invariants.flat_map(|c| {
                [
                    (FailureKind::InvariantAtEntry, c.span),
                    (FailureKind::Invariant, c.span),
                ]
            }));
            for stmt in &block.stmts {
                match &stmt.kind {
                    StmtKind::Assert(_) | StmtKind::AssertOnly(_) => {
                        out.push((FailureKind::Assertion, stmt.span))
                    }
                    StmtKind::Call(call) if !call.free => {
                        let requires = program
                            .procedure(call.procedure)
                            .requires
                            .iter()
                            .filter(|c| !c.free);
                        out.extend(requires.map(|c| (FailureKind::Precondition, c.span)));
                    }
                    StmtKind::Assume(_)
                    | StmtKind::Print(_)
                    | StmtKind::Assign(_)
                    | StmtKind::Havoc(_)
                    | StmtKind::Call(_)
                    | StmtKind::Unsupported(_) => {}
                }
            }
        }
    }
    // Several bodies may have the same obligations.
    out.sort_by_key(|(kind, span)| (*span, *kind));
    out.dedup();
    out
}

/// The share of a procedure's budget for proofs (one in this number).
const FOR_PROOFS: u64 = 3;

/// Decides the obligations of a procedure, and those of its callees: by proofs, and the remaining
/// ones by executions.
pub fn verdicts(
    program: &Program,
    id: ProcedureId,
    options: &Options,
    proofs: &mut Proofs<'_>,
) -> Verdicts {
    let mut out = Verdicts::default();
    for obligation in obligations(program, id) {
        out.obligations.insert(obligation, None);
    }
    let most = options.limits.effort / FOR_PROOFS;
    let mut left = most;
    let proved = proofs.of(id, &mut left);
    for obligation in &proved {
        out.obligations.insert(*obligation, Some(Standing::Proved));
    }
    // Executions are needed unless all obligations are proved, including those of callees.
    let others_are_sure = proofs.is_sure_of_callees(id, &mut left);
    if !others_are_sure || !proofs.is_complete(id, &mut left) {
        let limits = Limits {
            effort: options.limits.effort.saturating_sub(most - left),
            ..options.limits
        };
        executed(
            program,
            id,
            &Options {
                limits,
                proved,
                ..options.clone()
            },
            others_are_sure,
            &mut out,
        );
    }
    out.explored.effort += most - left;
    out
}

/// Executes a procedure to decide the unproved obligations, and finds blocks that are not entered.
pub fn by_executions(program: &Program, id: ProcedureId, options: &Options, out: &mut Verdicts) {
    executed(program, id, options, false, out);
}

/// Decides obligations by executions. With `is_all` there are no other obligations, so that the
/// search ends when all are decided.
fn executed(
    program: &Program,
    id: ProcedureId,
    options: &Options,
    is_all: bool,
    out: &mut Verdicts,
) {
    let settled = |p: &Obligation, broken: &FxHashSet<Obligation>| {
        options.proved.contains(p) || broken.contains(p)
    };
    let obliged: Vec<Obligation> = out.obligations.keys().copied().collect();
    let mut broken: FxHashSet<Obligation> = FxHashSet::default();
    let mut open: SortedMap<Obligation, Stop> = SortedMap::new();
    let mut stopped: Option<Stop> = None;
    let mut executions = Vec::new();
    // Values are computed only for the first violation of each obligation.
    let seen = std::cell::RefCell::new(FxHashSet::default());
    let is_new = |f: &Failure| seen.borrow_mut().insert((f.kind, f.clause));
    let wanted = |ending: &Ending| {
        if let Ending::Failed(f) = ending {
            is_new(f)
        } else {
            false
        }
    };
    let explored = explore(program, id, options, wanted, |e| {
        match &e.ending {
            Ending::Failed(f) if broken.insert((f.kind, f.clause)) => executions.push(e),
            Ending::ObligationNotDecided(f, stop) => {
                open.entry((f.kind, f.clause))
                    .or_insert_with(|| stop.clone());
            }
            Ending::NotDecided(stop) => {
                stopped = Some(stopped.take().unwrap_or_else(|| stop.clone()))
            }
            Ending::Passed
            | Ending::Repeated
            | Ending::Failed(_)
            | Ending::Infeasible(_)
            | Ending::Cut => {}
        }
        !is_all || !obliged.iter().all(|p| settled(p, &broken))
    });
    for obligation in &explored.obligations {
        out.obligations.entry(*obligation).or_insert(None);
    }
    for e in executions {
        if let Ending::Failed(f) = &e.ending {
            out.obligations
                .insert((f.kind, f.clause), Some(Standing::Violated(Box::new(e))));
        }
    }
    // Cut loops and untried solutions of a path do not make the search incomplete.
    let is_complete = explored.is_complete && stopped.is_none();
    for (obligation, standing) in &mut out.obligations {
        if standing.is_some() {
            continue;
        }
        // Code after an undecided obligation was not executed.
        *standing = Some(if let Some(stop) = open.get(obligation) {
            Standing::NotDecided(stop.clone())
        } else if is_complete && open.is_empty() {
            Standing::Holds
        } else if explored.obligations.contains(obligation) {
            Standing::Kept(explored.tried)
        } else {
            let limit = explored.limit.map(Stop::Limit);
            Standing::NotDecided(
                stopped
                    .clone()
                    .or(limit)
                    .or_else(|| open.values().next().cloned())
                    .unwrap_or(Stop::Limit("executions")),
            )
        });
    }
    out.dead = dead(program, id, &explored.entered);
    out.is_dead_sure = is_complete && open.is_empty();
    out.explored = explored;
}

/// Returns the blocks with statements that were not entered.
fn dead(
    program: &Program,
    id: ProcedureId,
    entered: &[(ProcedureId, usize, BlockId)],
) -> Vec<Span> {
    let has_text = |b: &Block| !b.stmts.is_empty() || matches!(b.end, End::Branch(..));
    let mut out = Vec::new();
    for (n, body) in program.procedure(id).implementations.iter().enumerate() {
        let blocks = body
            .blocks
            .iter()
            .enumerate()
            .filter(|(i, _)| !entered.contains(&(id, n, BlockId(*i as u32))));
        out.extend(
            blocks
                .filter(|(_, b)| has_text(b))
                .map(|(_, b)| b.stmts.first().map_or(b.span, |s| s.span)),
        );
    }
    out
}
