//! Refinement as a merge of parsed declarations (reference manual, "Refinement").
//!
//! Inherited declarations come first. If the refining module declares the same name, both are
//! merged into one declaration at the position of the inherited one.

mod added;
mod check;
mod statements;

use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast::{self, Member, TopDecl};

use super::passes::Findings;
use super::tree::{NodeItem, Tree};
use check::Check;

/// Merges the items of a refining module: the `inherited` items, refined by `own` ones, followed by
/// the remaining `own` items.
pub(super) fn merge(
    inherited: Vec<NodeItem>,
    own: Vec<NodeItem>,
    diagnostics: &mut Findings,
) -> Vec<NodeItem> {
    let mut own: Vec<Option<NodeItem>> = own.into_iter().map(Some).collect();
    let mut merged = Vec::new();
    for old in inherited {
        let key = key_of(&old);
        let matching = own
            .iter_mut()
            .find(|o| key.is_some() && o.as_ref().is_some_and(|o| key_of(o) == key));
        merged.push(match matching.and_then(Option::take) {
            None => old,
            Some(new) => merge_item(old, new, diagnostics),
        });
    }
    for item in own.into_iter().flatten() {
        if let NodeItem::Export(export) = &item
            && export.is_refining
        {
            let name = export.name.as_ref().map_or("_default", |n| &*n.name);
            let message = format!(
                "declaration '{name}' indicates refining (notation `...`), but does not refine anything"
            );
            diagnostics.push(Diagnostic::error(
                "resolve/refinement",
                export.span,
                message,
            ));
        }
        merged.push(item);
    }
    merged
}

/// A declaration that refines an abstract type.
#[derive(Debug, Clone)]
pub(super) struct RefinedType {
    /// The span of the declared name.
    pub(super) span: Span,
    /// The qualified name of the abstract type.
    pub(super) base: String,
    /// The declared characteristics of the abstract type.
    pub(super) characteristics: ast::Characteristics,
}

/// Records the declarations in `own` that refine abstract types in `inherited`.
pub(super) fn refined_types(
    module: &Name,
    inherited: &[NodeItem],
    own: &[NodeItem],
    found: &mut Vec<RefinedType>,
) {
    for item in inherited {
        let NodeItem::Decl(decl) = item else { continue };
        let TopDecl::Type(old) = &**decl else {
            continue;
        };
        let (c, key) = (old.characteristics, key_of(item));
        // Only an abstract type with characteristics restricts its refinement.
        if old.definition.is_some() || !(c.equality || c.auto_init || c.nonempty || c.no_new) {
            continue;
        }
        // The refinement is found by name: it may be any kind of type.
        let new = own.iter().find(|o| key_of(o) == key).and_then(|o| match o {
            NodeItem::Decl(decl) => type_name(decl),
            NodeItem::Module(_) | NodeItem::Import(..) | NodeItem::Export(_) => None,
        });
        if let Some(new) = new {
            found.push(RefinedType {
                span: new.span,
                base: format!("{module}.{}", old.name.name),
                characteristics: c,
            });
        }
    }
}

/// The key by which items are merged: namespace and name.
fn key_of(item: &NodeItem) -> Option<(u8, Name)> {
    Some(match item {
        NodeItem::Module(_) => return None,
        NodeItem::Import(i, _) => (0, Tree::import_name(i)?.name.clone()),
        NodeItem::Export(e) => (1, e.name.as_ref()?.name.clone()),
        NodeItem::Decl(decl) => match &**decl {
            TopDecl::Member(m) => (2, member_name(m)),
            decl @ (TopDecl::Module(_)
            | TopDecl::Import(_)
            | TopDecl::Export(_)
            | TopDecl::Class(_)
            | TopDecl::Datatype(_)
            | TopDecl::Newtype(_)
            | TopDecl::Type(_)
            | TopDecl::Iterator(_)) => (0, type_name(decl)?.name.clone()),
        },
    })
}

/// The name of a type declaration.
fn type_name(decl: &TopDecl) -> Option<&ast::Ident> {
    match decl {
        TopDecl::Class(d) => Some(&d.name),
        TopDecl::Datatype(d) => Some(&d.name),
        TopDecl::Newtype(d) => Some(&d.name),
        TopDecl::Type(d) => Some(&d.name),
        TopDecl::Iterator(d) => Some(&d.name),
        TopDecl::Member(_) | TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_) => None,
    }
}

/// The name of a member. Empty for an anonymous constructor.
pub(super) fn member_name(member: &Member) -> Name {
    match member {
        Member::Field(f) => f.name.name.clone(),
        Member::Const(c) => c.name.name.clone(),
        Member::Method(m) => m
            .name
            .as_ref()
            .map_or_else(|| Name::from(""), |n| n.name.clone()),
        Member::Function(f) => f.name.name.clone(),
    }
}

