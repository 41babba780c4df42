//! Probes: the goals of criteria other than blocks, placed before the code that they observe.
//!
//! A probe is a condition without side effects (a *label*: Bardin, Kosmatov, Cheynier, ICST 2014).
//! Some expressions are evaluated for many values: those under a quantifier, in a comprehension, in
//! the value of a `forall` statement, and in the lambda that yields the elements of a new array or
//! sequence. An arm in such a place counts as entered, and a comparison as being at its boundary,
//! if it is for some value of the bound variables. Other lambdas get no probes, since their bodies
//! have no value at the place of the lambda. [`Decisions`] and [`Step`] compute when a condition
//! determines its decision.

use super::{Lowerer, build};
use dafny_resolve::typed::visit::{Visit, walk_expr};
use dafny_resolve::typed::{self, ShortCircuit, Type};
use dafny_source::Span;
use dtest_ir::{
    BlockId, Coll, Criterion, Decision, Domain, Expr, ExprKind, Goal, GoalReason, Num, Op,
    Quantified, Relation, StmtKind, StoreTarget, Var,
};

/// The decision that contains the current condition.
#[derive(Default)]
pub(super) struct Decisions<'p> {
    /// The span of the decision; `None` outside of any.
    span: Option<Span>,
    /// The steps between the condition and the decision, outermost first.
    steps: Vec<Step<'p>>,
}

/// One step from a condition up to its decision.
#[derive(Clone)]
enum Step<'p> {
    /// The condition is in the left operand; the right one follows.
    Left(ShortCircuit, &'p typed::Expr),
    /// The condition is a comparison of a chain; the others follow.
    Link(Expr),
    /// The condition is negated.
    Not,
}

/// A circumstance under which a part of an expression is evaluated.
#[derive(Clone)]
pub(super) enum Context {
    If(Expr),
    Let(Var, Expr),
    /// Some value of the variables.
    Some(Quantified),
    /// The heap of an older state.
    Old(Option<dafny_source::Name>),
}

/// The kind of parts that are probed in an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Arms under binders.
    Arms,
    /// Comparisons that are evaluated at most once, and comparisons under binders.
    Comparisons,
}

/// Returns the condition that `cond` holds where a part of an expression is evaluated, for some
/// values of the variables bound around it.
pub(super) fn in_context(mut cond: Expr, context: &[Context]) -> Expr {
    for c in context.iter().rev() {
        cond = match c {
            Context::If(c) => build::and(c.clone(), cond),
            Context::Let(v, value) => build::lets(vec![(*v, value.clone())], cond),
            Context::Some(q) => {
                let span = cond.span;
                build::expr(
                    ExprKind::Quantifier {
                        forall: false,
                        vars: q.clone(),
                        body: Box::new(cond),
                    },
                    Type::Bool,
                    span,
                )
            }
            Context::Old(label) => {
                let span = cond.span;
                build::expr(
                    ExprKind::Old(label.clone(), Box::new(cond)),
                    Type::Bool,
                    span,
                )
            }
        };
    }
    cond
}

/// Whether an expression contains a conditional or a match.
fn has_arms(e: &typed::Expr) -> bool {
    struct Arms(bool);
    impl<'t> Visit<'t> for Arms {
        fn expr(&mut self, e: &'t typed::Expr) {
            self.0 |= matches!(
                e.kind,
                typed::ExprKind::If { .. } | typed::ExprKind::Match { .. }
            );
            if !self.0 {
                walk_expr(self, e);
            }
        }
    }
    let mut arms = Arms(false);
    arms.expr(e);
    arms.0
}

impl<'p> Lowerer<'p> {
    fn wants(&self, criterion: Criterion) -> bool {
        self.evaluation.is_executed && self.criteria.has(criterion)
    }

    /// Adds a probe at the current place.
    fn probe(&mut self, cond: Expr, reason: GoalReason, span: Span) {
        let probe = self.goals.add(reason, span);
        self.graph.push(StmtKind::Probe { probe, cond }, span);
    }

