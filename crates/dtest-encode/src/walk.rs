//! The walk over blocks: the unrolled graph in topological order, with states merged where paths
//! join.
//!
//! Key function: [`Encoder::walk`]. The queue is ordered by the loop iterations and the position of
//! a block, so that all states that meet in a block are known before it is walked.
//!
//! Key types: [`Turn`], one loop iteration; [`State`], a path condition with variables and heap;
//! [`Reached`] and [`End`], the results.

use std::rc::Rc;

use super::value::{Heap, Sym};
use super::{BoundKind, Encoder, Fact, Frame, Mode, Taken};
use dafny_resolve::typed::{Substitution, Type};
use dafny_source::Span;
use dtest_interp::Opening;
use dtest_ir::{
    AssertKind, BlockId, Criterion, Expr, GoalId, Procedure, Stmt, StmtKind, Terminator, Var,
};
use dtest_smt::{Node, Sort, Term};
use dtest_sorted::{SortedMap, SortedSet};

/// The limit of iterations of a loop that continues independently of the inputs.
const MAX_FIXED: u32 = 300;

/// The conditions that a walk collects.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// The condition under which each goal is reached.
    pub(super) goals: SortedMap<GoalId, Term>,
    /// The condition under which execution reaches each obligation, whether it holds there or not.
    pub(super) come: SortedMap<GoalId, Term>,
    /// The conditions of the branches of the unrolled graph, in the order of the walk.
    pub(super) edges: Vec<Term>,
    /// The number of paths of the unrolled graph, feasible or not.
    pub(super) paths: u64,
    /// The condition under which an `expect` halts the program; `None` if none can.
    pub(super) halted: Option<Term>,
}

/// The end of a procedure.
pub(super) struct End {
    /// The values of the out-parameters.
    pub(super) outs: Vec<Sym>,
    /// The condition under which the procedure returned.
    pub(super) returned: Term,
    /// The condition under which the procedure returned or an `expect` halted the program.
    pub(super) ends: Term,
}

/// The loops of a procedure.
struct Loops {
    /// The position of every block in reverse postorder, without back edges.
    order: Vec<u32>,
    /// The blocks of each loop, by its head.
    bodies: SortedMap<u32, SortedSet<u32>>,
    /// The heads of loops that choose between leaving and going on.
    free: SortedSet<u32>,
}

/// One iteration of a loop around a block.
#[derive(Clone, Debug)]
struct Turn {
    head: u32,
    iteration: u32,
    /// The number of iterations that count for the bound: those whose path condition differs from
    /// that of the loop's entry.
    counted: u32,
    entry: Term,
    /// Whether the iteration represents all further ones.
    last: bool,
}

/// A symbolic state on the way through a procedure: all executions under the path condition.
#[derive(Clone)]
struct State<'p> {
    pc: Term,
    /// The number of paths of the graph that lead here, feasible or not.
    paths: u64,
    frame: Frame<'p>,
    heap: Heap,
}

/// A block to be walked, with the states that reached it so far.
struct Pending<'p> {
    block: BlockId,
    turns: Vec<Turn>,
    states: Vec<State<'p>>,
}

type Queue<'p> = SortedMap<Vec<u32>, Pending<'p>>;

/// A walk through a procedure.
struct Walk<'w, 'p> {
    proc: &'p Procedure,
    loops: Loops,
    /// The blocks that are still to be walked.
    queue: Queue<'p>,
    /// The states at the returns so far.
    returns: Vec<State<'p>>,
    /// The condition under which an `expect` halted the program.
    halted: Term,
    /// The collected conditions, if the walk has goals.
    reached: Option<&'w mut Reached>,
}

impl Walk<'_, '_> {
    /// Whether the procedure is the unit, rather than one of its callees.
    fn is_unit(&self) -> bool {
        self.reached.is_some()
    }
}

