//! Parents of types: the traits that a declaration extends, and cycles among them and among bases.

use crate::context::{Context, SynonymId};
use crate::declare::Pending;
use crate::typed::{
    Arena, AttributeArg, Attributes, GeneralTraits, ModuleId, Type, TypeDeclKind, TypeId,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;
use dafny_syntax::printer::type_to_string;

use super::prefix;

pub(super) fn parents(cx: &mut Context, pending: &Pending) {
    let (id, extends) = match pending {
        Pending::Datatype(id, ast, _) => (*id, &ast.extends),
        Pending::Class(id, ast) => (*id, &ast.extends),
        Pending::Newtype(id, ast) => (*id, &ast.extends),
        Pending::Type(id, ast) => (*id, &ast.extends),
        Pending::Iterator(..)
        | Pending::Synonym(..)
        | Pending::Field(..)
        | Pending::Const(..)
        | Pending::Function(..)
        | Pending::Method(..) => return,
    };
    let scope = cx.type_decl_scope(id);
    let params = cx.program[id].type_params.clone();
    // `object` is no parent, but makes a trait a reference type.
    let mut extends_object = false;
    for ty in extends {
        let parent = cx.resolve_type_with(&scope, ty, &mut prefix(&params));
        if parent == (Type::Object { nullable: false }) {
            extends_object = true;
        } else if is_trait(cx, scope.module, &parent) {
            foreign_parent(cx, id, &parent, ty.span);
            cx.program[id].parents.push(parent);
        } else if parent != Type::Error {
            let shown = cx.program.show_type(&parent);
            cx.error(
                "resolve/not-a-trait",
                ty.span,
                format!("a type can extend only traits (found '{shown}')"),
            );
        }
    }
    if let TypeDeclKind::Trait { is_reference } = &mut cx.program[id].kind {
        *is_reference = extends_object;
    }
}

/// Reports a parent trait from another module. Termination of calls through a trait is proved
/// within its module only, unless an attribute asserts it.
fn foreign_parent(cx: &mut Context, id: TypeId, parent: &Type, span: Span) {
    let Type::Named { decl: parent, .. } = parent else {
        return;
    };
    let (decl, base) = (&cx.program[id], &cx.program[*parent]);
    // The author asserts termination, for the trait or for the type that extends it.
    let vouched = base
        .attribute("termination")
        .is_some_and(|a| a.args == [AttributeArg::Bool(false)]);
    if base.module == decl.module
        || vouched
        || decl.attribute("AssumeCrossModuleTermination").is_some()
    {
        return;
    }
    let (kind, parent) = (
        crate::checks::type_word(&decl.kind),
        cx.program.type_path(*parent),
    );
    let message = format!(
        "{kind} '{}' is in a different module than trait '{parent}', which it extends",
        decl.name
    );
    let d = Diagnostic::error("resolve/inheritance", span, message);
    cx.diagnostics.push(d.with_help("annotate the trait with `{:termination false}` or the type with `@AssumeCrossModuleTermination`"));
}

/// Whether the type is a trait in the view of the module.
pub(super) fn is_trait(cx: &Context, from: ModuleId, ty: &Type) -> bool {
    let Type::Named { decl, .. } = ty else {
        return false;
    };
    matches!(cx.program[*decl].kind, TypeDeclKind::Trait { .. }) && cx.reveals_type(from, *decl)
}

/// Determines which traits are reference types: with general traits, those that extend `object`
/// directly or indirectly; otherwise all.
pub(super) fn reference_traits(cx: &mut Context) {
    let all = cx.program.options.general_traits == GeneralTraits::Legacy;
    let ids: Vec<TypeId> = cx.program.ids();
    let reference = |cx: &Context, id: TypeId| {
        all || cx.ancestors(id).iter().any(|(t, _)| {
            matches!(
                cx.program[*t].kind,
                TypeDeclKind::Trait { is_reference: true }
            )
        })
    };
    // All answers first: a trait that is set early would count for those that are asked later.
    let settled: Vec<(TypeId, bool)> = ids.iter().map(|id| (*id, reference(cx, *id))).collect();
    for (id, settled) in settled {
        if let TypeDeclKind::Trait { is_reference } = &mut cx.program[id].kind {
            *is_reference = settled;
        }
    }
}

/// Reports and removes cycles of parents.
pub(super) fn cyclic_traits(cx: &mut Context) {
    let ids: Vec<TypeId> = cx.program.ids();
    for id in ids {
        // Without its parents, the type no longer closes the cycle for the other types in it.
        let reaches = |cx: &Context, parent: &Type| matches!(parent, Type::Named { decl, .. } if cx.ancestors(*decl).iter().any(|(t, _)| *t == id));
        let cyclic = cx.program[id].parents.iter().any(|p| reaches(cx, p));
        if cyclic {
            let (name, span) = (cx.program[id].name.clone(), cx.program[id].span);
            cx.error(
                "resolve/cyclic-type",
                span,
                format!("type '{name}' extends itself, directly or through others"),
            );
            cx.program[id].parents.clear();
        }
    }
}

pub(super) fn cyclic_bases(cx: &mut Context, pending: &[Pending]) {
    let ids: Vec<TypeId> = cx.program.ids();
    for id in ids {
        let cycle = cx.base_cycle(id);
        if !cycle.is_empty() {
            let place = first_of_cycle(cx, pending, &cycle);
            cx.cut_cycle(id, place);
        }
    }
}

/// The name of the first declaration in a cycle of subset types and newtypes, where Dafny reports it.
/// Synonyms between them belong to the cycle. They are expanded in resolved types, so this looks for
/// their names in written ones.
fn first_of_cycle(cx: &Context, pending: &[Pending], cycle: &[TypeId]) -> Span {
    let text = |definition: Option<&ast::Constrained>| {
        definition.and_then(|d| d.base.as_ref()).map(type_to_string)
    };
    // Collect the written bases of the cycle, and the synonyms that may stand between them.
    let mut texts: Vec<String> = Vec::new();
    let mut synonyms: Vec<(SynonymId, &ast::TypeDecl)> = Vec::new();
    for p in pending {
        match p {
            Pending::Newtype(id, ast) if cycle.contains(id) => {
                texts.extend(text(ast.definition.as_ref()));
            }
            Pending::Type(id, ast) if cycle.contains(id) => {
                texts.extend(text(ast.definition.as_ref()));
            }
            Pending::Synonym(id, ast) => synonyms.push((*id, ast)),
            Pending::Newtype(..)
            | Pending::Type(..)
            | Pending::Datatype(..)
            | Pending::Class(..)
            | Pending::Iterator(..)
            | Pending::Field(..)
            | Pending::Const(..)
            | Pending::Function(..)
            | Pending::Method(..) => {}
        }
    }
    let mut places: Vec<Span> = cycle.iter().map(|t| cx.program[*t].span).collect();
    let is_in_cycle = |t: &Type| matches!(t, Type::Named { decl, .. } if cycle.contains(decl));
    // `texts` is also the queue: a synonym in the cycle may mention further ones.
    let mut next = 0;
    while let Some(mentioning) = texts.get(next).cloned() {
        next += 1;
        // Types are compared as text, because the resolved types no longer mention synonyms.
        let words: Vec<&str> = mentioning
            .split(|c: char| !(c.is_alphanumeric() || "_'?".contains(c)))
            .collect();
        synonyms.retain(|(id, ast)| {
            let leads_back = cx
                .synonyms
                .get(*id)
                .is_some_and(|s| s.rhs.any(&mut |t| is_in_cycle(t)));
            let is_part = leads_back && words.contains(&&*ast.name.name);
            if is_part {
                places.push(ast.name.span);
                texts.extend(text(ast.definition.as_ref()));
            }
            !is_part
        });
    }
    places
        .into_iter()
        .min_by_key(|s| s.start)
        .unwrap_or_default()
}

/// Adds the subset types and newtypes that the base of a type mentions.
fn mentioned_bases(cx: &Context, id: TypeId, found: &mut Vec<TypeId>) {
    let (TypeDeclKind::Subset(c) | TypeDeclKind::Newtype(c)) = &cx.program[id].kind else {
        return;
    };
    let mut queue = vec![&c.base];
    while let Some(ty) = queue.pop() {
        if let Type::Named { decl, .. } = ty
            && matches!(
                cx.program[*decl].kind,
                TypeDeclKind::Subset(_) | TypeDeclKind::Newtype(_)
            )
            && !found.contains(decl)
        {
            found.push(*decl);
        }
        queue.extend(ty.parts());
    }
}

impl Context {
    /// The subset types and newtypes in a cycle of bases through this type; empty without a cycle.
    pub(super) fn base_cycle(&self, id: TypeId) -> Vec<TypeId> {
        let reached = self.reached_bases(id);
        // A type on the way to a cycle is not in it: it must be reached from itself.
        if !reached.contains(&id) {
            return Vec::new();
        }
        reached
            .into_iter()
            .filter(|t| self.reached_bases(*t).contains(&id))
            .collect()
    }

    /// The subset types and newtypes that a base mentions, directly or through others, up to `id`
    /// itself.
    fn reached_bases(&self, id: TypeId) -> Vec<TypeId> {
        let mut reached = Vec::new();
        mentioned_bases(self, id, &mut reached);
        let mut next = 0;
        while let Some(here) = reached.get(next).copied() {
            mentioned_bases(self, here, &mut reached);
            next += 1;
        }
        reached
    }

    pub(super) fn cut_cycle(&mut self, id: TypeId, place: Span) {
        let name = self.program[id].name.clone();
        self.error(
            "resolve/cyclic-type",
            place,
            format!("the base of type '{name}' is the type itself, directly or through others"),
        );
        if let TypeDeclKind::Subset(c) | TypeDeclKind::Newtype(c) = &mut self.program[id].kind {
            c.base = Type::Error;
            if let Some(var) = c.var {
                self.program[var].ty = Type::Error;
            }
        }
    }
}