fn merge_item(old: NodeItem, new: NodeItem, diagnostics: &mut Findings) -> NodeItem {
    match (old, new) {
        (NodeItem::Decl(old), NodeItem::Decl(new)) => {
            NodeItem::Decl(Box::new(merge_decl(*old, *new, diagnostics)))
        }
        (NodeItem::Export(old), NodeItem::Export(new)) => {
            // An export set of the same name must say that it extends the old one, not that it
            // replaces it.
            if !new.is_refining {
                let name = new.name.as_ref().map_or("_default", |n| &*n.name);
                let message = format!(
                    "to redeclare and refine export set '{name}', you must use the refining (`...`) notation"
                );
                diagnostics.push(
                    Diagnostic::error("resolve/refinement", new.span, message)
                        .with_secondary(old.span, "the refined declaration"),
                );
            }
            NodeItem::Export(merge_export(old, new))
        }
        (NodeItem::Import(old, _), NodeItem::Import(new, home)) => {
            check_import(&old, &new, diagnostics);
            NodeItem::Import(new, home)
        }
        (_, new) => new,
    }
}

/// Checks the refinement of an import. Only an abstract import may be replaced, and `opened` must
/// not change.
fn check_import(old: &ast::Import, new: &ast::Import, diagnostics: &mut Findings) {
    let Some(name) = Tree::import_name(new) else {
        return;
    };
    let message = if !old.is_abstract {
        format!(
            "to redeclare and refine declaration '{}', you must use the refining (`...`) notation",
            name.name
        )
    } else if new.opened && !old.opened {
        format!(
            "{} cannot be imported with \"opened\" because it does not match the corresponding import in the refinement base",
            name.name
        )
    } else if !new.opened && old.opened {
        format!(
            "{} must be imported with \"opened\" to match the corresponding import in its refinement base",
            name.name
        )
    } else {
        return;
    };
    diagnostics.push(
        Diagnostic::error("resolve/refinement", name.span, message)
            .with_secondary(old.span, "the refined declaration"),
    );
}

fn merge_export(old: ast::Export, mut new: ast::Export) -> ast::Export {
    // The clauses of the base come first, so that messages about them have its order.
    new.extends.splice(0..0, old.extends);
    new.provides.splice(0..0, old.provides);
    new.reveals.splice(0..0, old.reveals);
    new.provides_all |= old.provides_all;
    new.reveals_all |= old.reveals_all;
    new
}

fn merge_decl(old: TopDecl, new: TopDecl, diagnostics: &mut Findings) -> TopDecl {
    check_decl(&old, &new, diagnostics);
    match (old, new) {
        (TopDecl::Member(old), TopDecl::Member(new)) => {
            TopDecl::Member(merge_member(old, new, diagnostics))
        }
        (TopDecl::Class(old), TopDecl::Class(mut new)) => {
            inherit_params(old.type_params, &mut new.type_params);
            new.extends.splice(0..0, old.extends);
            new.modifiers = merge_modifiers(old.modifiers, new.modifiers);
            new.members = merge_members(old.members, new.members, diagnostics);
            new.is_refining = false;
            TopDecl::Class(new)
        }
        (TopDecl::Datatype(old), TopDecl::Datatype(mut new)) => {
            inherit_params(old.type_params, &mut new.type_params);
            new.extends.splice(0..0, old.extends);
            new.modifiers = merge_modifiers(old.modifiers, new.modifiers);
            new.members = merge_members(old.members, new.members, diagnostics);
            // `datatype D ...` without constructors keeps those of the base.
            if new.ctors.is_empty() {
                new.ctors = old.ctors;
                new.co = old.co;
            }
            new.is_refining = false;
            TopDecl::Datatype(new)
        }
        (TopDecl::Newtype(old), TopDecl::Newtype(mut new)) => {
            inherit_params(old.type_params, &mut new.type_params);
            new.extends.splice(0..0, old.extends);
            new.modifiers = merge_modifiers(old.modifiers, new.modifiers);
            new.members = merge_members(old.members, new.members, diagnostics);
            new.definition = new.definition.or(old.definition);
            new.is_refining = false;
            TopDecl::Newtype(new)
        }
        (TopDecl::Iterator(old), TopDecl::Iterator(mut new)) => {
            inherit_params(old.type_params, &mut new.type_params);
            new.modifiers = merge_modifiers(old.modifiers, new.modifiers);
            // `...` repeats the parameters of the base.
            if new.is_refining {
                new.ins = old.ins;
                new.yields = old.yields;
            }
            new.spec = merge_spec(old.spec, new.spec);
            new.body = merged_body(old.body, new.body, diagnostics);
            new.is_refining = false;
            TopDecl::Iterator(new)
        }
        (TopDecl::Type(old), new) => refine_abstract(old, new, diagnostics),
        (_, new) => new,
    }
}