impl<'p> Encoder<'p> {
    /// Walks a procedure from the path condition `pc` and the current heap. Leaves the heap at its
    /// return. `reached` collects conditions if the walk has goals.
    pub(super) fn walk(
        &mut self,
        proc: &'p Procedure,
        args: &[Sym],
        subst: &Rc<Substitution>,
        pc: Term,
        reached: Option<&mut Reached>,
    ) -> End {
        let depth = self.work.active.get(&proc.callable).copied().unwrap_or(0);
        self.work.active.insert(proc.callable, depth + 1);
        self.work.nesting += 1;
        let mut walk = Walk {
            proc,
            loops: loops_of(proc),
            queue: Queue::new(),
            returns: Vec::new(),
            halted: self.t.ff,
            reached,
        };
        let mut frame = Frame::new(&proc.vars, Rc::clone(subst));
        let pc = self.forget_unassigned(proc, &mut frame, pc);
        frame.bind(&proc.params, args);
        // An object under construction does not exist in the state of the call.
        let before = self.before(proc.callable, args);
        frame.snapshots.insert(None, before);
        let start = State {
            pc,
            paths: 1,
            frame,
            heap: self.heap.clone(),
        };
        self.push(&mut walk, BlockId(0), &[], start);
        // The queue is in topological order: all predecessors of the first block have been walked.
        while let Some((_, mut pending)) = walk.queue.pop_first() {
            if self.is_exhausted() {
                break;
            }
            if let Some(state) = self.join(std::mem::take(&mut pending.states)) {
                self.walk_block(&mut walk, &pending, state);
            }
        }
        self.work.nesting -= 1;
        self.work.active.insert(proc.callable, depth);
        self.end_of_walk(walk)
    }

    /// With relaxed definite assignment, unassigned variables may be read: they start with arbitrary
    /// values where choices are free. Returns the path condition that these are valid values.
    fn forget_unassigned(
        &mut self,
        proc: &'p Procedure,
        frame: &mut Frame<'p>,
        mut pc: Term,
    ) -> Term {
        if !(self.choices.free && self.typed().options.relax_definite_assignment) {
            return pc;
        }
        for v in (0..proc.vars.len() as u32).map(Var) {
            if frame.infos.get(v.0 as usize).is_some_and(|i| i.definite) {
                continue;
            }
            let is_value = self.forget(v, frame);
            pc = self.t.and(pc, is_value);
            let name = frame.infos.get(v.0 as usize).map(|i| i.name.clone());
            name.into_iter().for_each(|name| {
                self.note(
                    Opening::Variable(proc.callable, name),
                    pc,
                    Taken::Values(vec![frame.get(v)]),
                )
            });
        }
        pc
    }

    /// Walks a block with the state in which it is entered.
    fn walk_block(&mut self, walk: &mut Walk<'_, 'p>, pending: &Pending<'p>, mut state: State<'p>) {
        let Some(block) = walk.proc.block(pending.block) else {
            return;
        };
        // The last iteration represents all further ones, so that its state is arbitrary.
        let is_arbitrary = pending
            .turns
            .last()
            .is_some_and(|t| t.last && t.head == pending.block.0);
        if is_arbitrary {
            self.forget_loop(walk, pending.block, &mut state);
        }
        if let Some(reached) = walk.reached.as_deref_mut() {
            self.reach(
                &mut reached.goals,
                GoalId::Block(pending.block),
                state.pc,
                self.t.tt,
            );
        }
        self.heap = state.heap.clone();
        if let Some(info) = block.loop_head.as_ref().filter(|_| walk.is_unit()) {
            let hold = match is_arbitrary && self.is_inductive() {
                true => self.kept_invariants(info, &mut state.frame),
                false => self.invariants(info, &mut state.frame),
            };
            state.pc = self.t.and(state.pc, hold);
        }
        // The condition that no obligation of the current statement before this one is violated.
        let mut kept = self.t.tt;
        // Statements strengthen the path condition. Once it is false, the rest of the block is
        // unreachable.
        for stmt in &block.stmts {
            if state.pc == self.t.ff {
                break;
            }
            // A probe has no effect: it only adds the condition of its goal.
            if let StmtKind::Probe { probe, cond } = &stmt.kind {
                kept = self.walk_probe(walk, *probe, cond, &mut state, kept);
                continue;
            }
            kept = self.t.tt;
            if let StmtKind::Assert { cond, kind } = &stmt.kind {
                self.walk_assertion(walk, stmt.span, *kind, cond, &mut state);
            } else {
                self.walk_stmt(walk, stmt, &mut state);
            }
        }
        state.heap = self.heap.clone();
        if state.pc == self.t.ff {
            return;
        }
        match &block.terminator {
            Terminator::Goto(to) => self.go(walk, pending, *to, state),
            Terminator::Choose { among, open, .. } => {
                self.walk_choice(walk, pending, among, open.as_ref(), state);
            }
            Terminator::Branch { cond, then, els } => {
                self.walk_branch(walk, pending, cond, [*then, *els], state);
            }
            Terminator::Return => {
                if let Some(reached) = walk.reached.as_deref_mut() {
                    reached.paths = reached.paths.saturating_add(state.paths);
                }
                walk.returns.push(state);
            }
            Terminator::Stop => {}
        }
    }

