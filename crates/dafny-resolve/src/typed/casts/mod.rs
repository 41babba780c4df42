//! Makes every change of type between a class, a trait and `object` an `as` of its own.
//!
//! In Dafny a value of a class goes where a trait is asked for, also inside of collections, functions and datatypes. Where
//! the two are held differently, something has to be done there. [`explicit`] writes all of these conversions, for a target in
//! which each type is one of its own; [`explicit_newtypes`] only those between a newtype and the traits that it extends, for whoever
//! holds values as they are: a number does not say of which newtype it is.

mod exprs;
mod stmts;
#[cfg(test)]
mod tests;
mod types;

pub use stmts::target_type;
pub use types::{changes_newtype, is_upcast, needs_cast};

use std::borrow::Cow;

use super::{
    Body, Callable, Clause, Expr, FieldKind, Frame, IteratorParts, Local, LocalId, Program, Span,
    Spec, Type, TypeDeclKind, TypeId, Witness,
};

/// The compiled program with all its casts written out. A program without traits, `object` and bounded type parameters is left as
/// it is.
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

/// The program with the casts written out that change between a newtype and a trait that it extends, in ghost code too, and also for
/// receivers: what is called as a member of a trait is given a value of the trait. A program without such newtypes is left as it is.
pub fn explicit_newtypes(program: &Program) -> Cow<'_, Program> {
    let extends =
        |t: &super::TypeDecl| matches!(t.kind, TypeDeclKind::Newtype(_)) && !t.parents.is_empty();
    if !program.types.iter().any(extends) {
        return Cow::Borrowed(program);
    }
    Cow::Owned(Casts::new(program, Written::Newtypes).of_program())
}

/// Which casts are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    /// All, in compiled code.
    All,
    /// Those of newtypes, in all code.
    Newtypes,
}

/// The pass: the program as it was, and the variables that it adds.
struct Casts<'p> {
    program: &'p Program,
    written: Written,
    /// The newtype whose members are at hand.
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

    /// A newtype whose members see its values as what they are.
    fn newtype(&self, owner: Option<TypeId>) -> Option<TypeId> {
        owner.filter(|t| {
            self.written == Written::Newtypes
                && matches!(self.program[*t].kind, TypeDeclKind::Newtype(_))
        })
    }

    /// Whether a value of one type has to be converted to stand for one of another.
    fn needs(&self, from: &Type, to: &Type) -> bool {
        match self.written {
            Written::All => types::needs_cast(self.program, from, to),
            Written::Newtypes => types::changes_newtype(self.program, from, to),
        }
    }

    /// Whether every value of `from` is one of `to`, as far as casts are written between them.
    fn is_upcast(&self, from: &Type, to: &Type) -> bool {
        !self.needs(from, to) || is_upcast(self.program, from, to)
    }

    /// A new variable.
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
