//! Consistency of export sets: what an export set shows must resolve on its own (reference manual,
//! "Export Sets and Access Control").
//!
//! A *view* is the module as an export set shows it. Declarations that are not provided are
//! omitted. Provided types are abstract unless revealed, provided functions and constants have no
//! body or value unless revealed, and methods never have a body.
//!
//! Views are resolved as additional modules of the program. An error in a view is an error of the
//! export set. [`may_be_wrong`] first resolves all views at once; only if there is an error,
//! [`check_round`] resolves one view of each module at a time, to find the export set with the
//! error.

use rustc_hash::FxHashSet;

use crate::typed::{ModuleId, Type, TypeId};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast::{self, Ident, Member, QualifiedName, TopDecl};

use super::context::{Context, Entity, ExportSet, ExportSetId};
use super::exportable::exported_name;
use super::passes::Pass;
use super::refine::member_name;
use super::tree::{NodeId, NodeItem, Target, Tree};

/// An export set with its origin.
#[derive(Debug, Clone)]
pub(super) struct ExportSite {
    pub(super) node: NodeId,
    pub(super) module: ModuleId,
    pub(super) set: ExportSetId,
    pub(super) name: Name,
    /// The parsed declaration. An inherited export set has the text of the refined module.
    pub(super) text: ast::Export,
}

/// The span for errors of a whole export set.
pub(super) fn export_place(export: &ast::Export) -> Span {
    // An inherited export set without a name has the name of the refined module.
    let is_within = |at: u32| export.span.start <= at && at < export.span.end;
    match &export.name {
        Some(name) if is_within(name.span.start) => name.span,
        Some(_) | None => Span {
            start: export.span.start,
            end: export.span.start + "export".len() as u32,
        },
    }
}

/// Copies the modules for [`check`] before they are declared. Returns `None` if no module has an
/// export set.
pub(super) fn copy(tree: &mut Tree) -> Option<Tree> {
    let is_export = |item: &NodeItem| matches!(item, NodeItem::Export(_));
    tree.nodes
        .iter()
        .skip(1)
        .any(|node| node.items.iter().any(is_export))
        .then(|| tree.without_method_bodies())
}

/// Checks all export sets of a resolved program, and adds the errors to [`Context::diagnostics`].
pub(super) fn check(cx: &mut Context, tree: &Tree) {
    if cx
        .diagnostics
        .any_error(&[Pass::ModuleNames, Pass::ModuleGraph])
    {
        return;
    }
    let mut sites = std::mem::take(&mut cx.names.export_sites);
    if !may_be_wrong(cx, tree, &sites) {
        return;
    }
    let known: FxHashSet<(Option<Span>, String)> = cx
        .diagnostics
        .iter()
        .map(|d| (d.span, d.message.clone()))
        .collect();
    cx.diagnostics.enter(Pass::ExportConsistency);
    while !sites.is_empty() {
        let mut nodes = FxHashSet::default();
        let (round, rest): (Vec<ExportSite>, Vec<ExportSite>) =
            sites.into_iter().partition(|s| nodes.insert(s.node));
        sites = rest;
        check_round(cx, tree, &round, &known);
    }
}

/// Whether any view has an error. Resolves all views together, with only those modules of the
/// program that they mention.
fn may_be_wrong(cx: &Context, tree: &Tree, sites: &[ExportSite]) -> bool {
    let shown: Vec<View<'_>> = sites
        .iter()
        .filter_map(|site| View::of(cx, tree, site))
        .collect();
    let needed = shown
        .iter()
        .flat_map(|view| &view.targets)
        .filter_map(|(_, target)| target.as_ref())
        .map(|t| t.node);
    let mut views = tree.reduced_to(needed.collect());
    shown
        .into_iter()
        .enumerate()
        .for_each(|(i, view)| view.add_to(&mut views, i));
    let wrong = super::resolve_views(views, &cx.program)
        .iter()
        .any(Diagnostic::is_error);
    wrong
        || sites.iter().any(|site| {
            !members_without_type(cx, site).is_empty() || !partly_inferred(cx, site).is_empty()
        })
}