    /// Adds the goal of a probe, which is reached if its condition holds. `kept` is the condition
    /// that the obligations of the same statement before this one hold; returns it with this one.
    fn walk_probe(
        &mut self,
        walk: &mut Walk<'_, 'p>,
        probe: u32,
        cond: &'p Expr,
        state: &mut State<'p>,
        mut kept: Term,
    ) -> Term {
        let Some(reached) = walk.reached.as_deref_mut() else {
            return kept;
        };
        let (holds, defined) =
            self.in_specification(|e| e.isolated(|e| e.eval_sought(cond, true, &mut state.frame)));
        let shown = self.t.and(defined, holds);
        // In the search for violations, both outcomes of a probe are branches of
        // the path.
        if self.mode == Mode::Cut && self.program.criteria.has(Criterion::Obligation) {
            let not = self.t.not(shown);
            let (broken, holding) = (self.t.and(state.pc, shown), self.t.and(state.pc, not));
            reached
                .edges
                .extend([broken, holding].into_iter().filter(|t| *t != self.t.ff));
        }
        let goal = GoalId::Probe(probe);
        if self.program.criteria.has(Criterion::Obligation) {
            self.reach(&mut reached.come, goal, state.pc, kept);
            let not = self.t.not(shown);
            kept = self.t.and(kept, not);
        }
        let shown = self.t.and(state.pc, shown);
        self.reach(&mut reached.goals, goal, shown, self.t.tt);
        kept
    }

    /// Executions continue after a violated assertion. Only proofs use assertions, as facts.
    fn walk_assertion(
        &mut self,
        walk: &Walk<'_, 'p>,
        span: Span,
        kind: AssertKind,
        cond: &'p Expr,
        state: &mut State<'p>,
    ) {
        self.oblige_that(
            Fact::Assertion(kind, span),
            state.pc,
            cond,
            &mut state.frame,
        );
        if walk.is_unit() {
            let holds = match self.program.criteria.has(Criterion::Obligation) {
                true => self.kept_assertion(cond, &mut state.frame),
                false => self.assertion(kind, span, cond, &mut state.frame),
            };
            state.pc = self.t.and(state.pc, holds);
        }
        // Other encodings never assume obligations; the interpreter checks them.
    }