    /// Makes the code after a statement a goal, if execution may fail to get past the statement.
    pub(super) fn flow(&mut self, before: &'p typed::Stmt, rest: Span) {
        use typed::StmtKind as T;
        if !self.wants(Criterion::Flow) {
            return;
        }
        let reason = GoalReason::After { stmt: before.span };
        match &before.kind {
            T::Return | T::Break { .. } => {
                let block = self.graph.block(Some(Goal { reason, span: rest }), rest);
                self.graph.enter(block);
            }
            // The rest of the block is a goal of its own: a new block if no path leads here, else a
            // probe.
            T::Block(_)
            | T::Assert { .. }
            | T::Expect { .. }
            | T::Call { .. }
            | T::SuchThat { .. }
            | T::AssignOrFail(_)
            | T::If { .. }
            | T::IfCase(_)
            | T::While { .. }
            | T::WhileCase { .. }
            | T::For { .. }
            | T::Match { .. }
            | T::Modify { .. } => match self.graph.nowhere() {
                Some(block) => self.graph.set_goal(block, Goal { reason, span: rest }),
                None => self.probe(build::boolean(true, rest), reason, rest),
            },
            // These statements complete, or fail like any expression.
            T::Assume(_)
            | T::Print(_)
            | T::VarDecl(_)
            | T::Assign { .. }
            | T::AssignPattern { .. }
            | T::Forall { .. }
            | T::Yield
            | T::Reveal(_)
            | T::Calc { .. }
            | T::Error => {}
        }
    }

    /// Adds a statement of executed code, after the probes and obligations of its expressions.
    pub(super) fn execute(&mut self, kind: StmtKind, span: Span) {
        if self.evaluation.is_executed {
            self.probe_statement(&kind);
        }
        self.oblige_statement(&kind, span);
        self.graph.push(kind, span);
    }

    /// Adds probes for the compiled expressions of a statement.
    fn probe_statement(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { var, value } if !self.is_ghost(*var) => {
                self.probe_value(value);
                if self.wants(Criterion::Boundary) {
                    self.probe_answer(value);
                }
            }
            StmtKind::SetField { field, value, .. } if !self.program[*field].ghost => {
                self.probe_value(value)
            }
            StmtKind::SetElement { value, .. } => self.probe_value(value),
            StmtKind::ForallStore {
                // The value is evaluated for each index, so it is probed for some of them.
                vars,
                target,
                value,
            } => {
                let is_ghost =
                    matches!(target, StoreTarget::Field(_, field) if self.program[*field].ghost);
                if vars.bounds.is_some() && !is_ghost {
                    self.probe_looks(value, &[Context::Some(vars.clone())]);
                }
            }
            StmtKind::Call { callee, args, .. } if !self.program[*callee].ghost => {
                let c = &self.program[*callee];
                let ghost: Vec<bool> = c.ins.iter().map(|f| self.program[f.local].ghost).collect();
                let receivers = args.len().saturating_sub(ghost.len());
                // Ghost arguments are not compiled.
                for (i, arg) in args.iter().enumerate() {
                    if i < receivers || ghost.get(i - receivers) == Some(&false) {
                        self.probe_value(arg);
                    }
                }
            }
            StmtKind::Expect { cond, .. } => self.probe_value(cond),
            StmtKind::Print(es) => es.iter().for_each(|e| self.probe_value(e)),
            StmtKind::Assign { .. }
            | StmtKind::SetField { .. }
            | StmtKind::Call { .. }
            | StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::SuchThat(_)
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(..)
            | StmtKind::Answer { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Unsupported { .. } => {}
        }
    }

    /// Adds probes that a call with a boolean result yields both values.
    fn probe_answer(&mut self, e: &Expr) {
        if e.ty == Type::Bool && matches!(e.kind, ExprKind::Call { .. } | ExprKind::Apply(..)) {
            for value in [true, false] {
                let holds = if value {
                    e.clone()
                } else {
                    build::not(e.clone())
                };
                let reason = GoalReason::Branch {
                    cond: e.span,
                    value,
                    decision: Decision::Outcome,
                };
                self.probe(holds, reason, e.span);
            }
        }
    }