fn check_round(
    cx: &mut Context,
    tree: &Tree,
    round: &[ExportSite],
    known: &FxHashSet<(Option<Span>, String)>,
) {
    // Add one view per module to a copy of the program, and resolve them together.
    let mut views = tree.clone();
    let mut viewed: Vec<&ExportSite> = Vec::new();
    for site in round {
        let unowned = members_without_type(cx, site);
        if !unowned.is_empty() {
            cx.diagnostics.extend(unowned);
        } else if let Some(view) = View::of(cx, tree, site) {
            view.add_to(&mut views, viewed.len());
            viewed.push(site);
        }
    }
    if viewed.is_empty() {
        return;
    }
    let found = super::resolve_views(views, &cx.program);
    // Errors that the program has without views are not errors of the export set.
    let found: Vec<Diagnostic> = found
        .into_iter()
        .filter(|d| d.is_error() && !known.contains(&(d.span, d.message.clone())))
        .collect();
    for site in viewed {
        let Some(extent) = tree.nodes.get(site.node).map(|n| n.extent) else {
            continue;
        };
        // An error belongs to the view whose text it is in. A refining module also contains the
        // text of its bases.
        let sources = tree.sources(site.node);
        let belongs = |d: &&Diagnostic| {
            let Some(at) = d.span else { return false };
            let within = |extent: Span| extent.start <= at.start && at.start < extent.end;
            within(extent)
                || sources
                    .iter()
                    .any(|n| tree.nodes.get(*n).is_some_and(|n| within(n.extent)))
        };
        let mut own = partly_inferred(cx, site);
        own.extend(found.iter().filter(belongs).cloned());
        if own.is_empty() {
            continue;
        }
        let note = format!("in the view of the export set {}", site.name);
        cx.diagnostics.extend(
            own.into_iter()
                .map(|d| d.with_secondary(export_place(&site.text), note.clone())),
        );
        let d = Diagnostic::error(
            "resolve/export-set",
            export_place(&site.text),
            format!("this export set is not consistent: {}", site.name),
        );
        cx.diagnostics
            .push(d.with_help("declarations in its view may refer only to names that it provides, and to definitions that it reveals"));
    }
}

/// Reports exported members of types that are not exported, or not revealed although the member
/// requires it.
fn members_without_type(cx: &Context, site: &ExportSite) -> Vec<Diagnostic> {
    let Some(set) = cx.names.export_set(site.set) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for id in site.text.provides.iter().chain(&site.text.reveals) {
        let Some(owner) = &id.prefix else { continue };
        let kind = cx
            .names
            .scope(site.module)
            .and_then(|s| s.top_levels.get(&owner.name))
            .copied();
        let Some(Entity::Type(ty)) = kind else {
            continue;
        };
        let member = cx
            .names
            .members_of(ty)
            .and_then(|m| m.get(&id.name.name))
            .copied();
        let message = if !set.provides.contains(&owner.name) {
            format!(
                "the member '{}' cannot be exported without its type '{}'",
                id.name.name, owner.name
            )
        } else if !set.reveals.contains(&owner.name)
            && member.is_some_and(|m| cx.belongs_to_objects(m))
        {
            format!(
                "'{}' cannot be exported where its type '{}' is not revealed",
                id.name.name, owner.name
            )
        } else {
            continue;
        };
        let d = Diagnostic::error("resolve/export-set", id.name.span, message);
        found.push(d.with_help(format!(
            "list `{}` under `provides` or `reveals`",
            owner.name
        )));
    }
    found
}

/// Reports provided constants whose type the older type system infers in part from the value, which
/// the view does not have.
fn partly_inferred(cx: &Context, site: &ExportSite) -> Vec<Diagnostic> {
    let (Some(set), Some(scope)) = (
        cx.names.export_sets.get(site.set.0 as usize),
        cx.names.scope(site.module),
    ) else {
        return Vec::new();
    };
    let hidden = set.provides.difference(&set.reveals);
    let constants = hidden.filter_map(|name| match scope.static_members.get(name)? {
        Entity::Const(f) => Some(*f),
        Entity::Module(_)
        | Entity::Type(_)
        | Entity::Synonym(_)
        | Entity::Callable(_)
        | Entity::Ctor(_) => None,
    });
    let members = set.members.difference(&set.revealed_members);
    let members = members.filter_map(|(owner, name)| {
        let Entity::Type(ty) = scope.top_levels.get(owner)? else {
            return None;
        };
        let mut fields = cx.program[*ty].fields.iter().copied();
        fields.find(|f| cx.program[*f].name == *name)
    });
    let mut spans: Vec<Span> = constants
        .chain(members)
        .filter(|f| cx.types.partly_inferred.contains(f))
        .map(|f| cx.program[f].span)
        .collect();
    spans.sort_by_key(|s| s.start);
    let report = |span: Span| {
        let message = "the type of this constant is underspecified where only its name is exported";
        Diagnostic::error("resolve/underspecified-type", span, message)
            .with_help("declare its type, or list it under `reveals`")
    };
    spans.into_iter().map(report).collect()
}

