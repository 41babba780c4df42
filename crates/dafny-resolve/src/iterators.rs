//! Desugaring of iterators to classes (reference manual, "Iterator types"): fields for parameters,
//! histories, frames and measure, and the members `_ctor`, `Valid` and `MoveNext`.

use std::sync::Arc;

use crate::typed::{
    Arena, Body, Callable, CallableId, CallableKind, Field, FieldId, FieldKind, Formal,
    IteratorFrames, IteratorMembers, IteratorParts, Spec, Type, TypeDeclKind, TypeId, TypeParamId,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast;

use super::context::{BodyWork, Context, Member, MissingArgs};

/// Declares the members of an iterator, and adds its contract and body to [`Context::work`].
pub(super) fn declare(cx: &mut Context, id: TypeId, decl: &Arc<ast::IteratorDecl>) {
    let mut d = Declarer {
        span: decl.name.span,
        id,
        cx,
        extends: decl.type_params.is_empty(),
        added: Vec::new(),
    };
    let ins = d.formals(&decl.ins, false);
    let yields = d.formals(&decl.yields, true);
    let fields = |d: &mut Declarer, list: &[Formal], kind: &FieldKind| -> Vec<FieldId> {
        list.iter()
            .map(|f| {
                let l = d.cx.program[f.local].clone();
                d.field(l.name, kind.clone(), l.ty, l.ghost, l.span)
            })
            .collect()
    };
    // Each parameter is a field. Each yield-parameter `x` has a ghost history `xs` as well.
    let in_fields = fields(&mut d, &ins, &FieldKind::Const(None));
    let yield_fields = fields(&mut d, &yields, &FieldKind::Mutable);
    let histories = yields
        .iter()
        .map(|f| {
            let l = d.cx.program[f.local].clone();
            d.field(
                Name::from(format!("{}s", l.name)),
                FieldKind::Mutable,
                Type::Seq(Box::new(l.ty)),
                true,
                l.span,
            )
        })
        .collect();
    // Frames and measure are evaluated when the iterator is created, so their values are stored in
    // fields.
    let frames = d.frames();
    let decreases = d.measure(&decl.spec, &ins);
    let span = d.span;
    let drive = d.drive(&ins, &yields, decl.span);
    let constructor = d.callable(
        "_ctor",
        CallableKind::Constructor,
        ins,
        Vec::new(),
        decl.span,
    );
    let holds =
        d.cx.add_local(Name::from("_result"), Type::Bool, true, false, span);
    let holds = Formal {
        local: holds,
        default: None,
        nameonly: false,
        unnamed: true,
        is_new: false,
        older: false,
    };
    let valid = d.callable(
        "Valid",
        CallableKind::Function,
        Vec::new(),
        vec![holds],
        decl.span,
    );
    let more =
        d.cx.add_local(Name::from("more"), Type::Bool, false, true, span);
    let more = Formal::new(more);
    let move_next = d.callable(
        "MoveNext",
        CallableKind::Method,
        Vec::new(),
        vec![more],
        decl.span,
    );
    cx.program[id].kind = TypeDeclKind::Iterator(IteratorParts {
        ins: in_fields,
        yields: yield_fields,
        histories,
        frames: Some(frames),
        decreases,
        members: Some(IteratorMembers {
            constructor,
            valid,
            move_next,
            drive,
        }),
        ..IteratorParts::default()
    });
    cx.work.push(BodyWork::IteratorHead {
        ty: id,
        constructor,
        ast: Arc::clone(decl),
    });
    cx.work.push(BodyWork::Iterator {
        ty: id,
        ast: Arc::clone(decl),
    });
}

struct Declarer<'c> {
    cx: &'c mut Context,
    id: TypeId,
    /// The span of the iterator's name.
    span: Span,
    /// Whether omitted type arguments become type parameters.
    extends: bool,
    /// The type parameters added for omitted type arguments.
    added: Vec<TypeParamId>,
}

