//! Effects in ghost code and proofs (reference manual, "Ghost Statements"): ghost code does not
//! change compiled state, and proofs change only variables that they declare.

use crate::typed::{
    Arena, Body, Call, Callable, CallableId, CallableKind, Expr, ExprKind, Frame, LocalId,
    LoopSpec, OnFailure, Rhs, Stmt, StmtKind, Target, TypeDeclKind, TypeId, Witness,
    visit::{self, Visit},
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::Check;

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<CallableId> = program.ids();
    for id in ids {
        let callable = &program[id];
        let is_proof = callable.kind == CallableKind::Lemma;
        let own = callable.outs.iter().map(|f| f.local).collect();
        let mut effects = Effects {
            check: c,
            proof: is_proof.then_some("a lemma"),
            own,
            initialises: false,
            in_ghost: callable.ghost,
            in_specification: false,
        };
        effects.frames(callable);
        match &callable.body {
            Body::None => {}
            Body::Expr(e) => effects.expr(e),
            Body::Block(b) => {
                // A ghost constructor may assign to the fields of its object before `new;`, like
                // any other.
                let first = b
                    .divided_at
                    .filter(|_| callable.kind == CallableKind::Constructor)
                    .unwrap_or(0);
                for (i, s) in b.stmts.iter().enumerate() {
                    effects.initialises = i < first;
                    effects.stmt(s);
                }
            }
            Body::ByMethod(e, b) => {
                effects.expr(e);
                visit::walk_block(&mut effects, b);
            }
        }
    }
    let types: Vec<TypeId> = program.ids();
    for id in types {
        if let TypeDeclKind::Iterator(parts) = &program[id].kind {
            let mut effects = Effects {
                check: c,
                proof: None,
                own: Vec::new(),
                initialises: false,
                in_ghost: false,
                in_specification: false,
            };
            parts
                .body
                .iter()
                .for_each(|b| visit::walk_block(&mut effects, b));
        }
    }
}

/// Checks that statements in specifications and default values have no effects.
pub(super) fn specifications(c: &mut Check<'_>) {
    let program = c.program();
    let mut statements = Effects::in_specification(c);
    for id in Arena::<CallableId>::ids(program) {
        let callable = &program[id];
        let defaults = callable.ins.iter().filter_map(|f| f.default.as_ref());
        defaults.for_each(|e| statements.expr(e));
        let spec = &callable.spec;
        visit::walk_clauses(&mut statements, &spec.requires);
        visit::walk_clauses(&mut statements, &spec.ensures);
        visit::walk_frames(&mut statements, &spec.reads);
        visit::walk_frames(&mut statements, &spec.modifies);
        spec.decreases.iter().for_each(|e| statements.expr(e));
    }
}

/// Checks the same for constraints and witnesses of types, and default values of constructors.
pub(super) fn types(c: &mut Check<'_>) {
    let program = c.program();
    let mut statements = Effects::in_specification(c);
    for id in Arena::<TypeId>::ids(program) {
        match &program[id].kind {
            TypeDeclKind::Newtype(t) | TypeDeclKind::Subset(t) => {
                t.constraint.iter().for_each(|e| statements.expr(e));
                match &t.witness {
                    Witness::Compiled(e) | Witness::Ghost(e) => statements.expr(e),
                    Witness::Default | Witness::Opt => {}
                }
            }
            TypeDeclKind::Datatype { ctors, .. } => ctors
                .iter()
                .flat_map(|c| program[*c].defaults.iter().flatten())
                .for_each(|e| statements.expr(e)),
            TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => {}
        }
    }
}

struct Effects<'a, 'b> {
    check: &'a mut Check<'b>,
    /// The kind of the enclosing proof, as text.
    proof: Option<&'static str>,
    /// Variables declared inside the enclosing proof.
    own: Vec<LocalId>,
    /// Whether the statement precedes `new;` in a constructor.
    initialises: bool,
    /// Whether the declaration is `ghost`.
    in_ghost: bool,
    /// Whether the statement belongs to a proof within a clause, a constraint or a default value,
    /// where all of it is ghost.
    in_specification: bool,
}

