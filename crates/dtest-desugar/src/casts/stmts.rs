//! Insertion of casts in statements.

use super::{Casts, Written};
use dafny_resolve::typed::{
    ArrayInit, AssignOrFail, Block, Expr, Guard, GuardedCase, LocalId, LoopSpec, OnFailure,
    Program, Rhs, Stmt, StmtKind, Target, Type,
};

impl Casts<'_> {
    /// Inserts casts in the statements of a block.
    pub(super) fn block(&mut self, block: &mut Block) {
        // Inserted statements move the position of `new;`.
        let (divided_at, mut moved_to) = (block.divided_at, None);
        let mut out = Vec::new();
        for (i, mut s) in std::mem::take(&mut block.stmts).into_iter().enumerate() {
            if divided_at == Some(i) {
                moved_to = Some(out.len());
            }
            let after = self.split(&mut s);
            self.stmt(&mut s);
            out.push(s);
            out.extend(after);
        }
        block.divided_at = divided_at.map(|_| moved_to.unwrap_or(out.len()));
        block.stmts = out;
    }

    /// Splits a call whose results are assigned to targets of other types: the call assigns to new
    /// variables, and further assignments cast their values.
    fn split(&mut self, s: &mut Stmt) -> Vec<Stmt> {
        let (ghost, span) = (s.ghost, s.span);
        let StmtKind::Call {
            declares,
            targets,
            call,
        } = &mut s.kind
        else {
            return Vec::new();
        };
        let program = self.program;
        let c = &program[call.callee];
        let map = program
            .all_type_params(call.callee)
            .into_iter()
            .zip(call.type_args.iter().cloned())
            .collect();
        let mut after = Vec::new();
        for (out, target) in c.outs.iter().zip(targets) {
            let own = program[out.local].ty.subst(&map);
            let to = self.target_type(target);
            if program[out.local].ghost && self.written == Written::All
                || matches!(target, Target::Discard(_))
                || !self.needs(&own, &to)
            {
                continue;
            }
            // The call assigns to a new variable, whose cast value is assigned to the target.
            let temp = self.fresh("result", own, span);
            let target = std::mem::replace(target, Target::Local(temp));
            // A variable that the call declares is now declared by the assignment.
            let was_declared = declares
                .iter()
                .position(|l| matches!(target, Target::Local(t) if t == *l));
            let declared: Vec<LocalId> = was_declared
                .map(|i| declares.remove(i))
                .into_iter()
                .collect();
            declares.push(temp);
            let mut value = self.local(temp, span);
            self.cast(&mut value, &to);
            let kind = StmtKind::Assign {
                declares: declared,
                pairs: vec![(target, Rhs::Expr(value))],
            };
            after.push(Stmt {
                kind,
                labels: Vec::new(),
                ghost,
                span,
            });
        }
        after
    }

    /// Inserts casts inside a statement. Ghost statements have none if all compiled code is written.
    pub(super) fn stmt(&mut self, s: &mut Stmt) {
        if s.ghost && self.written == Written::All {
            return;
        }
        match &mut s.kind {
            StmtKind::Block(b) => self.block(b),
            StmtKind::Expect { cond, message } => {
                self.expr(cond);
                message.iter_mut().for_each(|m| self.expr(m));
            }
            StmtKind::Print(es) => es.iter_mut().for_each(|e| self.expr(e)),
            StmtKind::Assign { pairs, .. } => {
                for (target, rhs) in pairs {
                    self.target(target);
                    let to = self.target_type(target);
                    self.rhs(rhs, &to);
                }
            }
            StmtKind::AssignPattern { pattern, value } => {
                let to = self.pattern_type(pattern);
                self.flow(value, &to);
            }
            StmtKind::Call { targets, call, .. } => {
                targets.iter_mut().for_each(|t| self.target(t));
                self.call(call);
            }
            StmtKind::SuchThat { targets, vars, .. } => {
                targets.iter_mut().for_each(|t| self.target(t));
                self.quantified(vars);
            }
            StmtKind::AssignOrFail(a) => self.assign_or_fail(a),
            StmtKind::If { guard, then, els } => {
                self.guard(guard);
                self.block(then);
                els.iter_mut().for_each(|e| self.stmt(e));
            }
            StmtKind::IfCase(cases) => self.cases(cases),
            StmtKind::WhileCase { cases, spec } => {
                self.loop_spec(spec);
                self.cases(cases);
            }
            StmtKind::While { guard, body, spec } => {
                self.loop_spec(spec);
                self.guard(guard);
                body.iter_mut().for_each(|b| self.block(b));
            }
            StmtKind::For {
                from,
                to,
                body,
                spec,
                ..
            } => {
                self.loop_spec(spec);
                self.expr(from);
                to.iter_mut().for_each(|e| self.expr(e));
                body.iter_mut().for_each(|b| self.block(b));
            }
            StmtKind::Forall {
                vars,
                body,
                ensures,
            } => {
                self.quantified(vars);
                if self.written == Written::Newtypes {
                    self.clauses(ensures);
                }
                body.iter_mut().for_each(|b| self.block(b));
            }
            StmtKind::Match { scrutinee, cases } => {
                self.expr(scrutinee);
                cases.iter_mut().for_each(|c| self.block(&mut c.body));
            }
            StmtKind::Modify { body, .. } => body.iter_mut().for_each(|b| self.block(b)),
            // These are not compiled.
            StmtKind::Assert { .. } | StmtKind::Assume(_) | StmtKind::Calc { .. }
                if self.written == Written::All => {}
            StmtKind::Assert { cond, by, .. } => {
                self.expr(cond);
                by.iter_mut().for_each(|b| self.block(b));
            }
            StmtKind::Assume(cond) => self.expr(cond),
            StmtKind::Calc { steps, hints } => {
                steps.iter_mut().for_each(|e| self.expr(e));
                hints.iter_mut().for_each(|b| self.block(b));
            }
            StmtKind::VarDecl(_)
            | StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Reveal(_)
            | StmtKind::Error => {}
        }
    }

    /// Inserts casts in an assignment that may fail: in the propagated failure and in the extracted
    /// value.
    fn assign_or_fail(&mut self, a: &mut AssignOrFail) {
        self.stmt(&mut a.compute);
        self.expr(&mut a.is_failure);
        match &mut a.on_failure {
            OnFailure::Propagate { out, value } => {
                let to = self.local_type(*out);
                self.flow(value, &to);
            }
            OnFailure::Expect | OnFailure::Assert | OnFailure::Assume => {}
        }
        if let Some((target, value)) = &mut a.extract {
            self.target(target);
            let to = self.target_type(target);
            self.flow(value, &to);
        }
    }

    fn cases(&mut self, cases: &mut [GuardedCase]) {
        for case in cases {
            self.guard(&mut case.guard);
            self.block(&mut case.body);
        }
    }

    fn loop_spec(&mut self, spec: &mut LoopSpec) {
        if self.written == Written::Newtypes {
            self.clauses(&mut spec.invariants);
            spec.decreases.iter_mut().for_each(|e| self.expr(e));
            spec.modifies
                .iter_mut()
                .for_each(|frames| self.frames(frames));
        }
    }

    fn guard(&mut self, guard: &mut Guard) {
        match guard {
            Guard::Expr(e) => self.expr(e),
            Guard::Star => {}
            Guard::Binding(q) => self.quantified(q),
        }
    }

    fn target(&mut self, target: &mut Target) {
        match target {
            Target::Local(_) | Target::Discard(_) => {}
            Target::Field { object, .. } => self.expr(object),
            Target::Element { array, indices } => {
                self.expr(array);
                indices.iter_mut().for_each(|i| self.expr(i));
            }
        }
    }

    /// The type of an assignment target.
    fn target_type(&self, target: &Target) -> Type {
        match target {
            Target::Local(l) => self.local_type(*l),
            Target::Discard(_) | Target::Field { .. } | Target::Element { .. } => {
                target_type(self.program, target)
            }
        }
    }

    fn rhs(&mut self, rhs: &mut Rhs, to: &Type) {
        match rhs {
            Rhs::Expr(e) => self.flow(e, to),
            Rhs::Havoc(_) => {}
            Rhs::New { ctor, .. } => {
                if let Some(call) = ctor {
                    self.call(call);
                }
            }
            Rhs::NewArray { elem, dims, init } => {
                dims.iter_mut().for_each(|d| self.expr(d));
                match init {
                    ArrayInit::Default => {}
                    ArrayInit::Function(f) => self.initializer(f, elem),
                    ArrayInit::Elements(es) => es.iter_mut().for_each(|e| self.flow(e, elem)),
                }
            }
        }
    }

    /// Inserts casts in the initializer function of an array.
    fn initializer(&mut self, f: &mut Expr, elem: &Type) {
        match self.program.representation(&f.ty) {
            Type::Arrow { kind, params, .. } => self.flow(
                f,
                &Type::Arrow {
                    kind,
                    params,
                    result: Box::new(elem.clone()),
                },
            ),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => self.expr(f),
        }
    }
}

/// The type of an assignment target.
pub fn target_type(program: &Program, target: &Target) -> Type {
    match target {
        Target::Local(l) => program[*l].ty.clone(),
        Target::Discard(ty) => ty.clone(),
        Target::Field { object, field } => {
            let decl = &program[*field];
            let args = decl
                .owner
                .and_then(|t| Some((t, program.supertype_args(&object.ty, t)?)));
            args.map_or_else(
                || decl.ty.clone(),
                |(t, args)| decl.ty.subst(&program.substitution(t, &args)),
            )
        }
        Target::Element { array, .. } => {
            if let Type::Array { elem, .. } = program.representation(&array.ty) {
                *elem
            } else {
                Type::Error
            }
        }
    }
}
