//! Cyclic dependencies between the types of declarations. With `--type-system-refresh`, signatures
//! are completed on demand, and none may depend on itself
//! (`PreTypeResolver.ResolveDeclarationSignature`).
//!
//! A type with an omitted base depends on everything in its constraint, and a constant without a
//! type on everything in its value. All other declarations depend on the subset types and newtypes
//! in their signatures.

use rustc_hash::FxHashSet;

use crate::typed::{
    Arena, CallableId, CallableKind, Expr, ExprKind, FieldId, FieldKind, ModuleId, Origin, Program,
    Quantified, Type, TypeDeclKind, TypeId,
    visit::{self, Visit},
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};

use super::super::context::Context;
use super::super::graph::Declaration;
use super::Check;
use super::variance::named;

pub(super) fn check(c: &mut Check<'_>) {
    if !c.program().options.type_system_refresh || c.cx.types.inferred.is_empty() {
        return;
    }
    for module in modules(c.program()) {
        let mut signatures = Signatures {
            cx: c.cx,
            done: FxHashSet::default(),
            asked: Vec::new(),
            found: Vec::new(),
        };
        module
            .into_iter()
            .for_each(|node| signatures.complete(node));
        c.found.append(&mut signatures.found);
    }
}

/// The declarations of each module in Dafny's order: the members of the module, then each type
/// followed by its members.
fn modules(program: &Program) -> Vec<Vec<Declaration>> {
    let mut all: Vec<Vec<(Option<TypeId>, u32, Declaration)>> =
        vec![Vec::new(); program.modules.len()];
    let mut add = |module: ModuleId, owner: Option<TypeId>, span: Span, node: Declaration| {
        if let Some(list) = all.get_mut(module.0 as usize) {
            list.push((owner, span.start, node));
        }
    };
    let types: Vec<TypeId> = program.ids();
    types.into_iter().for_each(|t| {
        add(
            program[t].module,
            Some(t),
            Span::new(0, 0),
            Declaration::Type(t),
        )
    });
    let callables: Vec<CallableId> = program.ids();
    callables.into_iter().for_each(|m| {
        add(
            program[m].module,
            program[m].owner,
            program[m].span,
            Declaration::Callable(m),
        )
    });
    let fields: Vec<FieldId> = program.ids();
    fields.into_iter().for_each(|f| {
        add(
            program[f].module,
            program[f].owner,
            program[f].span,
            Declaration::Const(f),
        )
    });
    // Members of the module have no owner and come before all types.
    for list in &mut all {
        list.sort_by_key(|(owner, start, _)| {
            (owner.map_or(0, |t| program[t].span.start + 1), *start)
        });
    }
    all.into_iter()
        .map(|list| list.into_iter().map(|(.., node)| node).collect())
        .collect()
}

struct Signatures<'a> {
    cx: &'a Context,
    done: FxHashSet<Declaration>,
    /// The declarations being completed. Each depends on the next.
    asked: Vec<Declaration>,
    found: Vec<Diagnostic>,
}

impl<'a> Signatures<'a> {
    fn complete(&mut self, node: Declaration) {
        if self.done.contains(&node) {
            return;
        }
        if let Some(start) = self.asked.iter().position(|n| *n == node) {
            // The declaration is being completed further out: everything since then depends on
            // itself.
            self.circle(start);
        } else {
            self.asked.push(node);
            for asked in self.asks(node) {
                stacker::maybe_grow(visit::RED_ZONE, visit::STACK, || self.complete(asked));
            }
            self.asked.pop();
        }
        self.done.insert(node);
    }

    fn asks(&self, node: Declaration) -> Vec<Declaration> {
        let program = &self.cx.program;
        let mut asks = Asks {
            program,
            found: Vec::new(),
        };
        let inferred = self.cx.types.inferred.contains(&node);
        match node {
            Declaration::Type(t) => match &program[t].kind {
                TypeDeclKind::Subset(c) | TypeDeclKind::Newtype(c) => match &c.constraint {
                    // The base comes from the constraint, so that all types in it have to be known.
                    Some(constraint) if inferred => asks.expr(constraint),
                    Some(_) | None => asks.named(&c.base),
                },
                TypeDeclKind::Datatype { ctors, .. } => {
                    ctors
                        .iter()
                        .flat_map(|c| &program[*c].fields)
                        .for_each(|f| asks.named(&program[*f].ty));
                }
                TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => {}
            },
            Declaration::Callable(id) | Declaration::ByMethod(id) => {
                let callable = &program[id];
                callable
                    .ins
                    .iter()
                    .chain(&callable.outs)
                    .for_each(|f| asks.named(&program[f.local].ty));
            }
            Declaration::Const(f) => match &program[f].kind {
                FieldKind::Const(Some(e)) if inferred => asks.expr(e),
                FieldKind::Const(_) | FieldKind::Mutable | FieldKind::Destructor(_) => {
                    asks.named(&program[f].ty)
                }
            },
        }
        asks.found
    }

