//! Lowering of loops, `break` and `continue`.
//!
//! The key functions are [`Lowerer::while_loop`], [`Lowerer::while_cases`] and
//! [`Lowerer::for_loop`]. [`Jump`] records the targets of the jumps that may leave a statement. If
//! obligations are goals, the end of an iteration has a block of its own, in which the invariants
//! and the measure are asserted.

use super::measures::Measured;
use super::{Lowerer, build};
use dafny_resolve::typed::{self, BinaryOp, BreakTarget, Guard, LocalId, LoopSpec};
use dafny_source::{Name, Span};
use dtest_ir::reason::Construct;
use dtest_ir::{
    self as ir, AssertKind, BlockId, Clause, Decision, Expr, ExprKind, GoalReason, LoopInfo, Num,
    Op, Stmt, StmtKind, Terminator,
};
use dtest_sorted::SortedSet;

/// A statement that `break` may leave.
pub(super) struct Jump {
    labels: Vec<Name>,
    /// The block that follows the statement.
    after: BlockId,
    /// The target of `continue`, for loops.
    next: Option<BlockId>,
}

/// Whether a constraint is a conjunction of comparisons of the variable with constants.
fn compares_alone(constraint: &typed::Expr) -> bool {
    use typed::ExprKind as T;
    if let T::Binary(BinaryOp::And, a, b) = &constraint.kind {
        compares_alone(a) && compares_alone(b)
    } else if let T::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, a, b) =
        &constraint.kind
    {
        is_operand(a) && is_operand(b)
    } else if let T::Chain { first, rest } = &constraint.kind {
        is_operand(first) && rest.iter().all(|(_, e)| is_operand(e))
    } else {
        false
    }
}

/// Whether an operand is a variable, a literal or a constant.
fn is_operand(e: &typed::Expr) -> bool {
    use typed::ExprKind as T;
    let e = if let T::Unary(_, operand) = &e.kind {
        return matches!(operand.kind, T::Literal(_));
    } else {
        e
    };
    matches!(
        &e.kind,
        T::Local(_) | T::Literal(_) | T::Field { object: None, .. }
    )
}

/// A `for` loop.
pub(super) struct For<'p> {
    pub(super) index: LocalId,
    pub(super) from: &'p typed::Expr,
    pub(super) down: bool,
    pub(super) to: Option<&'p typed::Expr>,
    pub(super) spec: &'p LoopSpec,
}

/// The statement around a loop.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    pub(super) labels: &'p [Name],
    pub(super) span: Span,
}

impl Place<'_> {
    /// Returns the empty span after the statement, the place of control after it.
    fn end(self) -> Span {
        Span::new(self.span.end, self.span.end)
    }
}

impl<'p> Lowerer<'p> {
    pub(super) fn while_loop(
        &mut self,
        guard: &'p Guard,
        spec: &'p LoopSpec,
        body: &'p typed::Block,
        at: Place<'p>,
    ) {
        // If obligations are goals, the invariants are due before the first iteration.
        self.oblige_invariants(&spec.invariants, AssertKind::Invariant);
        let (head, after) = self.enter_loop(at);
        let invariants = self.clauses(&spec.invariants);
        let next = self.next_turn(head, at.span);
        let cond = guard_span(guard, at.span, body.span);
        let inside = self.branch_block(cond, true, Decision::Loop, body.span);
        let exit = self.branch_block(cond, false, Decision::Loop, at.end());
        self.guard(guard, inside, exit, false, at.span);
        self.jumps.push(Jump {
            labels: at.labels.to_vec(),
            after,
            next: Some(next),
        });
        self.graph.enter(inside);
        // The guard serves to guess a measure, unless one is given.
        let condition = match guard {
            Guard::Expr(e) => Some(e),
            Guard::Star | Guard::Binding(_) => None,
        };
        let measured = self.measure_loop(condition, spec, &[body]);
        self.bind_guard(guard);
        self.block(body);
        self.graph.goto(next);
        self.turn(head, next, spec, measured.as_ref(), at.span);
        // The exit is entered last, since control continues after the loop.
        self.graph.enter(exit);
        self.leave_loop(head, after, invariants, Vec::new(), at.span);
    }