fn check_decl(old: &TopDecl, new: &TopDecl, diagnostics: &mut Findings) {
    let mut check = Check { diagnostics };
    check.kinds(old, new);
    // Members have checks of their own when they are merged.
    let params = |d: &TopDecl| match d {
        TopDecl::Class(d) => Some((d.type_params.clone(), d.name.clone())),
        TopDecl::Datatype(d) => Some((d.type_params.clone(), d.name.clone())),
        TopDecl::Newtype(d) => Some((d.type_params.clone(), d.name.clone())),
        TopDecl::Type(d) => Some((d.type_params.clone(), d.name.clone())),
        TopDecl::Iterator(_)
        | TopDecl::Member(_)
        | TopDecl::Module(_)
        | TopDecl::Import(_)
        | TopDecl::Export(_) => None,
    };
    // A datatype requires equality of a parameter if the types of its components do.
    let components: Vec<&ast::Type> = if let TopDecl::Datatype(d) = old {
        d.ctors
            .iter()
            .flat_map(|c| &c.formals)
            .map(|f| &f.ty)
            .collect()
    } else {
        Vec::new()
    };
    if let (Some((old, _)), Some((new, name))) = (params(old), params(new)) {
        check.type_params(&old, &new, name.span, "type", &name.name);
        check.added_equality(&old, &new, components.into_iter());
    }
    if let (TopDecl::Iterator(old), TopDecl::Iterator(new)) = (old, new) {
        check.iterator(old, new);
    }
}

/// Merges an abstract type (or a repeated synonym) of the base with the declaration that refines
/// it.
fn refine_abstract(old: ast::TypeDecl, new: TopDecl, diagnostics: &mut Findings) -> TopDecl {
    match new {
        TopDecl::Type(mut new) => {
            inherit_params(old.type_params, &mut new.type_params);
            new.extends.splice(0..0, old.extends);
            new.modifiers = merge_modifiers(old.modifiers, new.modifiers);
            new.members = merge_members(old.members, new.members, diagnostics);
            new.definition = new.definition.or(old.definition);
            new.is_refining = false;
            TopDecl::Type(new)
        }
        TopDecl::Class(mut new) => {
            new.members = merge_members(old.members, new.members, diagnostics);
            new.is_refining = false;
            TopDecl::Class(new)
        }
        TopDecl::Datatype(mut new) => {
            new.members = merge_members(old.members, new.members, diagnostics);
            new.is_refining = false;
            TopDecl::Datatype(new)
        }
        TopDecl::Newtype(mut new) => {
            new.members = merge_members(old.members, new.members, diagnostics);
            new.is_refining = false;
            TopDecl::Newtype(new)
        }
        // No kind of type: `check_decl` has reported it, and the new declaration stands.
        new @ (TopDecl::Iterator(_)
        | TopDecl::Member(_)
        | TopDecl::Module(_)
        | TopDecl::Import(_)
        | TopDecl::Export(_)) => new,
    }
}

fn inherit_params(old: Vec<ast::TypeParam>, new: &mut Vec<ast::TypeParam>) {
    if new.is_empty() {
        *new = old;
    }
}

fn merge_modifiers(old: ast::Modifiers, mut new: ast::Modifiers) -> ast::Modifiers {
    new.attributes.splice(0..0, old.attributes);
    new.doc = new.doc.or(old.doc);
    new
}

fn merge_members(old: Vec<Member>, new: Vec<Member>, diagnostics: &mut Findings) -> Vec<Member> {
    let mut new: Vec<Option<Member>> = new.into_iter().map(Some).collect();
    // Members have the order of the base. Additional ones follow.
    let mut merged = Vec::new();
    for member in old {
        let name = member_name(&member);
        let matching = new
            .iter_mut()
            .find(|n| n.as_ref().is_some_and(|n| member_name(n) == name));
        merged.push(match matching.and_then(Option::take) {
            None => member,
            Some(new) => merge_member(member, new, diagnostics),
        });
    }
    merged.extend(new.into_iter().flatten());
    merged
}

