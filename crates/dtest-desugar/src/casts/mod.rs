//! A pass that makes implicit conversions between classes, traits and `object` explicit.
//!
//! In Dafny, a value of a class may be used where a trait is required, also inside collections,
//! functions and datatypes. If a target represents the two differently, the value has to be
//! converted. [`explicit`] inserts all these conversions, for a target that represents each type
//! differently. [`explicit_newtypes`] inserts only those between a newtype and the traits that it
//! extends, for users that represent values by themselves: a number does not carry its newtype.

mod exprs;
mod stmts;
#[cfg(test)]
mod tests;
mod types;

pub use stmts::target_type;
pub use types::{changes_newtype, is_upcast, needs_cast};

use std::borrow::Cow;

use dafny_resolve::typed::{
    Body, Callable, Clause, Expr, FieldKind, Frame, IteratorParts, Local, LocalId, Program, Span,
    Spec, Type, TypeDecl, TypeDeclKind, TypeId, Witness,
};

/// Inserts all casts in compiled code. Returns a program without traits, `object` and bounded type
/// parameters unchanged.
pub fn explicit(program: &Program) -> Cow<'_, Program> {
    let bounded = program.type_params.iter().any(|p| !p.bounds.is_empty());
    let traits = program
        .types
        .iter()
        .any(|t| matches!(t.kind, TypeDeclKind::Trait { .. }));
    if !bounded && !traits && !types::mentions_object(program) {
        return Cow::Borrowed(program);
    }
    Cow::Owned(Casts::new(program, Written::All).of_program())
}

/// Inserts the casts between newtypes and the traits that they extend, also in ghost code and for
/// receivers: a member of a trait is called on a value of the trait. Returns a program without such
/// newtypes unchanged.
pub fn explicit_newtypes(program: &Program) -> Cow<'_, Program> {
    let extends =
        |t: &TypeDecl| matches!(t.kind, TypeDeclKind::Newtype(_)) && !t.parents.is_empty();
    if !program.types.iter().any(extends) {
        return Cow::Borrowed(program);
    }
    Cow::Owned(Casts::new(program, Written::Newtypes).of_program())
}

/// The selection of casts to insert.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    /// All casts, in compiled code.
    All,
    /// Casts of newtypes, in all code.
    Newtypes,
}

/// The pass: the original program and the variables that it adds.
struct Casts<'p> {
    program: &'p Program,
    written: Written,
    /// The newtype whose members are being processed.
    this: Option<TypeId>,
    added: Vec<Local>,
}

impl<'p> Casts<'p> {
    fn new(program: &'p Program, written: Written) -> Self {
        Self {
            program,
            written,
            this: None,
            added: Vec::new(),
        }
    }

    fn of_program(mut self) -> Program {
        let mut out = self.program.clone();
        for c in &mut out.callables {
            self.this = self.newtype(c.owner);
            self.callable(c);
        }
        for f in &mut out.fields {
            self.this = self.newtype(f.owner);
            if let FieldKind::Const(Some(e)) = &mut f.kind {
                self.flow(e, &f.ty);
            }
        }
        self.this = None;
        for t in &mut out.types {
            match &mut t.kind {
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    c.constraint.iter_mut().for_each(|e| self.expr(e));
                    if let Witness::Compiled(e) | Witness::Ghost(e) = &mut c.witness {
                        self.flow(e, &c.base);
                    }
                }
                TypeDeclKind::Iterator(parts) if self.written == Written::Newtypes => {
                    self.iterator(parts)
                }
                TypeDeclKind::Iterator(_)
                | TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. } => {}
            }
        }
        out.locals.extend(self.added);
        out
    }

    fn callable(&mut self, c: &mut Callable) {
        let out = c.outs.first().map(|f| f.local);
        match &mut c.body {
            Body::None => {}
            Body::Expr(e) => self.result(e, out),
            Body::Block(block) => self.block(block),
            Body::ByMethod(e, block) => {
                self.result(e, out);
                self.block(block);
            }
        }
        self.spec(&mut c.spec);
        if self.written == Written::Newtypes {
            for formal in &mut c.ins {
                let ty = self.local_type(formal.local);
                formal.default.iter_mut().for_each(|e| self.flow(e, &ty));
            }
        }
    }

    fn spec(&mut self, spec: &mut Spec) {
        self.clauses(&mut spec.requires);
        self.clauses(&mut spec.ensures);
        self.frames(&mut spec.modifies);
        if self.written == Written::Newtypes {
            self.frames(&mut spec.reads);
            spec.decreases.iter_mut().for_each(|e| self.expr(e));
        }
    }

    fn iterator(&mut self, parts: &mut IteratorParts) {
        self.spec(&mut parts.spec);
        self.clauses(&mut parts.yield_requires);
        self.clauses(&mut parts.yield_ensures);
        parts.body.iter_mut().for_each(|b| self.block(b));
    }

    fn clauses(&mut self, clauses: &mut [Clause]) {
        clauses.iter_mut().for_each(|c| self.expr(&mut c.cond));
    }

    fn frames(&mut self, frames: &mut [Frame]) {
        frames
            .iter_mut()
            .filter_map(|f| f.object.as_mut())
            .for_each(|o| self.expr(o));
    }

    /// The owner if it is a newtype whose members see its values in their own representation.
    fn newtype(&self, owner: Option<TypeId>) -> Option<TypeId> {
        owner.filter(|t| {
            self.written == Written::Newtypes
                && matches!(self.program[*t].kind, TypeDeclKind::Newtype(_))
        })
    }

    /// Whether a value of type `from` has to be converted to be used as one of type `to`.
    fn needs(&self, from: &Type, to: &Type) -> bool {
        match self.written {
            Written::All => types::needs_cast(self.program, from, to),
            Written::Newtypes => types::changes_newtype(self.program, from, to),
        }
    }

    /// Whether every value of `from` is a value of `to`, among the types between which casts are
    /// inserted.
    fn is_upcast(&self, from: &Type, to: &Type) -> bool {
        !self.needs(from, to) || is_upcast(self.program, from, to)
    }

    /// Adds a variable.
    fn fresh(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        let name = format!("{name}#{}", self.added.len());
        self.added.push(Local {
            name: name.into(),
            ty,
            ghost: false,
            mutable: false,
            inferred: false,
            span,
        });
        LocalId((self.program.locals.len() + self.added.len() - 1) as u32)
    }

    /// The type of a variable.
    fn local_type(&self, local: LocalId) -> Type {
        let own = (local.0 as usize)
            .checked_sub(self.program.locals.len())
            .and_then(|i| self.added.get(i));
        own.map_or_else(|| self.program[local].ty.clone(), |l| l.ty.clone())
    }

    fn result(&mut self, e: &mut Expr, out: Option<LocalId>) {
        match out {
            Some(out) => {
                let ty = self.local_type(out);
                self.flow(e, &ty);
            }
            None => self.expr(e),
        }
    }
}