    pub(super) fn while_cases(
        &mut self,
        spec: &'p LoopSpec,
        cases: &'p [typed::GuardedCase],
        at: Place<'p>,
    ) {
        self.oblige_invariants(&spec.invariants, AssertKind::Invariant);
        let (head, after) = self.enter_loop(at);
        let invariants = self.clauses(&spec.invariants);
        let next = self.next_turn(head, at.span);
        // The last guard stands for the exit: all guards before it are false as well.
        let last = cases
            .last()
            .map_or(at.span, |c| guard_span(&c.guard, c.span, c.body.span));
        let exit = self.branch_block(last, false, Decision::Loop, at.end());
        self.jumps.push(Jump {
            labels: at.labels.to_vec(),
            after,
            next: Some(next),
        });
        let bodies: Vec<_> = cases.iter().map(|c| &c.body).collect();
        let measured = self.measure_loop(None, spec, &bodies);
        self.alternatives(cases, next);
        self.graph.goto(exit);
        self.turn(head, next, spec, measured.as_ref(), at.span);
        self.graph.enter(exit);
        self.leave_loop(head, after, invariants, Vec::new(), at.span);
    }

    /// Lowers `for`: the bounds are evaluated once, and `lo <= i <= hi` is an invariant of the
    /// language.
    pub(super) fn for_loop(&mut self, l: For<'p>, body: &'p typed::Block, at: Place<'p>) {
        let from = self.expr(l.from);
        let from = self.steady(from, "$from");
        let to = l.to.map(|e| self.expr(e)).map(|e| self.steady(e, "$to"));
        let index = self.local(l.index);
        self.assign(index, from.clone(), l.from.span);
        let i = self.var(index, self.program[l.index].span);
        let num = self.num(&i.ty).unwrap_or(Num::Int);
        let cond = self.program[l.index].span.to(l.to.unwrap_or(l.from).span);
        // The range must not be negative; an obligation, since the verifier requires it.
        if let Some(to) = &to {
            let (low, high) = if l.down { (to, &from) } else { (&from, to) };
            let ordered = build::op(
                Op::Le(num),
                vec![low.clone(), high.clone()],
                typed::Type::Bool,
                cond,
            );
            self.assert(ordered, AssertKind::LoopRange);
        }
        self.oblige_index_type(&l, &from, to.as_ref(), cond);
        self.oblige_invariants(&l.spec.invariants, AssertKind::Invariant);
        let (head, after) = self.enter_loop(at);
        let inside = self.branch_block(cond, true, Decision::Loop, body.span);
        let range = index_range(l.down, &from, to.as_ref(), &i, (num, cond));
        let invariants = self.clauses(&l.spec.invariants);
        // The exit is a decision only if the loop has an end.
        let exit = match to {
            Some(to) => {
                let exit = self.branch_block(cond, false, Decision::Loop, at.end());
                let operands = if l.down {
                    vec![to, i.clone()]
                } else {
                    vec![i.clone(), to]
                };
                self.graph.branch(
                    build::op(Op::Lt(num), operands, typed::Type::Bool, cond),
                    inside,
                    exit,
                );
                exit
            }
            None => {
                self.graph.goto(inside);
                self.graph.block(None, at.end())
            }
        };
        let step = |s: &mut Self, op: BinaryOp| {
            let one = build::int(1, i.ty.clone(), cond);
            let value = s.binary(op, i.clone(), one, i.ty.clone(), cond);
            s.graph.push(StmtKind::Assign { var: index, value }, cond);
        };
        // `continue` leads to the step of an ascending loop, but in a descending loop, whose step
        // comes first, to the end of the iteration.
        let next = if l.down {
            self.next_turn(head, at.span)
        } else {
            self.graph.block(None, at.span)
        };
        self.jumps.push(Jump {
            labels: at.labels.to_vec(),
            after,
            next: Some(next),
        });
        self.graph.enter(inside);
        // Only a loop without an end needs a measure.
        let measured = if l.to.is_none() {
            self.measure_loop(None, l.spec, &[body])
        } else {
            None
        };
        if l.down {
            step(self, BinaryOp::Sub);
        }
        self.block(body);
        self.graph.goto(next);
        if l.down {
            self.turn(head, next, l.spec, measured.as_ref(), at.span);
        } else {
            self.graph.enter(next);
            self.loop_decreases(measured.as_ref(), at.span);
            step(self, BinaryOp::Add);
            self.oblige_invariants(&l.spec.invariants, AssertKind::InvariantKept);
            self.graph.goto(head);
        }
        self.graph.enter(exit);
        self.leave_loop(head, after, invariants, range, at.span);
    }

