//! The walk over blocks: the unrolled graph in topological order, with states merged where paths
//! join.
//!
//! Key function: [`Encoder::walk`]. The queue is ordered by the loop iterations and the position of
//! a block, so that all states that meet in a block are known before it is walked.
//!
//! Key types: [`Turn`], one loop iteration; [`State`], a path condition with variables and heap;
//! [`Reached`] and [`End`], the results.

use std::rc::Rc;

use super::ration::types_of;
use super::value::{Heap, Rest, Sym, SymContents, SymGrid, SymObject};
use super::{BoundKind, Encoder, Fact, Frame, Mode, Opened, Taken};
use dafny_resolve::typed::{CallableId, CallableKind, Substitution, Type};
use dafny_syntax::source::Span;
use dtest_interp::Opening;
use dtest_ir::reason::{Reason, Unencoded};
use dtest_ir::{
    ArrayInit, Assumed, BlockId, Criterion, Expr, GoalId, Procedure, Quantified, Stmt, StmtKind,
    StoreTarget, Terminator, Var,
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

impl<'p> Encoder<'p> {
    /// Walks a procedure from the path condition `pc` and the current heap. Leaves the heap at its
    /// return. `reached` collects conditions if the walk has goals.
    pub(super) fn walk(
        &mut self,
        proc: &'p Procedure,
        args: &[Sym],
        subst: &Rc<Substitution>,
        pc: Term,
        mut reached: Option<&mut Reached>,
    ) -> End {
        let depth = self.active.get(&proc.callable).copied().unwrap_or(0);
        self.active.insert(proc.callable, depth + 1);
        self.nesting += 1;
        let is_unit = reached.is_some();
        let loops = loops_of(proc);
        let mut frame = Frame::new(&proc.vars, Rc::clone(subst));
        let mut pc = pc;
        if self.free && self.typed().options.relax_definite_assignment {
            // With relaxed definite assignment, unassigned variables may be read: they start with
            // arbitrary values.
            for v in (0..proc.vars.len() as u32).map(Var) {
                if frame.infos.get(v.0 as usize).is_some_and(|i| i.definite) {
                    continue;
                }
                let is_value = self.forget(v, &mut frame);
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
        }
        frame.bind(&proc.params, args);
        frame.snapshots.insert(None, self.heap.clone());
        let mut queue = Queue::new();
        let mut returns: Vec<State<'p>> = Vec::new();
        let mut halted = self.t.ff;
        self.push(
            &mut queue,
            &loops,
            BlockId(0),
            &[],
            State {
                pc,
                paths: 1,
                frame,
                heap: self.heap.clone(),
            },
        );
        // The queue is in topological order: all predecessors of the first block have been walked.
        while let Some((_, mut pending)) = queue.pop_first() {
            if self.is_exhausted() {
                break;
            }
            let Some(mut state) = self.join(std::mem::take(&mut pending.states)) else {
                continue;
            };
            let Some(block) = proc.block(pending.block) else {
                continue;
            };
            // The last iteration represents all further ones, so that its state is arbitrary.
            if pending
                .turns
                .last()
                .is_some_and(|t| t.last && t.head == pending.block.0)
            {
                self.forget_loop(proc, pending.block, &mut state);
            }
            if let Some(reached) = reached.as_deref_mut() {
                self.reach(
                    &mut reached.goals,
                    GoalId::Block(pending.block),
                    state.pc,
                    self.t.tt,
                );
            }
            self.heap = state.heap.clone();
            if let Some(info) = block.loop_head.as_ref().filter(|_| is_unit) {
                let hold = self.invariants(info, &mut state.frame);
                state.pc = self.t.and(state.pc, hold);
            }
            // Statements strengthen the path condition. Once it is false, the rest of the block is
            // unreachable.
            for stmt in &block.stmts {
                if state.pc == self.t.ff {
                    break;
                }
                // A probe has no effect: it only adds the condition of its goal.
                if let StmtKind::Probe { probe, cond } = &stmt.kind {
                    if let Some(reached) = reached.as_deref_mut() {
                        let (holds, defined) = self.in_specification(|e| {
                            e.isolated(|e| e.eval_bool(cond, &mut state.frame))
                        });
                        let shown = self.t.and(defined, holds);
                        // In the search for violations, both outcomes of a probe are branches of
                        // the path.
                        if self.mode == Mode::Cut
                            && self.program.criteria.has(Criterion::Obligation)
                        {
                            let not = self.t.not(shown);
                            let (broken, kept) =
                                (self.t.and(state.pc, shown), self.t.and(state.pc, not));
                            reached
                                .edges
                                .extend([broken, kept].into_iter().filter(|t| *t != self.t.ff));
                        }
                        let shown = self.t.and(state.pc, shown);
                        let goal = GoalId::Probe(*probe);
                        if self.program.criteria.has(Criterion::Obligation) {
                            self.reach(&mut reached.come, goal, state.pc, self.t.tt);
                        }
                        self.reach(&mut reached.goals, goal, shown, self.t.tt);
                    }
                    continue;
                }
                // Executions continue after a violated assertion. Only proofs use assertions, as
                // facts.
                if let StmtKind::Assert { cond, kind } = &stmt.kind {
                    self.oblige_that(
                        Fact::Assertion(*kind, stmt.span),
                        state.pc,
                        cond,
                        &mut state.frame,
                    );
                    if is_unit {
                        let holds = match self.program.criteria.has(Criterion::Obligation) {
                            true => self.kept_assertion(cond, &mut state.frame),
                            false => self.assertion(*kind, stmt.span, cond, &mut state.frame),
                        };
                        state.pc = self.t.and(state.pc, holds);
                    }
                    continue; // other encodings never assume obligations; the interpreter checks them
                }
                self.conditions.push(state.pc);
                // Evaluate the statement in isolation: `defined` is the condition that it does not
                // fail.
                let ((halts, mut defined), inner) =
                    self.with_inner_paths(|e| e.isolated(|e| e.stmt(stmt, &mut state.frame)));
                self.conditions.pop();
                state.paths = state.paths.saturating_mul(inner);
                if is_checked(&stmt.kind) {
                    self.obligation(Fact::WellFormed(stmt.span), state.pc, defined);
                }
                if is_unit {
                    defined = self.relaxed_stmt(stmt, defined);
                    self.relaxed_definitions(stmt, &mut state.frame);
                }
                state.pc = self.t.and(state.pc, defined);
                // An `expect` or `assume` splits the path: executions go on, halt, or do not exist.
                if let Some((mut goes_on, halts)) = halts {
                    if is_unit {
                        goes_on = self.relaxed_condition(stmt, goes_on);
                    }
                    if halts != self.t.ff {
                        let here = self.t.and(state.pc, halts);
                        halted = self.t.or(halted, here);
                        if let Some(reached) = reached.as_deref_mut() {
                            reached.paths = reached.paths.saturating_add(state.paths);
                            if self.mode == Mode::Cut
                                && self.program.criteria.has(Criterion::Obligation)
                            {
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
            state.heap = self.heap.clone();
            if state.pc == self.t.ff {
                continue;
            }
            match &block.terminator {
                Terminator::Goto(to) => self.go(&mut queue, &loops, &pending, *to, state),
                Terminator::Choose { among, open, .. } => {
                    // If another guard is ill-formed, it may be the guard that is evaluated.
                    let open = open.as_ref().map(|open| {
                        self.in_specification(|e| {
                            e.isolated(|e| e.eval_bool(open, &mut state.frame))
                        })
                    });
                    let open =
                        open.map_or(self.t.tt, |(holds, defined)| self.t.implies(defined, holds));
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
                                Opening::Ways(proc.callable, among.first().copied().unwrap_or(*to)),
                                pc,
                                Taken::Way(i as u32),
                            );
                        }
                        self.go(
                            &mut queue,
                            &loops,
                            &pending,
                            *to,
                            State {
                                pc,
                                ..state.clone()
                            },
                        );
                        state.pc = self.t.and(state.pc, not);
                        if let Some(reached) = reached.as_deref_mut().filter(|_| is_free) {
                            reached
                                .edges
                                .extend([pc, state.pc].into_iter().filter(|t| *t != self.t.ff));
                        }
                    }
                }
                Terminator::Branch { cond, then, els } => {
                    self.conditions.push(state.pc);
                    let ((mut holds, mut defined), inner) = self
                        .with_inner_paths(|e| e.isolated(|e| e.eval_bool(cond, &mut state.frame)));
                    self.conditions.pop();
                    state.paths = state.paths.saturating_mul(inner);
                    self.obligation(Fact::WellFormed(cond.span), state.pc, defined);
                    if is_unit {
                        defined = self.relaxed(Fact::WellFormed(cond.span), defined);
                        holds = self.relaxed_branch(pending.block, holds);
                    }
                    let cond = holds;
                    // The branch is taken only where its condition is well-formed.
                    let pc = self.t.and(state.pc, defined);
                    let not = self.t.not(cond);
                    let (yes, no) = (self.t.and(pc, cond), self.t.and(pc, not));
                    if let Some(reached) = reached.as_deref_mut() {
                        reached
                            .edges
                            .extend([yes, no].into_iter().filter(|t| *t != self.t.ff));
                    }
                    self.go(
                        &mut queue,
                        &loops,
                        &pending,
                        *then,
                        State {
                            pc: yes,
                            ..state.clone()
                        },
                    );
                    self.go(
                        &mut queue,
                        &loops,
                        &pending,
                        *els,
                        State { pc: no, ..state },
                    );
                }
                Terminator::Return => {
                    if let Some(reached) = reached.as_deref_mut() {
                        reached.paths = reached.paths.saturating_add(state.paths);
                    }
                    returns.push(state);
                }
                Terminator::Stop => {}
            }
        }
        self.nesting -= 1;
        self.active.insert(proc.callable, depth);
        if let Some(reached) = reached {
            reached.halted = (halted != self.t.ff).then_some(halted);
        }
        // All returns are merged into one end state.
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
        let outer = std::mem::replace(&mut self.inner_paths, 1);
        let result = work(self);
        (result, std::mem::replace(&mut self.inner_paths, outer))
    }

    /// Follows an edge: into a loop, out of loops, or back to a loop head.
    fn go(
        &mut self,
        queue: &mut Queue<'p>,
        loops: &Loops,
        from: &Pending<'p>,
        to: BlockId,
        state: State<'p>,
    ) {
        if state.pc == self.t.ff {
            return;
        }
        // Leaving a loop drops its iteration.
        let mut turns: Vec<Turn> = from
            .turns
            .iter()
            .filter(|t| loops.contains(t.head, to.0))
            .cloned()
            .collect();
        let around = loops.position(to.0) <= loops.position(from.block.0)
            && loops.bodies.contains_key(&to.0);
        if around {
            let unroll = self
                .rounds
                .filter(|_| loops.free.contains(&to.0))
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
                self.push(queue, loops, to, &turns, State { pc, ..state });
                return;
            }
        }
        self.push(queue, loops, to, &turns, state);
    }

    fn push(
        &mut self,
        queue: &mut Queue<'p>,
        loops: &Loops,
        to: BlockId,
        turns: &[Turn],
        state: State<'p>,
    ) {
        if state.pc == self.t.ff {
            return;
        }
        let mut turns = turns.to_vec();
        if loops.bodies.contains_key(&to.0) && !turns.iter().any(|t| t.head == to.0) {
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
            key.extend([loops.position(t.head), t.iteration]);
        }
        key.push(loops.position(to.0));
        queue
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
    fn forget_loop(&mut self, proc: &'p Procedure, head: BlockId, state: &mut State<'p>) {
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
            self.heap = state.heap.clone();
            self.havoc_heap();
            state.heap = self.heap.clone();
            // A label inside the loop was passed in an iteration that is not encoded.
            for (_, snapshot) in state
                .frame
                .snapshots
                .iter_mut()
                .filter(|(label, _)| label.is_some())
            {
                self.heap = snapshot.clone();
                self.havoc_heap();
                *snapshot = self.heap.clone();
            }
            self.heap = state.heap.clone();
        }
    }

    /// Gives a variable an arbitrary value of its representation. Returns the condition that this
    /// is a valid value.
    fn forget(&mut self, v: Var, frame: &mut Frame<'p>) -> Term {
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

    /// Executes a statement. Returns the conditions under which execution continues and is halted,
    /// if the statement can end it.
    fn stmt(&mut self, stmt: &'p Stmt, f: &mut Frame<'p>) -> Option<(Term, Term)> {
        match &stmt.kind {
            StmtKind::Assume { cond, by } => {
                let (holds, defined) = self.isolated(|s| s.eval_bool(cond, f));
                let both = self.t.and(defined, holds);
                let goes_on = match by {
                    // A path continues only where its assumptions hold; which of them become facts
                    // depends on their origin.
                    Assumed::Statement => self.given(Fact::Assume(stmt.span), both),
                    Assumed::Contract(callee) => {
                        self.given(Fact::Contract(*callee, stmt.span), both)
                    }
                    Assumed::Caller => both,
                };
                return Some((goes_on, self.t.ff));
            }
            StmtKind::Assert { .. } | StmtKind::Print(_) | StmtKind::Probe { .. } => {}
            StmtKind::Assign { var, value } => {
                let ghost = f.infos.get(var.0 as usize).is_some_and(|i| i.ghost);
                // Ghost values are not encoded in compiled code.
                let value = if ghost { Sym::Any } else { self.eval(value, f) };
                f.set(*var, value);
            }
            StmtKind::Havoc(v) => {
                if f.infos.get(v.0 as usize).is_some_and(|i| !i.ghost) {
                    self.leave_open();
                }
                let is_value = self.forget(*v, f);
                // Other models would have no concrete value for the variable.
                let is_value = match f.type_of(*v) {
                    Some(ty) if self.mode == Mode::Cut => self.is_in_type(&f.get(*v), &ty),
                    Some(_) | None => is_value,
                };
                // The choice is recorded, so that an execution can be given the model's value.
                self.note(
                    Opening::At(stmt.span),
                    is_value,
                    Taken::Values(vec![f.get(*v)]),
                );
                if is_value != self.t.tt {
                    return Some((is_value, self.t.ff));
                }
            }
            StmtKind::Call {
                callee,
                type_args,
                args,
                outs,
                label: _,
            } => {
                let args: Vec<Sym> = args.iter().map(|a| self.eval(a, f)).collect();
                // The call is reached only if its arguments are well-defined.
                let (path, kept) = (self.t.tt, self.defined);
                self.obligation(Fact::WellFormed(stmt.span), path, kept);
                let type_args: Vec<Type> = type_args.iter().map(|t| t.subst(&f.subst)).collect();
                self.call_stmt(*callee, &type_args, &args, outs, f, stmt.span);
            }
            StmtKind::New { var, ty } => {
                let ty = ty.subst(&f.subst);
                let value = self.blank_object(&ty);
                f.set(*var, value);
            }
            StmtKind::NewArray {
                var,
                elem,
                dims,
                init,
            } => {
                let value = self.new_array(&elem.subst(&f.subst), dims, init, f);
                f.set(*var, value);
            }
            StmtKind::SetField {
                object,
                field,
                value,
            } => {
                let object = self.eval(object, f);
                let value = if self.typed()[*field].ghost {
                    Sym::Any
                } else {
                    self.eval(value, f)
                };
                self.write_field(&object, *field, &value);
            }
            StmtKind::Redefine {
                object,
                function,
                value,
            } => {
                let object = self.eval(object, f);
                let value = self.eval(value, f);
                self.redefine(&object, *function, value);
            }
            StmtKind::SetElement {
                array,
                indices,
                value,
            } => {
                let array = self.eval(array, f);
                let indices: Vec<Sym> = indices.iter().map(|i| self.eval(i, f)).collect();
                let value = self.eval(value, f);
                self.write_element(&array, &indices, &value);
            }
            StmtKind::ForallStore {
                vars,
                target,
                value,
            } => self.forall_store(vars, target, value, f),
            StmtKind::SuchThat(q) => {
                let found = self.choose(q, stmt.span, f);
                self.require(found);
            }
            StmtKind::Expect { cond, .. } => {
                let c = self.eval_bool(cond, f);
                // A failed `expect` ends the path as a failure.
                return Some((c, self.t.not(c)));
            }
            StmtKind::Snapshot(label) => {
                f.snapshots.insert(Some(label.clone()), self.heap.clone());
            }
            StmtKind::HavocHeap(_) => {
                self.reasons.insert(Unencoded::Modify);
                self.havoc_heap();
            }
            StmtKind::Answer {
                callee,
                params,
                outs,
            } => self.answer(*callee, params, outs, f),
            StmtKind::Save { object, vars } => {
                let object = self.eval(object, f);
                for (field, var) in vars {
                    let value = f.get(*var);
                    self.write_field(&object, *field, &value);
                }
            }
            StmtKind::Restore { object, vars } => {
                let object = self.eval(object, f);
                for (field, var) in vars {
                    let value = self.contents(&object, *field);
                    f.set(*var, value);
                }
            }
            StmtKind::Unsupported { reason } => return self.end_path(reason, f),
        }
        None
    }

    /// Handles an unsupported statement: under [`Mode::Cut`] the path ends, under [`Mode::Havoc`]
    /// anything may follow.
    fn end_path(&mut self, reason: &Reason, f: &mut Frame<'p>) -> Option<(Term, Term)> {
        self.reasons.insert(reason.clone());
        if self.mode == Mode::Cut {
            return Some((self.t.ff, self.t.ff));
        }
        for i in 0..f.infos.len() as u32 {
            self.forget(Var(i), f);
        }
        self.havoc_heap();
        None
    }

    fn call_stmt(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        outs: &[Option<Var>],
        f: &mut Frame<'p>,
        site: Span,
    ) {
        let typed = self.typed();
        // Ghost calls have no effect on compiled state; lemmas only contribute their
        // postconditions.
        if typed[callee].ghost || typed[callee].kind == CallableKind::Lemma {
            for v in outs.iter().flatten() {
                f.set(*v, Sym::Any);
            }
            return self.claim(callee, type_args, args);
        }
        let heap = self.heap.clone();
        // A receiver with several possible types: encode the call for each, and merge results and
        // heaps.
        if let Some((Sym::OneOf(receivers), rest)) = args.split_first()
            && self.is_looked_up(callee)
        {
            let before: Vec<Option<Sym>> = outs.iter().map(|v| v.map(|v| f.get(v))).collect();
            let mut result: Option<(Vec<Option<Sym>>, Heap)> = None;
            for (cond, receiver) in receivers.iter().rev() {
                self.heap = heap.clone();
                for (v, value) in outs.iter().zip(&before) {
                    if let (Some(v), Some(value)) = (v, value) {
                        f.set(*v, value.clone());
                    }
                }
                let args: Vec<Sym> = std::iter::once(receiver).chain(rest).cloned().collect();
                self.under(*cond, |e| {
                    e.call_stmt(callee, type_args, &args, outs, f, site)
                });
                let values: Vec<Option<Sym>> = outs.iter().map(|v| v.map(|v| f.get(v))).collect();
                let now = self.heap.clone();
                result = Some(match result {
                    None => (values, now),
                    Some((others, other)) => {
                        let pairs = values.into_iter().zip(others);
                        let merged = pairs
                            .map(|(a, b)| Some(self.merge(*cond, &a?, &b?)))
                            .collect();
                        (merged, self.merge_heaps(*cond, &now, &other))
                    }
                });
            }
            if let Some((values, heap)) = result {
                self.heap = heap;
                for (v, value) in outs.iter().zip(values) {
                    if let (Some(v), Some(value)) = (v, value) {
                        f.set(*v, value);
                    }
                }
            }
            return;
        }
        let Some(choices) = self.dispatch(callee, type_args, args.first()) else {
            self.no_body(callee, outs, f);
            return;
        };
        let mut result: Option<(Vec<Sym>, Heap)> = None;
        if self.may_be_foreign(callee, args.first()) {
            self.havoc_heap();
            result = Some((self.any_outs(outs, f), self.heap.clone()));
        }
        // Merge the possible implementations, starting each from the heap before the call.
        for (cond, callee, type_args) in choices.into_iter().rev() {
            self.heap = heap.clone();
            let args = &*self.seen_by(callee, args);
            let end = self.under(cond, |e| {
                e.call_one(callee, &type_args, args, outs, f, site)
            });
            result = Some(match result {
                None => (end, self.heap.clone()),
                Some((values, other)) => {
                    let merged = end
                        .iter()
                        .zip(&values)
                        .map(|(a, b)| self.merge(cond, a, b))
                        .collect();
                    let now = self.heap.clone();
                    (merged, self.merge_heaps(cond, &now, &other))
                }
            });
        }
        if let Some((values, heap)) = result {
            self.heap = heap;
            for (v, value) in outs.iter().zip(values) {
                if let Some(v) = v {
                    f.set(*v, value);
                }
            }
        }
    }

    fn call_one(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        outs: &[Option<Var>],
        f: &mut Frame<'p>,
        site: Span,
    ) -> Vec<Sym> {
        let depth = self.active.get(&callee).copied().unwrap_or(0);
        let Some(proc) = self
            .program
            .procedures
            .get(&callee)
            .filter(|_| !self.is_redefined(callee, args.first()))
        else {
            if self.program.functions.contains_key(&callee)
                || self.is_redefined(callee, args.first())
            {
                let ty = outs
                    .first()
                    .copied()
                    .flatten()
                    .and_then(|v| f.type_of(v))
                    .unwrap_or(Type::Error);
                return vec![self.call(callee, type_args, args, None, &ty, Some(site))];
            }
            self.no_body(callee, outs, f);
            return outs
                .iter()
                .map(|v| v.map_or(Sym::Any, |v| f.get(v)))
                .collect();
        };
        // In order of cost: an equal earlier call, a shared copy, inlining, and finally giving up
        // at a bound.
        if let Some(results) = self.recalled(callee, type_args, args, depth, site) {
            return results;
        }
        if depth <= self.deepest(callee)
            && self.shares(proc, type_args)
            && let Some(results) = self.call_shared(proc, type_args, args, depth, Some(site))
        {
            return results;
        }
        match self.stops(callee, depth) {
            Some(bound) => self.stop(bound, callee, type_args, args, &types_of(outs, f)),
            None => self.inline(proc, type_args, args, depth, site),
        }
    }

    fn any_outs(&mut self, outs: &[Option<Var>], f: &Frame<'p>) -> Vec<Sym> {
        outs.iter()
            .map(|v| match v.and_then(|v| f.type_of(v)) {
                Some(ty) => self.any(&ty),
                None => Sym::Any,
            })
            .collect()
    }

    /// Handles a call of a method without a body: under [`Mode::Cut`] the path ends, under
    /// [`Mode::Havoc`] anything may be returned.
    fn no_body(&mut self, callee: CallableId, outs: &[Option<Var>], f: &mut Frame<'p>) {
        self.reasons
            .insert(Reason::without_body(&self.program.typed, callee));
        if self.mode == Mode::Cut {
            let never = self.t.ff;
            self.require(never);
        }
        self.havoc_heap();
        let values = self.any_outs(outs, f);
        for (v, value) in outs.iter().zip(values) {
            if let Some(v) = v {
                f.set(*v, value);
            }
        }
    }

    fn new_array(
        &mut self,
        elem: &Type,
        dims: &'p [Expr],
        init: &'p ArrayInit,
        f: &mut Frame<'p>,
    ) -> Sym {
        let ty = Type::Array {
            dims: dims.len() as u32,
            nullable: false,
            elem: Box::new(elem.clone()),
        };
        let lengths: Vec<Sym> = dims.iter().map(|d| self.eval(d, f)).collect();
        let n = match lengths.as_slice() {
            // Arrays of several dimensions have a representation of their own.
            [n] => n.scalar(),
            _ => return self.new_grid(ty, elem, &lengths, init, f),
        };
        let Some(n) = n.map(|n| self.index_term(n)) else {
            return self.any(&ty);
        };
        let contents = match init {
            ArrayInit::Elements(es) => {
                let slots: Vec<Sym> = es.iter().map(|e| self.eval(e, f)).collect();
                Sym::seq(self.t.int(slots.len() as i64), slots, Rest::Nothing)
            }
            ArrayInit::Function(func) => {
                let func = self.eval(func, f);
                self.seq_init(n, &func, elem)
            }
            ArrayInit::Default => {
                let zero = self.t.int(0);
                let ok = self.t.le(zero, n);
                self.require(ok);
                // The number of slots is the known upper bound of the length, or else the bound of
                // the search.
                let known = self.interval(n).1.and_then(|h| usize::try_from(h).ok());
                let count = known
                    .unwrap_or(self.bounds.collection as usize * 2)
                    .min(256);
                let end = self.t.int(count as i64);
                // A larger array than the slots crosses the bound.
                let over = self.t.lt(end, n);
                if over != self.t.ff {
                    self.under(over, |e| e.cross(BoundKind::Collection));
                }
                // In a havoc encoding, elements beyond the slots remain possible.
                let open = over != self.t.ff && self.mode == Mode::Havoc;
                let slots = (0..count).map(|_| self.left_open(elem)).collect();
                Sym::seq(n, slots, self.unknown_rest(open))
            }
        };
        let Sym::Seq(s) = contents else {
            return self.any(&ty);
        };
        self.allocate(SymObject {
            ty,
            contents: SymContents::Array(s),
        })
    }

    fn new_grid(
        &mut self,
        ty: Type,
        elem: &Type,
        lengths: &[Sym],
        init: &'p ArrayInit,
        f: &mut Frame<'p>,
    ) -> Sym {
        let lengths: Option<Vec<Term>> = lengths
            .iter()
            .map(|n| n.scalar().map(|t| self.index_term(t)))
            .collect();
        let Some(dims) = lengths else {
            return self.any(&ty);
        };
        let zero = self.t.int(0);
        // The product of the dimensions grows quickly, so their sizes are small.
        let wanted: Vec<usize> = dims
            .iter()
            .map(|n| {
                let known = self.interval(*n).1.and_then(|h| usize::try_from(h).ok());
                known.unwrap_or(self.bounds.collection as usize + 1).min(8)
            })
            .collect();
        let caps = SymGrid::caps(wanted);
        for (n, cap) in dims.iter().zip(&caps) {
            let ok = self.t.le(zero, *n);
            self.require(ok);
            let end = self.t.int(*cap as i64);
            let over = self.t.lt(end, *n);
            if over != self.t.ff {
                self.under(over, |e| e.cross(BoundKind::Collection));
            }
        }
        let mut grid = SymGrid {
            dims,
            caps,
            slots: Vec::new(),
        };
        let places = grid.places();
        grid.slots = match init {
            ArrayInit::Elements(es) => es.iter().map(|e| self.eval(e, f)).collect(),
            ArrayInit::Default => places.iter().map(|_| self.left_open(elem)).collect(),
            ArrayInit::Function(func) => {
                let func = self.eval(func, f);
                let mut slots = Vec::with_capacity(places.len());
                for place in &places {
                    let indices: Vec<Sym> = place.iter().map(|i| self.int(*i)).collect();
                    // The initializer is applied only to indices inside the array, since its
                    // precondition may exclude others.
                    let mut inside = self.t.tt;
                    for (i, n) in indices.iter().filter_map(Sym::scalar).zip(&grid.dims) {
                        let ok = self.t.lt(i, *n);
                        inside = self.t.and(inside, ok);
                    }
                    slots.push(self.under(inside, |e| e.apply(&func, &indices, elem)));
                }
                slots
            }
        };
        self.allocate(SymObject {
            ty,
            contents: SymContents::Grid(Rc::new(grid)),
        })
    }

    /// Whether a choice is encoded as free. Otherwise the rule for choices is followed. `open` is
    /// the condition under which there is a choice.
    pub(super) fn is_free(&mut self, open: Term) -> bool {
        self.choices |= open != self.t.ff;
        self.free
    }

    /// Records the resolution of a choice, which execution reaches under `pc`.
    pub(super) fn note(&mut self, at: Opening, pc: Term, taken: Taken) {
        if self.free && self.mode == Mode::Cut && self.specifying == 0 {
            let context = self.context();
            let when = self.t.and(context, pc);
            self.opened.push(Opened { at, when, taken });
        }
    }

    /// Records the read of a location without a value, which is a choice.
    pub(super) fn leave_open(&mut self) {
        self.choices |= self.guard != self.t.ff;
    }

    /// Returns a value that the language leaves open: arbitrary if choices are free, otherwise the
    /// default.
    pub(super) fn left_open(&mut self, ty: &Type) -> Sym {
        let open = self.guard;
        if self.is_free(open) {
            self.any(ty)
        } else {
            self.default_of(ty)
        }
    }

    /// Returns the default value of a type; an arbitrary value if the type has none.
    fn default_of(&mut self, ty: &Type) -> Sym {
        // The same default values as in the official compilers; other types have an arbitrary
        // value.
        match self.typed().representation(ty) {
            Type::Bool => Sym::Bool(self.t.ff),
            Type::Int => self.int(0),
            Type::Char => Sym::Char(self.t.int(u32::from(b'D'))),
            Type::Real => Sym::Real(
                self.t
                    .real(num_rational::BigRational::from_integer(0.into())),
            ),
            Type::Bv(0) => Sym::Bv(self.t.int(0)),
            Type::Bv(w) => Sym::Bv(self.t.bv(w, 0u32.into())),
            Type::Seq(_) => {
                let zero = self.t.int(0);
                Sym::seq(zero, Vec::new(), Rest::Nothing)
            }
            Type::Set { .. } => Sym::set(Vec::new(), self.t.ff),
            Type::Multiset(_) => Sym::multiset(Vec::new(), self.t.ff),
            Type::Map { .. } => Sym::map(Vec::new(), self.t.ff),
            other @ (Type::Ordinal | Type::Tuple(_) | Type::Arrow { .. } | Type::Array { .. }) => {
                self.any(&other)
            }
            other @ (Type::Object { .. } | Type::Named { .. } | Type::Param(_) | Type::Error) => {
                self.any(&other)
            }
        }
    }

    /// Encodes a `forall` statement: evaluates all right-hand sides before the first store.
    fn forall_store(
        &mut self,
        q: &'p Quantified,
        target: &'p StoreTarget,
        value: &'p Expr,
        f: &mut Frame<'p>,
    ) {
        let mut stores: Vec<(Term, Sym, Vec<Sym>, Sym)> = Vec::new();
        let others = match q.bounds {
            Some(_) => self.for_each(q, f, &mut |s, f, cond| {
                let (object, indices) = match target {
                    StoreTarget::Field(o, _) => (s.eval(o, f), Vec::new()),
                    StoreTarget::Element(a, is) => {
                        (s.eval(a, f), is.iter().map(|i| s.eval(i, f)).collect())
                    }
                };
                let v = s.eval(value, f);
                stores.push((cond, object, indices, v));
            }),
            None => self.t.tt,
        };
        // Stores to unlisted places may hit anything.
        if others != self.t.ff {
            self.reasons.insert(Unencoded::Forall);
            self.havoc_heap();
            return;
        }
        for (cond, object, indices, v) in stores {
            let before = self.heap.clone();
            self.under(cond, |s| match target {
                StoreTarget::Field(_, field) => s.write_field(&object, *field, &v),
                StoreTarget::Element(..) => s.write_element(&object, &indices, &v),
            });
            let after = self.heap.clone();
            self.heap = self.merge_heaps(cond, &after, &before);
        }
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
        | StmtKind::HavocHeap(_)
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
