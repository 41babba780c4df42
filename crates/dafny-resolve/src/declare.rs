//! Declaration of names: gives ids to modules, types, constructors, constants and callables, and
//! enters them into scopes.
//!
//! This pass does not look at the types that declarations mention. [`super::signatures`] resolves
//! them afterwards, from the list of [`Pending`] declarations.

mod members;

use std::sync::Arc;

use crate::typed::{
    Arena, CallableId, Characteristics, Constrained, Ctor, CtorId, FieldId, Item, IteratorParts,
    Module, ModuleId, Type, TypeDecl, TypeDeclKind, TypeId, TypeParam, TypeParamId, Witness,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast;
use dafny_syntax::ast::TopDecl;
use rustc_hash::FxHashMap;

use super::bodies::attributes::AttributeScope;
use super::context::{
    BodyWork, Context, Entity, Member, ModuleScope, Synonym, SynonymId, SynonymSource,
};
use super::index::Definition;
use super::passes::Pass;
use super::tree::{NodeId, NodeItem, Tree};
use super::{attributes, autocontracts};

use members::member_name;

/// A declaration whose signature [`super::signatures`] has to resolve. The list is in source order.
pub(super) enum Pending {
    /// A datatype with its constructors. Its base and the fields of the constructors are
    /// unresolved.
    Datatype(TypeId, Arc<ast::DatatypeDecl>, Vec<CtorId>),
    Class(TypeId, Arc<ast::ClassDecl>),
    Newtype(TypeId, Arc<ast::NewtypeDecl>),
    Type(TypeId, Arc<ast::TypeDecl>),
    Iterator(TypeId, Arc<ast::IteratorDecl>),
    Synonym(SynonymId, Arc<ast::TypeDecl>),
    Field(FieldId, Arc<ast::FieldDecl>),
    Const(FieldId, Arc<ast::ConstDecl>),
    Function(CallableId, Arc<ast::FunctionDecl>),
    Method(CallableId, Arc<ast::MethodDecl>),
}

/// The pass that declares names.
pub(super) struct Declarer<'a> {
    pub(super) cx: &'a mut Context,
    pub(super) tree: Tree,
    /// The module of each tree node.
    pub(super) modules: Vec<Option<ModuleId>>,
    pub(super) pending: Vec<Pending>,
    /// The constants, functions and methods of modules. They claim their names before other
    /// declarations.
    static_names: FxHashMap<(ModuleId, Name), Span>,
    /// The names that have several declarations, with the span of the first.
    duplicates: FxHashMap<(ModuleId, Name), Span>,
    /// The reference types, by module and name.
    references: Vec<(ModuleId, ast::Ident)>,
    /// The references to refined modules: the span of the name, and the module.
    refined: Vec<(Span, NodeId)>,
    /// The imports, each with the module that has it and the module whose text contains it.
    pub(super) imports: Vec<(NodeId, ast::Import, NodeId)>,
}

/// The container of a declaration.
#[derive(Clone, Copy)]
struct Place {
    module: ModuleId,
    owner: Option<TypeId>,
}

impl<'a> Declarer<'a> {
    /// Declares everything in the tree. Returns the declarations with unresolved signatures.
    pub(super) fn run(cx: &'a mut Context, tree: Tree) -> Vec<Pending> {
        let modules = vec![None; tree.nodes.len()];
        let mut this = Self {
            cx,
            tree,
            modules,
            pending: Vec::new(),
            static_names: FxHashMap::default(),
            duplicates: FxHashMap::default(),
            references: Vec::new(),
            refined: Vec::new(),
            imports: Vec::new(),
        };
        this.modules(0, None);
        for (at, base) in std::mem::take(&mut this.refined) {
            if let Some(module) = this.module_of(base) {
                this.cx.notes.note(at, Definition::Module(module));
            }
        }
        // `names` takes the items out of the tree, so export sets and import paths come first.
        this.declare_nat();
        this.cx.diagnostics.enter(Pass::Exports);
        this.export_sets();
        this.paths_of_imports();
        this.cx.diagnostics.enter(Pass::Declarations);
        this.names(0);
        this.lost_references();
        this.cx.diagnostics.enter(Pass::Imports);
        this.imports();
        this.cx
            .diagnostics
            .append(std::mem::take(&mut this.tree.findings));
        this.cx.types.refined = std::mem::take(&mut this.tree.refined_types);
        this.cx.dependencies = std::mem::take(&mut this.tree.dependencies);
        this.pending
    }