    /// Asserts that all numbers of the range of a `for` loop, including both bounds, belong to the
    /// type of its index.
    fn oblige_index_type(&mut self, l: &For<'p>, from: &Expr, to: Option<&Expr>, span: Span) {
        let index = self.program[l.index].ty.clone();
        if !self.has_obligations() || !self.may_miss(&typed::Type::Int, &index) {
            return;
        }
        let as_int = |e: &Expr| {
            if e.ty == typed::Type::Int {
                return e.clone();
            }
            build::expr(
                ExprKind::Convert(Box::new(e.clone())),
                typed::Type::Int,
                e.span,
            )
        };
        let (low, high) = if l.down {
            (to, Some(from))
        } else {
            (Some(from), to)
        };
        let one_more = |e: &Expr| {
            build::op(
                Op::Add(Num::Int),
                vec![as_int(e), build::int(1, typed::Type::Int, span)],
                typed::Type::Int,
                span,
            )
        };
        let is_of_index_type = |e: Expr| {
            build::expr(
                ExprKind::Is(Box::new(e), index.clone()),
                typed::Type::Bool,
                span,
            )
        };
        let nat = self
            .program
            .nat
            .map(|nat| typed::Type::named(nat, Vec::new()));
        // For a type that is an interval, checking the bounds suffices.
        let cond = match (low, high) {
            (Some(low), Some(high)) if self.is_interval(&index) => build::and(
                is_of_index_type(as_int(low)),
                is_of_index_type(as_int(high)),
            ),
            (Some(low), None) if Some(&index) == nat.as_ref() => is_of_index_type(as_int(low)),
            // A bounded type contains no unbounded range.
            (_, _) if (low.is_none() || high.is_none()) && self.is_interval(&index) => {
                build::boolean(false, span)
            }
            // In the remaining cases, a quantifier over the range checks each number.
            (_, _) => {
                let var = self.temp("$index", typed::Type::Int, span);
                let number = build::expr(ExprKind::Var(var), typed::Type::Int, span);
                let at_most = |a: Expr, b: Expr| {
                    build::op(Op::Le(Num::Int), vec![a, b], typed::Type::Bool, span)
                };
                let bounds = low.zip(high).map(|(low, high)| {
                    let domain = ir::Domain::IntRange {
                        low: Some(Box::new(as_int(low))),
                        high: Some(Box::new(one_more(high))),
                    };
                    vec![(var, domain)]
                });
                let range = low
                    .map(|low| at_most(as_int(low), number.clone()))
                    .into_iter()
                    .chain(high.map(|high| at_most(number.clone(), as_int(high))))
                    .reduce(build::and);
                let vars = ir::Quantified {
                    vars: vec![var],
                    range: range.map(Box::new),
                    bounds,
                };
                let body = Box::new(is_of_index_type(number));
                let kind = ExprKind::Quantifier {
                    forall: true,
                    vars,
                    body,
                };
                build::expr(kind, typed::Type::Bool, span)
            }
        };
        self.pure(|l| l.assert(cond, AssertKind::TypeConstraint));
    }

    /// Whether the integers of a type form an interval, or the type is `nat`.
    fn is_interval(&self, ty: &typed::Type) -> bool {
        let typed::Type::Named { decl, .. } = ty else {
            return *ty == typed::Type::Int;
        };
        match &self.program[*decl].kind {
            typed::TypeDeclKind::Newtype(c) | typed::TypeDeclKind::Subset(c) => {
                self.program.nat == Some(*decl)
                    || c.range.is_some() && c.constraint.as_ref().is_some_and(compares_alone)
            }
            typed::TypeDeclKind::Datatype { .. }
            | typed::TypeDeclKind::Abstract
            | typed::TypeDeclKind::Class
            | typed::TypeDeclKind::Trait { .. }
            | typed::TypeDeclKind::Iterator(_) => false,
        }
    }

    /// Returns the block at the end of an iteration: the head itself, unless obligations are goals,
    /// since then the invariants are asserted before the head is reached again.
    fn next_turn(&mut self, head: BlockId, span: Span) -> BlockId {
        if self.has_obligations() {
            self.graph.block(None, span)
        } else {
            head
        }
    }

