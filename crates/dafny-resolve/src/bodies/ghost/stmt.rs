//! Ghostness of statements.
//!
//! [`Ghost::stmt`] decides bottom-up whether a statement is ghost. The parameter `within` says
//! whether the statement is in ghost code, where everything is ghost and compiled state must not
//! change.

use crate::typed::{
    ArrayInit, AssignOrFail, Block, BreakTarget, Call, Clause, Expr, ExprKind, Guard, GuardedCase,
    LocalId, LoopSpec, OnFailure, Pattern, PatternKind, Quantified, Rhs, Stmt, StmtCase, StmtKind,
    Target,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::{Ghost, Reason};

impl Ghost<'_> {
    /// Checks the body of a method.
    pub(super) fn body(&mut self, b: &mut Block, ghost: bool) {
        if ghost {
            self.erase_block(b);
        } else {
            self.block(b, false);
        }
    }

    /// Checks a block. Returns whether all of it is ghost.
    fn block(&mut self, b: &mut Block, within: bool) -> bool {
        let mut all = true;
        for s in &mut b.stmts {
            self.stmt(s, within);
            all &= s.ghost;
        }
        all || within
    }

    /// Checks a statement. `within`: whether it is in ghost code.
    pub(super) fn stmt(&mut self, s: &mut Stmt, within: bool) {
        stacker::maybe_grow(
            super::super::expr::RED_ZONE,
            super::super::expr::STACK,
            || {
                let is_loop = matches!(
                    s.kind,
                    StmtKind::While { .. } | StmtKind::WhileCase { .. } | StmtKind::For { .. }
                );
                self.around.push((s.labels.clone(), is_loop, within));
                s.ghost = self.stmt_here(&mut s.kind, s.span, within) || within;
                self.around.pop();
            },
        );
    }

    /// Records for nested statements that the current one is ghost.
    fn entered(&mut self, ghost: bool) {
        if let Some((_, _, is_ghost)) = self.around.last_mut() {
            *is_ghost |= ghost;
        }
    }

    /// Reports a ghost `break` that leaves a compiled statement.
    fn leaves(&mut self, target: &BreakTarget, span: Span) {
        let left = match target {
            BreakTarget::Label(l) => self
                .around
                .iter()
                .rev()
                .find(|(labels, ..)| labels.contains(l)),
            BreakTarget::Loops(n) => self
                .around
                .iter()
                .rev()
                .filter(|(_, is_loop, _)| *is_loop)
                .nth((*n as usize).saturating_sub(1)),
        };
        if left.is_some_and(|(_, _, ghost)| !ghost) {
            let d = Diagnostic::error(
                "resolve/break-in-ghost",
                span,
                "ghost code cannot exit a compiled loop",
            );
            self.diagnostics
                .push(d.with_help("the enclosing condition is ghost"));
        }
    }

    fn stmt_here(&mut self, kind: &mut StmtKind, span: Span, within: bool) -> bool {
        match kind {
            StmtKind::Block(b) => self.block(b, within),
            StmtKind::Assert { cond, by, .. } => {
                self.erase_expr(cond);
                if let Some(b) = by {
                    self.erase_block(b);
                }
                true
            }
            StmtKind::Assume(e) => {
                self.erase_expr(e);
                true
            }
            StmtKind::Expect { cond, message } => {
                if !within {
                    self.compiled(cond);
                    if let Some(m) = message {
                        self.compiled(m);
                    }
                }
                false
            }
            StmtKind::Print(es) => {
                if !within {
                    es.iter_mut().for_each(|e| self.compiled(e));
                }
                false
            }
            StmtKind::VarDecl(locals) => {
                if within {
                    self.all_ghost(locals);
                }
                locals.iter().all(|l| self.is_ghost(*l))
            }
            StmtKind::Assign { declares, pairs } => {
                if within {
                    self.all_ghost(declares);
                }
                let mut all = true;
                for (target, rhs) in pairs {
                    let own = matches!(target, Target::Local(l) if declares.contains(l));
                    all &= self.pair(target, rhs, own, within, span);
                }
                all
            }
            StmtKind::AssignPattern { pattern, value } => {
                if within || self.spec(value).is_some() {
                    self.erase_expr(value);
                    self.erase_pattern(pattern);
                    return true;
                }
                self.pattern(pattern);
                all_vars_ghost(self, pattern)
            }
            StmtKind::Call {
                declares,
                targets,
                call,
            } => self.call_stmt((declares, targets), call, (span, within)),
            StmtKind::SuchThat {
                declares,
                targets,
                vars,
                assume,
            } => self.such_that((declares, targets), vars, *assume, (span, within)),
            StmtKind::AssignOrFail(a) => self.assign_or_fail(a, span, within),
            StmtKind::If { guard, then, els } => {
                let ghost = within || self.guard(guard).is_some();
                self.entered(ghost);
                // A compiled guard with ghost branches only is not evaluated either, so that the
                // statement is ghost.
                let mut all = self.block(then, ghost);
                if let Some(e) = els {
                    self.stmt(e, ghost);
                    all &= e.ghost;
                }
                self.close_guard(guard, ghost || all);
                ghost || all
            }
            StmtKind::IfCase(cases) => self.cases(cases, None, within),
            StmtKind::While { guard, spec, body } => {
                let ghost = within || self.guard(guard).is_some();
                self.entered(ghost);
                let star = spec.decreases_star;
                self.loop_spec(spec, ghost);
                // A loop with `decreases *` may not terminate, which is observable: it cannot be
                // ghost.
                let all = body.as_mut().is_some_and(|b| self.block(b, ghost)) && !star;
                self.close_guard(guard, ghost || all);
                ghost || all
            }
            StmtKind::WhileCase { spec, cases } => {
                let star = spec.decreases_star;
                self.cases(cases, Some(spec), within) && !star || within
            }
            StmtKind::For {
                index,
                from,
                to,
                spec,
                body,
                ..
            } => {
                let ghost = within
                    || self.spec(from).is_some()
                    || to.as_mut().and_then(|t| self.spec(t)).is_some();
                self.entered(ghost);
                if ghost {
                    self.make_ghost(*index);
                }
                let star = spec.decreases_star;
                self.loop_spec(spec, ghost);
                let all = body.as_mut().is_some_and(|b| self.block(b, ghost)) && !star;
                if ghost || all {
                    self.make_ghost(*index);
                    self.erase_expr(from);
                    if let Some(t) = to {
                        self.erase_expr(t);
                    }
                }
                ghost || all
            }
            StmtKind::Forall {
                vars,
                ensures,
                body,
            } => self.forall(vars, ensures, body.as_mut(), (span, within)),
            StmtKind::Match { scrutinee, cases } => self.match_stmt(scrutinee, cases, within),
            StmtKind::Break { target, .. } => {
                if within {
                    self.leaves(target, span);
                }
                within
            }
            StmtKind::Return | StmtKind::Yield => self.leaves_method(span, within),
            StmtKind::Modify { frame, body } => {
                self.frames(frame);
                if within {
                    self.ghost_frames(frame);
                }
                if let Some(b) = body {
                    self.block(b, within);
                }
                false
            }
            StmtKind::Reveal(_) => true,
            StmtKind::Calc { steps, hints } => {
                steps.iter_mut().for_each(|e| self.erase_expr(e));
                hints.iter_mut().for_each(|b| self.erase_block(b));
                true
            }
            StmtKind::Error => false,
        }
    }

    /// A call is ghost if its callee is. Results of ghost out-parameters need ghost targets.
    fn call_stmt(
        &mut self,
        (declares, targets): (&[LocalId], &[Target]),
        call: &mut Call,
        (span, within): (Span, bool),
    ) -> bool {
        let callee = &self.program[call.callee];
        let (ghost, name) = (callee.ghost, callee.name.clone());
        let outs: Vec<LocalId> = callee.outs.iter().map(|f| f.local).collect();
        if ghost || within {
            if !ghost {
                let d = Diagnostic::error(
                    "resolve/compiled-in-ghost",
                    span,
                    format!(
                        "the method `{name}` is not ghost, and cannot be called from ghost code"
                    ),
                );
                self.diagnostics
                    .push(d.with_help("declare it `ghost method` or `lemma`"));
            }
            self.all_ghost(declares);
            call.receiver
                .iter_mut()
                .chain(&mut call.discarded)
                .for_each(|r| self.erase_expr(r));
            call.args.iter_mut().for_each(|a| self.erase_expr(a));
            for t in targets.iter() {
                self.ghost_target(t, span);
            }
            return true;
        }
        if let Some(r) = self.call(call, span) {
            self.report(&r);
        }
        for (t, out) in targets.iter().zip(outs) {
            if let Target::Local(l) = t
                && self.is_ghost(out)
            {
                if declares.contains(l) {
                    self.make_ghost(*l);
                } else if !self.is_ghost(*l) {
                    let what = format!("the ghost out-parameter `{}`", self.program[out].name);
                    self.report(&Reason::new(span, what));
                }
            }
        }
        false
    }

    /// `:|` is ghost if one of its targets is, because all are assigned together.
    fn such_that(
        &mut self,
        (declares, targets): (&[LocalId], &[Target]),
        vars: &mut Quantified,
        assume: bool,
        (span, within): (Span, bool),
    ) -> bool {
        if within {
            self.all_ghost(declares);
            targets.iter().for_each(|t| self.ghost_target(t, span));
        }
        for (target, var) in targets.iter().zip(&vars.vars) {
            if self.is_ghost_target(target) {
                self.make_ghost(*var);
            }
        }
        let reason = if within || assume {
            None
        } else {
            vars.range.as_mut().and_then(|r| self.spec(r))
        };
        // A ghost condition is an error only if some target is not ghost.
        if let Some(reason) = reason.filter(|_| !targets.iter().all(|t| self.is_ghost_target(t))) {
            self.report(&Reason {
                soft: false,
                ..reason
            });
        }
        let ghost = within || targets.iter().any(|t| self.is_ghost_target(t));
        if ghost {
            self.all_ghost(&vars.vars);
        }
        // The condition of `:| assume` is trusted and never evaluated.
        if let Some(r) = vars.range.as_mut().filter(|_| ghost || assume) {
            self.erase_expr(r);
        }
        ghost
    }

    /// Decides about the parts of `:-`: the value, what is extracted, and the way out on failure.
    fn assign_or_fail(&mut self, a: &mut AssignOrFail, span: Span, within: bool) -> bool {
        if within {
            self.make_ghost(a.temp);
        } else {
            self.failing(a, span);
        }
        // The variable for a ghost out-parameter is declared by this statement and not by
        // the call in it.
        if let StmtKind::Call { targets, call, .. } = &a.compute.kind {
            let outs = self.program[call.callee].outs.clone();
            for (target, out) in targets.iter().zip(outs) {
                if let Target::Local(l) = target
                    && self.is_ghost(out.local)
                    && a.declares.contains(l)
                {
                    self.make_ghost(*l);
                }
            }
        }
        self.stmt(&mut a.compute, within);
        let ghost = self.is_ghost(a.temp);
        if let Some((target, value)) = &mut a.extract {
            let reason = self.spec(value);
            match target {
                Target::Local(l) if a.declares.contains(l) => {
                    if ghost || reason.is_some() {
                        self.make_ghost(*l);
                    }
                }
                _ if within || ghost || self.is_ghost_target(target) => {}
                Target::Local(_)
                | Target::Field { .. }
                | Target::Element { .. }
                | Target::Discard(_) => reason.iter().for_each(|r| self.report(r)),
            }
        }
        if within {
            self.all_ghost(&a.declares);
        }
        match &mut a.on_failure {
            OnFailure::Propagate { out, value } if !ghost && !self.is_ghost(*out) => {
                self.compiled(value)
            }
            OnFailure::Propagate { .. }
            | OnFailure::Expect
            | OnFailure::Assert
            | OnFailure::Assume => {}
        }
        within
    }

    /// A `forall` is ghost unless its body assigns to the heap outside of ghost code.
    fn forall(
        &mut self,
        vars: &mut Quantified,
        ensures: &mut [Clause],
        body: Option<&mut Block>,
        (span, within): (Span, bool),
    ) -> bool {
        // Only a `forall` statement whose body assigns to the heap is compiled; the others
        // are proofs.
        let assigns = ensures.is_empty() && body.as_deref().is_some_and(assigns_heap);
        let mut ghost =
            within || !assigns || vars.range.as_mut().and_then(|r| self.spec(r)).is_some();
        if let Some(b) = body {
            if ghost {
                self.all_ghost(&vars.vars);
            }
            ghost |= self.block(b, ghost);
        }
        if !ghost {
            let found = super::super::pools::of_statement(self.program, &self.older, vars);
            let open = self.open(&found, span);
            if let Some(r) = open.or_else(|| self.untestable(&found, span)) {
                self.report(&r);
            }
        }
        if ghost {
            self.all_ghost(&vars.vars);
            if let Some(r) = &mut vars.range {
                self.erase_expr(r);
            }
        }
        for c in ensures {
            self.erase_expr(&mut c.cond);
        }
        ghost
    }

    /// A `match` is ghost if its scrutinee or a pattern is, or if all of its cases are.
    fn match_stmt(&mut self, scrutinee: &mut Expr, cases: &mut [StmtCase], within: bool) -> bool {
        let mut ghost = within || self.spec(scrutinee).is_some();
        ghost |= cases
            .iter_mut()
            .any(|c| self.pattern(&mut c.pattern).is_some());
        self.entered(ghost);
        let mut all = true;
        for c in cases.iter_mut() {
            if ghost {
                self.erase_pattern(&mut c.pattern);
            }
            all &= self.block(&mut c.body, ghost);
        }
        if ghost || all {
            self.erase_expr(scrutinee);
            cases
                .iter_mut()
                .for_each(|c| self.erase_pattern(&mut c.pattern));
        }
        ghost || all
    }

    /// Reports a ghost `return` or `yield`. Neither is ever ghost.
    fn leaves_method(&mut self, span: Span, within: bool) -> bool {
        if within {
            // The values of `return` are assigned first, but the `return` is what is wrong.
            while self
                .diagnostics
                .last()
                .is_some_and(|d| d.id == "resolve/assignment-in-ghost" && d.span == Some(span))
            {
                self.diagnostics.pop();
            }
            let d = Diagnostic::error(
                "resolve/return-in-ghost",
                span,
                "ghost code cannot return from a compiled method",
            );
            self.diagnostics
                .push(d.with_help("the enclosing condition is ghost"));
        }
        false
    }

    /// Checks the value that `:-` inspects, and the way out on failure: both are compiled.
    fn failing(&mut self, a: &mut AssignOrFail, span: Span) {
        if let StmtKind::Call { call, .. } = &mut a.compute.kind
            && self.program[call.callee].ghost
        {
            let what = format!(
                "the result of the ghost method `{}`",
                self.program[call.callee].name
            );
            self.report(&Reason::new(span, what));
            return;
        } else if let StmtKind::Assign { pairs, .. } = &mut a.compute.kind
            && let Some((_, Rhs::Expr(e))) = pairs.first_mut()
            && let Some(r) = self.spec(e)
        {
            self.report(&r);
            return;
        }
        if let Some(r) = self.spec(&mut a.is_failure) {
            match &a.on_failure {
                OnFailure::Propagate { .. } | OnFailure::Expect => self.report(&r),
                OnFailure::Assert | OnFailure::Assume => {}
            }
        }
    }

    fn all_ghost(&mut self, locals: &[LocalId]) {
        for l in locals {
            self.make_ghost(*l);
        }
    }

    /// Checks one assignment. Returns whether it is ghost. `own`: the statement declares the
    /// target.
    fn pair(
        &mut self,
        target: &mut Target,
        rhs: &mut Rhs,
        own: bool,
        within: bool,
        span: Span,
    ) -> bool {
        // A variable becomes ghost with the value that it is declared with.
        if own
            && let Target::Local(l) = &*target
            && !self.is_ghost(*l)
            && self.is_spec(rhs)
        {
            let l = *l;
            self.make_ghost(l);
        }
        if within {
            self.ghost_target(target, span);
        }
        // The value of a ghost target is not evaluated.
        let ghost = within || self.is_ghost_target(target);
        if ghost {
            match rhs {
                Rhs::Expr(e) => self.erase_expr(e),
                Rhs::New { ctor, .. } => {
                    for a in ctor.iter_mut().flat_map(|c| &mut c.args) {
                        self.erase_expr(a);
                    }
                }
                Rhs::NewArray { dims, init, .. } => {
                    dims.iter_mut().for_each(|e| self.erase_expr(e));
                    match init {
                        ArrayInit::Default => {}
                        ArrayInit::Function(f) => self.erase_expr(f),
                        ArrayInit::Elements(es) => es.iter_mut().for_each(|e| self.erase_expr(e)),
                    }
                }
                Rhs::Havoc(_) => {}
            }
            return true;
        }
        let reason = match target {
            Target::Local(_) | Target::Discard(_) => None,
            Target::Field { object, .. } => self.spec(object),
            Target::Element { array, indices } => match self.spec(array) {
                Some(r) => Some(r),
                None => self.all(indices),
            },
        };
        let reason = reason.or_else(|| match rhs {
            Rhs::Expr(e) => self.spec(e),
            Rhs::Havoc(_) => None,
            Rhs::New { ctor, .. } => {
                let c = ctor.as_mut()?;
                if self.program[c.callee].ghost {
                    return Some(Reason {
                        span,
                        what: "the result of a ghost constructor".into(),
                        soft: false,
                    });
                }
                let ins = self.program[c.callee].ins.clone();
                self.arguments(&ins, &mut c.args)
            }
            Rhs::NewArray { dims, init, .. } => match self.all(dims) {
                Some(r) => Some(r),
                None => match init {
                    ArrayInit::Default => None,
                    ArrayInit::Function(f) => self.spec(f),
                    ArrayInit::Elements(es) => self.all(es),
                },
            },
        });
        if let Some(r) = reason {
            self.report(&r);
        }
        false
    }

    /// Whether a variable declared with this value is ghost.
    fn is_spec(&mut self, rhs: &mut Rhs) -> bool {
        match rhs {
            Rhs::Expr(e) => self.spec(e).is_some(),
            Rhs::New { ctor, .. } => ctor.as_ref().is_some_and(|c| self.program[c.callee].ghost),
            Rhs::NewArray { dims, init, .. } => {
                self.all(dims).is_some()
                    || match init {
                        ArrayInit::Default => false,
                        ArrayInit::Function(f) => self.spec(f).is_some(),
                        ArrayInit::Elements(es) => self.all(es).is_some(),
                    }
            }
            Rhs::Havoc(_) => false,
        }
    }

    fn is_ghost_target(&self, target: &Target) -> bool {
        match target {
            Target::Local(l) => self.is_ghost(*l),
            Target::Field { field, object } => {
                self.program[*field].ghost
                    || matches!(&object.kind, ExprKind::Local(l) if self.is_ghost(*l))
            }
            Target::Element { array, .. } => {
                matches!(&array.kind, ExprKind::Local(l) if self.is_ghost(*l))
                    || matches!(&array.kind, ExprKind::Field { field, .. } if self.program[*field].ghost)
            }
            Target::Discard(_) => false,
        }
    }

    /// Requires that an assignment in ghost code has a ghost target.
    fn ghost_target(&mut self, target: &Target, span: Span) {
        if let Target::Local(l) = target
            && !self.is_ghost(*l)
        {
            let name = self.program[*l].name.clone();
            let message = format!("ghost code cannot assign to `{name}`, which is not ghost");
            self.diagnostics.push(
                Diagnostic::error("resolve/assignment-in-ghost", span, message).with_help(
                    "declare the variable `ghost`, or make the enclosing condition compiled",
                ),
            );
        }
    }

    fn guard(&mut self, guard: &mut Guard) -> Option<Reason> {
        match guard {
            Guard::Expr(e) => self.spec(e),
            Guard::Star => None,
            Guard::Binding(q) => {
                let reason = self.enumerated(q);
                if reason.is_some() {
                    for v in q.vars.clone() {
                        self.make_ghost(v);
                    }
                }
                reason
            }
        }
    }

    fn close_guard(&mut self, guard: &mut Guard, ghost: bool) {
        if !ghost {
            return;
        }
        match guard {
            Guard::Expr(e) => self.erase_expr(e),
            Guard::Star => {}
            Guard::Binding(q) => {
                for v in q.vars.clone() {
                    self.make_ghost(v);
                }
                if let Some(r) = &mut q.range {
                    self.erase_expr(r);
                }
            }
        }
    }

    /// Checks the cases of an `if` or, with a specification, of a loop.
    fn cases(
        &mut self,
        cases: &mut [GuardedCase],
        spec: Option<&mut LoopSpec>,
        within: bool,
    ) -> bool {
        let mut ghost = within;
        for c in cases.iter_mut() {
            ghost |= self.guard(&mut c.guard).is_some();
        }
        self.entered(ghost);
        if let Some(spec) = spec {
            self.loop_spec(spec, ghost);
        }
        let mut all = true;
        for c in cases.iter_mut() {
            all &= self.block(&mut c.body, ghost);
            self.close_guard(&mut c.guard, ghost);
        }
        ghost || all
    }

    fn loop_spec(&mut self, spec: &mut LoopSpec, ghost: bool) {
        for c in &mut spec.invariants {
            self.erase_expr(&mut c.cond);
        }
        spec.decreases.iter_mut().for_each(|e| self.erase_expr(e));
        if let Some(fs) = &mut spec.modifies {
            self.frames(fs);
            if ghost {
                self.ghost_frames(fs);
            }
        }
    }
}

fn all_vars_ghost(ghost: &Ghost<'_>, p: &Pattern) -> bool {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Value(_) => true,
        PatternKind::Var(l) => ghost.is_ghost(*l),
        PatternKind::Ctor { args, .. } | PatternKind::Tuple(args) | PatternKind::Or(args) => {
            args.iter().all(|a| all_vars_ghost(ghost, a))
        }
    }
}

/// Whether the body of a `forall` statement is an assignment to the heap.
fn assigns_heap(b: &Block) -> bool {
    let [only] = b.stmts.as_slice() else {
        return false;
    };
    if let StmtKind::Assign { pairs, .. } = &only.kind {
        pairs
            .iter()
            .all(|(t, _)| matches!(t, Target::Field { .. } | Target::Element { .. }))
    } else {
        matches!(&only.kind, StmtKind::Block(inner) if assigns_heap(inner))
    }
}