    fn modules(&mut self, node: NodeId, parent: Option<ModuleId>) {
        let source = self.tree.node(node);
        let module = Module {
            name: source.name.name.clone(),
            parent,
            // A replaced module is not compiled, as if it were abstract.
            is_abstract: source.modifiers.is_abstract || source.replaced_by.is_some(),
            items: Vec::new(),
            attributes: attributes::lower(&source.modifiers.attributes),
            doc: source.modifiers.doc.clone(),
            span: source.name.span,
        };
        let arguments = source.modifiers.attributes.clone();
        let children: Vec<NodeId> = source.items.iter().filter_map(child).collect();
        let refined = source
            .base
            .as_ref()
            .and_then(|(_, path)| Some((path.segments.last()?.span, source.source?)));
        let id = self.cx.program.add(module);
        if let Some((at, base)) = refined {
            self.refined.push((at, base));
        }
        let is_abstract = self.tree.node(node).modifiers.is_abstract;
        self.cx.names.scopes.push(ModuleScope {
            is_abstract,
            ..ModuleScope::default()
        });
        if let Some(slot) = self.modules.get_mut(node) {
            *slot = Some(id);
        }
        self.attribute_work(AttributeScope::OwnModule(id), &arguments);
        for child in children {
            self.modules(child, Some(id));
        }
    }

    /// Declares `nat` as if the default module contained `type nat = x: int | 0 <= x`. No scope
    /// contains it.
    fn declare_nat(&mut self) {
        use crate::typed::{BinaryOp, Expr, ExprKind, Literal};
        let span = Span::default();
        let var = self
            .cx
            .add_local(Name::from("x"), Type::Int, false, false, span);
        let zero = Expr {
            kind: ExprKind::Literal(Literal::Int(0.into())),
            ty: Type::Int,
            span,
        };
        let x = Expr {
            kind: ExprKind::Local(var),
            ty: Type::Int,
            span,
        };
        let constraint = Expr {
            kind: ExprKind::Binary(BinaryOp::Le, Box::new(zero.clone()), Box::new(x)),
            ty: Type::Bool,
            span,
        };
        let all = Characteristics {
            equality: true,
            auto_init: true,
            nonempty: true,
            no_new: true,
        };
        let nat = TypeDecl {
            name: Name::from("nat"),
            module: ModuleId(0),
            type_params: Vec::new(),
            kind: TypeDeclKind::Subset(Constrained {
                base: Type::Int,
                var: Some(var),
                constraint: Some(constraint),
                witness: Witness::Compiled(Box::new(zero)),
                range: None,
                native: None,
            }),
            fields: Vec::new(),
            callables: Vec::new(),
            parents: Vec::new(),
            ghost: false,
            characteristics: all,
            attributes: Vec::new(),
            doc: None,
            span,
        };
        self.cx.program.nat = Some(self.cx.program.add(nat));
        self.cx.names.members.push(rustc_hash::FxHashMap::default());
    }

    pub(super) fn module_of(&self, node: NodeId) -> Option<ModuleId> {
        self.modules.get(node).copied().flatten()
    }

    pub(super) fn scope_mut(&mut self, module: ModuleId) -> Option<&mut ModuleScope> {
        self.cx.names.scopes.get_mut(module.0 as usize)
    }