    /// Executes a statement symbolically.
    fn walk_stmt(&mut self, walk: &mut Walk<'_, 'p>, stmt: &'p Stmt, state: &mut State<'p>) {
        self.path.conditions.push(state.pc);
        // Evaluate the statement in isolation: `defined` is the condition that it does not
        // fail.
        let ((halts, mut defined), inner) =
            self.with_inner_paths(|e| e.isolated(|e| e.stmt(stmt, &mut state.frame)));
        self.path.conditions.pop();
        state.paths = state.paths.saturating_mul(inner);
        if is_checked(&stmt.kind) {
            self.obligation(Fact::WellFormed(stmt.span), state.pc, defined);
        }
        if walk.is_unit() {
            defined = self.relaxed_stmt(stmt, defined);
            self.relaxed_definitions(stmt, &mut state.frame);
        }
        state.pc = self.t.and(state.pc, defined);
        // An `expect` or `assume` splits the path: executions go on, halt, or do not exist.
        if let Some((mut goes_on, halts)) = halts {
            if walk.is_unit() {
                goes_on = self.relaxed_condition(stmt, goes_on);
            }
            if halts != self.t.ff {
                let here = self.t.and(state.pc, halts);
                walk.halted = self.t.or(walk.halted, here);
                if let Some(reached) = walk.reached.as_deref_mut() {
                    reached.paths = reached.paths.saturating_add(state.paths);
                    if self.mode == Mode::Cut && self.program.criteria.has(Criterion::Obligation) {
                        let on = self.t.and(state.pc, goes_on);
                        reached
                            .edges
                            .extend([here, on].into_iter().filter(|t| *t != self.t.ff));
                    }
                }
            }
            state.pc = self.t.and(state.pc, goes_on);
        }
    }

    /// Follows the edges of a choice between blocks.
    fn walk_choice(
        &mut self,
        walk: &mut Walk<'_, 'p>,
        pending: &Pending<'p>,
        among: &[BlockId],
        open: Option<&'p Expr>,
        mut state: State<'p>,
    ) {
        // If another guard is ill-formed, it may be the guard that is evaluated.
        let open = open.map(|open| {
            self.in_specification(|e| e.isolated(|e| e.eval_bool(open, &mut state.frame)))
        });
        let open = open.map_or(self.t.tt, |(holds, defined)| self.t.implies(defined, holds));
        let is_free = among.len() > 1 && self.is_free(open);
        let taken = if is_free { among.len() } else { 1 };
        // A free choice takes any successor, by fresh conditions; otherwise the first
        // one.
        for (i, to) in among.iter().take(taken).enumerate() {
            let not = if i + 1 == taken {
                self.t.ff
            } else {
                let other = self.t.fresh("choice", Sort::Bool);
                self.t.and(open, other)
            };
            let here = self.t.not(not);
            let pc = self.t.and(state.pc, here);
            if is_free {
                self.note(
                    Opening::Ways(walk.proc.callable, among.first().copied().unwrap_or(*to)),
                    pc,
                    Taken::Way(i as u32),
                );
            }
            self.go(
                walk,
                pending,
                *to,
                State {
                    pc,
                    ..state.clone()
                },
            );
            state.pc = self.t.and(state.pc, not);
            if let Some(reached) = walk.reached.as_deref_mut().filter(|_| is_free) {
                reached
                    .edges
                    .extend([pc, state.pc].into_iter().filter(|t| *t != self.t.ff));
            }
        }
    }

    /// Follows both edges of a branch.
    fn walk_branch(
        &mut self,
        walk: &mut Walk<'_, 'p>,
        pending: &Pending<'p>,
        cond: &'p Expr,
        [then, els]: [BlockId; 2],
        mut state: State<'p>,
    ) {
        self.path.conditions.push(state.pc);
        let ((mut holds, mut defined), inner) =
            self.with_inner_paths(|e| e.isolated(|e| e.eval_bool(cond, &mut state.frame)));
        self.path.conditions.pop();
        state.paths = state.paths.saturating_mul(inner);
        self.obligation(Fact::WellFormed(cond.span), state.pc, defined);
        if walk.is_unit() {
            defined = self.relaxed(Fact::WellFormed(cond.span), defined);
            holds = self.relaxed_branch(pending.block, holds);
        }
        let cond = holds;
        // The branch is taken only where its condition is well-formed.
        let pc = self.t.and(state.pc, defined);
        let not = self.t.not(cond);
        let (yes, no) = (self.t.and(pc, cond), self.t.and(pc, not));
        if let Some(reached) = walk.reached.as_deref_mut() {
            reached
                .edges
                .extend([yes, no].into_iter().filter(|t| *t != self.t.ff));
        }
        self.go(
            walk,
            pending,
            then,
            State {
                pc: yes,
                ..state.clone()
            },
        );
        self.go(walk, pending, els, State { pc: no, ..state });
    }