/// A module as an export set shows it.
struct View<'a> {
    cx: &'a Context,
    tree: &'a Tree,
    site: &'a ExportSite,
    set: &'a ExportSet,
    items: Vec<NodeItem>,
    /// The targets of the view's imports, by the position of the import in the text.
    targets: Vec<(u32, Option<Target>)>,
}

impl<'a> View<'a> {
    /// Builds the view. Returns `None` if a shown constant has an inferred type that cannot be
    /// written in the module.
    fn of(cx: &'a Context, tree: &'a Tree, site: &'a ExportSite) -> Option<Self> {
        let set = cx.names.export_set(site.set)?;
        let mut view = View {
            cx,
            tree,
            site,
            set,
            items: Vec::new(),
            targets: Vec::new(),
        };
        for item in &tree.nodes.get(site.node)?.items {
            match item {
                NodeItem::Module(child) => view.nested(*child),
                NodeItem::Import(import, origin) => view.import(import, *origin),
                NodeItem::Export(_) => {}
                NodeItem::Decl(decl) => {
                    if let Some(shown) = view.declaration(decl)? {
                        view.items.push(NodeItem::Decl(Box::new(shown)));
                    }
                }
            }
        }
        Some(view)
    }

    /// Adds the view to the modules, under a name that no program can use.
    fn add_to(self, tree: &mut Tree, index: usize) {
        let (node, targets) = (self.site.node, self.targets);
        tree.add_view(
            node,
            Name::from(format!("view {index}")),
            self.items,
            targets,
        );
    }

    /// Adds a nested module, which a view represents as an import.
    fn nested(&mut self, child: NodeId) {
        let Some(node) = self.tree.nodes.get(child) else {
            return;
        };
        let abstract_around = self
            .tree
            .nodes
            .get(self.site.node)
            .is_some_and(|n| n.modifiers.is_abstract);
        if !self.set.provides.contains(&node.name.name)
            || (node.modifiers.is_abstract && !abstract_around)
        {
            return;
        }
        let import = ast::Import {
            opened: false,
            alias: None,
            is_abstract: false,
            target: QualifiedName {
                segments: vec![node.name.clone()],
                span: node.name.span,
            },
            exports: Vec::new(),
            span: node.name.span,
        };
        self.targets.push((
            import.span.start,
            Some(Target::whole(self.tree.replacement(child))),
        ));
        self.items.push(NodeItem::Import(import, self.site.node));
    }

    /// Adds an import if some import of the same module is provided.
    fn import(&mut self, import: &ast::Import, origin: NodeId) {
        let target = self.target(import);
        let imports = self.tree.imports_of(self.site.node);
        let same = |other: &ast::Import| {
            other.span == import.span
                || self.target(other).map(|t| t.node) == target.as_ref().map(|t| t.node)
        };
        let provided = |other: &ast::Import| {
            Tree::import_name(other).is_some_and(|n| self.set.provides.contains(&n.name))
        };
        if imports
            .iter()
            .any(|(other, _)| provided(other) && same(other))
        {
            self.targets.push((import.span.start, target));
            self.items.push(NodeItem::Import(import.clone(), origin));
        }
    }

    fn target(&self, import: &ast::Import) -> Option<Target> {
        self.tree.known_target(self.site.node, import)
    }