    fn names(&mut self, node: NodeId) {
        let Some(module) = self.module_of(node) else {
            return;
        };
        let place = Place {
            module,
            owner: None,
        };
        // Members of the module claim their names first, wherever they are in the text.
        let items = self.tree.take_items(node);
        for item in &items {
            if let NodeItem::Decl(decl) = item
                && let TopDecl::Member(member) = &**decl
            {
                let name = member_name(member);
                self.static_names
                    .entry((module, name.name))
                    .or_insert(name.span);
            }
        }
        for item in items {
            match item {
                NodeItem::Module(child) => {
                    let Some(id) = self.module_of(child) else {
                        continue;
                    };
                    let name = self.tree.node(child).name.clone();
                    let Some(meant) = self.module_of(self.tree.replacement(child)) else {
                        continue;
                    };
                    let view = self.cx.names.default_view(meant);
                    // A module that exists only as a prefix of other names has no declaration to
                    // report an error at.
                    let nowhere = self.tree.node(child).is_implicit;
                    let before = self.cx.diagnostics.len();
                    if !self.top_level(module, &name, Entity::Module(view)) && nowhere {
                        self.cx.diagnostics.truncate(before);
                        let message =
                            format!("duplicate name of top-level declaration: {}", name.name);
                        let d = Diagnostic {
                            span: None,
                            ..Diagnostic::error("resolve/duplicate", name.span, message)
                        };
                        self.cx.diagnostics.push(d.with_secondary(
                            name.span,
                            "this declaration implicitly declares a module of that name",
                        ));
                    }
                    self.cx.program[module].items.push(Item::Module(id));
                    self.names(child);
                }
                NodeItem::Decl(decl) => self.decl(place, *decl),
                NodeItem::Import(import, origin) => self.imports.push((node, import, origin)),
                NodeItem::Export(_) => {}
            }
        }
        self.nullable_names(module);
    }

    /// Reports names `C?` that clash with the nullable form of a class `C`.
    fn nullable_names(&mut self, module: ModuleId) {
        let Some(scope) = self.cx.names.scope(module) else {
            return;
        };
        let clash = |(name, entity): (&Name, &Entity)| match entity {
            Entity::Type(t) => match self.cx.program[*t].kind {
                TypeDeclKind::Class
                | TypeDeclKind::Trait { is_reference: true }
                | TypeDeclKind::Iterator(_) => {
                    let nullable = Name::from(format!("{name}?"));
                    let other = match scope.top_levels.get(&nullable) {
                        Some(entity) => self.entity_span(entity),
                        None => self.static_names.get(&(module, nullable)).copied(),
                    };
                    Some((self.cx.program[*t].span, name.clone(), other?))
                }
                TypeDeclKind::Trait {
                    is_reference: false,
                }
                | TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract => None,
            },
            Entity::Module(_)
            | Entity::Synonym(_)
            | Entity::Const(_)
            | Entity::Callable(_)
            | Entity::Ctor(_) => None,
        };
        let mut clashes: Vec<(Span, Name, Span)> =
            scope.top_levels.iter().filter_map(clash).collect();
        // The hash map has no order, so the errors are sorted.
        clashes.sort_by_key(|(at, ..)| at.start);
        for (at, name, other) in clashes {
            let message = format!(
                "`{name}` is a reference type, so `{name}?` is declared as well: no other declaration may have that name"
            );
            self.cx.diagnostics.push(
                Diagnostic::error("resolve/duplicate", at, message)
                    .with_secondary(other, "declared here"),
            );
        }
    }

    /// Reports uses of `C?` where `C` is declared more than once. Dafny then does not declare the
    /// nullable form.
    fn lost_references(&mut self) {
        for (module, name) in std::mem::take(&mut self.references) {
            if let Some(first) = self.duplicates.get(&(module, name.name.clone())) {
                let message = format!(
                    "the type `{}?` does not exist, because `{0}` is declared more than once",
                    name.name
                );
                let d = Diagnostic::error("resolve/unknown-name", name.span, message)
                    .with_secondary(*first, "first declared here");
                self.cx.diagnostics.push_in(Pass::Signatures, d);
            }
        }
    }