impl Declarer<'_> {
    fn formals(&mut self, list: &[ast::Formal], mutable: bool) -> Vec<Formal> {
        let mut formals = Vec::with_capacity(list.len());
        for f in list {
            let ty = self.ty(&f.ty);
            let (name, span) = f
                .name
                .as_ref()
                .map_or_else(|| (Name::from("_"), f.span), |n| (n.name.clone(), n.span));
            let local = self.cx.add_local(name, ty, f.ghost, mutable, span);
            formals.push(Formal {
                local,
                default: None,
                nameonly: f.nameonly,
                unnamed: false,
                is_new: false,
                older: false,
            });
        }
        formals
    }

    /// Resolves a type. For an iterator without type parameters, omitted type arguments become new
    /// ones with a default value.
    fn ty(&mut self, ty: &ast::Type) -> Type {
        let (scope, params) = (
            self.cx.type_decl_scope(self.id),
            self.cx.program[self.id].type_params.clone(),
        );
        let known = self.added.len();
        let extend = self.extends.then_some(&mut self.added);
        let ty = self
            .cx
            .resolve_type_with(&scope, ty, &mut MissingArgs::Prefix { params, extend });
        for &param in self.added.iter().skip(known) {
            self.cx.program[param].characteristics.auto_init = true;
            self.cx.program[param].characteristics.nonempty = true;
            self.cx.program[self.id].type_params.push(param);
        }
        ty
    }

    fn frames(&mut self) -> IteratorFrames {
        let objects = Type::Set {
            finite: true,
            elem: Box::new(Type::Object { nullable: true }),
        };
        let span = self.span;
        let mut field =
            |name: &str, kind| self.field(Name::from(name), kind, objects.clone(), true, span);
        IteratorFrames {
            reads: field("_reads", FieldKind::Const(None)),
            modifies: field("_modifies", FieldKind::Const(None)),
            new: field("_new", FieldKind::Mutable),
        }
    }

    /// Declares a field for each component of the measure. Its type is inferred later from the
    /// expression. Without a `decreases` clause, the in-parameters with an order are the measure.
    fn measure(&mut self, spec: &ast::Spec, ins: &[Formal]) -> Vec<FieldId> {
        let has_measure = spec
            .clauses
            .iter()
            .any(|c| !c.is_yield && matches!(c.kind, ast::ClauseKind::Decreases(_)));
        if !has_measure {
            return self.default_measure(ins);
        }
        let parts = spec
            .clauses
            .iter()
            .filter(|c| !c.is_yield)
            .map(|c| match &c.kind {
                ast::ClauseKind::Decreases(es) => es
                    .iter()
                    .filter(|e| !matches!(e.kind, ast::ExprKind::Wildcard))
                    .count(),
                ast::ClauseKind::Requires(_)
                | ast::ClauseKind::Ensures(_)
                | ast::ClauseKind::Invariant(_)
                | ast::ClauseKind::Reads(_)
                | ast::ClauseKind::Modifies(_) => 0,
            });
        let span = self.span;
        (0..parts.sum::<usize>())
            .map(|i| {
                let field = self.field(
                    Name::from(format!("_decreases{i}")),
                    FieldKind::Const(None),
                    Type::Error,
                    true,
                    span,
                );
                self.cx.types.untyped_consts.insert(field);
                field
            })
            .collect()
    }

    fn default_measure(&mut self, ins: &[Formal]) -> Vec<FieldId> {
        let program = &self.cx.program;
        let types = ins.iter().map(|f| program[f.local].ty.clone());
        let ordered: Vec<Type> = types.filter(|ty| program.has_order(ty)).collect();
        let span = self.span;
        (0..)
            .zip(ordered)
            .map(|(i, ty): (usize, Type)| {
                let name = Name::from(format!("_decreases{i}"));
                self.field(name, FieldKind::Const(None), ty, true, span)
            })
            .collect()
    }

    fn field(&mut self, name: Name, kind: FieldKind, ty: Type, ghost: bool, span: Span) -> FieldId {
        let module = self.cx.program[self.id].module;
        let owner = Some(self.id);
        let field = Field {
            name: name.clone(),
            kind,
            owner,
            module,
            ty,
            ghost,
            is_static: false,
            attributes: Vec::new(),
            doc: None,
            span,
        };
        let field = self.cx.program.add(field);
        self.cx.program[self.id].fields.push(field);
        self.member(name, Member::Field(field), span);
        field
    }

    /// See [`IteratorMembers::drive`].
    fn drive(&mut self, ins: &[Formal], yields: &[Formal], full_span: Span) -> CallableId {
        let nat = self
            .cx
            .program
            .nat
            .map_or(Type::Int, |nat| Type::named(nat, Vec::new()));
        let mut formal = |name: Name, ty: Type, mutable: bool| {
            let local = self.cx.add_local(name, ty, false, mutable, self.span);
            Formal::new(local)
        };
        let calls = formal(Name::from("calls"), nat, false);
        let mut outs = vec![formal(Name::from("more"), Type::Bool, true)];
        // Ghost values that are yielded do not exist at run time.
        for f in yields {
            let l = self.cx.program[f.local].clone();
            if !l.ghost {
                let local = self.cx.add_local(
                    Name::from(format!("{}s", l.name)),
                    Type::Seq(Box::new(l.ty)),
                    false,
                    true,
                    l.span,
                );
                outs.push(Formal::new(local));
            }
        }
        let ins = ins.iter().cloned().chain([calls]).collect();
        let id = self.undeclared(
            Name::from("_drive"),
            CallableKind::Method,
            ins,
            outs,
            full_span,
        );
        self.cx.program[id].is_static = true;
        id
    }

    fn callable(
        &mut self,
        name: &str,
        kind: CallableKind,
        ins: Vec<Formal>,
        outs: Vec<Formal>,
        full_span: Span,
    ) -> CallableId {
        let name = Name::from(name);
        let callable = self.undeclared(name.clone(), kind, ins, outs, full_span);
        self.cx.program[self.id].callables.push(callable);
        self.member(name, Member::Callable(callable), self.span);
        callable
    }

    /// Adds a callable that is not a member of the type.
    fn undeclared(
        &mut self,
        name: Name,
        kind: CallableKind,
        ins: Vec<Formal>,
        outs: Vec<Formal>,
        full_span: Span,
    ) -> CallableId {
        self.cx.program.add(Callable {
            name,
            kind,
            is_predicate: kind.is_function(),
            is_two_state: false,
            module: self.cx.program[self.id].module,
            owner: Some(self.id),
            is_static: false,
            ghost: kind.is_function(),
            opaque: false,
            type_params: Vec::new(),
            ins,
            outs,
            spec: Spec::default(),
            body: Body::None,
            overrides: Vec::new(),
            attributes: Vec::new(),
            doc: None,
            span: self.span,
            full_span,
        })
    }

    fn member(&mut self, name: Name, member: Member, span: Span) {
        let Some(members) = self.cx.names.members.get_mut(self.id.0 as usize) else {
            return;
        };
        if &*name == "_" || !members.contains_key(&name) {
            members.insert(name, member);
        } else {
            let message = format!(
                "name of in- or yield-parameter is used by another member of the iterator: {name}"
            );
            self.cx
                .diagnostics
                .push(Diagnostic::error("resolve/duplicate", span, message));
        }
    }
}