    /// The shown part of a declaration. The inner `None` means that nothing is shown, the outer
    /// `None` that it is unknown.
    fn declaration(&self, decl: &TopDecl) -> Option<Option<TopDecl>> {
        let Some(name) = exported_name(decl) else {
            return Some(None);
        };
        if !self.set.provides.contains(&name.name) {
            return Some(None);
        }
        // A provided declaration hides its definition, a revealed one shows it.
        let revealed = self.set.reveals.contains(&name.name);
        let members = |members: &[Member]| self.members(&name, members);
        Some(Some(match decl {
            TopDecl::Class(d) if revealed => TopDecl::Class(ast::ClassDecl {
                members: members(&d.members)?,
                ..d.clone()
            }),
            TopDecl::Class(d) => opaque(
                &d.modifiers,
                &d.name,
                &d.type_params,
                members(&d.members)?,
                d.span,
            ),
            TopDecl::Datatype(d) if revealed => TopDecl::Datatype(ast::DatatypeDecl {
                members: members(&d.members)?,
                ..d.clone()
            }),
            TopDecl::Datatype(d) => opaque(
                &d.modifiers,
                &d.name,
                &d.type_params,
                members(&d.members)?,
                d.span,
            ),
            TopDecl::Newtype(d) if revealed => TopDecl::Newtype(ast::NewtypeDecl {
                members: members(&d.members)?,
                ..d.clone()
            }),
            TopDecl::Newtype(d) => opaque(
                &d.modifiers,
                &d.name,
                &d.type_params,
                members(&d.members)?,
                d.span,
            ),
            TopDecl::Type(d) if revealed => TopDecl::Type(ast::TypeDecl {
                members: members(&d.members)?,
                ..d.clone()
            }),
            TopDecl::Type(d) => {
                let (members, extends, definition) = (members(&d.members)?, Vec::new(), None);
                TopDecl::Type(ast::TypeDecl {
                    members,
                    extends,
                    definition,
                    ..d.clone()
                })
            }
            TopDecl::Iterator(d) if revealed => TopDecl::Iterator(d.clone()),
            TopDecl::Iterator(d) => {
                opaque(&d.modifiers, &d.name, &d.type_params, Vec::new(), d.span)
            }
            TopDecl::Member(m) => TopDecl::Member(self.member(None, m, revealed)?),
            TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_) => return Some(None),
        }))
    }

    fn members(&self, owner: &Ident, members: &[Member]) -> Option<Vec<Member>> {
        let mut shown = Vec::new();
        for member in members {
            let name = match member {
                Member::Method(m) if m.name.is_none() => Name::from("_ctor"),
                Member::Method(_) | Member::Field(_) | Member::Const(_) | Member::Function(_) => {
                    member_name(member)
                }
            };
            let anonymous = &*name == "_ctor" && self.set.reveals.contains(&owner.name);
            let key = (owner.name.clone(), name);
            if anonymous || self.set.members.contains(&key) {
                shown.push(self.member(
                    Some(&owner.name),
                    member,
                    self.set.revealed_members.contains(&key),
                )?);
            }
        }
        Some(shown)
    }

    fn member(&self, owner: Option<&Name>, member: &Member, revealed: bool) -> Option<Member> {
        Some(match member {
            Member::Field(f) => Member::Field(f.clone()),
            Member::Const(c) if revealed => Member::Const(c.clone()),
            Member::Const(c) => {
                let ty = match &c.ty {
                    Some(ty) => ty.clone(),
                    None => self.inferred_type(owner, &c.name)?,
                };
                Member::Const(ast::ConstDecl {
                    ty: Some(ty),
                    value: None,
                    ..c.clone()
                })
            }
            Member::Function(f) if revealed => {
                let by_method = f.by_method.as_ref().map(|b| ast::Block {
                    stmts: Vec::new(),
                    divided_at: None,
                    division: None,
                    span: b.span,
                });
                Member::Function(ast::FunctionDecl {
                    by_method,
                    ..f.clone()
                })
            }
            Member::Function(f) => Member::Function(ast::FunctionDecl {
                body: None,
                by_method: None,
                ..f.clone()
            }),
            Member::Method(m) => Member::Method(ast::MethodDecl {
                body: None,
                ..m.clone()
            }),
        })
    }

    /// The inferred type of a constant.
    fn inferred_type(&self, owner: Option<&Name>, name: &Ident) -> Option<ast::Type> {
        let scope = self.cx.names.scope(self.site.module)?;
        let field = match owner {
            None => match scope.static_members.get(&name.name)? {
                Entity::Const(f) => *f,
                Entity::Module(_)
                | Entity::Type(_)
                | Entity::Synonym(_)
                | Entity::Callable(_)
                | Entity::Ctor(_) => return None,
            },
            Some(owner) => {
                let Entity::Type(ty) = scope.top_levels.get(owner)? else {
                    return None;
                };
                let of_this_name =
                    |f: &&crate::typed::FieldId| self.cx.program[**f].name == name.name;
                self.cx.program[*ty]
                    .fields
                    .iter()
                    .find(of_this_name)
                    .copied()?
            }
        };
        self.cx
            .written_type(self.site.module, &self.cx.program[field].ty, name.span)
    }
}

/// The abstract type that represents a type which is not revealed.
fn opaque(
    modifiers: &ast::Modifiers,
    name: &Ident,
    type_params: &[ast::TypeParam],
    members: Vec<Member>,
    span: Span,
) -> TopDecl {
    TopDecl::Type(ast::TypeDecl {
        modifiers: modifiers.clone(),
        name: name.clone(),
        characteristics: ast::Characteristics::default(),
        type_params: type_params.to_vec(),
        extends: Vec::new(),
        definition: None,
        members,
        is_refining: false,
        span,
    })
}

