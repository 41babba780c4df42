//! The state before the call, in variables that are assigned before it.

use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{Expr, ExprKind, LocalId, Program, Type};
use dtest_sorted::SortedSet;

use super::super::names::{lower_camel, unique};
use super::super::{Piece, Role, Written};
use super::Writer;
use super::operators::PRIMARY;

/// The parts of the state before the call that clauses read.
#[derive(Default)]
pub(in crate::dafny) struct Before {
    /// Expressions with the variables that store their values.
    known: Vec<(String, String)>,
    pub(in crate::dafny) pieces: Vec<Piece>,
}

impl Writer<'_, '_> {
    /// Writes the value of an expression before the call.
    pub(super) fn old(&mut self, e: &Expr) -> Written<String> {
        if self.in_old {
            return self.expr(e, PRIMARY);
        }
        if self.before.is_none() {
            return Err("`old` in a specification function".into());
        }
        if self.mentions_bound(e) {
            // Parts without bound variables are stored before the call; the rest is evaluated
            // afterwards.
            self.in_old = true;
            let written = self.expr(e, PRIMARY);
            self.in_old = false;
            return written;
        }
        self.hoist(e, "")
    }

    /// Stores the value of an expression without bound variables in a variable before the call.
    fn hoist(&mut self, e: &Expr, suffix: &str) -> Written<String> {
        // An expression that does not read the heap has the same value after the call.
        if suffix.is_empty() && !reads_heap(self.program(), e) {
            let was = std::mem::replace(&mut self.in_old, false);
            let text = self.expr(e, PRIMARY);
            self.in_old = was;
            return text;
        }
        let (outer, was) = (
            std::mem::take(&mut self.needs),
            std::mem::replace(&mut self.in_old, false),
        );
        // The expression itself is evaluated before the call, so nothing in it needs to be stored.
        let before = self.before.take();
        let text = self.expr(e, if suffix.is_empty() { 0 } else { PRIMARY });
        self.in_old = was;
        let needs = std::mem::replace(&mut self.needs, outer);
        let Some((before, taken)) = before else {
            return text;
        };
        let text = text.map(|t| t + suffix);
        let name = text.map(|text| {
            if let Some((_, name)) = before.known.iter().find(|(known, _)| *known == text) {
                return name.clone();
            }
            let word = format!("{}Before", word_of(self.names.program, e));
            let names = self.names;
            let name = unique(&lower_camel(&word), taken, &|n| !names.is_opened(n));
            before.known.push((text.clone(), name.clone()));
            let line = format!("var {name} := {text};");
            before.pieces.push(
                Piece::new(line, Role::Before)
                    .providing(name.clone())
                    .needing(needs),
            );
            name
        });
        self.before = Some((before, taken));
        let name = name?;
        self.needs.push(name.clone());
        Ok(name)
    }

    /// Writes an expression within an `old` that has bound variables; the parts that read the state
    /// before the call are stored.
    pub(super) fn read_before(&mut self, e: &Expr) -> Written<Option<String>> {
        // Without bound variables, the whole expression can be read before the call.
        if !self.mentions_bound(e) {
            return self.hoist(e, "").map(Some);
        }
        let program = self.program();
        let dims = |ty: &Type| {
            if let Type::Array { dims, .. } = program.strip_subset(ty) {
                Some(dims)
            } else {
                None
            }
        };
        // An element of an array: the copy is of all elements, and the index is applied to it.
        if let ExprKind::Index { object, indices } = &e.kind
            && dims(&object.ty) == Some(1)
        {
            if self.mentions_bound(object) {
                return Err(
                    "`old` of elements of an array that depends on a bound variable".into(),
                );
            }
            let copy = self.hoist(object, "[..]")?;
            return Ok(Some(format!("{copy}[{}]", self.list(indices)?)));
        }
        // Any other read of the heap depends on the bound variable, so that no copy before the call
        // suffices; only expressions independent of the heap remain.
        if let ExprKind::Index { object, .. } | ExprKind::Slice { object, .. } = &e.kind
            && dims(&object.ty).is_some()
        {
            return Err("`old` of a part of an array that depends on a bound variable".into());
        }
        if let ExprKind::Field { field, object, .. } = &e.kind
            && object.is_some()
            && program[*field].kind.is_mutable()
        {
            return Err("`old` of a field of an object that depends on a bound variable".into());
        }
        if let ExprKind::Call(call) = &e.kind
            && !program[call.callee].spec.reads.is_empty()
        {
            return Err("`old` of a function that reads the heap, of a bound variable".into());
        }
        if let ExprKind::Apply { function, .. } = &e.kind
            && !is_total(program, &function.ty)
        {
            return Err("`old` of a function value of a bound variable".into());
        }
        Ok(None)
    }

    fn mentions_bound(&self, e: &Expr) -> bool {
        struct Mentions<'m>(&'m SortedSet<LocalId>, bool);
        impl<'t> Visit<'t> for Mentions<'_> {
            fn expr(&mut self, e: &'t Expr) {
                if let ExprKind::Local(l) = &e.kind {
                    self.1 |= self.0.contains(l);
                }
                visit::walk_expr(self, e);
            }
        }
        let mut found = Mentions(&self.bound, false);
        found.expr(e);
        found.1
    }
}

/// Whether the value of an expression depends on the heap.
fn reads_heap(program: &Program, e: &Expr) -> bool {
    struct Reads<'p>(&'p Program, bool);
    impl<'t> Visit<'t> for Reads<'_> {
        fn expr(&mut self, e: &'t Expr) {
            let program = self.0;
            let is_array = |e: &Expr| matches!(program.strip_subset(&e.ty), Type::Array { .. });
            if let ExprKind::Field { field, .. } = &e.kind {
                self.1 |= program[*field].kind.is_mutable();
            } else if let ExprKind::Call(call) = &e.kind {
                self.1 |= !program[call.callee].spec.reads.is_empty();
            } else if let ExprKind::Index { object, .. }
            | ExprKind::Slice { object, .. }
            | ExprKind::MultisetFrom(object) = &e.kind
            {
                self.1 |= is_array(object);
            } else if let ExprKind::Apply { function, .. } = &e.kind {
                self.1 |= !is_total(program, &function.ty);
            } else {
                self.1 |= e.kind.temporal().is_some();
            }
            visit::walk_expr(self, e);
        }
    }
    let mut found = Reads(program, false);
    found.expr(e);
    found.1
}

fn is_total(program: &Program, ty: &Type) -> bool {
    matches!(
        program.strip_subset(ty),
        Type::Arrow {
            kind: dafny_syntax::ast::ArrowKind::Total | dafny_syntax::ast::ArrowKind::Partial,
            ..
        }
    )
}

/// Returns a word for the value of an expression, for a variable name.
fn word_of(program: &Program, e: &Expr) -> String {
    let mut e = e;
    while let ExprKind::Slice { object: inner, .. }
    | ExprKind::Index { object: inner, .. }
    | ExprKind::Builtin { object: inner, .. }
    | ExprKind::Cardinality(inner)
    | ExprKind::MultisetFrom(inner) = &e.kind
    {
        e = inner;
    }
    if let ExprKind::Local(l) = &e.kind {
        program[*l].name.to_string()
    } else if let ExprKind::Field { field, .. } = &e.kind {
        program[*field].name.to_string()
    } else if let ExprKind::Call(call) = &e.kind {
        program[call.callee].name.to_string()
    } else {
        "value".into()
    }
}
