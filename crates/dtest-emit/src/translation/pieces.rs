//! The items of a program, each translated separately into a [`Piece`].
//!
//! [`pieces_of`] translates all items, [`propagate`] removes those that need a missing one, and
//! [`placed`] arranges the rest in modules.

use super::convention::{Dependency, Scope, Translated};
use super::reason::{Missing, Reason, Unsupported};
use super::rep::Ground;
use super::{class, datatype, docs, external, item, iterator, traits};
use crate::package::{Placed, RustFile};
use crate::passes;
use crate::rust::{self, FnItem, ident, items, ty};
use dafny_resolve::typed::{
    Arena, CallableId, FieldId, Item, ModuleId, Program, TypeDeclKind, TypeId, TypeParamId,
};
use dafny_source::Span;
use dtest_desugar::ExternalCode as _;
use dtest_sorted::{SortedMap, SortedSet};

/// A translated item.
pub(super) struct Piece<'p> {
    pub(super) id: Dependency,
    /// The Rust module.
    pub(super) module: Vec<String>,
    pub(super) file: &'p RustFile,
    /// The Dafny module.
    pub(super) dafny: ModuleId,
    /// The type whose `impl` contains it.
    pub(super) inside: Option<TypeId>,
    pub(super) ghost: bool,
    pub(super) parts: Parts,
    pub(super) needs: SortedSet<Dependency>,
    /// The type parameters whose default it uses.
    pub(crate) wanted: SortedSet<TypeParamId>,
    /// The type parameters whose arguments must have the default of their Rust type.
    pub(crate) fixed: SortedSet<TypeParamId>,
}

/// The Rust form of an item.
pub(super) enum Parts {
    Items(Vec<rust::Item>),
    /// Functions of an `impl` or a module.
    Functions(Vec<FnItem>),
}

/// Translates every item. Also returns the reasons for items without a translation.
pub(super) fn pieces_of<'p>(
    ground: &Ground<'p>,
) -> (Vec<Piece<'p>>, SortedMap<Dependency, Unsupported>) {
    let program = ground.program;
    let (mut pieces, mut failed) = (Vec::new(), SortedMap::new());
    // In the order of the source, so that the output has it, too.
    for module in program.ids() {
        let module: ModuleId = module;
        if program.is_module_left_out(module) {
            continue;
        }
        for id in program[module]
            .items
            .iter()
            .flat_map(|&item| ids_of(program, item))
        {
            match piece(ground, id) {
                Ok(Some(piece)) => pieces.push(piece),
                Ok(None) => {}
                Err(reason) => {
                    failed.insert(
                        id,
                        Unsupported {
                            what: ground.describe(id),
                            ..reason
                        },
                    );
                }
            }
        }
    }
    (pieces, failed)
}

/// Returns the ids of an item; a type comes with its members.
fn ids_of(program: &Program, item: Item) -> Vec<Dependency> {
    match item {
        Item::Module(_) => Vec::new(),
        Item::Const(f) => vec![Dependency::Const(f)],
        Item::Callable(c) => vec![Dependency::Callable(c)],
        Item::Type(t) => {
            let decl = &program[t];
            let is_class = matches!(
                decl.kind,
                TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_)
            );
            // Fields of objects are part of the struct.
            let is_item = |f: &&FieldId| {
                !is_class || program[**f].is_static || !class::is_stored(program, **f)
            };
            let consts = decl
                .fields
                .iter()
                .filter(is_item)
                .map(|&f| Dependency::Const(f));
            let callables = decl.callables.iter().map(|&c| Dependency::Callable(c));
            std::iter::once(Dependency::Type(t))
                .chain(consts)
                .chain(callables)
                .collect()
        }
    }
}

pub(super) fn is_ghost(program: &Program, id: Dependency) -> bool {
    match id {
        Dependency::Type(t) => program[t].ghost,
        Dependency::Callable(c) => program[c].ghost,
        Dependency::Const(f) => program[f].ghost,
    }
}

/// Whether a missing item affects clauses alone.
pub(super) fn is_specification(program: &Program, id: Dependency) -> bool {
    matches!(id, Dependency::Callable(c) if program[c].ghost && program[c].kind.is_function())
}