    /// Enters a top-level name. Reports a duplicate and returns false.
    pub(super) fn top_level(
        &mut self,
        module: ModuleId,
        name: &ast::Ident,
        entity: Entity,
    ) -> bool {
        let taken = self
            .cx
            .names
            .scope(module)
            .and_then(|s| s.top_levels.get(&name.name))
            .copied();
        let member = self.static_names.get(&(module, name.name.clone())).copied();
        let key = (module, name.name.clone());
        let known = self.duplicates.get(&key).copied();
        if taken.is_some() || member.is_some() || known.is_some() {
            let first = member.or_else(|| self.entity_span(&taken?)).or(known);
            self.duplicate("top-level declaration", name, first);
            // A duplicate name denotes nothing from here on.
            self.duplicates.insert(key, first.unwrap_or(name.span));
            if let Some(scope) = self.scope_mut(module) {
                scope.top_levels.remove(&name.name);
            }
            return false;
        }
        if let Some(scope) = self.scope_mut(module) {
            scope.top_levels.insert(name.name.clone(), entity);
        }
        true
    }

    fn entity_span(&self, entity: &Entity) -> Option<Span> {
        match entity {
            Entity::Module(v) => Some(self.cx.program[v.module].span),
            Entity::Type(t) => Some(self.cx.program[*t].span),
            Entity::Synonym(s) => self.cx.synonyms.get(*s).map(|s| s.span),
            Entity::Const(f) => Some(self.cx.program[*f].span),
            Entity::Callable(c) => Some(self.cx.program[*c].span),
            Entity::Ctor(c) => Some(self.cx.program[*c].span),
        }
    }

    fn duplicate(&mut self, what: &str, name: &ast::Ident, first: Option<Span>) {
        let d = Diagnostic::error(
            "resolve/duplicate",
            name.span,
            format!("duplicate name of {what}: {}", name.name),
        );
        self.cx.diagnostics.push(match first {
            Some(first) => d.with_secondary(first, "first declared here"),
            None => d,
        });
    }