impl<'a, 'b> Effects<'a, 'b> {
    /// Returns the visitor of expressions outside of bodies.
    fn in_specification(check: &'a mut Check<'b>) -> Self {
        Self {
            check,
            proof: None,
            own: Vec::new(),
            initialises: false,
            in_ghost: true,
            in_specification: true,
        }
    }
}

impl Effects<'_, '_> {
    fn error(&mut self, span: Span, message: String) {
        self.check.error("resolve/ghost-effect", span, message);
    }

    /// Reports frames of lemmas, and `reads` clauses of methods without the option for them.
    fn frames(&mut self, callable: &Callable) {
        let is_iterator = callable
            .owner
            .is_some_and(|o| matches!(self.check.program()[o].kind, TypeDeclKind::Iterator(_)));
        if callable.kind.is_function() || is_iterator {
            return;
        }
        let lemma = callable.kind == CallableKind::Lemma;
        let program = self.check.program();
        let is_prebuilt = program
            .prebuilt
            .iter()
            .any(|file| file.start <= callable.span.start && callable.span.end <= file.end);
        let allowed = program.options.reads_clauses_on_methods || is_prebuilt;
        for frame in callable.spec.reads.iter().filter(|_| lemma || !allowed) {
            let (message, help) = match lemma {
                true => (
                    "a lemma cannot have a `reads` clause: it may read everything",
                    "remove the clause",
                ),
                false => (
                    "`reads` clauses on methods require the option `--reads-clauses-on-methods`",
                    "remove the clause (the method may then read everything), or set the option, for example in the project file",
                ),
            };
            let d = Diagnostic::error("resolve/clause-not-allowed", frame.span, message);
            self.check.found.push(d.with_help(help));
        }
        if !lemma {
            self.ghost_frames(&callable.spec.reads);
            self.ghost_frames(&callable.spec.modifies);
        }
        for frame in callable.spec.modifies.iter().filter(|_| lemma) {
            let d = Diagnostic::error(
                "resolve/clause-not-allowed",
                frame.span,
                "a lemma cannot have a `modifies` clause: it changes nothing",
            );
            self.check
                .found
                .push(d.with_help("remove the clause, or declare a `ghost method`"));
        }
    }

    /// Reports a `modify` frame in ghost code that names a non-ghost field.
    fn ghost_frames(&mut self, frames: &[Frame]) {
        for frame in frames.iter().filter(|_| self.in_ghost) {
            let program = self.check.program();
            let Some(field) = frame.field.map(|f| &program[f]).filter(|f| !f.ghost) else {
                continue;
            };
            let message = format!(
                "ghost code can modify ghost fields only, and `{}` is not ghost",
                field.name
            );
            self.check
                .error("resolve/ghost-modifies", frame.span, message);
        }
    }

    fn inside(&mut self, proof: &'static str, act: impl FnOnce(&mut Self)) {
        let outer = (self.proof.replace(proof), std::mem::take(&mut self.own));
        act(self);
        (self.proof, self.own) = outer;
    }

    /// Reports a `return` inside a proof, which cannot end the enclosing body.
    fn returns(&mut self, span: Span) {
        if let Some(proof) = self.proof.filter(|p| *p != "a lemma") {
            self.error(span, format!("{proof} cannot return from the method"));
        }
    }

