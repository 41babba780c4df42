//! Ghostness: decides which statements and variables are ghost.
//!
//! The pass runs after inference, in the order of the program. A local variable becomes ghost if it
//! is initialized with a ghost value. A statement is ghost under a ghost condition. A compound
//! statement is ghost if all its parts are (reference manual, "Ghost Statements"). Compiled code
//! that depends on ghost code is reported as `resolve/ghost-in-compiled`.
//!
//! [`check`] is the entry point, `expr` and `stmt` have the rules, `prune` removes branches of
//! functions that exist for proofs only.

mod expr;
mod prune;
mod stmt;

use crate::typed::{
    Arena, Block, Body, CallableId, Expr, ExprKind, FieldKind, Frame, LocalId, Pattern,
    PatternKind, Program, Quantified, Spec, Stmt, Type, TypeDeclKind, TypeId, Witness,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};

use rustc_hash::FxHashSet;

use super::super::context::Context;
use super::super::graph::Declaration;
use crate::typed::rewrite::{
    Rewrite, walk_block, walk_bounds, walk_pattern, walk_quantified, walk_stmt,
};

/// Decides for all statements and variables whether they are ghost.
pub(super) fn check(cx: &mut Context) {
    let mut ghost = Ghost {
        older: cx.variables.older.clone(),
        order_claims: std::mem::take(&mut cx.text.order_claims),
        program: &mut cx.program,
        diagnostics: Vec::new(),
        around: Vec::new(),
        uncompilable: FxHashSet::default(),
        collected: None,
        declaration: None,
        method_calls: Vec::new(),
    };
    ghost.uncompilable = ghost.uncompilable();
    ghost.callables();
    ghost.constants();
    ghost.types();
    let (found, uncompilable) = (ghost.diagnostics, ghost.uncompilable);
    cx.callables.method_calls = ghost.method_calls;
    cx.diagnostics.extend(found);
    cx.types.uncompilable = uncompilable;
}

/// The reason why an expression is ghost.
struct Reason {
    span: Span,
    what: String,
    /// Whether compiled code may contain the expression anyway. It still makes a variable ghost
    /// that is initialized with it.
    soft: bool,
}

impl Reason {
    /// A reason because of which compiled code must not contain the expression.
    fn new(span: Span, what: impl Into<String>) -> Self {
        Self {
            span,
            what: what.into(),
            soft: false,
        }
    }
}

struct Ghost<'a> {
    program: &'a mut Program,
    diagnostics: Vec<Diagnostic>,
    /// Parameters declared `older`.
    older: FxHashSet<LocalId>,
    /// See [`TextFacts::order_claims`].
    order_claims: FxHashSet<Span>,
    /// The enclosing statements that `break` can leave: their labels, and whether each is a loop
    /// and ghost.
    around: Vec<(Vec<Name>, bool, bool)>,
    /// See [`TypeFacts::uncompilable`].
    uncompilable: FxHashSet<TypeId>,
    /// The reasons found so far, in collecting mode.
    collected: Option<Vec<Reason>>,
    /// The declaration being checked.
    declaration: Option<Declaration>,
    /// See [`CallableFacts::method_calls`].
    method_calls: Vec<(Declaration, CallableId)>,
}