impl Context {
    /// Whether only reference types can have such a member: a constructor or a mutable field.
    fn belongs_to_objects(&self, member: super::context::Member) -> bool {
        use super::context::Member as M;
        use crate::typed::{CallableKind, FieldKind};
        match member {
            M::Field(f) => matches!(self.program[f].kind, FieldKind::Mutable),
            M::Callable(c) => self.program[c].kind == CallableKind::Constructor,
            M::Ctor(_) | M::CtorTest(_) => false,
        }
    }

    /// Converts a type to syntax, as written in the module. Returns `None` if a part of it has no
    /// name there.
    fn written_type(&self, module: ModuleId, ty: &Type, span: Span) -> Option<ast::Type> {
        let ident = |name: &str| Ident {
            name: Name::from(name),
            span,
        };
        let types = |parts: &[&Type]| {
            parts
                .iter()
                .map(|t| self.written_type(module, t, span))
                .collect::<Option<Vec<_>>>()
        };
        let named = |name: &str, parts: &[&Type]| {
            let args = if parts.is_empty() {
                None
            } else {
                Some(types(parts)?)
            };
            Some(ast::TypeKind::Named(vec![ast::TypeSegment {
                name: ident(name),
                args,
            }]))
        };
        let kind = match ty {
            Type::Bool => named("bool", &[]),
            Type::Char => named("char", &[]),
            Type::Int => named("int", &[]),
            Type::Real => named("real", &[]),
            Type::Bv(width) => named(&format!("bv{width}"), &[]),
            Type::Ordinal => named("ORDINAL", &[]),
            Type::Seq(elem) => named("seq", &[elem]),
            Type::Set { finite, elem } => named(if *finite { "set" } else { "iset" }, &[elem]),
            Type::Multiset(elem) => named("multiset", &[elem]),
            Type::Map { finite, key, value } => {
                named(if *finite { "map" } else { "imap" }, &[key, value])
            }
            Type::Array {
                dims,
                nullable,
                elem,
            } => named(&array_name(*dims, *nullable), &[elem]),
            Type::Object { nullable } => named(if *nullable { "object?" } else { "object" }, &[]),
            Type::Tuple(parts) => {
                let part = |(ghost, ty): &(bool, Type)| {
                    Some(ast::TupleComponent {
                        ghost: *ghost,
                        ty: self.written_type(module, ty, span)?,
                    })
                };
                parts
                    .iter()
                    .map(part)
                    .collect::<Option<Vec<_>>>()
                    .map(ast::TypeKind::Tuple)
            }
            Type::Arrow {
                kind,
                params,
                result,
            } => {
                let result = Box::new(self.written_type(module, result, span)?);
                Some(ast::TypeKind::Arrow {
                    kind: *kind,
                    params: types(&params.iter().collect::<Vec<_>>())?,
                    result,
                })
            }
            Type::Named {
                decl,
                args,
                nullable,
            } => {
                let path = self.written_path(module, *decl, *nullable)?;
                let args = if args.is_empty() {
                    None
                } else {
                    Some(types(&args.iter().collect::<Vec<_>>())?)
                };
                let last = path.len() - 1;
                let segment = |(i, name): (usize, Name)| ast::TypeSegment {
                    name: Ident { name, span },
                    args: if i == last { args.clone() } else { None },
                };
                Some(ast::TypeKind::Named(
                    path.into_iter().enumerate().map(segment).collect(),
                ))
            }
            Type::Param(p) => named(&self.program[*p].name, &[]),
            Type::Error => None,
        };
        Some(ast::Type { kind: kind?, span })
    }

    /// The path by which the module names a declared type. Returns `None` if it has no name there.
    fn written_path(&self, module: ModuleId, decl: TypeId, nullable: bool) -> Option<Vec<Name>> {
        let declared = &self.program[decl];
        let mut path = Vec::new();
        // A declaration of another module is written through an import. The alphabetically
        // first one is used, so that the result is deterministic.
        if declared.module != module && self.program.nat != Some(decl) {
            let names = &self.names.scope(module)?.top_levels;
            let leads_there =
                |e: &Entity| matches!(e, Entity::Module(v) if v.module == declared.module);
            path.push(
                names
                    .iter()
                    .filter(|(_, e)| leads_there(e))
                    .map(|(n, _)| n)
                    .min()?
                    .clone(),
            );
        }
        path.push(if nullable {
            Name::from(format!("{}?", declared.name))
        } else {
            declared.name.clone()
        });
        Some(path)
    }
}

/// The name of an array type.
fn array_name(dims: u32, nullable: bool) -> String {
    let dims = if dims == 1 {
        String::new()
    } else {
        dims.to_string()
    };
    format!("array{dims}{}", if nullable { "?" } else { "" })
}