    fn is_ghost(&self, var: Var) -> bool {
        self.info(var).is_some_and(|i| i.ghost)
    }

    /// Adds a branch to executed code, after the probes for its condition. An outcome needs no
    /// probe if it leads to a block with a goal of its own.
    pub(super) fn executed_branch(&mut self, cond: Expr, then: BlockId, els: BlockId) {
        self.probe_value(&cond);
        self.oblige_evaluation(&cond);
        if self.wants(Criterion::Branch) {
            for (value, to) in [(true, then), (false, els)] {
                let own = self.graph.goal(to).is_some_and(
                    |g| matches!(g.reason, GoalReason::Branch { cond: c, .. } if c == cond.span),
                );
                if !own {
                    let holds = if value {
                        cond.clone()
                    } else {
                        build::not(cond.clone())
                    };
                    let reason = GoalReason::Branch {
                        cond: cond.span,
                        value,
                        decision: Decision::Outcome,
                    };
                    self.probe(holds, reason, cond.span);
                }
            }
        }
        self.graph.branch(cond, then, els);
    }

    /// Runs `work` in a new decision, or in none.
    pub(super) fn in_decision<T>(
        &mut self,
        span: Option<Span>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let decision = Decisions {
            span,
            steps: Vec::new(),
        };
        self.scoped(|l| &mut l.goals.decision, decision, work)
    }

    /// Runs `work` in the current decision, or in a new one if there is none.
    pub(super) fn in_this_decision<T>(
        &mut self,
        span: Span,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.goals.decision.span.is_some() {
            work(self)
        } else {
            self.in_decision(Some(span), work)
        }
    }

    /// Runs `work` on the left operand of an operator.
    pub(super) fn left_of<T>(
        &mut self,
        op: ShortCircuit,
        right: &'p typed::Expr,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.step(Step::Left(op, right), work)
    }