/// Translates one item; `None` if it does not exist at run time.
fn piece<'p>(ground: &Ground<'p>, id: Dependency) -> Translated<Option<Piece<'p>>> {
    let program = ground.program;
    let (dafny, span, inside) = match id {
        Dependency::Type(t) => (program[t].module, program[t].span, None),
        Dependency::Callable(c) => (program[c].module, program[c].span, program[c].owner),
        Dependency::Const(f) => (program[f].module, program[f].span, program[f].owner),
    };
    let span = inside.map_or(span, |t| program[t].span);
    // The Rust file depends on the outermost enclosing module, because nested modules follow their
    // parent.
    let head = {
        let (mut at, mut head) = (Some(dafny), span);
        while let Some(m) = at {
            if program[m].parent.is_some() {
                head = program[m].span;
            }
            at = program[m].parent;
        }
        head
    };
    let module = ground.rust_module(dafny, span);
    let ghost = is_ghost(program, id);
    let scope = Scope::new(ground, Some((dafny, module.clone())), ghost);
    // `nat` is `Int` in Rust; its constraint is checked like that of any subset type.
    let parts = match id {
        Dependency::Type(t) if program.nat == Some(t) => return Ok(None),
        Dependency::Type(t) if external::is_linked_type(&scope, t) => Parts::Items(
            external::linked_type(&scope, t)?
                .into_iter()
                .map(rust::Item::Use)
                .collect(),
        ),
        // The members of a linked type come with it.
        _ if inside_of(program, id).is_some_and(|t| external::is_linked_type(&scope, t)) => {
            Parts::Functions(Vec::new())
        }
        Dependency::Type(t) => Parts::Items(match &program[t].kind {
            TypeDeclKind::Datatype { .. } => {
                // Casts to traits are written with the type, so they must be translatable.
                traits::seen_as(&scope, t)?;
                datatype::datatype(&scope, t)?
            }
            TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) => {
                traits::seen_as(&scope, t)?;
                item::alias(&scope, t)?
            }
            TypeDeclKind::Class => class::class(&scope, t)?,
            TypeDeclKind::Abstract => {
                return Err(scope.unsupported(program[t].span, "it is an abstract type"));
            }
            TypeDeclKind::Trait { .. } => {
                // The Rust trait lists the translated members, which are not known yet, so it is
                // only checked here.
                traits::check(&scope, t)?;
                Vec::new()
            }
            TypeDeclKind::Iterator(_) => iterator::iterator(&scope, t)?,
        }),
        Dependency::Callable(c) if program[c].ghost && !program[c].kind.is_function() => {
            return Ok(None);
        }
        Dependency::Callable(c) => Parts::Functions(item::callable(&scope, c)?),
        Dependency::Const(f) => Parts::Functions(vec![item::constant(&scope, f)?]),
    };
    let inside = inside.filter(|&t| in_impl(ground, t));
    let (wanted, fixed) = (scope.wanted.into_inner(), scope.fixed.into_inner());
    let mut needs = scope.dependencies.into_inner();
    // A member needs its type, and recursion is no need of something else.
    needs.extend(inside.map(Dependency::Type));
    needs.remove(&id);
    let file = ground.file_of(head);
    Ok(Some(Piece {
        id,
        module,
        file,
        dafny,
        inside,
        ghost,
        parts,
        needs,
        wanted,
        fixed,
    }))
}

/// Returns the trait implementations of a type; for a trait, the Rust trait.
fn of_traits(
    scope: &Scope<'_, '_>,
    ty: TypeId,
    present: &SortedSet<Dependency>,
) -> Vec<rust::Item> {
    if external::is_linked_type(scope, ty) {
        return Vec::new();
    }
    let items = if scope.ground.program.is_trait(ty) {
        traits::declaration(scope, ty, present)
    } else {
        traits::implementations(scope, ty, present)
    };
    // Everything it mentions was already translated with the type and its members.
    items.unwrap_or_default()
}

/// Returns the type that an item is a member of.
fn inside_of(program: &Program, id: Dependency) -> Option<TypeId> {
    match id {
        Dependency::Type(_) => None,
        Dependency::Callable(c) => program[c].owner,
        Dependency::Const(f) => program[f].owner,
    }
}

/// Whether members of the type are in an `impl`, rather than functions of the module.
pub(crate) fn in_impl(ground: &Ground<'_>, ty: TypeId) -> bool {
    ground.has_methods(ty) || ground.is_class(ty) || ground.program.is_trait(ty)
}