impl Ghost<'_> {
    fn callables(&mut self) {
        let ids: Vec<CallableId> = self.program.ids();
        for id in ids {
            self.declaration = Some(Declaration::Callable(id));
            // Parts are taken out of the program while they are checked, because the check marks
            // variables of the program.
            let mut spec = std::mem::take(&mut self.program[id].spec);
            self.contract(&mut spec);
            let is_ghost = self.program[id].ghost;
            self.program[id].spec = spec;
            if !is_ghost {
                self.defaults(id);
            }
            let mut body = std::mem::replace(&mut self.program[id].body, Body::None);
            match &mut body {
                Body::None => {}
                Body::Expr(e) if is_ghost => self.erase_expr(e),
                Body::Expr(e) => {
                    // Branches that only prove something do not exist at run time. The whole body
                    // stays available to searches for violations.
                    if let Some(whole) = prune::prune(self.program, id, e) {
                        self.program.whole_bodies.insert(id, whole);
                    }
                    self.compiled(e);
                }
                Body::Block(b) => self.body(b, is_ghost),
                Body::ByMethod(e, b) => {
                    self.erase_expr(e);
                    // The specification of a function-by-method is ghost, its statements are what
                    // is compiled.
                    self.declaration = Some(Declaration::ByMethod(id));
                    self.body(b, is_ghost);
                }
            }
            self.program[id].body = body;
        }
    }

    /// Checks the default values of non-ghost parameters: they are evaluated where an argument is
    /// omitted.
    fn defaults(&mut self, id: CallableId) {
        for i in 0..self.program[id].ins.len() {
            let Some(formal) = self.program[id].ins.get_mut(i) else {
                continue;
            };
            let (local, default) = (formal.local, formal.default.take());
            let Some(mut e) = default else { continue };
            if !self.is_ghost(local) {
                self.compiled(&mut e);
            }
            if let Some(formal) = self.program[id].ins.get_mut(i) {
                formal.default = Some(e);
            }
        }
    }

    fn constants(&mut self) {
        let ids: Vec<crate::typed::FieldId> = self.program.ids();
        for id in ids {
            if let FieldKind::Const(value) = &mut self.program[id].kind
                && let Some(mut e) = value.take()
            {
                self.declaration = Some(Declaration::Const(id));
                if self.program[id].ghost {
                    self.erase_expr(&mut e)
                } else {
                    self.compiled(&mut e)
                }
                if let FieldKind::Const(value) = &mut self.program[id].kind {
                    *value = Some(e);
                }
            }
        }
    }

    fn types(&mut self) {
        let ids: Vec<crate::typed::TypeId> = self.program.ids();
        for id in ids {
            self.declaration = Some(Declaration::Type(id));
            match &mut self.program[id].kind {
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    let witness = std::mem::replace(&mut c.witness, Witness::Default);
                    let witness = match witness {
                        Witness::Compiled(mut e) => {
                            self.compiled(&mut e);
                            Witness::Compiled(e)
                        }
                        Witness::Ghost(mut e) => {
                            self.erase_expr(&mut e);
                            Witness::Ghost(e)
                        }
                        Witness::Default | Witness::Opt => witness,
                    };
                    if let TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) =
                        &mut self.program[id].kind
                    {
                        c.witness = witness;
                    }
                }
                TypeDeclKind::Iterator(parts) => {
                    let (mut spec, mut body) = (std::mem::take(&mut parts.spec), parts.body.take());
                    let (mut before, mut after) = (
                        std::mem::take(&mut parts.yield_requires),
                        std::mem::take(&mut parts.yield_ensures),
                    );
                    self.contract(&mut spec);
                    for c in before.iter_mut().chain(&mut after) {
                        self.erase_expr(&mut c.cond);
                    }
                    if let Some(b) = &mut body {
                        self.body(b, false);
                    }
                    if let TypeDeclKind::Iterator(parts) = &mut self.program[id].kind {
                        parts.spec = spec;
                        parts.body = body;
                        parts.yield_requires = before;
                        parts.yield_ensures = after;
                    }
                }
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. } => {}
            }
        }
    }

    /// See [`TypeFacts::uncompilable`].
    fn uncompilable(&mut self) -> FxHashSet<TypeId> {
        let ids: Vec<TypeId> = self.program.ids();
        let mut found = FxHashSet::default();
        self.declaration = None;
        for id in &ids {
            let (TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) = &self.program[*id].kind
            else {
                continue;
            };
            let Some(mut constraint) = c.constraint.clone() else {
                continue;
            };
            // Discard the reasons and restore the variables: a ghost constraint is not an error.
            let mark = self.diagnostics.len();
            let mut own = Bound(Vec::new());
            own.expr(&mut constraint);
            let before: Vec<(LocalId, bool)> =
                own.0.into_iter().map(|l| (l, self.is_ghost(l))).collect();
            if self.spec(&mut constraint).is_some() {
                found.insert(*id);
            }
            before
                .into_iter()
                .for_each(|(l, ghost)| self.program[l].ghost = ghost);
            self.diagnostics.truncate(mark);
        }
        // A type is also uncompilable if one of its base types is.
        // Bases may be cyclic, which is reported elsewhere: the types seen so far end the search.
        let under = |program: &Program, id: TypeId| {
            let mut seen = vec![id];
            while let Some(TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) =
                seen.last().map(|id| &program[*id].kind)
            {
                if let Type::Named { decl, .. } = &c.base
                    && found.contains(decl)
                {
                    return true;
                } else if let Type::Named { decl, .. } = &c.base
                    && !seen.contains(decl)
                {
                    seen.push(*decl)
                } else {
                    return false;
                }
            }
            false
        };
        let more: Vec<TypeId> = ids
            .into_iter()
            .filter(|id| under(self.program, *id))
            .collect();
        found.extend(more);
        found
    }

    fn contract(&mut self, spec: &mut Spec) {
        for c in spec.requires.iter_mut().chain(&mut spec.ensures) {
            self.erase_expr(&mut c.cond);
        }
        self.frames(&mut spec.reads);
        self.frames(&mut spec.modifies);
        spec.decreases.iter_mut().for_each(|e| self.erase_expr(e));
    }

    fn frames(&mut self, frames: &mut [Frame]) {
        for f in frames {
            if let Some(e) = &mut f.object {
                self.erase_expr(e);
            }
        }
    }

    /// Reports a `modify` frame in ghost code that names a non-ghost field.
    fn ghost_frames(&mut self, frames: &[Frame]) {
        for frame in frames {
            let Some(field) = frame.field.map(|f| &self.program[f]).filter(|f| !f.ghost) else {
                continue;
            };
            let message = format!(
                "ghost code can modify ghost fields only, and `{}` is not ghost",
                field.name
            );
            self.diagnostics.push(Diagnostic::error(
                "resolve/ghost-modifies",
                frame.span,
                message,
            ));
        }
    }

    fn make_ghost(&mut self, local: LocalId) {
        self.program[local].ghost = true;
    }

    fn is_ghost(&self, local: LocalId) -> bool {
        self.program[local].ghost
    }

    fn report(&mut self, reason: &Reason) {
        if reason.soft {
            return;
        }
        let message = format!("{} can be used in ghost contexts only", reason.what);
        let d = Diagnostic::error("resolve/ghost-in-compiled", reason.span, message);
        self.diagnostics.push(d.with_help(
            "declare the target `ghost`, or remove `ghost` from the declaration that is used",
        ));
    }

    /// Marks everything in an expression as ghost.
    fn erase_expr(&mut self, e: &mut Expr) {
        Erase(self.program).expr(e);
    }

    fn erase_block(&mut self, b: &mut Block) {
        walk_block(&mut Erase(self.program), b);
    }

    fn erase_pattern(&mut self, p: &mut Pattern) {
        Erase(self.program).pattern(p);
    }
}