    /// Lowers the transition from the end of an iteration to the head.
    fn turn(
        &mut self,
        head: BlockId,
        next: BlockId,
        spec: &'p LoopSpec,
        measured: Option<&Measured<'p>>,
        span: Span,
    ) {
        if next != head {
            self.graph.enter(next);
            self.loop_decreases(measured, span);
            self.oblige_invariants(&spec.invariants, AssertKind::InvariantKept);
            self.graph.goto(head);
        }
    }

    /// Asserts the invariants if obligations are goals.
    pub(super) fn oblige_invariants(&mut self, invariants: &'p [typed::Clause], kind: AssertKind) {
        if self.has_obligations() {
            for clause in self.clauses(invariants) {
                self.assert(clause.cond, kind);
            }
        }
    }

    /// Lowers the cases of `if` and `while`.
    ///
    /// The first case whose guard holds is executed, as the rule for choices requires, and leads to
    /// `next`. Afterwards, control is at the place where no guard holds.
    pub(super) fn alternatives(&mut self, cases: &'p [typed::GuardedCase], next: BlockId) {
        for (i, case) in cases.iter().enumerate() {
            let guard = guard_span(&case.guard, case.span, case.body.span);
            let block = self.goal_block(GoalReason::Alternative { guard }, list_span(&case.body));
            let otherwise = self.graph.block(None, case.span);
            let others = cases.get(i + 1..).unwrap_or_default();
            if others.is_empty() {
                self.guard(&case.guard, block, otherwise, true, case.span);
            } else {
                let holds = self.graph.block(None, case.span);
                self.guard(&case.guard, holds, otherwise, true, case.span);
                self.graph.enter(holds);
                let open = self.some_guard(others, case.span);
                self.graph.choose(vec![block, otherwise], open, case.span);
            }
            self.graph.enter(block);
            self.bind_guard(&case.guard);
            self.block(&case.body);
            self.graph.goto(next);
            self.graph.enter(otherwise);
        }
    }

    /// Returns the condition that some guard holds; `None` if a guard `*` may be assumed to hold.
    fn some_guard(&mut self, cases: &'p [typed::GuardedCase], span: Span) -> Option<Expr> {
        let mut some: Option<Expr> = None;
        for case in cases {
            let holds = match &case.guard {
                Guard::Expr(e) => self.pure(|l| l.expr(e)),
                Guard::Binding(q) => {
                    let vars = self.quantified(q);
                    build::exists(vars, q.span)
                }
                Guard::Star => return None,
            };
            some = Some(match some {
                Some(others) => Expr {
                    kind: ExprKind::Or(Box::new(others), Box::new(holds)),
                    ty: typed::Type::Bool,
                    span,
                },
                None => holds,
            });
        }
        some
    }

    /// Lowers `if { case … }`.
    pub(super) fn if_cases(&mut self, cases: &'p [typed::GuardedCase], span: Span) {
        let after = self.graph.block(None, span);
        self.alternatives(cases, after);
        self.assert(build::boolean(false, span), AssertKind::MissingCase);
        self.graph.terminate(Terminator::Stop);
        self.graph.enter(after);
    }

    /// Branches on a guard. `star` says whether `*` is taken to be true, as in compiled Dafny: it
    /// is in an alternative, but not in a loop or in an `if` that can be skipped.
    pub(super) fn guard(
        &mut self,
        guard: &'p Guard,
        then: BlockId,
        els: BlockId,
        star: bool,
        span: Span,
    ) {
        match guard {
            Guard::Expr(e) => self.branch(e, then, els),
            Guard::Star => self.graph.choose(
                if star {
                    vec![then, els]
                } else {
                    vec![els, then]
                },
                None,
                span,
            ),
            Guard::Binding(q) => {
                let vars = self.quantified(q);
                self.graph.branch(build::exists(vars, q.span), then, els);
            }
        }
    }

    /// Assigns values to the variables that a guard binds, after it was found to hold.
    pub(super) fn bind_guard(&mut self, guard: &'p Guard) {
        match guard {
            Guard::Binding(q) => self.choose_values(q, q.span),
            Guard::Expr(_) | Guard::Star => {}
        }
    }

    /// Lowers a labelled statement that is not a loop.
    pub(super) fn labelled(
        &mut self,
        labels: &'p [Name],
        span: Span,
        work: impl FnOnce(&mut Self),
    ) {
        let after = self.graph.block(None, span);
        self.jumps.push(Jump {
            labels: labels.to_vec(),
            after,
            next: None,
        });
        work(self);
        self.jumps.pop();
        self.graph.goto(after);
        self.graph.enter(after);
    }

