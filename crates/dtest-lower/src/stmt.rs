//! Lowering of statements.
//!
//! [`Lowerer::stmt`] is the entry point. The forms with control flow are lowered in
//! [`super::branch`] and [`super::loops`]. Here, the hard part is proof code: if obligations are
//! goals, hints, `by` blocks and `forall` proofs are lowered so that they add obligations without
//! changing the state.

use super::loops::{For, Place, guard_span, list_span};
use super::{Lowerer, build, proof};
use dafny_resolve::typed::visit::{Visit, walk_call, walk_stmt};
use dafny_resolve::typed::{self, Rhs, Target};
use dafny_source::Span;
use dtest_desugar::GeneratedCode as _;
use dtest_ir::reason::{Construct, Reason};
use dtest_ir::{
    AssertKind, Assumed, Changed, Decision, Expr, ExprKind, Quantified, StmtKind, Terminator,
};

impl<'p> Lowerer<'p> {
    /// Lowers the statements of a block in order.
    pub(super) fn block(&mut self, block: &'p typed::Block) {
        let mut before: Option<&'p typed::Stmt> = None;
        // Of a block, `new;` is taken to stand where it begins or ends if it is not written.
        let division = block
            .division
            .unwrap_or_else(|| Span::new(block.span.end.saturating_sub(1), block.span.end));
        for (i, stmt) in block.stmts.iter().enumerate() {
            if block.divided_at == Some(i) {
                self.oblige_fields(division);
            }
            if let Some(before) = before.filter(|_| !stmt.ghost) {
                self.flow(
                    before,
                    Span::new(
                        stmt.span.start,
                        block.stmts.last().map_or(stmt.span, |s| s.span).end,
                    ),
                );
            }
            self.stmt(stmt);
            before = Some(stmt);
        }
        if block.divided_at.is_some_and(|at| at >= block.stmts.len()) {
            self.oblige_fields(division);
        }
    }