    fn target(&mut self, target: &Target, ghost: bool, span: Span) {
        let program = self.check.program();
        match target {
            Target::Local(l) => {
                if let Some(proof) = self.proof.filter(|_| !self.own.contains(l)) {
                    let name = &program[*l].name;
                    self.error(span, format!("{proof} is not allowed to update a variable it doesn't declare: '{name}'"));
                }
            }
            Target::Field { .. } | Target::Element { .. } if self.proof.is_some() => {
                self.error(
                    span,
                    format!(
                        "{} is not allowed to make heap updates",
                        self.proof.unwrap_or_default()
                    ),
                );
            }
            Target::Field { object, .. }
                if self.initialises && matches!(object.kind, ExprKind::This) => {}
            Target::Field { field, .. } if ghost && !program[*field].ghost => {
                let name = &program[*field].name;
                self.error(
                    span,
                    format!("ghost code cannot assign to the field '{name}', which is not ghost"),
                );
            }
            Target::Element { .. } if ghost => {
                self.error(span, "ghost code cannot assign to an array element".into())
            }
            Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => {}
        }
    }

    /// Checks an assignment. Proofs allocate nothing, and ghost code calls ghost constructors only.
    fn pairs(&mut self, pairs: &[(Target, Rhs)], ghost: bool, span: Span) {
        let program = self.check.program();
        for (target, rhs) in pairs {
            self.target(target, ghost, span);
            if let (Some(proof), Rhs::New { .. } | Rhs::NewArray { .. }) = (self.proof, rhs) {
                self.error(span, format!("{proof} is not allowed to use 'new'"));
            }
            if let Rhs::New {
                ctor: Some(call), ..
            } = rhs
                && ghost
                && !program[call.callee].ghost
            {
                let message = format!(
                    "`{}` is not ghost, and cannot be called from ghost code",
                    program[call.callee].name
                );
                self.check.error("resolve/compiled-in-ghost", span, message);
            }
        }
    }

    /// Checks a call statement. Proofs call lemmas only, and ghost code ghost methods only.
    fn call(&mut self, targets: &[Target], call: &Call, ghost: bool, span: Span) {
        let program = self.check.program();
        targets.iter().for_each(|t| self.target(t, ghost, span));
        let callee = &program[call.callee];
        if let Some(proof) = self.proof.filter(|_| callee.kind != CallableKind::Lemma) {
            self.error(
                span,
                format!("in {proof}, calls are allowed only to lemmas"),
            );
        } else if ghost && !callee.ghost {
            let message = format!(
                "the method `{}` is not ghost, and cannot be called from ghost code",
                callee.name
            );
            self.check.error("resolve/compiled-in-ghost", span, message);
        }
    }

    fn loop_spec(&mut self, spec: &LoopSpec, ghost: bool, span: Span) {
        let frame = spec.modifies.as_ref().and_then(|m| m.first());
        if let (Some(proof), Some(frame)) = (self.proof, frame) {
            self.error(
                frame.span,
                format!("a loop in {proof} is not allowed to use 'modifies' clauses"),
            );
        }
        self.ghost_frames(spec.modifies.as_deref().unwrap_or_default());
        if ghost && spec.decreases_star {
            self.error(span, "'decreases *' is not allowed on ghost loops".into());
        }
    }
}

