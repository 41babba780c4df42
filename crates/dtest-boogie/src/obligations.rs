//! What a procedure obligations, and what is known of each obligation after executions were tried.

use std::time::{Duration, Instant};

use boogie_resolve::typed::{Block, BlockId, End, ProcedureId, Program, StmtKind};
use dafny_syntax::source::Span;
use dtest_sorted::SortedMap;
use rustc_hash::FxHashSet;

use crate::execution::{Ending, Execution, Failure, FailureKind};
use crate::explore::{Explored, Options, explore};
use crate::proof::Proofs;
use crate::world::{Limits, Stop};

/// An obligation of a procedure's body.
pub type Obligation = (FailureKind, Span);

/// What is known of an obligation.
#[derive(Clone, Debug)]
pub enum Standing {
    /// An execution breaks it.
    Violated(Box<Execution>),
    /// Every execution keeps it: all paths were tried.
    Holds,
    /// Every execution keeps it: contracts of calls and invariants of loops imply it.
    Proved,
    /// Executions that were tried keep it, and nothing else is known.
    Kept(usize),
    /// It could not be decided.
    NotDecided(Stop),
}

/// What is known of a procedure.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// Its obligations.
    pub obligations: SortedMap<Obligation, Option<Standing>>,
    /// Blocks that no execution enters.
    pub dead: Vec<Span>,
    /// Whether it is sure that no other execution enters them.
    pub is_dead_sure: bool,
    /// What the executions were.
    pub explored: Explored,
}

/// What the procedures of a program may cost together.
#[derive(Debug)]
pub struct Pool {
    effort: u64,
    time: Option<(Instant, Duration)>,
    procedures: u64,
}

/// Of equal parts of what is left, so many go to the next procedure: most take less.
const PARTS: u64 = 4;

impl Pool {
    /// For so many procedures: points, and time as a safety net.
    pub fn new(effort: u64, time: Option<Duration>, procedures: usize) -> Self {
        Self {
            effort,
            time: time.map(|t| (dtest_engine::clock::now(), t)),
            procedures: procedures as u64,
        }
    }

    /// What the next procedure may cost, of what `options` allow.
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

    /// Takes what a procedure has cost.
    pub fn take(&mut self, explored: &Explored) {
        self.effort = self.effort.saturating_sub(explored.effort);
        self.procedures = self.procedures.saturating_sub(1);
    }
}

/// What executions of a procedure's body are held to, in the order of the text.
pub fn obligations(program: &Program, id: ProcedureId) -> Vec<Obligation> {
    let mut out = Vec::new();
    let p = program.procedure(id);
    for body in &p.implementations {
        out.extend(
            p.ensures
                .iter()
                .filter(|c| !c.free && !body.free_ensures)
                .map(|c| (FailureKind::Postcondition, c.span)),
        );
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
    out.sort_by_key(|(kind, span)| (*span, *kind));
    out.dedup();
    out
}

/// Of what a procedure may cost, this part may go to proofs.
const FOR_PROOFS: u64 = 3;

/// Says what is known of the obligations of a procedure: what proofs show, and of all others what executions do. What its callees obligation is looked
/// at too.
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

/// Tries executions of a procedure and says what that tells of its obligations that are not proved, and which blocks are not entered.
pub fn by_executions(program: &Program, id: ProcedureId, options: &Options, out: &mut Verdicts) {
    executed(program, id, options, false, out);
}

/// The same; where `is_all` there are no other obligations, so that nothing is looked for when these are settled.
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
    // A loop that is cut, or the solutions of a path that are not all tried, leave no path out.
    let is_complete = explored.is_complete && stopped.is_none();
    for (obligation, standing) in &mut out.obligations {
        if standing.is_some() {
            continue;
        }
        // What follows an obligation that could not be decided was not tried.
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

/// Blocks with statements that were not entered.
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
