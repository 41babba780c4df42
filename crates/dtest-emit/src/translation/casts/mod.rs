//! Makes every change of type between a class, a trait and `object` an `as` of its own.
//!
//! In Dafny a value of a class goes where a trait is asked for, also inside of collections, functions and datatypes; in
//! Rust each is a type of its own. This pass writes the conversions that the language leaves out, so that what follows
//! only has to translate `e as T`. A program without traits, `object` and bounded type parameters is left as it is.

mod exprs;
mod stmts;
mod types;

pub(super) use stmts::target_type;
pub(super) use types::{is_upcast, needs_cast};

use dafny_resolve::typed::{Body, FieldKind, Local, LocalId, Program, Span, Type, TypeDeclKind, Witness};

/// The program with its casts written out.
pub(super) fn explicit(program: &Program) -> std::borrow::Cow<'_, Program> {
    let bounded = program.type_params.iter().any(|p| !p.bounds.is_empty());
    let traits = program.types.iter().any(|t| matches!(t.kind, TypeDeclKind::Trait { .. }));
    if !bounded && !traits && !types::mentions_object(program) {
        return std::borrow::Cow::Borrowed(program);
    }
    let mut out = program.clone();
    let mut casts = Casts { program, added: Vec::new() };
    for c in &mut out.callables {
        match &mut c.body {
            Body::None => {}
            Body::Expr(e) => casts.result(e, c.outs.first().map(|f| f.local)),
            Body::Block(block) => casts.block(block),
            Body::ByMethod(e, block) => {
                casts.result(e, c.outs.first().map(|f| f.local));
                casts.block(block);
            }
        }
        for clause in c.spec.requires.iter_mut().chain(&mut c.spec.ensures) {
            casts.expr(&mut clause.cond);
        }
        c.spec.modifies.iter_mut().filter_map(|f| f.object.as_mut()).for_each(|o| casts.expr(o));
    }
    for f in &mut out.fields {
        if let FieldKind::Const(Some(e)) = &mut f.kind {
            casts.flow(e, &f.ty);
        }
    }
    for t in &mut out.types {
        if let TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) = &mut t.kind {
            c.constraint.iter_mut().for_each(|e| casts.expr(e));
            if let Witness::Compiled(e) | Witness::Ghost(e) = &mut c.witness {
                casts.flow(e, &c.base);
            }
        }
    }
    out.locals.extend(casts.added);
    std::borrow::Cow::Owned(out)
}

/// The pass: the program as it was, and the variables that it adds.
struct Casts<'p> {
    program: &'p Program,
    added: Vec<Local>,
}

impl Casts<'_> {
    /// A new variable.
    fn fresh(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        let name = format!("{name}#{}", self.added.len());
        self.added.push(Local { name: name.into(), ty, ghost: false, mutable: false, inferred: false, span });
        LocalId((self.program.locals.len() + self.added.len() - 1) as u32)
    }

    /// The type of a variable.
    fn local_type(&self, local: LocalId) -> Type {
        let own = (local.0 as usize).checked_sub(self.program.locals.len()).and_then(|i| self.added.get(i));
        own.map_or_else(|| self.program[local].ty.clone(), |l| l.ty.clone())
    }

    fn result(&mut self, e: &mut dafny_resolve::typed::Expr, out: Option<LocalId>) {
        match out {
            Some(out) => {
                let ty = self.local_type(out);
                self.flow(e, &ty);
            }
            None => self.expr(e),
        }
    }
}
