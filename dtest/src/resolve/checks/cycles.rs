//! The constraint of a subset type or newtype does not depend on the type itself, nor the value of a constant on the
//! constant.

use rustc_hash::FxHashSet;

use crate::typed::{
    Arena, Body, CallableId, Constrained, Expr, ExprKind, FieldId, FieldKind, Program, Stmt, Type, TypeDeclKind, TypeId, Witness,
    visit::{self, Visit},
};

use super::Check;
use super::variance::named;

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<TypeId> = program.ids();
    let mut reported: Vec<TypeId> = Vec::new();
    for id in ids {
        if !matches!(program[id].kind, TypeDeclKind::Subset(_) | TypeDeclKind::Newtype(_)) {
            continue;
        }
        let reached = reached(program, Node::Type(id));
        // One report for all types of a circle.
        if !reached.contains(&Node::Type(id)) || reported.iter().any(|r| reached.contains(&Node::Type(*r))) {
            continue;
        }
        reported.push(id);
        let message = format!("recursive constraint dependency involving a {}: {}", c.kind_of(id), program[id].name);
        let d = crate::diagnostic::Diagnostic::error("resolve/cyclic-constraint", program[id].span, message);
        c.found.push(d.with_note("what the constraint uses must be known before the type is"));
    }
}

/// Constants whose values mention them.
pub(super) fn own_values(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<FieldId> = program.ids();
    for id in ids {
        let FieldKind::Const(Some(e)) = &program[id].kind else { continue };
        let mut uses = Uses { program, found: Vec::new() };
        uses.expr(e);
        if uses.found.contains(&Node::Const(id)) {
            let name = &program[id].name;
            c.error("resolve/cyclic-constant", program[id].span, format!("the value of the constant `{name}` depends on `{name}` itself"));
        }
    }
}

/// Constants whose values depend on them by way of others; one report a circle.
pub(super) fn constants(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<FieldId> = program.ids();
    let mut reported: Vec<FieldId> = Vec::new();
    for id in ids {
        let FieldKind::Const(Some(_)) = &program[id].kind else { continue };
        let reached = reached(program, Node::Const(id));
        if !reached.contains(&Node::Const(id)) || reported.iter().any(|r| reached.contains(&Node::Const(*r))) {
            continue;
        }
        reported.push(id);
        let name = &program[id].name;
        let d = crate::diagnostic::Diagnostic::error(
            "resolve/cyclic-constant",
            program[id].span,
            format!("the value of the constant `{name}` depends on `{name}` itself, by way of other declarations"),
        );
        c.found.push(d.with_note("what a constant's value uses must be known before the constant is"));
    }
}

/// What a type's definition may depend on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Type(TypeId),
    Function(CallableId),
    Const(FieldId),
}

/// All that a declaration depends on through some other one.
fn reached(program: &Program, from: Node) -> FxHashSet<Node> {
    let (mut seen, mut queue) = (FxHashSet::default(), vec![from]);
    while let Some(at) = queue.pop() {
        let mut uses = Uses { program, found: Vec::new() };
        uses.node(at);
        queue.extend(uses.found.into_iter().filter(|n| *n != at && seen.insert(*n)));
    }
    seen
}

struct Uses<'a> {
    program: &'a Program,
    found: Vec<Node>,
}

impl Uses<'_> {
    fn node(&mut self, node: Node) {
        let program = self.program;
        match node {
            Node::Type(t) => match &program[t].kind {
                TypeDeclKind::Datatype { ctors, .. } => {
                    ctors.iter().flat_map(|c| &program[*c].fields).for_each(|f| self.named(&program[*f].ty));
                }
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => self.constrained(c),
                TypeDeclKind::Abstract | TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => {}
            },
            Node::Function(f) => {
                let f = &program[f];
                f.ins.iter().chain(&f.outs).for_each(|p| self.named(&program[p.local].ty));
                visit::walk_clauses(self, &f.spec.requires);
                visit::walk_clauses(self, &f.spec.ensures);
                match &f.body {
                    Body::Expr(e) | Body::ByMethod(e, _) => self.expr(e),
                    Body::None | Body::Block(_) => {}
                }
            }
            Node::Const(f) => {
                self.named(&program[f].ty);
                if let FieldKind::Const(Some(e)) = &program[f].kind {
                    self.expr(e);
                }
            }
        }
    }

    fn constrained(&mut self, c: &Constrained) {
        self.named(&c.base);
        if let Some(e) = &c.constraint {
            self.expr(e);
        }
        match &c.witness {
            Witness::Compiled(e) | Witness::Ghost(e) => self.expr(e),
            Witness::Default | Witness::Opt => {}
        }
    }

    fn named(&mut self, ty: &Type) {
        let mut types = Vec::new();
        named(ty, &mut types);
        self.found.extend(types.into_iter().map(Node::Type));
    }
}

impl<'t> Visit<'t> for Uses<'_> {
    fn expr(&mut self, e: &'t Expr) {
        match &e.kind {
            ExprKind::Call(c) if self.program[c.callee].kind.is_function() => self.found.push(Node::Function(c.callee)),
            ExprKind::FunctionRef { callee, .. } => self.found.push(Node::Function(*callee)),
            ExprKind::Field { field, .. } if matches!(self.program[*field].kind, FieldKind::Const(_)) => {
                self.found.push(Node::Const(*field));
            }
            // Types that are written; those of other expressions are inferred.
            ExprKind::Convert(_) => self.named(&e.ty),
            ExprKind::Is(_, ty) => self.named(ty),
            _ => {}
        }
        visit::walk_expr(self, e);
    }

    fn stmt(&mut self, _: &'t Stmt) {}
}