fn merge_member(old: Member, new: Member, diagnostics: &mut Findings) -> Member {
    match (old, new) {
        (Member::Const(old), Member::Const(mut new)) => {
            Check { diagnostics }.constant(&old, &new);
            new.ty = new.ty.or(old.ty);
            new.value = new.value.or(old.value);
            new.modifiers.is_static |= old.modifiers.is_static;
            // `const c ... := e` keeps `ghost`; a repeated declaration states its own modifiers.
            new.modifiers.ghost |= old.modifiers.ghost && new.is_refining;
            new.modifiers = merge_modifiers(old.modifiers, new.modifiers);
            new.is_refining = false;
            Member::Const(new)
        }
        (Member::Method(old), Member::Method(new)) => {
            Member::Method(merge_method(old, new, diagnostics))
        }
        (Member::Function(old), Member::Function(new)) => {
            Member::Function(merge_function(old, new, diagnostics))
        }
        (Member::Field(old), Member::Field(mut new)) => {
            Check { diagnostics }.field(&old, &new);
            new.modifiers = merge_modifiers(old.modifiers, new.modifiers);
            Member::Field(new)
        }
        (old, new) => {
            let (name, span) = (member_name(&new), member_span(&new));
            let message = format!(
                "a {} declaration ({name}) can only refine a {}",
                member_kind(&new),
                member_kind(&new)
            );
            diagnostics.push(
                Diagnostic::error("resolve/refinement", span, message)
                    .with_secondary(member_span(&old), "refined declaration"),
            );
            new
        }
    }
}

fn member_kind(member: &Member) -> &'static str {
    match member {
        Member::Field(_) => "field",
        Member::Const(_) => "const",
        Member::Method(_) => "method",
        Member::Function(_) => "function",
    }
}

fn member_span(member: &Member) -> dafny_source::Span {
    match member {
        Member::Field(f) => f.name.span,
        Member::Const(c) => c.name.span,
        Member::Method(m) => m.head,
        Member::Function(f) => f.name.span,
    }
}

fn merge_method(
    old: ast::MethodDecl,
    mut new: ast::MethodDecl,
    diagnostics: &mut Findings,
) -> ast::MethodDecl {
    Check { diagnostics }.method(&old, &new);
    inherit_params(old.type_params, &mut new.type_params);
    if new.is_refining {
        new.ins = old.ins;
        // `method M ...` repeats no signature.
        new.outs = old.outs;
        new.modifiers.is_static |= old.modifiers.is_static;
        new.modifiers.ghost |= old.modifiers.ghost;
        new.k_type = new.k_type.or(old.k_type);
    } else {
        inherit_defaults(old.ins, &mut new.ins);
    }
    new.modifiers = merge_modifiers(old.modifiers, new.modifiers);
    new.spec = merge_spec(old.spec, new.spec);
    new.body = merged_body(old.body, new.body, diagnostics);
    new.is_refining = false;
    new
}

fn merged_body(
    old: Option<ast::Block>,
    new: Option<ast::Block>,
    diagnostics: &mut Findings,
) -> Option<ast::Block> {
    let mut added = added::Added::default();
    let body = statements::merge_bodies(old, new, &mut added);
    diagnostics.added_statements().extend(added.statements);
    diagnostics.extend(added.found);
    body
}

fn merge_function(
    old: ast::FunctionDecl,
    mut new: ast::FunctionDecl,
    diagnostics: &mut Findings,
) -> ast::FunctionDecl {
    Check { diagnostics }.function(&old, &new);
    inherit_params(old.type_params, &mut new.type_params);
    if new.is_refining {
        new.ins = old.ins;
        // `function F ...` may still state its result.
        new.result = new.result.or(old.result);
        new.result_name = new.result_name.or(old.result_name);
        new.kind = old.kind;
        new.modifiers.is_static |= old.modifiers.is_static;
        new.k_type = new.k_type.or(old.k_type);
    } else {
        inherit_defaults(old.ins, &mut new.ins);
        new.result_name = new.result_name.or(old.result_name);
    }
    // Opaqueness is inherited: proofs in the base did not use the body.
    new.modifiers.opaque |= old.modifiers.opaque;
    new.modifiers = merge_modifiers(old.modifiers, new.modifiers);
    new.spec = merge_spec(old.spec, new.spec);
    new.body = new.body.or(old.body);
    new.by_method = new.by_method.or(old.by_method);
    new.is_refining = false;
    new
}

/// Copies the default values of repeated parameters that have none of their own.
fn inherit_defaults(old: Vec<ast::Formal>, new: &mut [ast::Formal]) {
    for (o, n) in old.into_iter().zip(new) {
        n.default = n.default.take().or(o.default);
    }
}

/// Merges contracts: clauses of the base first. A new measure replaces the old one.
pub(super) fn merge_spec(old: ast::Spec, new: ast::Spec) -> ast::Spec {
    // Two measures together would be one longer tuple, with another order.
    let is_decreases = |c: &ast::Clause| matches!(c.kind, ast::ClauseKind::Decreases(_));
    let has_new = new.clauses.iter().any(is_decreases);
    let mut clauses = old.clauses;
    clauses.retain(|c| !(has_new && is_decreases(c)));
    clauses.extend(new.clauses);
    ast::Spec { clauses }
}
