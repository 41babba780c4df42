//! Executed expressions with control flow: jumping code for conditions, and an assignment in every
//! arm for values.
//!
//! Key functions: [`Lowerer::branch`], [`Lowerer::expr_into`], [`Lowerer::match_arms`].

use super::control::decides;
use super::pattern::Taken;
use super::{Lowerer, build};
use dafny_resolve::typed::{self, BinaryOp, Control, ShortCircuit};
use dafny_source::Span;
use dtest_ir::{AssertKind, BlockId, Decision, Expr, Goal, GoalReason, StmtKind, Terminator, Var};

/// The destination of an expression's value, and the block after it.
#[derive(Clone, Copy)]
pub(super) struct Dest {
    pub(super) var: Var,
    pub(super) next: BlockId,
    /// Whether the value must be proved to satisfy the constraint of the variable's type.
    pub(super) constrained: bool,
}

impl<'p> Lowerer<'p> {
    /// Lowers a function's body, with the result in `out`.
    pub(super) fn function_body(&mut self, body: &'p typed::Expr, out: Option<Var>) {
        match out {
            Some(out) => self.evaluate(body, out, true),
            None => {
                self.expr(body);
            }
        }
    }

    /// Lowers `var := e`.
    pub(super) fn evaluate(&mut self, e: &'p typed::Expr, var: Var, constrained: bool) {
        let next = self.graph.block(None, e.span);
        self.in_decision(None, |l| {
            l.expr_into(
                e,
                Dest {
                    var,
                    next,
                    constrained,
                },
            )
        });
        self.graph.enter(next);
    }

    /// Lowers an expression whose value needs a variable.
    pub(super) fn decided(&mut self, e: &'p typed::Expr) -> Expr {
        let var = self.temp("$value", e.ty.clone(), e.span);
        self.evaluate(e, var, false);
        self.var(var, e.span)
    }

    /// Creates a block that is a goal if the code is executed.
    pub(super) fn goal_block(&mut self, reason: GoalReason, span: Span) -> BlockId {
        let goal = self.evaluation.is_executed.then_some(Goal { reason, span });
        self.graph.block(goal, span)
    }

    /// Creates the block of an outcome of a condition.
    pub(super) fn branch_block(
        &mut self,
        cond: Span,
        value: bool,
        decision: Decision,
        span: Span,
    ) -> BlockId {
        self.goal_block(
            GoalReason::Branch {
                cond,
                value,
                decision,
            },
            span,
        )
    }

    /// Branches to `then` or `els` by a condition. Every short-circuited operand is a block.
    pub(super) fn branch(&mut self, cond: &'p typed::Expr, then: BlockId, els: BlockId) {
        if !self.evaluation.is_executed {
            let cond = self.expr(cond);
            return self.graph.branch(cond, then, els);
        }
        self.in_decision(Some(cond.span), |l| l.branch_within(cond, then, els));
    }