    /// Lowers `break` and `continue`.
    pub(super) fn leave(&mut self, is_continue: bool, target: &BreakTarget, span: Span) {
        let found = match target {
            BreakTarget::Label(label) => self.jumps.iter().rev().find(|j| j.labels.contains(label)),
            BreakTarget::Loops(n) => self
                .jumps
                .iter()
                .rev()
                .filter(|j| j.next.is_some())
                .nth((*n as usize).saturating_sub(1)),
        };
        let to = found.and_then(|j| if is_continue { j.next } else { Some(j.after) });
        match to {
            Some(to) => self.graph.goto(to),
            None => self.unsupported(Construct::JumpOutside, span),
        }
    }

    pub(super) fn in_loop(&self) -> bool {
        self.jumps.iter().any(|j| j.next.is_some())
    }

    /// Creates and enters the head of a loop; returns the head and the block after the loop.
    fn enter_loop(&mut self, at: Place<'p>) -> (BlockId, BlockId) {
        let head = self.graph.block(None, at.span);
        let after = self.graph.block(None, at.end());
        self.graph.goto(head);
        self.graph.enter(head);
        self.open_dispatch(head, at.span);
        (head, after)
    }

    fn leave_loop(
        &mut self,
        head: BlockId,
        after: BlockId,
        invariants: Vec<Clause>,
        range: Vec<Clause>,
        span: Span,
    ) {
        self.jumps.pop();
        self.graph.goto(after);
        self.close_dispatch(span);
        self.graph.enter(after);
        let mut assigned = SortedSet::new();
        let mut writes_heap = false;
        for stmt in self.graph.since(head).flat_map(|b| &b.stmts) {
            assigned.extend(stmt.assigned());
            writes_heap |= may_write_heap(stmt);
        }
        let frame = match writes_heap && self.has_obligations() {
            true => self.changed_by_loop(span),
            false => Vec::new(),
        };
        self.graph.set_loop(
            head,
            LoopInfo {
                invariants,
                range,
                assigned: assigned.into_iter().collect(),
                writes_heap,
                frame,
                span,
            },
        );
    }
}

/// Returns the span of the statements of a case, which has no braces.
pub(super) fn list_span(block: &typed::Block) -> Span {
    match (block.stmts.first(), block.stmts.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        (None, _) | (_, None) => block.span,
    }
}

/// Returns the span of a guard; for `*`, that of the text before the body.
pub fn guard_span(guard: &Guard, whole: Span, body: Span) -> Span {
    match guard {
        Guard::Expr(e) => e.span,
        Guard::Binding(q) => q.span,
        Guard::Star => Span::new(whole.start, body.start.max(whole.start)),
    }
}

fn may_write_heap(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::New { .. }
        | StmtKind::NewArray { .. }
        | StmtKind::Call { .. }
        | StmtKind::SetField { .. }
        | StmtKind::Redefine { .. }
        | StmtKind::SetElement { .. }
        | StmtKind::ForallStore { .. }
        | StmtKind::HavocHeap(..)
        | StmtKind::Answer { .. }
        | StmtKind::Save { .. }
        | StmtKind::Unsupported { .. } => true,
        StmtKind::Assign { .. }
        | StmtKind::Havoc(_)
        | StmtKind::SuchThat(_)
        | StmtKind::Assume { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Print(_)
        | StmtKind::Expect { .. }
        | StmtKind::Restore { .. }
        | StmtKind::Probe { .. }
        | StmtKind::Snapshot(_) => false,
    }
}

/// The bounds of the index of a `for` loop as clauses. They serve as an invariant of the loop when
/// it is cut.
fn index_range(
    down: bool,
    from: &Expr,
    to: Option<&Expr>,
    index: &Expr,
    (num, span): (Num, Span),
) -> Vec<Clause> {
    let (low, high) = if down {
        (to, Some(from))
    } else {
        (Some(from), to)
    };
    let at_most = |a: &Expr, b: &Expr| {
        let cond = build::op(
            Op::Le(num),
            vec![a.clone(), b.clone()],
            typed::Type::Bool,
            span,
        );
        Clause { cond, span }
    };
    let low = low.map(|low| at_most(low, index));
    low.into_iter()
        .chain(high.map(|high| at_most(index, high)))
        .collect()
}
