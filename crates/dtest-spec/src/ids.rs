//! Replacement of the references to declarations in typed trees.
//!
//! [`Renamed`] visits every reference once, in the order of the text. The import of declarations
//! from another program replaces them; the comparison of two programs lists them.

use dafny_resolve::typed::rewrite::{self, Rewrite};
use dafny_resolve::typed::{
    AssignOrFail, Call, CallableId, CtorId, Expr, ExprKind, FieldId, Frame, Lambda, LetOrFail,
    LocalId, OnFailure, Pattern, PatternKind, Quantified, Stmt, StmtKind, Target, Type,
};

/// A replacement of references.
pub(crate) trait Ids {
    fn ty(&mut self, ty: &mut Type);
    fn local(&mut self, id: &mut LocalId);
    fn field(&mut self, id: &mut FieldId);
    fn ctor(&mut self, id: &mut CtorId);
    fn callable(&mut self, id: &mut CallableId);
}

/// The rewriter of a replacement.
pub(crate) struct Renamed<'i>(pub(crate) &'i mut dyn Ids);

impl Renamed<'_> {
    fn locals(&mut self, ids: &mut [LocalId]) {
        for id in ids {
            self.0.local(id);
        }
    }

    fn target(&mut self, target: &mut Target) {
        match target {
            Target::Local(local) => self.0.local(local),
            Target::Field { field, .. } => self.0.field(field),
            Target::Element { .. } | Target::Discard(_) => {}
        }
    }

    /// The references of an expression itself, without its children.
    fn head(&mut self, kind: &mut ExprKind) {
        if let ExprKind::Local(local) = kind {
            self.0.local(local);
        } else if let ExprKind::Field { field, .. } = kind {
            self.0.field(field);
        } else if let ExprKind::CtorTest { ctor, .. } | ExprKind::Construct { ctor, .. } = kind {
            self.0.ctor(ctor);
        } else if let ExprKind::FunctionRef { callee, .. } = kind {
            self.0.callable(callee);
        } else if let ExprKind::DatatypeUpdate { updates, ctors, .. } = kind {
            for (field, _) in updates {
                self.0.field(field);
            }
            for ctor in ctors {
                self.0.ctor(ctor);
            }
        } else if let ExprKind::Lambda(lambda) = kind {
            let Lambda { params, .. } = &mut **lambda;
            self.locals(params);
        } else if let ExprKind::LetOrFail(l) = kind {
            let LetOrFail { temp, .. } = &mut **l;
            self.0.local(temp);
        }
    }
}

impl Rewrite for Renamed<'_> {
    fn ty(&mut self, ty: &mut Type) {
        self.0.ty(ty);
    }

    fn expr(&mut self, e: &mut Expr) {
        self.head(&mut e.kind);
        rewrite::walk_expr(self, e);
    }

    fn stmt(&mut self, s: &mut Stmt) {
        if let StmtKind::VarDecl(locals) = &mut s.kind {
            self.locals(locals);
        } else if let StmtKind::Assign { declares, pairs } = &mut s.kind {
            self.locals(declares);
            for (target, _) in pairs {
                self.target(target);
            }
        } else if let StmtKind::Call {
            declares, targets, ..
        }
        | StmtKind::SuchThat {
            declares, targets, ..
        } = &mut s.kind
        {
            self.locals(declares);
            for target in targets {
                self.target(target);
            }
        } else if let StmtKind::AssignOrFail(a) = &mut s.kind {
            let AssignOrFail {
                declares,
                temp,
                on_failure,
                extract,
                ..
            } = &mut **a;
            self.locals(declares);
            self.0.local(temp);
            if let OnFailure::Propagate { out, .. } = on_failure {
                self.0.local(out);
            }
            if let Some((target, _)) = extract {
                self.target(target);
            }
        } else if let StmtKind::For { index, .. } = &mut s.kind {
            self.0.local(index);
        } else if let StmtKind::Reveal(revealed) = &mut s.kind {
            for callable in &mut revealed.functions {
                self.0.callable(callable);
            }
        }
        rewrite::walk_stmt(self, s);
    }

    fn call(&mut self, c: &mut Call) {
        self.0.callable(&mut c.callee);
        rewrite::walk_call(self, c);
    }

    fn frame(&mut self, f: &mut Frame) {
        if let Some(field) = &mut f.field {
            self.0.field(field);
        }
        rewrite::walk_frame(self, f);
    }

    fn pattern(&mut self, p: &mut Pattern) {
        match &mut p.kind {
            PatternKind::Var(local) => self.0.local(local),
            PatternKind::Ctor { ctor, .. } => self.0.ctor(ctor),
            PatternKind::Wildcard
            | PatternKind::Tuple(_)
            | PatternKind::Value(_)
            | PatternKind::Or(_) => {}
        }
        rewrite::walk_pattern(self, p);
    }

    fn quantified(&mut self, q: &mut Quantified) {
        self.locals(&mut q.vars);
        for bound in q.bounds.iter_mut().flatten() {
            self.0.local(&mut bound.var);
        }
        rewrite::walk_quantified(self, q);
        rewrite::walk_bounds(self, q);
    }
}