/// Marks items as failed that need a failed or missing item, transitively. Returns the need of
/// each.
pub(super) fn propagate(
    ground: &Ground<'_>,
    pieces: &[Piece<'_>],
    present: &SortedSet<Dependency>,
    failed: &mut SortedMap<Dependency, Unsupported>,
) -> SortedMap<Dependency, Dependency> {
    let mut causes = SortedMap::new();
    // A piece fails if it needs one that is missing. This is repeated until nothing changes,
    // because failures propagate.
    loop {
        let mut more = Vec::new();
        for p in pieces.iter().filter(|p| !failed.contains_key(&p.id)) {
            for need in &p.needs {
                if let Some(reason) = missing(ground, *need, present, failed) {
                    let (reason, span) = reason;
                    causes.insert(p.id, *need);
                    more.push((
                        p.id,
                        Unsupported {
                            what: ground.describe(p.id),
                            reason,
                            span,
                        },
                    ));
                    break;
                }
            }
        }
        if more.is_empty() {
            return causes;
        }
        failed.extend(more);
    }
}

/// Returns the reason why a needed item is missing, if it is.
pub(super) fn missing(
    ground: &Ground<'_>,
    need: Dependency,
    present: &SortedSet<Dependency>,
    failed: &SortedMap<Dependency, Unsupported>,
) -> Option<(Reason, Span)> {
    // The first cause is passed on, so that a report names it and not the last link of the chain.
    if let Some(u) = failed.get(&need) {
        return Some((u.reason.passed_on(&u.what), u.span));
    }
    if present.contains(&need)
        || matches!(need, Dependency::Type(t) if ground.program.nat == Some(t))
    {
        return None;
    }
    Some((
        Reason::Needs(ground.describe(need), Missing::NotCompiled),
        Span::default(),
    ))
}

/// Arranges the items of a translation in modules, in order.
pub(super) fn placed<'p>(ground: &Ground<'p>, pieces: &[Piece<'p>]) -> Vec<Placed<'p>> {
    let present: SortedSet<Dependency> = pieces.iter().map(|p| p.id).collect();
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(p) = pieces.get(i) {
        let mut end = i + 1;
        let mut items = Vec::new();
        if let Some(owner) = p.inside {
            // Members follow their type, so a run of them shares one `impl`.
            while pieces.get(end).is_some_and(|n| n.inside == Some(owner)) {
                end += 1;
            }
            items = members(ground, owner, pieces.get(i..end).unwrap_or_default());
        } else {
            items.extend(match &p.parts {
                Parts::Items(items) => items.clone(),
                Parts::Functions(functions) => {
                    functions.iter().cloned().map(rust::Item::Fn).collect()
                }
            });
            if let Dependency::Type(t) = p.id {
                let scope = Scope::new(ground, Some((p.dafny, p.module.clone())), false);
                items.extend(of_traits(&scope, t, &present));
            }
        }
        i = end;
        let doc = ground.program[p.dafny]
            .doc
            .iter()
            .flat_map(|d| docs::lines(d))
            .collect();
        let items = passes::tidy(items, ground.names.declared_in(p.dafny));
        out.push(Placed {
            file: p.file,
            module: p.module.clone(),
            doc,
            items,
        });
    }
    out
}

/// Returns the `impl` of members of a type. Members of linked types, and trait members that the
/// implementing types have, need none.
fn members(ground: &Ground<'_>, owner: TypeId, run: &[Piece<'_>]) -> Vec<rust::Item> {
    let functions = run.iter().flat_map(|p| match &p.parts {
        Parts::Functions(functions) => functions.as_slice(),
        Parts::Items(_) => &[],
    });
    let functions: Vec<FnItem> = functions.cloned().collect();
    let Some(first) = run.first().filter(|_| !functions.is_empty()) else {
        return Vec::new();
    };
    let scope = Scope::new(ground, Some((first.dafny, first.module.clone())), false);
    let params = &ground.program[owner].type_params;
    let (name, generics, params) = (
        ident(ground.names.type_name(owner)),
        scope.generics(params),
        scope.params(params),
    );
    let ty = if ground.program.is_trait(owner) {
        ty!(dyn #name<#..params>)
    } else {
        ty!(#name<#..params>)
    };
    // Functions of the block that mocks can redefine.
    let callables: Vec<CallableId> = run
        .iter()
        .filter_map(|p| {
            if let Dependency::Callable(c) = p.id {
                Some(c)
            } else {
                None
            }
        })
        .collect();
    let hooks = ground.hooks(owner, &callables);
    items! {
        #[#..hooks]
        impl<#..generics> #ty {
            #..functions
        }
    }
}