    /// Merges all returns into one end state.
    fn end_of_walk(&mut self, walk: Walk<'_, 'p>) -> End {
        let Walk {
            proc,
            returns,
            halted,
            reached,
            ..
        } = walk;
        if let Some(reached) = reached {
            reached.halted = (halted != self.t.ff).then_some(halted);
        }
        match self.join(returns) {
            Some(state) => {
                self.heap = state.heap;
                let ends = self.t.or(state.pc, halted);
                End {
                    outs: proc.outs.iter().map(|v| state.frame.get(*v)).collect(),
                    returned: state.pc,
                    ends,
                }
            }
            None => End {
                outs: vec![Sym::Any; proc.outs.len()],
                returned: self.t.ff,
                ends: halted,
            },
        }
    }

    /// Performs `work` and also returns an upper bound of the number of paths through its callees.
    fn with_inner_paths<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> (R, u64) {
        let outer = std::mem::replace(&mut self.work.inner_paths, 1);
        let result = work(self);
        (result, std::mem::replace(&mut self.work.inner_paths, outer))
    }

    /// Follows an edge: into a loop, out of loops, or back to a loop head.
    fn go(&mut self, walk: &mut Walk<'_, 'p>, from: &Pending<'p>, to: BlockId, state: State<'p>) {
        if state.pc == self.t.ff {
            return;
        }
        // Leaving a loop drops its iteration.
        let mut turns: Vec<Turn> = from
            .turns
            .iter()
            .filter(|t| walk.loops.contains(t.head, to.0))
            .cloned()
            .collect();
        let around = walk.loops.position(to.0) <= walk.loops.position(from.block.0)
            && walk.loops.bodies.contains_key(&to.0);
        if around {
            let unroll = self
                .choices
                .rounds
                .filter(|_| walk.loops.free.contains(&to.0))
                .unwrap_or(self.bounds.unroll);
            // Iterations of inner loops end with the iteration of this loop.
            if let Some(at) = turns.iter().position(|t| t.head == to.0) {
                turns.truncate(at + 1);
            }
            let Some(turn) = turns.last_mut() else { return };
            if turn.last {
                return; // the state of the last iteration is arbitrary and already covers this one
            }
            turn.iteration += 1;
            // An iteration whose condition follows from the entry does not depend on the inputs: it
            // does not count for the bound.
            if state.pc != turn.entry {
                turn.counted += 1;
            }
            // At the bound, cut ends the path; havoc walks one more iteration with an arbitrary
            // state.
            if turn.counted > unroll || turn.iteration > MAX_FIXED {
                let beyond = self.uncut(BoundKind::Unroll);
                if self.mode == Mode::Cut {
                    return;
                }
                turn.last = true;
                let pc = self.t.and(state.pc, beyond);
                self.push(walk, to, &turns, State { pc, ..state });
                return;
            }
        }
        self.push(walk, to, &turns, state);
    }

    fn push(&mut self, walk: &mut Walk<'_, 'p>, to: BlockId, turns: &[Turn], state: State<'p>) {
        if state.pc == self.t.ff {
            return;
        }
        let mut turns = turns.to_vec();
        if walk.loops.bodies.contains_key(&to.0) && !turns.iter().any(|t| t.head == to.0) {
            turns.push(Turn {
                head: to.0,
                iteration: 0,
                counted: 0,
                entry: state.pc,
                last: false,
            });
        }
        // The key orders the queue lexicographically: outer loops first, then iterations, then the
        // position in the loop.
        let mut key = Vec::with_capacity(turns.len() * 2 + 1);
        for t in &turns {
            key.extend([walk.loops.position(t.head), t.iteration]);
        }
        key.push(walk.loops.position(to.0));
        walk.queue
            .entry(key)
            .or_insert_with(|| Pending {
                block: to,
                turns,
                states: Vec::new(),
            })
            .states
            .push(state);
    }