    /// Branches like [`Lowerer::branch`], within the current decision.
    fn branch_within(&mut self, cond: &'p typed::Expr, then: BlockId, els: BlockId) {
        // The condition is decomposed recursively: each part branches to the blocks that its value
        // determines.
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || match cond.control() {
            Control::ShortCircuit { op, left, right } => {
                let operand = self.operand(op, left, right);
                self.left_of(op, right, |l| match op {
                    ShortCircuit::And => l.branch_within(left, operand, els),
                    ShortCircuit::Or => l.branch_within(left, then, operand),
                    ShortCircuit::Implies => l.branch_within(left, operand, then),
                });
                self.graph.enter(operand);
                self.branch_within(right, then, els);
            }
            // A negation exchanges the targets.
            Control::Not(operand) => self.negated(|l| l.branch_within(operand, els, then)),
            Control::If {
                cond,
                then: a,
                els: b,
            } => {
                // A conditional as a condition has two decisions of its own before the value
                // decides.
                let on_true = self.branch_block(cond.span, true, Decision::If, a.span);
                let on_false = self.branch_block(cond.span, false, Decision::If, b.span);
                self.branch(cond, on_true, on_false);
                self.graph.enter(on_true);
                self.branch_within(a, then, els);
                self.graph.enter(on_false);
                self.branch_within(b, then, els);
            }
            Control::Let {
                ghost,
                bindings,
                body,
            } => {
                self.assign_let(ghost, bindings);
                self.branch_within(body, then, els);
            }
            Control::LetSuchThat { vars, body, .. } => {
                self.choose_values(vars, cond.span);
                self.branch_within(body, then, els);
            }
            Control::StmtExpr { stmt, body } => {
                self.stmt(stmt);
                self.branch_within(body, then, els);
            }
            Control::Chain { first, rest } if rest.len() > 1 => {
                let last = self.chain_up_to_last(first, rest, els);
                self.executed_branch(last, then, els);
            }
            Control::IfBinding { .. }
            | Control::Match { .. }
            | Control::LetOrFail(_)
            | Control::Chain { .. }
            | Control::Delayed(_)
            | Control::Strict => {
                let cond = self.expr(cond);
                self.probe_condition(&cond);
                self.executed_branch(cond, then, els);
            }
        });
    }

    /// Evaluates an expression into `dest` and continues there.
    pub(super) fn expr_into(&mut self, e: &'p typed::Expr, dest: Dest) {
        if !self.evaluation.is_executed {
            return self.value_into(e, dest);
        }
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || match e.control() {
            Control::ShortCircuit { op, left, right } => {
                let operand = self.operand(op, left, right);
                // The value of a skipped operand is determined by the operator.
                let skipped = self.graph.block(None, e.span);
                self.in_this_decision(e.span, |l| {
                    l.left_of(op, right, |l| match op.goes_on_with() {
                        true => l.branch_within(left, operand, skipped),
                        false => l.branch_within(left, skipped, operand),
                    });
                    l.graph.enter(skipped);
                    l.put(build::boolean(op.otherwise(), e.span), dest);
                    l.graph.enter(operand);
                    l.expr_into(right, dest);
                });
            }
            Control::If { cond, then, els } => {
                let on_true = self.branch_block(cond.span, true, Decision::If, then.span);
                let on_false = self.branch_block(cond.span, false, Decision::If, els.span);
                self.branch(cond, on_true, on_false);
                self.graph.enter(on_true);
                self.expr_into(then, dest);
                self.graph.enter(on_false);
                self.expr_into(els, dest);
            }
            Control::IfBinding { vars, then, els } => {
                let on_true = self.branch_block(vars.span, true, Decision::If, then.span);
                let on_false = self.branch_block(vars.span, false, Decision::If, els.span);
                let cond = self.quantified(vars);
                // The guard asks whether a value exists; the choice itself takes place in the first
                // arm.
                self.graph
                    .branch(build::exists(cond, vars.span), on_true, on_false);
                self.graph.enter(on_true);
                self.choose_values(vars, vars.span);
                self.expr_into(then, dest);
                self.graph.enter(on_false);
                self.expr_into(els, dest);
            }
            Control::Match { scrutinee, cases } => {
                let arms: Vec<_> = cases.iter().map(|c| (&c.pattern, c.body.span)).collect();
                self.match_arms(scrutinee, &arms, e.span, |l, i| {
                    if let Some(case) = cases.get(i) {
                        l.expr_into(&case.body, dest);
                    }
                });
            }
            Control::Let {
                ghost,
                bindings,
                body,
            } => {
                self.assign_let(ghost, bindings);
                self.expr_into(body, dest);
            }
            Control::LetSuchThat { vars, body, .. } => {
                self.choose_values(vars, e.span);
                self.expr_into(body, dest);
            }
            Control::LetOrFail(l) => self.let_or_fail(l, dest),
            Control::StmtExpr { stmt, body } => {
                self.stmt(stmt);
                self.expr_into(body, dest);
            }
            // A chain is false as soon as one of its comparisons fails.
            Control::Chain { first, rest } if rest.len() > 1 => {
                let broken = self.graph.block(None, e.span);
                self.in_this_decision(e.span, |l| {
                    let last = l.chain_up_to_last(first, rest, broken);
                    l.put(last, dest);
                });
                self.graph.enter(broken);
                self.put(build::boolean(false, e.span), dest);
            }
            Control::Not(_) | Control::Chain { .. } | Control::Delayed(_) | Control::Strict => {
                self.value_into(e, dest)
            }
        });
    }

    /// Lowers the comparisons of a chain except for the last one. Each of them continues at
    /// `broken` if it does not hold. Returns the last one. Every short-circuited operand is a
    /// block.
    fn chain_up_to_last(
        &mut self,
        first: &'p typed::Expr,
        rest: &'p [(BinaryOp, typed::Expr)],
        broken: BlockId,
    ) -> Expr {
        let left = self.expr(first);
        // Operands that are read again must not be evaluated again.
        let mut lefts = vec![self.steady(left, "$operand")];
        let mut whole = build::boolean(true, first.span);
        let mut rest = rest;
        while let Some(((op, right), more)) = rest.split_first() {
            let right = self.expr(right);
            let right = if more.is_empty() && lefts.len() == 1 {
                right
            } else {
                self.steady(right, "$operand")
            };
            let span = lefts
                .last()
                .map_or(right.span, |left| left.span.to(right.span));
            let link = self
                .link(*op, &lefts, &right)
                .map_or(whole, |link| Expr { span, ..link });
            lefts = Self::lefts(*op, lefts, right);
            // All links but the last become branches, because the remaining operands are evaluated
            // only if they hold.
            if let Some((_, next)) = more.first() {
                self.probe_link(&link, lefts.clone(), more);
                let holds = self.branch_block(link.span, true, Decision::Operand, next.span);
                self.executed_branch(link.clone(), holds, broken);
                self.graph.enter(holds);
            } else {
                self.probe_condition(&link);
            }
            whole = link;
            rest = more;
        }
        whole
    }

    /// Lowers the cases of a match, tested in order. `arm` lowers the case with this index and ends
    /// its block.
    pub(super) fn match_arms(
        &mut self,
        scrutinee: &'p typed::Expr,
        arms: &[(&'p typed::Pattern, Span)],
        span: Span,
        mut arm: impl FnMut(&mut Self, usize),
    ) {
        let subject = self.expr(scrutinee);
        let subject = if build::is_atom(&subject) {
            subject
        } else {
            self.steady(subject, "$match")
        };
        let certain = self.last_is_certain(&arms.iter().map(|a| a.0).collect::<Vec<_>>());
        if arms.is_empty() {
            self.assert(build::boolean(false, span), AssertKind::MissingCase);
            self.graph.terminate(Terminator::Stop);
        }
        let mut gone = Taken::default();
        for (i, (pattern, body)) in arms.iter().enumerate() {
            let block = self.goal_block(
                GoalReason::Case {
                    pattern: pattern.span,
                },
                *body,
            );
            let otherwise = self.graph.block(None, span);
            let test = self.pattern_test(pattern, &subject, &gone.ctors);
            self.add_taken(pattern, &mut gone);
            match test {
                Some(test) if i + 1 < arms.len() => {
                    self.probe_value(&test);
                    self.graph.branch(test, block, otherwise);
                }
                Some(test) => {
                    if !certain {
                        // The obligation belongs to the match, not to its last case.
                        let place = if self.has_obligations() {
                            scrutinee.span
                        } else {
                            test.span
                        };
                        self.assert(
                            Expr {
                                span: place,
                                ..test
                            },
                            AssertKind::MissingCase,
                        );
                    }
                    self.graph.goto(block);
                }
                None => self.graph.goto(block),
            }
            self.graph.enter(block);
            self.assign_pattern(pattern, &self.in_case(pattern, &subject));
            arm(self, i);
            self.graph.enter(otherwise);
        }
        // The block after the last case is unreachable.
        self.graph.terminate(Terminator::Stop);
    }

    /// Declares and assigns the variables of bindings.
    pub(super) fn assign_let(
        &mut self,
        ghost: bool,
        bindings: &'p [(typed::Pattern, typed::Expr)],
    ) {
        for (pattern, value) in bindings {
            match Self::sole_variable(pattern) {
                Some(local) => {
                    let var = self.bind(local);
                    self.pure_if(ghost || self.program[local].ghost, |l| {
                        l.evaluate(value, var, true)
                    });
                }
                None => {
                    let value = self.pure_if(ghost, |l| l.expr(value));
                    self.assign_parts(pattern, value);
                }
            }
        }
    }

    /// Destructures a value by a pattern that must match.
    pub(super) fn assign_parts(&mut self, pattern: &'p typed::Pattern, value: Expr) {
        let value = if build::is_atom(&value) {
            value
        } else {
            self.steady(value, "$let")
        };
        if let Some(test) = self.pattern_test(pattern, &value, &[]) {
            self.assert(test, AssertKind::MissingCase);
        }
        self.assign_pattern(pattern, &value);
    }

    fn assign_pattern(&mut self, pattern: &'p typed::Pattern, subject: &Expr) {
        let mut bindings = Vec::new();
        self.pattern_bindings(pattern, subject, &mut bindings);
        for (var, value) in bindings {
            let span = value.span;
            self.assign(var, value, span);
        }
    }

    /// Lowers `x :| P` with declaration of the variables.
    pub(super) fn choose_values(&mut self, vars: &'p typed::Quantified, span: Span) {
        let unique = self.unique_choice(vars, span);
        let vars = self.quantified(vars);
        if let Some(unique) = unique {
            // A value exists before it can be unique; the statement shares this obligation.
            if self.has_obligations() {
                self.oblige_choice(&vars, span, &[]);
            }
            self.assert(unique, AssertKind::Unique);
        }
        self.execute(StmtKind::SuchThat(vars), span);
    }

    /// Stores the value in a variable of its own.
    pub(super) fn steady(&mut self, value: Expr, name: &str) -> Expr {
        if build::is_literal(&value) || self.is_fixed(&value) {
            return value;
        }
        let span = value.span;
        let var = self.temp(name, value.ty.clone(), span);
        self.execute(StmtKind::Assign { var, value }, span);
        self.var(var, span)
    }

    fn let_or_fail(&mut self, l: &'p typed::LetOrFail, dest: Dest) {
        let temp = self.bind(l.temp);
        self.evaluate(&l.value, temp, false);
        let failed = self.goal_block(
            GoalReason::Failure {
                value: l.value.span,
                failed: true,
            },
            l.value.span,
        );
        let passed = self.goal_block(
            GoalReason::Failure {
                value: l.value.span,
                failed: false,
            },
            l.body.span,
        );
        // Failure is tested once; both outcomes are goals.
        let cond = self.pure(|s| s.expr(&l.is_failure));
        self.graph.branch(cond, failed, passed);
        self.graph.enter(failed);
        self.expr_into(&l.propagate, dest);
        self.graph.enter(passed);
        // The extracted value is bound only on success.
        if let (Some(pattern), Some(extract)) = (&l.pattern, &l.extract) {
            let value = self.pure_if(l.ghost, |s| s.expr(extract));
            match Self::sole_variable(pattern) {
                Some(local) => {
                    let var = self.bind(local);
                    self.assign(var, value, pattern.span);
                }
                None => self.assign_parts(pattern, value),
            }
        }
        self.expr_into(&l.body, dest);
    }

    /// Creates the block of a right operand.
    fn operand(&mut self, op: ShortCircuit, left: &typed::Expr, right: &typed::Expr) -> BlockId {
        self.branch_block(left.span, op.goes_on_with(), Decision::Operand, right.span)
    }

    fn value_into(&mut self, e: &'p typed::Expr, dest: Dest) {
        debug_assert!(!self.evaluation.is_executed || !decides(e));
        let value = self.expr(e);
        if value.ty == typed::Type::Bool {
            self.probe_condition(&value);
        }
        self.put(value, dest);
    }

    fn put(&mut self, value: Expr, dest: Dest) {
        let span = value.span;
        match dest.constrained {
            true => self.assign(dest.var, value, span),
            false => self.execute(
                StmtKind::Assign {
                    var: dest.var,
                    value,
                },
                span,
            ),
        }
        self.graph.goto(dest.next);
    }
}