    fn decl(&mut self, place: Place, decl: TopDecl) {
        match &decl {
            TopDecl::Class(d) => self.cx.places.add_type(d.span),
            TopDecl::Datatype(d) => self.cx.places.add_type(d.span),
            TopDecl::Newtype(d) => self.cx.places.add_type(d.span),
            TopDecl::Type(d) => self.cx.places.add_type(d.span),
            TopDecl::Iterator(d) => self.cx.places.add_type(d.span),
            TopDecl::Member(_) | TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_) => {}
        }
        match decl {
            TopDecl::Class(mut c) => {
                if c.is_refining {
                    return self.refines_nothing(&c.name);
                }
                autocontracts::add_members(&mut c);
                let kind = match c.is_trait {
                    true => TypeDeclKind::Trait { is_reference: true },
                    false => TypeDeclKind::Class,
                };
                let id = self.add_type(place, &c.name, &c.type_params, kind, &c.modifiers);
                // Members are declared one by one. The pending declaration keeps the rest of the
                // class.
                let members = std::mem::take(&mut c.members);
                let c = Arc::new(c);
                self.pending.push(Pending::Class(id, c));
                self.members(
                    Place {
                        owner: Some(id),
                        ..place
                    },
                    members,
                );
            }
            TopDecl::Datatype(mut d) => {
                if d.is_refining {
                    return self.refines_nothing(&d.name);
                }
                let kind = TypeDeclKind::Datatype {
                    co: d.co,
                    ctors: Vec::new(),
                };
                let id = self.add_type(place, &d.name, &d.type_params, kind, &d.modifiers);
                let members = std::mem::take(&mut d.members);
                let d = Arc::new(d);
                let ctors = self.ctors(place.module, id, &d);
                self.pending.push(Pending::Datatype(id, d, ctors));
                self.members(
                    Place {
                        owner: Some(id),
                        ..place
                    },
                    members,
                );
            }
            TopDecl::Newtype(mut n) => {
                if n.is_refining {
                    return self.refines_nothing(&n.name);
                }
                let kind = TypeDeclKind::Newtype(unconstrained(Type::Error));
                let id = self.add_type(place, &n.name, &n.type_params, kind, &n.modifiers);
                let members = std::mem::take(&mut n.members);
                let n = Arc::new(n);
                self.pending.push(Pending::Newtype(id, n));
                self.members(
                    Place {
                        owner: Some(id),
                        ..place
                    },
                    members,
                );
            }
            TopDecl::Type(t) => self.type_decl(place, t),
            TopDecl::Iterator(i) => {
                if i.is_refining {
                    return self.refines_nothing(&i.name);
                }
                let kind = TypeDeclKind::Iterator(IteratorParts::default());
                let id = self.add_type(place, &i.name, &i.type_params, kind, &i.modifiers);
                self.pending.push(Pending::Iterator(id, Arc::new(i)));
            }
            TopDecl::Member(m) => self.members(place, vec![m]),
            TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_) => {}
        }
    }

    fn refines_nothing(&mut self, name: &ast::Ident) {
        let message = format!(
            "declaration '{}' indicates refining (notation `...`), but does not refine anything",
            name.name
        );
        self.cx.error("resolve/refinement", name.span, message);
    }

    fn type_decl(&mut self, place: Place, mut t: ast::TypeDecl) {
        match &t.definition {
            Some(definition) if definition.var.is_none() => {
                let params = self.type_params(&t.type_params);
                let id = SynonymId(self.cx.synonyms.all.len() as u32);
                let Some(rhs) = definition.base.clone() else {
                    return;
                };
                self.cx.synonyms.all.push(Synonym {
                    name: t.name.name.clone(),
                    module: place.module,
                    params,
                    characteristics: characteristics(t.characteristics),
                    rhs: Type::Error,
                    span: t.name.span,
                });
                self.cx.synonyms.sources.push(SynonymSource::Written(rhs));
                self.attribute_work(
                    AttributeScope::Module(place.module),
                    &t.modifiers.attributes,
                );
                let is_new = self.top_level(place.module, &t.name, Entity::Synonym(id));
                if let Some(member) = t.members.first() {
                    let span = member_name(member).span;
                    self.cx.error(
                        "resolve/synonym-members",
                        span,
                        format!("type synonym '{}' cannot have members", t.name.name),
                    );
                }
                if is_new {
                    self.pending.push(Pending::Synonym(id, Arc::new(t)));
                }
            }
            None if t.is_refining => self.refines_nothing(&t.name),
            definition => {
                let outermost = self.cx.program[place.module].parent.is_none();
                let definition_is_missing = definition.is_none();
                let kind = match definition {
                    Some(_) => TypeDeclKind::Subset(unconstrained(Type::Error)),
                    None => TypeDeclKind::Abstract,
                };
                let id = self.add_type(place, &t.name, &t.type_params, kind, &t.modifiers);
                let mut known = characteristics(t.characteristics);
                if !definition_is_missing && !self.cx.names.in_views {
                    self.cx.types.declared_characteristics.push((id, known));
                }
                // Abstract types of the outermost module contain no references.
                known.no_new |= outermost && definition_is_missing;
                self.cx.program[id].characteristics = known;
                let members = std::mem::take(&mut t.members);
                let t = Arc::new(t);
                self.pending.push(Pending::Type(id, t));
                self.members(
                    Place {
                        owner: Some(id),
                        ..place
                    },
                    members,
                );
            }
        }
    }

    fn add_type(
        &mut self,
        place: Place,
        name: &ast::Ident,
        params: &[ast::TypeParam],
        kind: TypeDeclKind,
        modifiers: &ast::Modifiers,
    ) -> TypeId {
        let id = TypeId(self.cx.program.types.len() as u32);
        // A type with a duplicate name has an id, but no name refers to it.
        self.top_level(place.module, name, Entity::Type(id));
        if matches!(
            kind,
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_)
        ) {
            self.references.push((place.module, name.clone()));
        }
        let type_params = self.type_params(params);
        let id = self.cx.program.add(TypeDecl {
            name: name.name.clone(),
            module: place.module,
            type_params,
            kind,
            fields: Vec::new(),
            callables: Vec::new(),
            parents: Vec::new(),
            ghost: modifiers.ghost,
            characteristics: Characteristics::default(),
            attributes: attributes::lower(&modifiers.attributes),
            doc: modifiers.doc.clone(),
            span: name.span,
        });
        self.cx.names.members.push(rustc_hash::FxHashMap::default());
        self.cx.program[place.module].items.push(Item::Type(id));
        self.attribute_work(AttributeScope::Iterator(id), &modifiers.attributes);
        id
    }

    fn attribute_work(&mut self, scope: AttributeScope, attributes: &[ast::Attribute]) {
        if !attributes.is_empty() {
            self.cx.work.push(BodyWork::Attributes {
                scope,
                ast: attributes.into(),
            });
        }
    }

    fn type_params(&mut self, params: &[ast::TypeParam]) -> Vec<TypeParamId> {
        let mut seen: Vec<(Name, Span)> = Vec::new();
        let mut ids = Vec::new();
        for p in params {
            if let Some((_, first)) = seen.iter().find(|(n, _)| *n == p.name.name) {
                let first = *first;
                self.duplicate("type parameter", &p.name, Some(first));
            }
            seen.push((p.name.name.clone(), p.name.span));
            ids.push(self.cx.program.add(TypeParam {
                name: p.name.name.clone(),
                variance: p.variance,
                characteristics: characteristics(p.characteristics),
                bounds: Vec::new(),
                span: p.name.span,
            }));
        }
        ids
    }

    fn ctors(
        &mut self,
        module: ModuleId,
        datatype: TypeId,
        decl: &ast::DatatypeDecl,
    ) -> Vec<CtorId> {
        let mut ctors: Vec<CtorId> = Vec::new();
        for c in &decl.ctors {
            if let Some(first) = ctors
                .iter()
                .find(|id| self.cx.program[**id].name == c.name.name)
            {
                let first = self.cx.program[*first].span;
                self.duplicate("constructor", &c.name, Some(first));
                continue;
            }
            // `C?` would clash with the test for a constructor `C`.
            if c.name.name.ends_with('?') {
                let message = format!(
                    "the name of a constructor cannot end in `?`: {}",
                    c.name.name
                );
                let d = Diagnostic::error("resolve/constructor-name", c.name.span, message);
                self.cx
                    .diagnostics
                    .push(d.with_help("`C?` is the discriminator of the constructor `C`"));
                continue;
            }
            let id = self.cx.program.add(Ctor {
                name: c.name.name.clone(),
                datatype,
                ghost: c.modifiers.ghost,
                fields: Vec::new(),
                defaults: Vec::new(),
                params: Vec::new(),
                named: Vec::new(),
                doc: c.modifiers.doc.clone(),
                span: c.name.span,
            });
            ctors.push(id);
            self.attribute_work(AttributeScope::Ctor(id), &c.modifiers.attributes);
            if let Some(scope) = self.scope_mut(module) {
                scope.ctors.entry(c.name.name.clone()).or_default().push(id);
            }
        }
        // Constructors and their tests are members of the datatype.
        if let Some(members) = self.cx.names.members.get_mut(datatype.0 as usize) {
            for id in &ctors {
                let name = self.cx.program[*id].name.clone();
                members.insert(Name::from(format!("{name}?")), Member::CtorTest(*id));
                members.insert(name, Member::Ctor(*id));
            }
        }
        self.cx.program[datatype].kind = TypeDeclKind::Datatype {
            co: decl.co,
            ctors: ctors.clone(),
        };
        ctors
    }
}

/// The module node of an item that is a nested module.
pub(super) fn child(item: &NodeItem) -> Option<NodeId> {
    match item {
        NodeItem::Module(m) => Some(*m),
        NodeItem::Import(..) | NodeItem::Export(_) | NodeItem::Decl(_) => None,
    }
}

/// A type constraint without a condition.
fn unconstrained(base: Type) -> Constrained {
    Constrained {
        base,
        var: None,
        constraint: None,
        witness: Witness::Default,
        range: None,
        native: None,
    }
}

/// Converts written characteristics. `(0)` implies nonempty.
pub(super) fn characteristics(c: ast::Characteristics) -> Characteristics {
    Characteristics {
        equality: c.equality,
        auto_init: c.auto_init,
        nonempty: c.nonempty || c.auto_init,
        no_new: c.no_new,
    }
}