    /// Merges the states that meet in a block.
    fn join(&mut self, states: Vec<State<'p>>) -> Option<State<'p>> {
        let mut states = states.into_iter().rev();
        let mut all = states.next()?;
        for s in states {
            let (prefix, a, b) = self.factor(s.pc, all.pc);
            // The first differing literal of the two path conditions decides, if one is the
            // negation of the other: this keeps the merge condition small.
            let cond = match (a.first(), b.first()) {
                (Some(x), Some(y)) if self.t.not(*x) == *y => *x,
                (_, _) => self.t.all(a.iter().copied()),
            };
            let (a, b) = (self.t.all(a), self.t.all(b));
            let rest = self.t.or(a, b);
            let pc = self.t.and(prefix, rest);
            for (x, y) in s.frame.vars.iter().zip(all.frame.vars.iter_mut()) {
                if x != y {
                    *y = self.merge(cond, x, y);
                }
            }
            for (label, heap) in s.frame.snapshots {
                let merged = match all.frame.snapshots.get(&label).cloned() {
                    Some(other) => self.merge_heaps(cond, &heap, &other),
                    None => heap,
                };
                all.frame.snapshots.insert(label, merged);
            }
            let heap = self.merge_heaps(cond, &s.heap, &all.heap.clone());
            all = State {
                pc,
                paths: all.paths.saturating_add(s.paths),
                frame: all.frame,
                heap,
            };
        }
        (all.pc != self.t.ff).then_some(all)
    }

    /// Returns the common prefix of two conjunctions, and the remaining literals of each.
    fn factor(&mut self, a: Term, b: Term) -> (Term, Vec<Term>, Vec<Term>) {
        let (a, b) = (self.literals(a), self.literals(b));
        let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let prefix = self.t.all(a.iter().take(common).copied());
        (
            prefix,
            a.into_iter().skip(common).collect(),
            b.into_iter().skip(common).collect(),
        )
    }

    pub(super) fn literals(&self, t: Term) -> Vec<Term> {
        let (mut out, mut at) = (Vec::new(), t);
        while let Node::And(x, y) = self.t.node(at) {
            out.push(*y);
            at = *x;
        }
        out.push(at);
        out.reverse();
        out
    }

    /// Gives arbitrary values to everything that a loop may change: the state at any later visit of
    /// its head.
    fn forget_loop(&mut self, walk: &Walk<'_, 'p>, head: BlockId, state: &mut State<'p>) {
        let Walk { proc, loops, .. } = walk;
        let Some(info) = proc.block(head).and_then(|b| b.loop_head.as_ref()) else {
            for i in 0..proc.vars.len() as u32 {
                self.forget(Var(i), &mut state.frame);
            }
            return;
        };
        for v in &info.assigned {
            self.forget(*v, &mut state.frame);
        }
        if info.writes_heap {
            let body = loops.bodies.get(&head.0).into_iter().flatten();
            let writes = self
                .program
                .writes(body.filter_map(|b| proc.block(BlockId(*b))));
            self.heap = state.heap.clone();
            self.havoc_written(&writes);
            state.heap = self.heap.clone();
            // A label inside the loop was passed in an iteration that is not encoded.
            for (_, snapshot) in state
                .frame
                .snapshots
                .iter_mut()
                .filter(|(label, _)| label.is_some())
            {
                self.heap = snapshot.clone();
                self.havoc_written(&writes);
                *snapshot = self.heap.clone();
            }
            self.heap = state.heap.clone();
        }
    }

    /// Gives a variable an arbitrary value of its representation. Returns the condition that this
    /// is a valid value.
    pub(super) fn forget(&mut self, v: Var, frame: &mut Frame<'p>) -> Term {
        let Some(ty) = frame.type_of(v) else {
            return self.t.tt;
        };
        let value = self.any(&ty);
        let is_value = if let char @ Type::Char = self.typed().representation(&ty) {
            self.has_type(&value, &char)
        } else {
            self.t.tt
        };
        frame.set(v, value);
        is_value
    }
}

impl Loops {
    fn position(&self, block: u32) -> u32 {
        self.order.get(block as usize).copied().unwrap_or(u32::MAX)
    }