    /// Lowers a statement. Ghost code has no goals, and code that only proves something is omitted.
    pub(super) fn stmt(&mut self, stmt: &'p typed::Stmt) {
        use typed::StmtKind as T;
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
            if stmt.ghost && !self.has_obligations() && proof::is_only_proof(stmt) {
                return;
            }
            if self.evaluation.is_executed && !stmt.ghost {
                self.graph.begin(stmt.span);
            }
            self.pure_if(stmt.ghost, |l| {
                for label in &stmt.labels {
                    l.execute(StmtKind::Snapshot(label.clone()), stmt.span);
                }
                let is_loop = matches!(
                    stmt.kind,
                    T::While { .. } | T::WhileCase { .. } | T::For { .. }
                );
                if stmt.labels.is_empty() || is_loop {
                    l.plain_stmt(stmt)
                } else {
                    l.labelled(&stmt.labels, stmt.span, |l| l.plain_stmt(stmt))
                }
            });
        });
    }

    /// Adds a statement that marks an unsupported construct.
    pub(super) fn unsupported(&mut self, reason: impl Into<Reason>, span: Span) {
        self.execute(
            StmtKind::Unsupported {
                reason: reason.into(),
            },
            span,
        );
    }

    fn plain_stmt(&mut self, stmt: &'p typed::Stmt) {
        use typed::StmtKind as T;
        let span = stmt.span;
        let place = Place {
            labels: &stmt.labels,
            span,
        };
        match &stmt.kind {
            T::Block(block) => self.block(block),
            T::Assert { cond, by, .. } => self.assert_stmt(cond, by.as_ref(), span),
            T::Assume(cond) => self.assume_stmt(cond, span),
            T::Expect { cond, message } => {
                let cond = self.expr(cond);
                // The message is evaluated only if the expectation fails, after which execution
                // ends.
                let message = message.as_ref().map(|m| self.pure(|l| l.expr(m)));
                self.execute(StmtKind::Expect { cond, message }, span);
            }
            T::Print(es) => {
                let es = self.exprs(es);
                self.execute(StmtKind::Print(es), span);
            }
            T::VarDecl(locals) => self.declare(locals, span),
            T::Assign { declares: _, pairs }
                // Assignments of newly allocated objects extend the `_new` field of an iterator.
                if pairs
                    .iter()
                    .any(|(_, rhs)| matches!(rhs, Rhs::New { .. } | Rhs::NewArray { .. })) =>
            {
                self.allocating(span, |l| l.parallel_assign(pairs, span));
            }
            T::Assign { declares: _, pairs } => self.parallel_assign(pairs, span),
            T::AssignPattern { pattern, value } => self.pattern_assign(pattern, value),
            T::Call {
                declares: _,
                targets,
                call,
            } => self.allocating(span, |l| l.call_stmt(targets, call, span)),
            T::SuchThat {
                declares: _,
                targets,
                vars,
                assume,
            } => self.such_that(targets, vars, *assume, span),
            T::AssignOrFail(a) => self.allocating(span, |l| l.assign_or_fail(a, span)),
            T::If { guard, then, els } => self.if_stmt(guard, then, els.as_deref(), span),
            T::IfCase(cases) => self.if_cases(cases, span),
            T::While { guard, spec, body } => self.while_stmt(guard, spec, body.as_ref(), place),
            T::WhileCase { spec, cases } => self.in_frame(spec.modifies.as_ref(), span, |l| {
                l.while_cases(spec, cases, place)
            }),
            T::For { index, from, down, to, spec, body } => {
                let parts = For {
                    index: *index,
                    from,
                    down: *down,
                    to: to.as_ref(),
                    spec,
                };
                self.for_stmt(parts, body.as_ref(), place);
            }
            T::Forall {
                vars,
                ensures,
                body,
            } => self.forall(vars, ensures, body.as_ref(), stmt.ghost, span),
            T::Match { scrutinee, cases } => self.match_stmt(scrutinee, cases, span),
            T::Break {
                is_continue,
                target,
            } => {
                // A jump of compiled code records the block that it ends, for mutants that remove
                // the jump.
                let place = self.graph.place();
                self.leave(*is_continue, target, span);
                self.graph.leaves(place.filter(|_| !stmt.ghost), span);
            }
            T::Return => self.return_stmt(stmt),
            T::Yield => self.yields(span),
            T::Modify { frame, body } => self.modify_stmt(frame, body.as_ref(), span),
            T::Reveal(_) => {}
            // The hints precede the steps that they prove.
            T::Calc { steps, hints } => self.calc(steps, hints),
            T::Error => self.unsupported(Construct::UnresolvedStatement, span),
        }
    }

    /// Lowers an `assert`. The kind of the assertion depends on the synthetic callable that contains it.
    fn assert_stmt(&mut self, cond: &'p typed::Expr, by: Option<&'p typed::Block>, span: Span) {
        self.proof(by);
        let cond = self.pure(|l| l.expr(cond));
        match self.callable.id {
            Some(c) if self.program.is_override(c) => self.assert(cond, AssertKind::Override),
            Some(c) if self.program.is_witness(c) => {
                let kind = match self.program.lacks_witness(c) {
                    true => AssertKind::Inhabited,
                    false => AssertKind::Witness,
                };
                self.assert(Expr { span, ..cond }, kind)
            }
            Some(_) | None => self.assert(cond, AssertKind::Assert),
        }
    }

    /// Lowers an `assume`. In the code of a contract, the caller guarantees the condition.
    fn assume_stmt(&mut self, cond: &'p typed::Expr, span: Span) {
        let cond = self.pure(|l| l.expr(cond));
        let is_of_contract = self
            .callable
            .id
            .is_some_and(|c| self.program.is_contract(c));
        let by = if is_of_contract {
            Assumed::Caller
        } else {
            Assumed::Statement
        };
        self.execute(StmtKind::Assume { cond, by }, span);
    }

    /// Lowers a `match` statement.
    fn match_stmt(&mut self, scrutinee: &'p typed::Expr, cases: &'p [typed::StmtCase], span: Span) {
        let after = self.graph.block(None, span);
        let arms: Vec<_> = cases
            .iter()
            .map(|c| (&c.pattern, list_span(&c.body)))
            .collect();
        self.match_arms(scrutinee, &arms, span, |l, i| {
            if let Some(case) = cases.get(i) {
                l.block(&case.body);
            }
            l.graph.goto(after);
        });
        self.graph.enter(after);
    }

    /// Lowers a `return`, after its values were assigned.
    fn return_stmt(&mut self, stmt: &typed::Stmt) {
        if !self.end_iterator() {
            // A `return` ends the body, so the postconditions are due here.
            self.oblige_postconditions(stmt.span);
            let place = self.graph.place();
            self.graph.terminate(Terminator::Return);
            self.graph.leaves(place.filter(|_| !stmt.ghost), stmt.span);
        }
    }

    /// Lowers a calculation: its steps are assertions.
    fn calc(&mut self, steps: &'p [typed::Expr], hints: &'p [typed::Block]) {
        for hint in hints {
            self.hint(steps, hint);
        }
        for step in steps {
            let cond = self.pure(|l| l.expr(step));
            self.assert(cond, AssertKind::Assert);
        }
    }

    /// Lowers a `while` loop. Without a body, it only has a meaning as an obligation.
    fn while_stmt(
        &mut self,
        guard: &'p typed::Guard,
        spec: &'p typed::LoopSpec,
        body: Option<&'p typed::Block>,
        place: Place<'p>,
    ) {
        match body {
            Some(body) => self.in_frame(spec.modifies.as_ref(), place.span, |l| {
                l.while_loop(guard, spec, body, place)
            }),
            None if self.has_obligations() => self.bodiless_while(guard, spec, place.span),
            None => self.unsupported(Construct::LoopWithoutBody, place.span),
        }
    }

    /// Lowers a `for` loop. Without a body, it only has a meaning as an obligation.
    fn for_stmt(&mut self, parts: For<'p>, body: Option<&'p typed::Block>, place: Place<'p>) {
        match body {
            Some(body) => self.in_frame(parts.spec.modifies.as_ref(), place.span, |l| {
                l.for_loop(parts, body, place)
            }),
            None if self.has_obligations() => self.bodiless_for(&parts, place.span),
            None => self.unsupported(Construct::LoopWithoutBody, place.span),
        }
    }

    /// Lowers a `modify` statement; a body determines the new values.
    fn modify_stmt(
        &mut self,
        frame: &'p Vec<typed::Frame>,
        body: Option<&'p typed::Block>,
        span: Span,
    ) {
        match body {
            Some(body) => self.in_frame(Some(frame), span, |l| l.block(body)),
            None => {
                let frame = self.frames(frame);
                self.oblige_modify(&frame, span);
                self.execute(StmtKind::HavocHeap(frame, Changed::Here), span);
            }
        }
    }

    /// Lowers declarations without a value. If a variable may be read without assignment, it must
    /// not have the value of an earlier iteration.
    fn declare(&mut self, locals: &[typed::LocalId], span: Span) {
        for local in locals {
            let var = self.local(*local);
            if self.program.options.relax_definite_assignment && self.in_loop() {
                self.execute(StmtKind::Havoc(var), span);
            }
        }
    }

    fn if_stmt(
        &mut self,
        guard: &'p typed::Guard,
        then: &'p typed::Block,
        els: Option<&'p typed::Stmt>,
        span: Span,
    ) {
        let has_else = els.is_some();
        let cond = guard_span(guard, span, then.span);
        let on_true = self.branch_block(cond, true, Decision::If, then.span);
        let on_false = self.branch_block(
            cond,
            false,
            Decision::If,
            els.map_or(Span::new(span.end, span.end), |s| s.span),
        );
        let after = self.graph.block(None, span);
        self.guard(guard, on_true, on_false, has_else, span);
        self.graph.enter(on_true);
        self.bind_guard(guard);
        self.block(then);
        self.graph.goto(after);
        self.graph.enter(on_false);
        if let Some(els) = els {
            self.stmt(els);
        }
        self.graph.goto(after);
        self.graph.enter(after);
    }

    /// Lowers a `forall` statement: with an assignment, it is a store; as a proof, it has no
    /// effect.
    fn forall(
        &mut self,
        vars: &'p typed::Quantified,
        ensures: &'p [typed::Clause],
        body: Option<&'p typed::Block>,
        ghost: bool,
        span: Span,
    ) {
        if let Some((target, value)) = body.and_then(sole_assignment) {
            self.oblige_apart(vars, target, value, span);
            let vars = self.quantified(vars);
            let target = self.pure(|l| l.store_target(target));
            let value = self.pure(|l| l.expr(value));
            match target {
                Some(target) => {
                    let value = self.obliged_store(&vars, &target, value, span);
                    self.oblige_writes(&vars, &target, span);
                    self.execute(
                        StmtKind::ForallStore {
                            vars,
                            target,
                            value,
                        },
                        span,
                    );
                }
                None => self.unsupported(Construct::ForallAssignsVariable, span),
            }
        } else if self.has_obligations() {
            self.forall_proof(vars, ensures, body, span);
        } else if !ghost {
            self.unsupported(Construct::ForallOfThisForm, span);
        }
    }

    /// Lowers a hint of a calculation. If the step is an implication, its hint is about states in
    /// which the premise holds (reference manual, "Calc statement").
    fn hint(&mut self, steps: &'p [typed::Expr], hint: &'p typed::Block) {
        // The step of a hint is the one whose operands enclose it.
        let premise = steps.iter().find_map(|step| {
            if let typed::ExprKind::Binary(op, l, r) = &step.kind
                && l.span.end <= hint.span.start
                && hint.span.end <= r.span.start
            {
                if matches!(op, typed::BinaryOp::Implies) {
                    Some(l)
                } else if matches!(op, typed::BinaryOp::Explies) {
                    Some(r)
                } else {
                    None
                }
            } else {
                None
            }
        });
        let Some(premise) = premise.filter(|_| self.has_obligations()) else {
            return self.proof(Some(hint));
        };
        let cond = self.pure(|l| l.expr(premise));
        let (inside, after) = (
            self.graph.block(None, hint.span),
            self.graph.block(None, hint.span),
        );
        self.graph.branch(cond, inside, after);
        self.graph.enter(inside);
        self.proof(Some(hint));
        self.graph.goto(after);
        self.graph.enter(after);
    }

    /// Lowers the statements of a proof if obligations are goals, because those inside are goals
    /// too.
    fn proof(&mut self, block: Option<&'p typed::Block>) {
        if let Some(block) = block.filter(|_| self.has_obligations()) {
            self.block(block);
        }
    }

    /// Lowers a `forall` statement that proves a claim about all values of its variables.
    ///
    /// The obligations of its body are checked for one arbitrary value, after which the path ends;
    /// by the rule for choices, the default path skips the body. If the body relies on assumptions,
    /// which no execution can refute, the claim is checked at the end of the body and assumed
    /// afterwards.
    fn forall_proof(
        &mut self,
        vars: &'p typed::Quantified,
        ensures: &'p [typed::Clause],
        body: Option<&'p typed::Block>,
        span: Span,
    ) {
        let bound = self.quantified(vars);
        // Without a claim, nothing else evaluates the range.
        if ensures.is_empty() {
            self.oblige_choice_range(&bound);
        }
        // A claim without assumptions in its proof can be evaluated directly.
        let grants = body.is_none_or(|b| takes_for_granted(self.program, b));
        if !grants {
            for claim in self.claims(&bound, ensures) {
                self.assert(claim, AssertKind::Assert);
            }
        }
        if let Some(body) = body {
            let (after, inside) = (self.graph.block(None, span), self.graph.block(None, span));
            // The first alternative skips the body; the second one executes it for an arbitrary
            // value, if there is one.
            self.graph.choose(vec![after, inside], None, span);
            self.graph.enter(inside);
            let some = self.graph.block(None, span);
            self.graph
                .branch(build::exists(bound.clone(), span), some, after);
            self.graph.enter(some);
            self.graph.push(StmtKind::SuchThat(bound.clone()), span);
            self.block(body);
            if grants {
                for clause in ensures {
                    let cond = self.pure(|l| l.expr(&clause.cond));
                    self.assert(
                        Expr {
                            span: clause.span,
                            ..cond
                        },
                        AssertKind::Assert,
                    );
                }
            }
            // The body has served its purpose; this path ends.
            self.graph.push(
                StmtKind::Assume {
                    cond: build::boolean(false, span),
                    by: Assumed::Caller,
                },
                span,
            );
            self.graph.terminate(Terminator::Stop);
            self.graph.enter(after);
        }
        // The verifier knows the claim after the statement.
        if grants {
            for claim in self.claims(&bound, ensures) {
                let span = claim.span;
                self.execute(
                    StmtKind::Assume {
                        cond: claim,
                        by: Assumed::Statement,
                    },
                    span,
                );
            }
        }
    }

    /// Returns the claims of a `forall` statement as quantified expressions.
    fn claims(&mut self, bound: &Quantified, ensures: &'p [typed::Clause]) -> Vec<Expr> {
        let mut claims = Vec::new();
        for clause in ensures {
            let cond = self.pure(|l| l.expr(&clause.cond));
            let all = ExprKind::Quantifier {
                forall: true,
                vars: bound.clone(),
                body: Box::new(cond),
            };
            claims.push(build::expr(all, typed::Type::Bool, clause.span));
        }
        claims
    }
}