    /// Reports the cycle that begins at index `start` of [`Self::asked`].
    fn circle(&mut self, start: usize) {
        let program = &self.cx.program;
        let Some(circle) = self.asked.get(start..) else {
            return;
        };
        let (Some(first), Some(last)) = (circle.first(), circle.last()) else {
            return;
        };
        let path: Vec<String> = circle
            .iter()
            .chain([first])
            .map(|n| name_of(program, *n).to_string())
            .collect();
        let message = format!(
            "cyclic dependency between the types of declarations: {}",
            path.join(" -> ")
        );
        let d = Diagnostic::error("resolve/type-cycle", span_of(program, *first), message);
        self.found
            .push(d.with_help("write one of the omitted types"));
        if let Declaration::Type(t) = last
            && matches!(program[*t].kind, TypeDeclKind::Newtype(_))
        {
            self.found.push(undetermined_base(program, *t));
        }
    }
}

/// The error for a newtype whose base cannot be inferred.
pub(crate) fn undetermined_base(program: &Program, id: TypeId) -> Diagnostic {
    let decl = &program[id];
    let message = format!(
        "the base of the newtype `{}` cannot be inferred from its constraint",
        decl.name
    );
    Diagnostic::error("resolve/underspecified-type", decl.span, message)
        .with_help("add a type annotation to the variable: `x: T | …`")
}

fn name_of(program: &Program, node: Declaration) -> &Name {
    match node {
        Declaration::Type(t) => &program[t].name,
        Declaration::Callable(c) | Declaration::ByMethod(c) => &program[c].name,
        Declaration::Const(f) => &program[f].name,
    }
}

fn span_of(program: &Program, node: Declaration) -> Span {
    match node {
        Declaration::Type(t) => program[t].span,
        Declaration::Callable(c) | Declaration::ByMethod(c) => program[c].span,
        Declaration::Const(f) => program[f].span,
    }
}

/// Collects the declarations that the type of an expression depends on.
struct Asks<'a> {
    program: &'a Program,
    found: Vec<Declaration>,
}

impl Asks<'_> {
    /// Adds the subset types and newtypes in a type.
    fn named(&mut self, ty: &Type) {
        let mut types = Vec::new();
        named(ty, &mut types);
        types.retain(|t| {
            matches!(
                self.program[*t].kind,
                TypeDeclKind::Subset(_) | TypeDeclKind::Newtype(_)
            )
        });
        self.found.extend(types.into_iter().map(Declaration::Type));
    }

    fn called(&mut self, callee: CallableId) {
        self.found.push(Declaration::Callable(callee));
        let callee = &self.program[callee];
        if callee.kind != CallableKind::Lemma {
            callee
                .outs
                .iter()
                .for_each(|f| self.named(&self.program[f.local].ty));
        }
    }
}

impl<'t> Visit<'t> for Asks<'t> {
    fn expr(&mut self, e: &'t Expr) {
        match e.kind.origin() {
            Some(Origin::Call(c)) => self.called(c.callee),
            Some(Origin::Function(callee)) => self.called(callee),
            Some(Origin::Ctor(ctor, _)) => self
                .found
                .push(Declaration::Type(self.program[ctor].datatype)),
            Some(Origin::Field(field)) => self.found.push(Declaration::Const(field)),
            Some(Origin::Local(_)) | None => {}
        }
        if let ExprKind::Convert(_) = &e.kind {
            self.named(&e.ty);
        } else if let ExprKind::Is(_, ty) = &e.kind {
            self.named(ty);
        }
        visit::walk_expr(self, e);
    }

    fn quantified(&mut self, q: &'t Quantified) {
        q.vars.iter().for_each(|v| self.named(&self.program[*v].ty));
        visit::walk_quantified(self, q);
    }
}