    fn contains(&self, head: u32, block: u32) -> bool {
        self.bodies.get(&head).is_some_and(|b| b.contains(&block))
    }
}

/// Whether a statement continues exactly if it is well-formed, so that well-formedness is its only
/// obligation.
fn is_checked(stmt: &StmtKind) -> bool {
    match stmt {
        StmtKind::Assign { .. }
        | StmtKind::NewArray { .. }
        | StmtKind::SetField { .. }
        | StmtKind::SetElement { .. }
        | StmtKind::ForallStore { .. }
        | StmtKind::SuchThat(_)
        | StmtKind::Print(_)
        | StmtKind::Expect { .. } => true,
        // A callee may not return, and external code may have no valid result.
        StmtKind::Call { .. } | StmtKind::Answer { .. } | StmtKind::Unsupported { .. } => false,
        StmtKind::Assume { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Havoc(_)
        | StmtKind::New { .. }
        | StmtKind::Redefine { .. }
        | StmtKind::Snapshot(_)
        | StmtKind::HavocHeap(..)
        | StmtKind::Save { .. }
        | StmtKind::Restore { .. }
        | StmtKind::Probe { .. } => false,
    }
}

/// Computes the reverse postorder and the natural loops of a procedure.
fn loops_of(proc: &Procedure) -> Loops {
    let n = proc.blocks.len();
    let successors: Vec<Vec<u32>> = proc
        .blocks
        .iter()
        .map(|b| b.terminator.successors().iter().map(|s| s.0).collect())
        .collect();
    let successors_of = |b: u32| successors.get(b as usize).map_or(&[][..], Vec::as_slice);
    let (mut seen, mut open) = (vec![false; n], vec![false; n]);
    let (mut post, mut back) = (Vec::new(), Vec::new());
    let mark = |v: &mut Vec<bool>, b: u32, x: bool| {
        if let Some(slot) = v.get_mut(b as usize) {
            *slot = x;
        }
    };
    let mut stack = vec![(0u32, 0usize)];
    mark(&mut seen, 0, true);
    mark(&mut open, 0, true);
    while let Some((b, i)) = stack.last_mut() {
        let b = *b;
        // Successors are visited from last to first, so that the first one comes first in reverse
        // postorder.
        let next = successors_of(b)
            .len()
            .checked_sub(*i + 1)
            .and_then(|k| successors_of(b).get(k))
            .copied();
        *i += 1;
        match next {
            // An edge to a block on the stack is a back edge; its target is a loop head.
            Some(s) if open.get(s as usize) == Some(&true) => back.push((b, s)),
            Some(s) if seen.get(s as usize) == Some(&false) => {
                mark(&mut seen, s, true);
                mark(&mut open, s, true);
                stack.push((s, 0));
            }
            Some(_) => {}
            None => {
                mark(&mut open, b, false);
                post.push(b);
                stack.pop();
            }
        }
    }
    let mut order = vec![u32::MAX; n];
    for (i, b) in post.iter().rev().enumerate() {
        if let Some(slot) = order.get_mut(*b as usize) {
            *slot = i as u32;
        }
    }
    let mut predecessors = vec![Vec::new(); n];
    for (b, ss) in successors.iter().enumerate() {
        for s in ss {
            if let Some(p) = predecessors.get_mut(*s as usize) {
                p.push(b as u32);
            }
        }
    }
    let mut bodies: SortedMap<u32, SortedSet<u32>> = SortedMap::new();
    for (from, head) in back {
        // The natural loop: all blocks that reach the back edge without passing the head.
        let body = bodies.entry(head).or_default();
        body.insert(head);
        let mut work = vec![from];
        while let Some(b) = work.pop() {
            if body.insert(b) {
                work.extend(predecessors.get(b as usize).into_iter().flatten().copied());
            }
        }
    }
    let is_free = |head: &u32| {
        matches!(
            proc.blocks.get(*head as usize).map(|b| &b.terminator),
            Some(Terminator::Choose { .. })
        )
    };
    let free = bodies.keys().copied().filter(is_free).collect();
    Loops {
        order,
        bodies,
        free,
    }
}
