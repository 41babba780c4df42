//! Wraps all declarations of a file in a module.
//!
//! Excluded are files that print values of declared types, whose text contains the module's name,
//! files with refining modules, whose names may be referenced from outside, and files with external
//! declarations.

use dafny_resolve::typed::visit::{Visit as VisitTyped, walk_body, walk_stmt};
use dafny_resolve::typed::{self, TypeDeclKind};
use dafny_syntax::ast::{Attribute, Ident, Modifiers, ModuleDecl, QualifiedName, Span, TopDecl};
use dafny_syntax::visit::{Node, Visit};

use crate::build::ident;
use crate::mutation::{Place, Work};
use crate::types::is_undeclared;

/// The file, if it can be wrapped.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let mut bound = Bound(false);
    work.file.walk(&mut bound);
    let has_own = work.file.decls.iter().any(|d| {
        !matches!(
            d,
            TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_)
        )
    });
    if bound.0 || !has_own || prints_declared(work.facts.program) {
        return Vec::new();
    }
    vec![Place::new(work.file.span, move |_, names| {
        let mut file = work.file.clone();
        let name: Ident = ident(&names.fresh("Whole"));
        let name = QualifiedName {
            segments: vec![name],
            span: Span::default(),
        };
        let decls = std::mem::take(&mut file.decls);
        file.decls.push(TopDecl::Module(ModuleDecl {
            modifiers: Modifiers::default(),
            name,
            base: None,
            decls,
            span: Span::default(),
        }));
        Some(file)
    })]
}

/// Whether something in a file depends on its position.
struct Bound(bool);

impl<'t> Visit<'t> for Bound {
    fn top_decl(&mut self, node: &'t TopDecl) {
        match node {
            TopDecl::Module(m) => {
                let is_apart = m.name.segments.len() > 1
                    || m.base.is_some()
                    || m.modifiers.is_abstract
                    || m.modifiers.replaceable;
                self.0 |= is_apart;
            }
            TopDecl::Import(i) => self.0 |= i.is_abstract,
            TopDecl::Export(_) => self.0 = true,
            // Only outside of modules, values of an abstract type are known to contain no objects.
            TopDecl::Type(t) => self.0 |= t.definition.is_none(),
            TopDecl::Class(_)
            | TopDecl::Datatype(_)
            | TopDecl::Newtype(_)
            | TopDecl::Iterator(_)
            | TopDecl::Member(_) => {}
        }
        node.walk(self);
    }
    fn attribute(&mut self, node: &'t Attribute) {
        self.0 |= matches!(&*node.name.name, "extern" | "options" | "main" | "Options");
    }
}

/// Whether a value is printed whose text may contain the name of a module.
fn prints_declared(program: &typed::Program) -> bool {
    struct Prints(bool);
    impl<'t> VisitTyped<'t> for Prints {
        fn stmt(&mut self, s: &'t typed::Stmt) {
            if let typed::StmtKind::Print(all) = &s.kind {
                self.0 |= all.iter().any(|e| !is_undeclared(&e.ty));
            } else if let typed::StmtKind::Expect {
                message: Some(message),
                ..
            } = &s.kind
            {
                self.0 |= !is_undeclared(&message.ty);
            } else if matches!(&s.kind, typed::StmtKind::AssignOrFail(_)) {
                // The message reports the value that halted the program.
                self.0 = true;
            }
            walk_stmt(self, s);
        }
    }
    let mut prints = Prints(false);
    program
        .callables
        .iter()
        .for_each(|c| walk_body(&mut prints, &c.body));
    for ty in &program.types {
        if let TypeDeclKind::Iterator(iterator) = &ty.kind {
            iterator.body.iter().for_each(|b| prints.block(b));
        }
    }
    prints.0
}
