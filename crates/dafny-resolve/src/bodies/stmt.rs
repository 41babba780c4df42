//! Statements other than assignments.

use crate::typed::visit::{self, Visit};
use crate::typed::{
    BinaryOp, Block, BreakTarget, Expr, ExprKind, Guard, GuardedCase, Literal, Spec, Stmt,
    StmtCase, StmtKind, Type,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::graph::Declaration;
use super::expr::{boxed, mk};
use super::infer::VarKind;
use super::needs::Kind;
use super::operators::typed_op;
use super::pattern::{Binding, Depth};
use super::{Resolver, Round};

pub(super) fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt {
        kind,
        labels: Vec::new(),
        ghost: false,
        span,
    }
}

impl Resolver<'_> {
    /// Resolves a block with a scope of its own.
    pub(super) fn block(&mut self, b: &ast::Block) -> Block {
        self.scoped(|r| r.block_here(b))
    }

    /// Resolves a block whose variables belong to the enclosing scope.
    pub(super) fn block_here(&mut self, b: &ast::Block) -> Block {
        let mut stmts = Vec::with_capacity(b.stmts.len());
        let mut divided_at = None;
        for (i, s) in b.stmts.iter().enumerate() {
            if b.divided_at == Some(i) {
                divided_at = Some(stmts.len());
                self.st.first_phase = false;
            }
            self.stmt_into(s, &mut stmts);
        }
        if b.divided_at == Some(b.stmts.len()) {
            divided_at = Some(stmts.len());
        }
        Block {
            stmts,
            divided_at,
            division: b.division,
            span: b.span,
        }
    }

    fn stmts(&mut self, from: &[ast::Stmt], span: Span) -> Block {
        let mut stmts = Vec::with_capacity(from.len());
        for s in from {
            self.stmt_into(s, &mut stmts);
        }
        Block {
            stmts,
            divided_at: None,
            division: None,
            span,
        }
    }

    /// Resolves a block that is a proof.
    fn proof(&mut self, b: &ast::Block) -> Block {
        self.without_jumps(|r| r.block(b))
    }

    /// Resolves a statement inside an expression. Its declarations stay in scope for the rest of
    /// the expression.
    pub(super) fn stmt_in_expr(&mut self, s: &ast::Stmt) -> Stmt {
        let mut stmts = Vec::new();
        self.stmt_into(s, &mut stmts);
        match stmts.len() {
            1 => stmts.swap_remove(0),
            _ => stmt(
                StmtKind::Block(Block {
                    stmts,
                    divided_at: None,
                    division: None,
                    span: s.span,
                }),
                s.span,
            ),
        }
    }

    /// Resolves a statement and appends the resulting statements to `out`.
    pub(super) fn stmt_into(&mut self, s: &ast::Stmt, out: &mut Vec<Stmt>) {
        stacker::maybe_grow(super::expr::RED_ZONE, super::expr::STACK, || {
            let at = out.len();
            let labels: Vec<_> = s.labels.iter().map(|l| l.name.clone()).collect();
            let is_loop = matches!(
                s.kind,
                ast::StmtKind::While { .. }
                    | ast::StmtKind::WhileCase { .. }
                    | ast::StmtKind::For { .. }
            );
            self.labelled(&s.labels, is_loop, |r| r.stmt_here(s, out));
            // The attributes of a binding guard may mention its variables, which are out of scope
            // here.
            if !matches!(
                &s.kind,
                ast::StmtKind::If {
                    guard: ast::Guard::Binding { .. },
                    ..
                }
            ) {
                self.attributes(&s.attributes);
            }
            if !labels.is_empty() {
                if out.len() == at {
                    out.push(stmt(
                        StmtKind::Block(Block {
                            span: s.span,
                            ..Block::default()
                        }),
                        s.span,
                    ));
                }
                if let Some(first) = out.get_mut(at) {
                    first.labels = labels;
                }
            }
        });
    }

    fn stmt_here(&mut self, s: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = s.span;
        let kind = match &s.kind {
            ast::StmtKind::Block(b) => StmtKind::Block(self.block(b)),
            ast::StmtKind::Assert { label, cond, by } => {
                if let Some(label) = label {
                    self.dominate(label, true);
                }
                let label = label.as_ref().map(|l| l.name.clone());
                let Some(cond) = self.given(cond.as_ref(), span) else {
                    return;
                };
                StmtKind::Assert {
                    cond: self.condition(cond),
                    label,
                    by: by.as_ref().map(|b| self.proof(b)),
                }
            }
            ast::StmtKind::Assume(cond) => {
                let Some(cond) = self.given(cond.as_ref(), span) else {
                    return;
                };
                StmtKind::Assume(self.condition(cond))
            }
            ast::StmtKind::Expect { cond, message } => {
                let Some(cond) = self.given(cond.as_ref(), span) else {
                    return;
                };
                let cond = self.condition(cond);
                StmtKind::Expect {
                    cond,
                    message: message.as_ref().map(|m| self.expr(m, None)),
                }
            }
            ast::StmtKind::Print(es) => {
                StmtKind::Print(es.iter().map(|e| self.expr(e, None)).collect())
            }
            ast::StmtKind::VarDecl(d) => return self.var_decl(d, span, out),
            ast::StmtKind::VarPattern {
                ghost,
                pattern,
                value,
            } => self.pattern_decl(*ghost, pattern, value),
            ast::StmtKind::Update(u) => return self.update_stmt(u, span, out),
            ast::StmtKind::If { guard, then, els } => {
                self.if_stmt(guard, then, els.as_deref(), span)
            }
            ast::StmtKind::IfCase(cases) => StmtKind::IfCase(self.guarded(cases)),
            ast::StmtKind::While { guard, spec, body } => {
                self.while_stmt(guard, spec, body.as_ref(), span)
            }
            ast::StmtKind::WhileCase { spec, cases } => {
                self.loop_ends(spec, None, span);
                let spec = self.loop_spec(spec);
                let cases = self.looping(|r| r.guarded(cases));
                StmtKind::WhileCase { spec, cases }
            }
            ast::StmtKind::For {
                index,
                ty,
                from,
                down,
                to,
                spec,
                body,
            } => self.for_stmt(
                (index, ty.as_ref()),
                (from, *down, to.as_ref()),
                spec,
                body.as_ref(),
                span,
            ),
            ast::StmtKind::Forall { vars, spec, body } => {
                self.forall_stmt(vars, spec, body.as_ref(), span)
            }
            ast::StmtKind::Match {
                scrutinee, cases, ..
            } => self.match_stmt(scrutinee, cases, span),
            ast::StmtKind::Break {
                is_continue,
                count,
                label,
            } => self.jump(*is_continue, *count, label.as_ref(), span),
            ast::StmtKind::Return(values) => self.return_stmt(values, span, out),
            ast::StmtKind::Yield(values) => self.yield_stmt(values, span, out),
            ast::StmtKind::Modify { frame, body } => self.modify_stmt(frame, body.as_ref(), span),
            ast::StmtKind::Reveal(es) => StmtKind::Reveal(self.revealed(es, false, span)),
            ast::StmtKind::Hide(es) => StmtKind::Reveal(self.revealed(es, true, span)),
            ast::StmtKind::Calc { op, lines } => self.calc(op.as_ref(), lines),
            ast::StmtKind::Opaque { spec, body } => self.opaque_block(spec, body),
            ast::StmtKind::Skeleton => {
                self.given::<()>(None, span);
                StmtKind::Error
            }
            ast::StmtKind::By { stmt: inner, proof } => return self.proved_stmt(inner, proof, out),
        };
        out.push(stmt(kind, span));
    }

    /// Resolves a declaration of the variables of a pattern.
    fn pattern_decl(&mut self, ghost: bool, pattern: &ast::Pattern, value: &ast::Expr) -> StmtKind {
        let value = self.expr(value, None);
        let pattern = self.pattern(
            pattern,
            &value.ty,
            Binding {
                mutable: true,
                ghost,
                constants: false,
                widen: true,
                depth: Depth::Whole,
            },
        );
        StmtKind::AssignPattern { pattern, value }
    }

    /// Resolves an `if`. Variables of a binding guard are in scope in the first branch only.
    fn if_stmt(
        &mut self,
        guard: &ast::Guard,
        then: &ast::Block,
        els: Option<&ast::Stmt>,
        span: Span,
    ) -> StmtKind {
        let (guard, then) =
            self.scoped(|r| (r.guard(guard, span), r.perhaps(|r| r.block_here(then))));
        let els = els.map(|e| Box::new(self.perhaps(|r| r.stmt_alone(e))));
        StmtKind::If { guard, then, els }
    }

    /// Resolves `break` or `continue`.
    fn jump(
        &mut self,
        is_continue: bool,
        count: u32,
        label: Option<&ast::Ident>,
        span: Span,
    ) -> StmtKind {
        self.jump_target(is_continue, count, label, span);
        let target = match label {
            Some(l) => BreakTarget::Label(l.name.clone()),
            None => BreakTarget::Loops(count),
        };
        StmtKind::Break {
            is_continue,
            target,
        }
    }

    /// Resolves a `yield`; its values are assigned first.
    fn yield_stmt(&mut self, values: &[ast::Rhs], span: Span, out: &mut Vec<Stmt>) -> StmtKind {
        if self.st.yields.is_none() {
            self.error(
                "resolve/yield-outside-iterator",
                span,
                "`yield` is allowed in the body of an iterator only",
            );
        } else if !values.is_empty() {
            self.assign_outs(values, span, out);
        }
        StmtKind::Yield
    }

    /// Resolves a `modify` statement.
    fn modify_stmt(
        &mut self,
        frame: &[ast::FrameExpr],
        body: Option<&ast::Block>,
        span: Span,
    ) -> StmtKind {
        if frame.is_empty() {
            self.given::<()>(None, span);
        }
        let frame = self.frame(frame, false);
        StmtKind::Modify {
            frame,
            body: body.map(|b| self.block_here(b)),
        }
    }

    /// Resolves a call or an assignment with a proof of its preconditions.
    fn proved_stmt(&mut self, inner: &ast::Stmt, proof: &ast::Block, out: &mut Vec<Stmt>) {
        let mut proved = Vec::new();
        let first = self.cx.program.locals.len();
        self.stmt_into(inner, &mut proved);
        let own = first..self.cx.program.locals.len();
        // The proof sees the variables that the statement declares.
        let proof = self.proof(proof);
        let mut uses = UsesLocals { own, found: false };
        uses.block(&proof);
        let yes = mk(
            ExprKind::Literal(Literal::Bool(true)),
            Type::Bool,
            proof.span,
        );
        let at = proof.span;
        let kind = StmtKind::Assert {
            cond: yes,
            label: None,
            by: Some(proof),
        };
        // The proof is about the precondition of the call, so it precedes the call, unless
        // it mentions a variable that exists only afterwards.
        let place = if uses.found { proved.len() } else { 0 };
        proved.insert(place, stmt(kind, at));
        out.extend(proved);
    }

    /// Resolves a `while` loop.
    fn while_stmt(
        &mut self,
        guard: &ast::Guard,
        spec: &ast::Spec,
        body: Option<&ast::Block>,
        span: Span,
    ) -> StmtKind {
        // `while … ...`: the missing part belongs to the loop.
        let is_skeleton = |b: &&ast::Block| matches!(b.stmts.as_slice(), [s] if s.span == b.span && matches!(s.kind, ast::StmtKind::Skeleton));
        let left_out = body.filter(is_skeleton);
        if left_out.is_some() && !matches!(guard, ast::Guard::Skeleton) {
            self.given::<()>(None, span);
        }
        let guard = self.guard(guard, span);
        let body = body.filter(|_| left_out.is_none());
        self.loop_ends(spec, None, span);
        let spec = self.loop_spec(spec);
        StmtKind::While {
            guard,
            spec,
            body: self.loop_body(body),
        }
    }

    /// Resolves a `for` loop.
    fn for_stmt(
        &mut self,
        (index, ty): (&ast::Ident, Option<&ast::Type>),
        (from, down, to): (&ast::Expr, bool, Option<&ast::Expr>),
        spec: &ast::Spec,
        body: Option<&ast::Block>,
        span: Span,
    ) -> StmtKind {
        let ty = match ty {
            Some(t) => self.ty(t),
            None => self.st.inf.fresh(VarKind::IntLike),
        };
        let from = self.check(from, &ty);
        let to = to.map(|e| self.check(e, &ty));
        self.loop_ends(spec, Some(to.is_some()), span);
        self.index_type(&ty, index.span);
        let mark = self.st.scope.open();
        let index = self.declare(index, ty, false, false);
        let spec = self.loop_spec(spec);
        let body = self.loop_body(body);
        self.st.scope.close(mark);
        StmtKind::For {
            index,
            from,
            down,
            to,
            spec,
            body,
        }
    }

    /// Resolves a `forall` statement.
    fn forall_stmt(
        &mut self,
        vars: &ast::QuantifiedVars,
        spec: &ast::Spec,
        body: Option<&ast::Block>,
        span: Span,
    ) -> StmtKind {
        let mark = self.st.scope.open();
        let attributes = &vars.attributes;
        let vars = self.quantified(vars, span);
        let mut contract = Spec::default();
        self.clauses(spec, &mut contract, &|_| true);
        self.attributes(attributes);
        body.into_iter().for_each(|b| self.nothing_new(b));
        let body = body.map(|b| self.proof(b));
        self.st.scope.close(mark);
        StmtKind::Forall {
            vars,
            ensures: contract.ensures,
            body,
        }
    }

    /// Resolves a `match` statement. After an error of the scrutinee, its cases are left out.
    fn match_stmt(
        &mut self,
        scrutinee: &ast::Expr,
        cases: &[ast::StmtCase],
        span: Span,
    ) -> StmtKind {
        let scrutinee = self.expr(scrutinee, None);
        let cases: &[ast::StmtCase] = if self.known_scrutinee(&scrutinee, span) {
            cases
        } else {
            &[]
        };
        let mut phases = self.patterns_first();
        let cases = cases
            .iter()
            .map(|c| {
                let mark = self.st.scope.open();
                let how = Binding {
                    mutable: true,
                    ghost: false,
                    constants: true,
                    widen: false,
                    depth: Depth::Whole,
                };
                let pattern = self.pattern_of_case(&c.pattern, &scrutinee.ty, how, &mut phases);
                self.attributes(&c.attributes);
                // In the new type system, the variables of the body share a scope with
                // those of the pattern.
                let within = |r: &mut Self| r.perhaps(|r| r.stmts(&c.body, c.span));
                let body = if self.cx.program.options.type_system_refresh {
                    within(self)
                } else {
                    self.scoped(within)
                };
                self.case_ends(&mut phases);
                self.st.scope.close(mark);
                StmtCase {
                    pattern,
                    body,
                    span: c.span,
                }
            })
            .collect();
        self.match_ends(phases);
        StmtKind::Match { scrutinee, cases }
    }

    /// Resolves `return`. Its values are assigned to the out-parameters by statements before it.
    fn return_stmt(&mut self, values: &[ast::Rhs], span: Span, out: &mut Vec<Stmt>) -> StmtKind {
        if self.st.first_phase {
            let d = Diagnostic::error(
                "resolve/return-before-new",
                span,
                "a constructor cannot return before its `new;`",
            );
            self.report(d.with_help("move the statement after `new;`"));
        }
        let in_method = match self.st.declaration {
            Some(Declaration::Callable(id)) => !self.cx.program[id].kind.is_function(),
            Some(Declaration::ByMethod(_)) => true,
            Some(Declaration::Const(_) | Declaration::Type(_)) | None => self.st.yields.is_some(),
        };
        if !in_method {
            self.error(
                "resolve/return-outside-method",
                span,
                "`return` is allowed in the body of a method only",
            );
        } else if self.st.yields.is_some() {
            let d = Diagnostic::error(
                "resolve/return-in-iterator",
                span,
                "`return` is for methods, not for iterators",
            );
            self.report(d.with_help(
                "use `yield` for values; an iterator ends at the end of its body: to end it early, `break` out of a labelled block",
            ));
        } else if !values.is_empty() {
            self.assign_outs(values, span, out);
        }
        StmtKind::Return
    }

    /// Desugars an `opaque` block: its postconditions are asserted at its end, and its frame becomes that
    /// of a `modify` statement.
    fn opaque_block(&mut self, spec: &ast::Spec, body: &ast::Block) -> StmtKind {
        let mut contract = Spec::default();
        self.clauses(spec, &mut contract, &|_| true);
        let mut block = self.block(body);
        let obliged = contract.ensures.into_iter().map(|c| {
            stmt(
                StmtKind::Assert {
                    cond: c.cond,
                    label: c.label,
                    by: None,
                },
                c.span,
            )
        });
        block.stmts.extend(obliged);
        match contract.modifies.is_empty() {
            true => StmtKind::Block(block),
            false => StmtKind::Modify {
                frame: contract.modifies,
                body: Some(block),
            },
        }
    }

    /// Reports allocations in a `forall` statement that assigns to the heap.
    fn nothing_new(&mut self, body: &ast::Block) {
        let [only] = body.stmts.as_slice() else {
            return;
        };
        if let ast::StmtKind::Block(inner) = &only.kind {
            self.nothing_new(inner);
        } else if let ast::StmtKind::Update(ast::Update {
            assign: ast::Assign::Rhs(values),
            ..
        }) = &only.kind
        {
            for value in values.iter().filter(|v| {
                matches!(
                    v.kind,
                    ast::RhsKind::New { .. } | ast::RhsKind::NewArray { .. }
                )
            }) {
                self.error(
                    "resolve/new-in-forall",
                    value.span,
                    "a `forall` statement cannot allocate objects",
                );
            }
        }
    }

    /// Requires a part that a skeleton may omit. Refinement should have filled it in.
    fn given<'a, T>(&mut self, part: Option<&'a T>, span: Span) -> Option<&'a T> {
        if part.is_none() {
            self.error(
                "resolve/skeleton",
                span,
                "`...` is allowed in refining declarations only: there is nothing that it could stand for here",
            );
        }
        part
    }

    fn stmt_alone(&mut self, s: &ast::Stmt) -> Stmt {
        self.scoped(|r| r.stmt_in_expr(s))
    }

    fn loop_body(&mut self, body: Option<&ast::Block>) -> Option<Block> {
        body.map(|b| self.looping(|r| r.perhaps(|r| r.block(b))))
    }

    /// Resolves a guard. Variables that it binds stay in scope.
    fn guard(&mut self, guard: &ast::Guard, span: Span) -> Guard {
        match guard {
            ast::Guard::Expr(e) => Guard::Expr(self.condition(e)),
            ast::Guard::Star => Guard::Star,
            ast::Guard::Binding { vars, cond } => {
                Guard::Binding(self.such_that(vars, cond, cond.span))
            }
            ast::Guard::Skeleton => {
                self.given::<()>(None, span);
                Guard::Star
            }
        }
    }

    fn guarded(&mut self, cases: &[ast::GuardedCase]) -> Vec<GuardedCase> {
        let mut typed = Vec::with_capacity(cases.len());
        for c in cases {
            let mark = self.st.scope.open();
            let guard = self.guard(&c.guard, c.span);
            self.attributes(&c.attributes);
            let body = self.perhaps(|r| r.stmts(&c.body, c.span));
            self.st.scope.close(mark);
            typed.push(GuardedCase {
                guard,
                body,
                span: c.span,
            });
        }
        typed
    }

    fn calc(&mut self, op: Option<&ast::CalcOp>, lines: &[ast::CalcLine]) -> StmtKind {
        let mut exprs: Vec<Expr> = Vec::with_capacity(lines.len());
        let mut hints = Vec::new();
        for line in lines {
            // Each line has the type of the previous one as a hint, because adjacent lines are
            // compared.
            let hint = exprs.last().map(|e| e.ty.clone());
            let expr = self.expr(&line.expr, hint.as_ref());
            if let Some(first) = exprs.first() {
                self.line_type(&first.ty, &expr);
            }
            exprs.push(expr);
            let hint = |r: &mut Self, h: &ast::Stmt| {
                r.scoped(|r| r.perhaps(|r| r.stmts(std::slice::from_ref(h), h.span)))
            };
            hints.extend(
                line.hints
                    .iter()
                    .map(|h| self.without_jumps(|r| hint(r, h))),
            );
        }
        // One condition for each pair of adjacent lines. A line without an operator uses that of
        // the statement, by default `==`.
        let mut steps = Vec::new();
        for ((l, r), line) in exprs.iter().zip(exprs.iter().skip(1)).zip(lines) {
            let at = l.span.to(r.span);
            let step = match line.op.as_ref().or(op) {
                Some(ast::CalcOp::PrefixEq(limit)) => {
                    let limit = self.expr(limit, None);
                    self.need(
                        Kind::IntegerOrOrdinal,
                        &limit.ty,
                        "the limit of a prefix equality",
                        at,
                    );
                    self.comparable(l, r, at);
                    self.need(
                        Kind::Codatatype,
                        &l.ty,
                        "an operand of a prefix equality",
                        at,
                    );
                    ExprKind::PrefixEq {
                        negated: false,
                        limit: boxed(limit),
                        left: boxed(l.clone()),
                        right: boxed(r.clone()),
                    }
                }
                Some(ast::CalcOp::Binary(op)) => {
                    let op = typed_op(*op);
                    self.relation(op, l, r, at);
                    ExprKind::Binary(op, boxed(l.clone()), boxed(r.clone()))
                }
                None => {
                    self.relation(BinaryOp::Eq, l, r, at);
                    ExprKind::Binary(BinaryOp::Eq, boxed(l.clone()), boxed(r.clone()))
                }
            };
            steps.push(mk(step, Type::Bool, at));
        }
        StmtKind::Calc { steps, hints }
    }

    /// Requires that a line of a calculation has the type of the first line. Dafny reports this in
    /// addition to, and before, errors of the steps.
    fn line_type(&mut self, first: &Type, line: &Expr) {
        if !self.st.inf.comparable(&self.cx.program, first, &line.ty) {
            let message = format!(
                "all lines of a calculation must have the same type: this one is of type {}, the first of type {}",
                self.show(&line.ty),
                self.show(first)
            );
            let round = self.round_of(Round::Supertype, first, &line.ty);
            self.mismatch_in(round, line.span, message);
        }
    }

    /// Requires that the index of a `for` loop has an integer type.
    fn index_type(&mut self, ty: &Type, span: Span) {
        let found = self.representation(ty);
        if !matches!(found, Type::Int | Type::Error) && !self.st.inf.is_unbound(&found) {
            let message = format!(
                "index variable is expected to be of an integer type (got {})",
                self.show(ty)
            );
            self.wrong_kind(span, message);
        }
    }
}

/// Finds uses of variables.
struct UsesLocals {
    /// The numbers of the variables.
    own: std::ops::Range<usize>,
    found: bool,
}

impl<'t> Visit<'t> for UsesLocals {
    fn expr(&mut self, e: &'t Expr) {
        self.found |= matches!(&e.kind, ExprKind::Local(x) if self.own.contains(&(x.0 as usize)));
        visit::walk_expr(self, e);
    }
}
