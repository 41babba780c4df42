//! Contracts: clauses, frames and loop specifications.

use crate::typed::{Clause, Expr, ExprKind, FieldId, FieldKind, Frame, LoopSpec, Spec, Type};
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::context::Member;
use super::super::index::Definition;
use super::{Resolver, clause};

impl Resolver<'_> {
    /// Resolves the clauses that `wanted` selects.
    pub(super) fn clauses(
        &mut self,
        from: &ast::Spec,
        into: &mut Spec,
        wanted: &dyn Fn(&ast::ClauseKind) -> bool,
    ) {
        self.clauses_where(from, into, &|c| wanted(&c.kind));
    }

    pub(super) fn clauses_where(
        &mut self,
        from: &ast::Spec,
        into: &mut Spec,
        wanted: &dyn Fn(&ast::Clause) -> bool,
    ) {
        // Dafny resolves clauses grouped by kind, not in the order of the text.
        let mut clauses: Vec<&ast::Clause> = from.clauses.iter().filter(|c| wanted(c)).collect();
        clauses.sort_by_key(|c| match &c.kind {
            ast::ClauseKind::Requires(_) | ast::ClauseKind::Invariant(_) => 0,
            ast::ClauseKind::Reads(_) => 1,
            ast::ClauseKind::Modifies(_) => 2,
            ast::ClauseKind::Ensures(_) => 3,
            ast::ClauseKind::Decreases(_) => 4,
        });
        for c in clauses {
            let label = c.label.as_ref().map(|l| l.name.clone());
            self.attributes(&c.attributes);
            match &c.kind {
                ast::ClauseKind::Requires(e) => into.requires.push(self.clause(e, label)),
                ast::ClauseKind::Ensures(e) => into.ensures.push(self.clause(e, label)),
                // Only loops have these; see `loop_spec`.
                ast::ClauseKind::Invariant(_) => {}
                ast::ClauseKind::Reads(fs) => into.reads.extend(self.frame(fs, true)),
                ast::ClauseKind::Modifies(fs) => into.modifies.extend(self.frame(fs, false)),
                ast::ClauseKind::Decreases(es) => {
                    self.measure(es, &mut into.decreases, &mut into.decreases_star)
                }
            }
        }
    }

    pub(super) fn clause(&mut self, e: &ast::Expr, label: Option<dafny_source::Name>) -> Clause {
        clause(self.condition(e), label)
    }

    fn measure(&mut self, es: &[ast::Expr], into: &mut Vec<Expr>, star: &mut bool) {
        for e in es {
            if matches!(e.kind, ast::ExprKind::Wildcard) {
                *star = true;
            } else {
                into.push(self.expr(e, None));
            }
        }
    }

    pub(super) fn loop_spec(&mut self, spec: &ast::Spec) -> LoopSpec {
        let mut into = LoopSpec::default();
        let mut clauses: Vec<&ast::Clause> = spec.clauses.iter().collect();
        clauses.sort_by_key(|c| match &c.kind {
            ast::ClauseKind::Invariant(_)
            | ast::ClauseKind::Requires(_)
            | ast::ClauseKind::Reads(_)
            | ast::ClauseKind::Ensures(_) => 0,
            ast::ClauseKind::Decreases(_) => 1,
            ast::ClauseKind::Modifies(_) => 2,
        });
        for c in clauses {
            let label = c.label.as_ref().map(|l| l.name.clone());
            self.attributes(&c.attributes);
            match &c.kind {
                ast::ClauseKind::Invariant(e) => into.invariants.push(self.clause(e, label)),
                ast::ClauseKind::Decreases(es) => {
                    self.measure(es, &mut into.decreases, &mut into.decreases_star)
                }
                ast::ClauseKind::Modifies(fs) => {
                    let frame = self.frame(fs, false);
                    into.modifies.get_or_insert_default().extend(frame);
                }
                ast::ClauseKind::Requires(_)
                | ast::ClauseKind::Ensures(_)
                | ast::ClauseKind::Reads(_) => {
                    self.error(
                        "resolve/bad-clause",
                        c.span,
                        "a loop can have `invariant`, `decreases` and `modifies` clauses only",
                    );
                }
            }
        }
        into
    }

    /// The specification of a constructor without `this` in `modifies` clauses. A constructor may
    /// always change its object. Dafny 2 required the clause; later versions warn about it.
    pub(super) fn without_this(&mut self, spec: &ast::Spec) -> ast::Spec {
        let is_this = |e: &ast::Expr| matches!(e.kind, ast::ExprKind::This);
        let mut spec = spec.clone();
        for clause in &mut spec.clauses {
            let ast::ClauseKind::Modifies(frames) = &mut clause.kind else {
                continue;
            };
            let mut found = Vec::new();
            frames.retain_mut(|frame| match &mut frame.object {
                Some(object) if is_this(object) => {
                    found.push(object.span);
                    false
                }
                Some(object) => {
                    if let ast::ExprKind::SetDisplay { elements, .. } = &mut object.kind {
                        found.extend(elements.iter().filter(|e| is_this(e)).map(|e| e.span));
                        elements.retain(|e| !is_this(e));
                    }
                    true
                }
                None => {
                    found.push(frame.span);
                    false
                }
            });
            for span in found {
                let message = "a constructor does not list `this` in its `modifies` clause: it may always change it";
                let d = Diagnostic::warning("resolve/constructor-modifies", span, message);
                self.cx.diagnostics.push(d.with_help("remove it"));
            }
        }
        spec
    }

    /// Resolves a frame. A `reads` frame may also contain functions whose results are collections
    /// of objects.
    pub(super) fn frame(&mut self, fs: &[ast::FrameExpr], reads: bool) -> Vec<Frame> {
        let objects = Type::Set {
            finite: true,
            elem: Box::new(Type::Object { nullable: true }),
        };
        let mut frames = Vec::with_capacity(fs.len());
        for f in fs {
            // `*` denotes the whole heap.
            if matches!(
                f.object.as_ref().map(|e| &e.kind),
                Some(ast::ExprKind::Wildcard)
            ) {
                frames.push(Frame {
                    object: None,
                    field: None,
                    star: true,
                    span: f.span,
                });
                continue;
            }
            // Without a field, a frame expression is an object or a collection of objects.
            let object = match &f.object {
                Some(e) => Some(self.expr(e, Some(&objects).filter(|_| f.field.is_none()))),
                None => self.this(f.span),
            };
            let field = match (&f.field, &object) {
                (Some(name), Some(o)) => {
                    let ty = o.ty.clone();
                    let found = self.frame_field(&ty, name);
                    if found.is_none() && self.base(&ty) != Type::Error {
                        self.error(
                            "resolve/unknown-member",
                            name.span,
                            format!("`{}` is not a field of `{}`", name.name, self.show(&ty)),
                        );
                    }
                    if let Some(constant) =
                        found.filter(|f| matches!(self.cx.program[*f].kind, FieldKind::Const(_)))
                    {
                        let at = object.as_ref().map_or(f.span, |o| o.span);
                        let shown = self.cx.program[constant].name.clone();
                        let d = Diagnostic::error(
                            "resolve/constant-in-frame",
                            at,
                            format!("a frame cannot mention the constant `{shown}`"),
                        );
                        self.report(d.with_help("constants never change: remove it"));
                    }
                    found
                }
                (Some(name), None) => {
                    self.error("resolve/no-this", name.span, "`this` is not available here");
                    None
                }
                (None, _) => None,
            };
            if let Some(o) = &object {
                self.frame_object(o, reads);
            }
            frames.push(Frame {
                object,
                field,
                star: false,
                span: f.span,
            });
        }
        frames
    }

    /// Requires an object, a collection of objects, or a function that returns one.
    fn frame_object(&mut self, object: &Expr, reads: bool) {
        let own = self.base(&object.ty);
        let (ty, function) = if let Type::Arrow { result, .. } = own {
            (self.base(&result), true)
        } else {
            (own, false)
        };
        let held = self.representation(&ty);
        let (elem, collection) =
            if let Type::Seq(e) | Type::Set { elem: e, .. } | Type::Multiset(e) = held {
                (self.base(&e), true)
            } else {
                (held, false)
            };
        // An expression whose type the context determines may be an object, except for a numeric
        // literal.
        let is_object = if self.st.inf.is_unbound(&elem) {
            self.flow(&elem, &Type::Object { nullable: true })
        } else {
            // A bound does not make a type parameter a type of objects here.
            self.cx.program.is_reference(&elem)
        };
        let fine = elem == Type::Error || (!function || collection && reads) && is_object;
        if !fine {
            let message = format!(
                "a frame expression must be an object or a collection of objects, found {}",
                self.show(&object.ty)
            );
            self.wrong_operand(object.span, message);
        }
    }

    /// Resolves the field that a frame expression selects.
    pub(super) fn frame_field(&mut self, ty: &Type, name: &ast::Ident) -> Option<FieldId> {
        let t = self.representation(ty);
        // A function represents the collections that it returns.
        let t = if let Type::Arrow { result, .. } = t {
            self.representation(&result)
        } else {
            t
        };
        let ty = if let Type::Seq(e) | Type::Set { elem: e, .. } | Type::Multiset(e) = t {
            self.base(&e)
        } else {
            t
        };
        match self.find_member(&ty, &name.name) {
            Some(((Member::Field(f), owner), _)) => {
                self.cx.notes.note(name.span, Definition::Field(f));
                self.may_use(owner, name, Member::Field(f));
                Some(f)
            }
            Some(_) | None => None,
        }
    }

    pub(super) fn finish_spec(&mut self, spec: &mut Spec) {
        self.settle();
        for c in spec.requires.iter_mut().chain(&mut spec.ensures) {
            self.finish_expr(&mut c.cond);
        }
        for f in spec.reads.iter_mut().chain(&mut spec.modifies) {
            if let Some(e) = &mut f.object {
                self.finish_expr(e);
            }
        }
        for e in &mut spec.decreases {
            self.finish_expr(e);
        }
    }

    /// Whether the expression replaces one with a reported error.
    pub(super) fn is_broken(e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Error)
    }
}
