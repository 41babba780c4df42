//! Declaration of members: fields, constants, functions and methods.

use std::sync::Arc;

use crate::attributes;
use crate::bodies::attributes::AttributeScope;
use crate::context::{Entity, Member};
use crate::passes::Pass;
use crate::typed::{
    Arena, Body, Callable, CallableId, CallableKind, Field, FieldId, FieldKind, Item, Spec, Type,
    TypeDeclKind,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast;

use super::{Declarer, Pending, Place};

impl<'a> Declarer<'a> {
    pub(super) fn members(&mut self, place: Place, members: Vec<ast::Member>) {
        for member in members {
            self.cx.places.add_member(match &member {
                ast::Member::Field(f) => f.span,
                ast::Member::Const(c) => c.span,
                ast::Member::Function(f) => f.span,
                ast::Member::Method(m) => m.span,
            });
            match member {
                ast::Member::Field(f) => self.field(place, f),
                ast::Member::Const(c) => self.constant(place, c),
                ast::Member::Function(f) => self.function(place, f),
                ast::Member::Method(m) => self.method(place, m),
            }
        }
    }

    /// Enters a member. Reports a duplicate and returns false.
    pub(super) fn member(&mut self, place: Place, name: &ast::Ident, member: Member) -> bool {
        let first = match place.owner {
            Some(owner) => self
                .cx
                .names
                .members_of(owner)
                .and_then(|m| m.get(&name.name))
                .copied(),
            None => self
                .cx
                .names
                .scope(place.module)
                .and_then(|s| s.static_members.get(&name.name))
                .and_then(|e| match e {
                    Entity::Const(f) => Some(Member::Field(*f)),
                    Entity::Callable(c) => Some(Member::Callable(*c)),
                    Entity::Module(_) | Entity::Type(_) | Entity::Synonym(_) | Entity::Ctor(_) => {
                        None
                    }
                }),
        };
        // Constructors have their own namespace: a member of the same name takes precedence.
        let first = first.filter(|m| !matches!(m, Member::Ctor(_)));
        if let Some(first) = first {
            let first = match first {
                Member::Field(f) => self.cx.program[f].span,
                Member::Callable(c) => self.cx.program[c].span,
                Member::Ctor(c) | Member::CtorTest(c) => self.cx.program[c].span,
            };
            self.duplicate("member", name, Some(first));
            return false;
        }
        match place.owner {
            Some(owner) => {
                if let Some(members) = self.cx.names.members.get_mut(owner.0 as usize) {
                    members.insert(name.name.clone(), member);
                }
            }
            None => {
                let entity = match member {
                    Member::Field(f) => Entity::Const(f),
                    Member::Callable(c) => Entity::Callable(c),
                    Member::Ctor(c) | Member::CtorTest(c) => Entity::Ctor(c),
                };
                if let Some(scope) = self.scope_mut(place.module) {
                    scope.static_members.insert(name.name.clone(), entity);
                }
            }
        }
        true
    }

    fn field(&mut self, place: Place, f: ast::FieldDecl) {
        let id = FieldId(self.cx.program.fields.len() as u32);
        let Some(owner) = place.owner else {
            let message = format!(
                "fields are not allowed at module level, only in a class or trait: {}",
                f.name.name
            );
            self.cx.error("resolve/module-field", f.name.span, message);
            return;
        };
        if !self.member(place, &f.name, Member::Field(id)) {
            return;
        }
        let id = self.cx.program.add(Field {
            name: f.name.name.clone(),
            kind: FieldKind::Mutable,
            owner: Some(owner),
            module: place.module,
            ty: Type::Error,
            ghost: f.modifiers.ghost,
            is_static: false,
            attributes: attributes::lower(&f.modifiers.attributes),
            doc: f.modifiers.doc.clone(),
            span: f.name.span,
        });
        self.cx.program[owner].fields.push(id);
        // Dafny drops `@` attributes of fields.
        let attributes: Vec<ast::Attribute> = f
            .modifiers
            .attributes
            .iter()
            .filter(|a| !a.at)
            .cloned()
            .collect();
        self.attribute_work(AttributeScope::Member(owner, true), &attributes);
        self.pending.push(Pending::Field(id, Arc::new(f)));
    }

    fn constant(&mut self, place: Place, c: ast::ConstDecl) {
        if c.is_refining {
            return self.refines_nothing(&c.name);
        }
        let id = FieldId(self.cx.program.fields.len() as u32);
        if !self.member(place, &c.name, Member::Field(id)) {
            return;
        }
        let id = self.cx.program.add(Field {
            name: c.name.name.clone(),
            kind: FieldKind::Const(None),
            owner: place.owner,
            module: place.module,
            ty: Type::Error,
            ghost: c.modifiers.ghost,
            is_static: place.owner.is_none() || c.modifiers.is_static,
            attributes: attributes::lower(&c.modifiers.attributes),
            doc: c.modifiers.doc.clone(),
            span: c.name.span,
        });
        match place.owner {
            Some(owner) => self.cx.program[owner].fields.push(id),
            None => self.cx.program[place.module].items.push(Item::Const(id)),
        }
        let scope = match place.owner {
            Some(owner) => AttributeScope::Member(owner, !c.modifiers.is_static),
            None => AttributeScope::Module(place.module),
        };
        self.attribute_work(scope, &c.modifiers.attributes);
        if place.owner.is_none() {
            self.one_resource_limit(&c.modifiers.attributes, c.name.span);
        }
        self.pending.push(Pending::Const(id, Arc::new(c)));
    }

    /// Reports a member of a module with both attributes for the verifier's resource limit. They
    /// mean the same. Dafny does not check members of types.
    fn one_resource_limit(&mut self, attributes: &[ast::Attribute], name: Span) {
        let attributes = attributes::lower(attributes);
        let has = |name: &str| attributes.iter().any(|a| &*a.name == name);
        if has("rlimit") && has("resource_limit") {
            let message = "the attributes `rlimit` and `resource_limit` cannot be used together";
            let d = Diagnostic::error("resolve/resource-limits", name, message);
            self.cx
                .diagnostics
                .push_in(Pass::Exports, d.with_help("remove one of them"));
        }
    }

    fn function(&mut self, place: Place, f: ast::FunctionDecl) {
        if f.is_refining {
            return self.refines_nothing(&f.name);
        }
        use ast::FunctionKind as K;
        let (kind, is_predicate) = match f.kind {
            K::Function | K::FunctionMethod => (CallableKind::Function, false),
            K::Predicate | K::PredicateMethod => (CallableKind::Function, true),
            K::TwostateFunction => (CallableKind::TwostateFunction, false),
            K::TwostatePredicate => (CallableKind::TwostateFunction, true),
            K::LeastPredicate => (CallableKind::LeastPredicate, true),
            K::GreatestPredicate => (CallableKind::GreatestPredicate, true),
        };
        let ghost = f.by_method.is_none() && f.ghost;
        let head = Head {
            name: &f.name,
            kind,
            is_predicate,
            is_two_state: kind == CallableKind::TwostateFunction,
            ghost,
            modifiers: &f.modifiers,
            type_params: &f.type_params,
            span: f.span,
        };
        if let Some(id) = self.callable(place, &head) {
            self.pending.push(Pending::Function(id, Arc::new(f)));
        }
    }

    fn method(&mut self, place: Place, m: ast::MethodDecl) {
        use ast::MethodKind as K;
        // The anonymous constructor is called `_ctor`.
        let name = m.name.clone().unwrap_or_else(|| ast::Ident {
            name: Name::from("_ctor"),
            span: m.head,
        });
        if m.is_refining {
            return self.refines_nothing(&name);
        }
        let (kind, ghost) = match m.kind {
            K::Method => (CallableKind::Method, m.modifiers.ghost),
            K::Constructor => (CallableKind::Constructor, m.modifiers.ghost),
            K::Lemma | K::TwostateLemma | K::LeastLemma | K::GreatestLemma => {
                (CallableKind::Lemma, true)
            }
        };
        if kind == CallableKind::Constructor {
            let in_class = place
                .owner
                .is_some_and(|o| matches!(self.cx.program[o].kind, TypeDeclKind::Class));
            if !in_class {
                self.cx.error(
                    "resolve/constructor",
                    name.span,
                    "constructors are allowed only in classes",
                );
                return;
            }
        }
        let head = Head {
            name: &name,
            kind,
            is_predicate: false,
            is_two_state: m.kind == K::TwostateLemma,
            ghost,
            modifiers: &m.modifiers,
            type_params: &m.type_params,
            span: m.span,
        };
        if let Some(id) = self.callable(place, &head) {
            self.pending.push(Pending::Method(id, Arc::new(m)));
        }
    }

    fn callable(&mut self, place: Place, head: &Head<'_>) -> Option<CallableId> {
        let id = CallableId(self.cx.program.callables.len() as u32);
        if !self.member(place, head.name, Member::Callable(id)) {
            return None;
        }
        let type_params = self.type_params(head.type_params);
        let attributes = attributes::lower(&head.modifiers.attributes);
        let opaque = head.modifiers.opaque || attributes.iter().any(|a| &*a.name == "opaque");
        let id = self.cx.program.add(Callable {
            name: head.name.name.clone(),
            kind: head.kind,
            is_predicate: head.is_predicate,
            is_two_state: head.is_two_state,
            module: place.module,
            owner: place.owner,
            is_static: place.owner.is_none() || head.modifiers.is_static,
            ghost: head.ghost,
            opaque,
            type_params,
            ins: Vec::new(),
            outs: Vec::new(),
            spec: Spec::default(),
            body: Body::None,
            overrides: Vec::new(),
            attributes,
            doc: head.modifiers.doc.clone(),
            span: head.name.span,
            full_span: head.span,
        });
        if place.owner.is_none() {
            self.one_resource_limit(&head.modifiers.attributes, head.name.span);
        }
        match place.owner {
            Some(owner) => self.cx.program[owner].callables.push(id),
            None => self.cx.program[place.module].items.push(Item::Callable(id)),
        }
        Some(id)
    }
}

struct Head<'a> {
    name: &'a ast::Ident,
    kind: CallableKind,
    is_predicate: bool,
    is_two_state: bool,
    ghost: bool,
    modifiers: &'a ast::Modifiers,
    type_params: &'a [ast::TypeParam],
    span: Span,
}

/// The name of a member. An anonymous constructor has the span of its keyword.
pub(super) fn member_name(member: &ast::Member) -> ast::Ident {
    match member {
        ast::Member::Field(f) => f.name.clone(),
        ast::Member::Const(c) => c.name.clone(),
        ast::Member::Function(f) => f.name.clone(),
        ast::Member::Method(m) => m.name.clone().unwrap_or_else(|| ast::Ident {
            name: Name::from("_ctor"),
            span: m.head,
        }),
    }
}