impl<'t> Visit<'t> for Effects<'_, '_> {
    fn expr(&mut self, e: &'t Expr) {
        if let ExprKind::StmtExpr { stmt, body } = &e.kind {
            self.inside("a statement expression", |p| p.stmt(stmt));
            self.expr(body);
            return;
        }
        visit::walk_expr(self, e);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        match &s.kind {
            // A proof may assign to its own variables only, so every declaration is recorded first.
            StmtKind::VarDecl(locals) => self.own.extend(locals),
            StmtKind::Assign { declares, pairs } => {
                self.own.extend(declares);
                self.pairs(pairs, s.ghost, s.span);
            }
            StmtKind::AssignPattern { pattern, .. } => Declared(&mut self.own).pattern(pattern),
            StmtKind::Call {
                declares,
                targets,
                call,
            } => {
                self.own.extend(declares);
                self.call(targets, call, s.ghost, s.span);
            }
            StmtKind::SuchThat {
                declares, targets, ..
            } => {
                self.own.extend(declares);
                targets.iter().for_each(|t| self.target(t, s.ghost, s.span));
            }
            StmtKind::AssignOrFail(a) => {
                self.own.extend(a.declares.iter().chain([&a.temp]));
                s.kind
                    .targets()
                    .into_iter()
                    .for_each(|t| self.target(t, s.ghost, s.span));
                if s.ghost && matches!(a.on_failure, OnFailure::Expect) {
                    self.error(
                        s.span,
                        "an expect statement is not allowed in ghost code".into(),
                    );
                } else if matches!(a.on_failure, OnFailure::Propagate { .. }) {
                    self.returns(s.span);
                }
            }
            StmtKind::Print(_) if s.ghost || self.in_specification => self.error(
                s.span,
                "a print statement is not allowed in ghost code".into(),
            ),
            StmtKind::Expect { .. } if s.ghost || self.in_specification => self.error(
                s.span,
                "an expect statement is not allowed in ghost code".into(),
            ),
            StmtKind::Return | StmtKind::Yield => self.returns(s.span),
            StmtKind::Modify { frame, .. } => {
                self.ghost_frames(frame);
                if let Some(proof) = self.proof {
                    self.error(
                        s.span,
                        format!("a modify statement is not allowed in {proof}"),
                    );
                }
            }
            StmtKind::While { spec, .. } | StmtKind::WhileCase { spec, .. } => {
                self.loop_spec(spec, s.ghost, s.span)
            }
            StmtKind::For { spec, index, .. } => {
                self.own.push(*index);
                self.loop_spec(spec, s.ghost, s.span);
            }
            StmtKind::Assert { cond, by, .. } => {
                self.expr(cond);
                self.inside("a by block", |p| {
                    // The block after `by` is a proof of its own.
                    by.iter().for_each(|b| visit::walk_block(p, b))
                });
                return;
            }
            StmtKind::Calc { steps, hints } => {
                steps.iter().for_each(|e| self.expr(e));
                self.inside("a hint", |p| {
                    hints.iter().for_each(|b| visit::walk_block(p, b))
                });
                return;
            }
            StmtKind::Forall {
                vars,
                ensures,
                body: Some(body),
            } => {
                // A `forall` statement that assigns to the heap is an update; any other one is a
                // proof.
                let plain = ensures.is_empty() && assigns_heap(&body.stmts);
                if let Some(proof) = self.proof.filter(|_| plain) {
                    let message =
                        format!("{proof} is not allowed to perform an aggregate heap update");
                    self.error(s.span, message);
                    return;
                }
                if !plain {
                    self.quantified(vars);
                    visit::walk_clauses(self, ensures);
                    self.inside("a forall statement", |p| visit::walk_block(p, body));
                    return;
                }
            }
            StmtKind::Block(_)
            | StmtKind::Assume(_)
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::If { .. }
            | StmtKind::IfCase(_)
            | StmtKind::Forall { body: None, .. }
            | StmtKind::Match { .. }
            | StmtKind::Break { .. }
            | StmtKind::Reveal(_)
            | StmtKind::Error => {}
        }
        visit::walk_stmt(self, s);
    }
}

/// Whether the body is a single assignment to fields or array elements, which a `forall` statement
/// executes for all values at once.
fn assigns_heap(body: &[Stmt]) -> bool {
    let [one] = body else { return false };
    if let StmtKind::Assign { pairs, .. } = &one.kind {
        pairs
            .iter()
            .all(|(t, _)| matches!(t, Target::Field { .. } | Target::Element { .. }))
    } else {
        matches!(&one.kind, StmtKind::Block(b) if assigns_heap(&b.stmts))
    }
}

/// Collects the variables that a pattern declares.
struct Declared<'a>(&'a mut Vec<LocalId>);

impl<'t> Visit<'t> for Declared<'_> {
    fn pattern(&mut self, p: &'t crate::typed::Pattern) {
        if let crate::typed::PatternKind::Var(l) = p.kind {
            self.0.push(l);
        }
        visit::walk_pattern(self, p);
    }
}