/// Whether a proof may rest on unproved assumptions: it assumes something or calls a lemma.
fn takes_for_granted(program: &typed::Program, block: &typed::Block) -> bool {
    struct Grants<'p> {
        program: &'p typed::Program,
        found: bool,
    }
    impl<'p> Visit<'p> for Grants<'p> {
        fn stmt(&mut self, s: &'p typed::Stmt) {
            self.found |= matches!(&s.kind, typed::StmtKind::Assume(_))
                || matches!(&s.kind, typed::StmtKind::SuchThat { assume, .. } if *assume);
            walk_stmt(self, s);
        }

        fn call(&mut self, c: &'p typed::Call) {
            self.found |= self.program[c.callee].kind == typed::CallableKind::Lemma;
            walk_call(self, c);
        }
    }
    let mut grants = Grants {
        program,
        found: false,
    };
    grants.block(block);
    grants.found
}

/// Returns the only assignment of a block.
fn sole_assignment(block: &typed::Block) -> Option<(&Target, &typed::Expr)> {
    let [stmt] = block.stmts.as_slice() else {
        return None;
    };
    match &stmt.kind {
        typed::StmtKind::Block(inner) => sole_assignment(inner),
        // A variable that the body declares is assigned for its proof only.
        typed::StmtKind::Assign { pairs, declares } => match pairs.as_slice() {
            [(target, Rhs::Expr(value))] if declares.is_empty() => Some((target, value)),
            [] | [..] => None,
        },
        typed::StmtKind::Assert { .. }
        | typed::StmtKind::Assume(_)
        | typed::StmtKind::Expect { .. }
        | typed::StmtKind::Print(_)
        | typed::StmtKind::VarDecl(_)
        | typed::StmtKind::AssignPattern { .. }
        | typed::StmtKind::Call { .. }
        | typed::StmtKind::SuchThat { .. }
        | typed::StmtKind::AssignOrFail(_)
        | typed::StmtKind::If { .. }
        | typed::StmtKind::IfCase(_)
        | typed::StmtKind::While { .. }
        | typed::StmtKind::WhileCase { .. }
        | typed::StmtKind::For { .. }
        | typed::StmtKind::Forall { .. }
        | typed::StmtKind::Match { .. }
        | typed::StmtKind::Break { .. }
        | typed::StmtKind::Return
        | typed::StmtKind::Yield
        | typed::StmtKind::Modify { .. }
        | typed::StmtKind::Reveal(_)
        | typed::StmtKind::Calc { .. }
        | typed::StmtKind::Error => None,
    }
}