/// Collects the variables that an expression declares.
struct Bound(Vec<LocalId>);

impl Rewrite for Bound {
    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::LetSuchThat { vars, .. } = &e.kind {
            self.0.extend(&vars.vars);
        }
        crate::typed::rewrite::walk_expr(self, e);
    }

    fn pattern(&mut self, p: &mut Pattern) {
        if let PatternKind::Var(l) = p.kind {
            self.0.push(l);
        }
        walk_pattern(self, p);
    }
}

/// Marks all variables and statements that it visits as ghost.
struct Erase<'a>(&'a mut Program);

impl Erase<'_> {
    fn declares(&mut self, locals: &[LocalId]) {
        for l in locals {
            self.0[*l].ghost = true;
        }
    }
}

impl Rewrite for Erase<'_> {
    fn expr(&mut self, e: &mut Expr) {
        if let crate::typed::ExprKind::Lambda(l) = &e.kind {
            let params = l.params.clone();
            self.declares(&params);
        } else if let crate::typed::ExprKind::LetOrFail(l) = &e.kind {
            let temp = l.temp;
            self.declares(&[temp]);
        }
        // A ghost expression is not compiled, so that Dafny sets no condition for it.
        self.0.compiled.remove(&e.span);
        crate::typed::rewrite::walk_expr(self, e);
        // Ghost conditions may quantify over infinite sets. They are rewritten to forms that can be
        // evaluated where possible.
        super::membership::decide(self.0, e);
        super::split::split(self.0, e);
    }

    fn stmt(&mut self, s: &mut Stmt) {
        use crate::typed::StmtKind;
        s.ghost = true;
        self.declares(s.kind.declares());
        if let StmtKind::AssignOrFail(a) = &s.kind {
            self.declares(&[a.temp]);
        } else if let StmtKind::For { index, .. } = &s.kind {
            self.declares(&[*index]);
        }
        walk_stmt(self, s);
    }

    fn pattern(&mut self, p: &mut Pattern) {
        if let PatternKind::Var(l) = p.kind {
            self.declares(&[l]);
        }
        walk_pattern(self, p);
    }

    fn quantified(&mut self, q: &mut Quantified) {
        let vars = q.vars.clone();
        self.declares(&vars);
        walk_quantified(self, q);
        walk_bounds(self, q);
    }
}