    /// Runs `work` on the operand of a negation.
    pub(super) fn negated<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.step(Step::Not, work)
    }

    /// Adds probes for a comparison of a chain that is followed by others.
    pub(super) fn probe_link(
        &mut self,
        link: &Expr,
        lefts: Vec<Expr>,
        rest: &'p [(typed::BinaryOp, typed::Expr)],
    ) {
        if !self.wants(Criterion::Mcdc) {
            return;
        }
        if let Some(rest) = self.pure(|l| l.chain_links(lefts, rest)) {
            self.step(Step::Link(rest), |l| l.probe_condition(link));
        }
    }

    fn step<T>(&mut self, step: Step<'p>, work: impl FnOnce(&mut Self) -> T) -> T {
        self.goals.decision.steps.push(step);
        let result = work(self);
        self.goals.decision.steps.pop();
        result
    }

    /// Adds probes for a condition of the current decision.
    ///
    /// For each value of the condition, the probe holds if the opposite value would change the
    /// outcome of the decision. Therefore, the right operands that are evaluated must have their
    /// neutral values.
    pub(super) fn probe_condition(&mut self, cond: &Expr) {
        let (Some(decision), true) = (self.goals.decision.span, self.wants(Criterion::Mcdc)) else {
            return;
        };
        let steps = self.goals.decision.steps.clone();
        for value in [true, false] {
            let mut holds = if value {
                cond.clone()
            } else {
                build::not(cond.clone())
            };
            let mut now = value;
            // The steps are followed outwards; `now` is the value of the subexpression reached so
            // far.
            for step in steps.iter().rev() {
                match step {
                    Step::Not => now = !now,
                    Step::Left(op, right) if now == op.goes_on_with() => {
                        let neutral = !op.otherwise();
                        let right = self.pure(|l| l.in_decision(None, |l| l.expr(right)));
                        holds = build::and(holds, if neutral { right } else { build::not(right) });
                        now = neutral;
                    }
                    Step::Left(op, _) => now = op.otherwise(),
                    Step::Link(rest) if now => holds = build::and(holds, rest.clone()),
                    Step::Link(_) => {}
                }
            }
            self.probe(
                holds,
                GoalReason::Decides {
                    cond: cond.span,
                    value,
                    decision,
                },
                cond.span,
            );
        }
    }

    /// Adds probes for an expression of executed code: for arms under binders, which are not
    /// blocks, and for comparisons.
    pub(super) fn probe_value(&mut self, e: &Expr) {
        self.probe_looks(e, &[]);
    }

    /// Adds probes for the lambda that yields the elements of a new array or sequence of the given
    /// lengths.
    pub(super) fn probe_initializer(&mut self, lengths: &[Expr], init: &'p typed::Expr) {
        let typed::ExprKind::Lambda(lambda) = &init.kind else {
            return;
        };
        let is_looked_at = self.wants(Criterion::Boundary)
            || self.evaluation.is_executed && has_arms(&lambda.body);
        if !is_looked_at || lambda.params.len() != lengths.len() {
            return;
        }
        let (vars, body) = self.pure(|l| {
            let vars: Vec<Var> = lambda.params.iter().map(|p| l.bind(*p)).collect();
            (vars, l.expr(&lambda.body))
        });
        // Each parameter of the lambda ranges over the indices of its dimension.
        let index = |(var, length): (&Var, &Expr)| {
            let low = build::int(0, Type::Int, length.span);
            (
                *var,
                Domain::IntRange {
                    low: Some(Box::new(low)),
                    high: Some(Box::new(length.clone())),
                },
            )
        };
        let bounds = vars.iter().zip(lengths).map(index).collect();
        self.probe_looks(
            &body,
            &[Context::Some(Quantified {
                vars,
                range: None,
                bounds: Some(bounds),
            })],
        );
    }

    fn probe_looks(&mut self, e: &Expr, context: &[Context]) {
        if self.evaluation.is_executed && self.criteria.has_blocks() {
            self.probe_within(Look::Arms, e, &mut context.to_vec());
        }
        if self.wants(Criterion::Boundary) {
            self.probe_within(Look::Comparisons, e, &mut context.to_vec());
        }
    }

    fn probe_within(&mut self, look: Look, e: &Expr, context: &mut Vec<Context>) {
        // Arms are probed only under binders; elsewhere they are blocks.
        if let (ExprKind::If(c, a, b), Look::Arms) = (&e.kind, look) {
            self.probe_arms(e.span, c, [a, b], context);
        }
        let mut under = |l: &mut Self, c: Context, e: &Expr| {
            context.push(c);
            l.probe_within(look, e, context);
            context.pop();
        };
        match &e.kind {
            // Each part is visited in the context in which it is evaluated.
            ExprKind::And(a, b) | ExprKind::Implies(a, b) => {
                under(self, Context::If((**a).clone()), b);
                self.probe_within(look, a, context);
            }
            ExprKind::Or(a, b) => {
                under(self, Context::If(build::not((**a).clone())), b);
                self.probe_within(look, a, context);
            }
            ExprKind::If(c, a, b) => {
                under(self, Context::If((**c).clone()), a);
                under(self, Context::If(build::not((**c).clone())), b);
                self.probe_within(look, c, context);
            }
            ExprKind::Let(v, value, body) => {
                under(self, Context::Let(*v, (**value).clone()), body);
                self.probe_within(look, value, context);
            }
            ExprKind::Op(op, args) => {
                if let ([left, right], Look::Comparisons) = (args.as_slice(), look) {
                    self.probe_comparison(op, left, right, context);
                }
                args.iter()
                    .for_each(|a| self.probe_within(look, a, context));
            }
            ExprKind::Call { args, .. } => args
                .iter()
                .for_each(|a| self.probe_within(look, a, context)),
            ExprKind::Apply(f, args) | ExprKind::ReadElement(f, args) => {
                self.probe_within(look, f, context);
                args.iter()
                    .for_each(|a| self.probe_within(look, a, context));
            }
            ExprKind::ReadField(a, _)
            | ExprKind::Convert(a)
            | ExprKind::Is(a, _)
            | ExprKind::Checked(_, _, a) => {
                self.probe_within(look, a, context);
            }
            ExprKind::Quantifier { vars, body, .. } | ExprKind::SetComp(vars, body)
                if vars.bounds.is_some() =>
            {
                under(self, Context::Some(vars.clone()), body);
            }
            ExprKind::MapComp(vars, key, value) if vars.bounds.is_some() => {
                under(self, Context::Some(vars.clone()), key);
                under(self, Context::Some(vars.clone()), value);
            }
            ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Const { .. }
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::FunctionRef { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::OfContract { .. }
            | ExprKind::Unsupported(_) => {}
        }
    }

    /// Adds probes for the arms of a conditional or match under a binder: each must be entered for
    /// some value.
    fn probe_arms(&mut self, whole: Span, cond: &Expr, arms: [&Expr; 2], context: &[Context]) {
        if !context.iter().any(|c| matches!(c, Context::Some(_))) {
            return;
        }
        for (value, arm) in [true, false].into_iter().zip(arms) {
            // The remaining cases of a match are conditionals with the span of the whole match.
            if arm.span == whole {
                continue;
            }
            let holds = if value {
                cond.clone()
            } else {
                build::not(cond.clone())
            };
            let reason = match self.goals.pattern_of(arm.span) {
                Some(pattern) => GoalReason::Case { pattern },
                None => GoalReason::Branch {
                    cond: cond.span,
                    value,
                    decision: Decision::If,
                },
            };
            self.probe(in_context(holds, context), reason, arm.span);
        }
    }

    fn probe_comparison(&mut self, op: &Op, left: &Expr, right: &Expr, context: &[Context]) {
        let closest: &[Relation] = if matches!(op, Op::Lt(_) | Op::Le(_)) {
            &[Relation::Equal, Relation::OneLess, Relation::OneMore]
        } else if matches!(op, Op::Eq | Op::Ne) {
            match self.num(&left.ty) {
                Some(Num::Ordinal) | None => &[Relation::Equal, Relation::Different],
                Some(Num::Int | Num::Real | Num::Bv(_) | Num::Char) => {
                    &[Relation::Equal, Relation::OneLess, Relation::OneMore]
                }
            }
        } else {
            return;
        };
        // A comparison of literals has no boundary.
        if build::is_literal(left) && build::is_literal(right) {
            return;
        }
        // `>` is represented by `<` with exchanged operands; the goal names them in the order of
        // the source.
        let (left, right) = if left.span.start > right.span.start {
            (right, left)
        } else {
            (left, right)
        };
        // If an operand is a bound variable, its range determines the boundary.
        let runs = |e: &Expr| matches!(e.kind, ExprKind::Var(v) if context.iter().any(|c| matches!(c, Context::Some(q) if q.vars.contains(&v))));
        if runs(left) || runs(right) {
            return;
        }
        for relation in closest {
            if self.is_never(*relation, left, right) {
                continue;
            }
            let Some(cond) = self.relation(*relation, left, right) else {
                continue;
            };
            let span = left.span.to(right.span);
            self.probe(
                in_context(cond, context),
                GoalReason::Boundary {
                    left: left.span,
                    right: right.span,
                    relation: *relation,
                },
                span,
            );
        }
    }

    /// Whether no values satisfy a relation: a size is never below zero, and an empty collection
    /// equals every collection of its size. The opposite truth value is the business of a branch
    /// goal.
    fn is_never(&self, relation: Relation, left: &Expr, right: &Expr) -> bool {
        let is_zero = |e: &Expr| matches!(&e.kind, ExprKind::Literal(typed::Literal::Int(n)) if *n == 0.into());
        let is_natural = |e: &Expr| {
            matches!(e.kind, ExprKind::Op(Op::Cardinality(_), _))
                || matches!(e.ty, Type::Named { decl, .. } if self.program.nat == Some(decl))
        };
        let is_empty = |e: &Expr| {
            matches!(&e.kind, ExprKind::Op(Op::Display(_), elements) if elements.is_empty())
                || matches!(&e.kind, ExprKind::Literal(typed::Literal::String(text)) if text.is_empty())
        };
        match relation {
            Relation::Equal => false,
            Relation::OneLess => is_natural(left) && is_zero(right),
            Relation::OneMore => is_natural(right) && is_zero(left),
            Relation::Different => {
                is_empty(left)
                    || is_empty(right)
                    || (left.ty == Type::Bool && left.span == right.span)
            }
        }
    }

    /// Returns the condition that two values are in a relation; `None` if their type does not have
    /// it.
    fn relation(&self, relation: Relation, left: &Expr, right: &Expr) -> Option<Expr> {
        let span = left.span.to(right.span);
        let truth = |op: Op, a: Expr, b: Expr| build::op(op, vec![a, b], Type::Bool, span);
        let (l, r) = (left.clone(), right.clone());
        match relation {
            Relation::Equal => Some(truth(Op::Eq, l, r)),
            Relation::OneLess => self.one_less(left, right, span),
            Relation::OneMore => self.one_less(right, left, span),
            Relation::Different => {
                let differ = truth(Op::Ne, l.clone(), r.clone());
                let coll = match self.program.representation(&left.ty) {
                    Type::Seq(_) => Coll::Seq,
                    Type::Set { .. } => Coll::Set,
                    Type::Multiset(_) => Coll::Multiset,
                    Type::Map { .. } => Coll::Map,
                    Type::Bool
                    | Type::Char
                    | Type::Int
                    | Type::Real
                    | Type::Bv(_)
                    | Type::Ordinal
                    | Type::Tuple(_)
                    | Type::Arrow { .. }
                    | Type::Array { .. }
                    | Type::Object { .. }
                    | Type::Named { .. }
                    | Type::Param(_)
                    | Type::Error => return Some(differ),
                };
                let size = |e: Expr| build::op(Op::Cardinality(coll), vec![e], Type::Int, span);
                Some(build::and(truth(Op::Eq, size(l), size(r)), differ))
            }
        }
    }

    /// Returns the condition that `a` is one less than `b`.
    fn one_less(&self, a: &Expr, b: &Expr, span: Span) -> Option<Expr> {
        let truth = |op: Op, a: Expr, b: Expr| build::op(op, vec![a, b], Type::Bool, span);
        let convert =
            |e: &Expr| build::expr(ExprKind::Convert(Box::new(e.clone())), Type::Int, span);
        let num = self.num(&a.ty)?;
        let difference = |a: Expr, b: Expr, ty: Type| build::op(Op::Sub(num), vec![b, a], ty, span);
        match num {
            // The difference may lie outside the newtype of the operands, so it is computed in
            // `int`.
            Num::Int => {
                let sum = build::op(
                    Op::Sub(Num::Int),
                    vec![self.as_int(b, span), self.as_int(a, span)],
                    Type::Int,
                    span,
                );
                Some(truth(Op::Eq, sum, build::int(1, Type::Int, span)))
            }
            Num::Char => {
                let sum = build::op(
                    Op::Sub(Num::Int),
                    vec![convert(b), convert(a)],
                    Type::Int,
                    span,
                );
                Some(truth(Op::Eq, sum, build::int(1, Type::Int, span)))
            }
            Num::Real => {
                let one = build::expr(
                    ExprKind::Literal(typed::Literal::Real(
                        num_rational::BigRational::from_integer(1.into()),
                    )),
                    Type::Real,
                    span,
                );
                let (a, b) = if self.program.representation(&a.ty) == a.ty {
                    (a.clone(), b.clone())
                } else {
                    return None;
                };
                Some(truth(Op::Eq, difference(a, b, Type::Real), one))
            }
            Num::Bv(0) => None,
            Num::Bv(w) => {
                if self.program.representation(&a.ty) != a.ty {
                    return None;
                }
                let close = truth(
                    Op::Eq,
                    difference(a.clone(), b.clone(), Type::Bv(w)),
                    build::int(1, Type::Bv(w), span),
                );
                Some(build::and(truth(Op::Lt(num), a.clone(), b.clone()), close))
            }
            Num::Ordinal => None,
        }
    }

    /// Converts a value of a newtype over `int` to `int`.
    fn as_int(&self, e: &Expr, span: Span) -> Expr {
        if e.ty == Type::Int {
            e.clone()
        } else {
            build::expr(ExprKind::Convert(Box::new(e.clone())), Type::Int, span)
        }
    }
}
