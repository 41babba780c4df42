//! Inheritance from traits and newtype bases: inherited members, overriding, and missing
//! implementations (reference manual, "Trait types").

use std::collections::BTreeMap;

use crate::typed::{
    Arena, Callable, CallableId, CallableKind, Formal, Program, Substitution, Type, TypeDeclKind,
    TypeId, TypeParamId,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};

use super::super::context::{Context, Member};
use super::positions::steps_by_nat;
use super::{Check, is_extern};

pub(super) fn check(c: &mut Check<'_>) {
    let ids: Vec<TypeId> = c.program().ids();
    for id in ids {
        from_base(c, id);
        if c.program()[id].parents.is_empty()
            || matches!(c.program()[id].kind, TypeDeclKind::Subset(_))
        {
            continue;
        }
        repeated_parents(c, id);
        let ambiguous = ambiguous(c, id);
        members(c, id, &ambiguous);
        missing(c, id, &ambiguous);
    }
}

/// Returns the positions of the names of all types in source order, but with each type after the
/// traits that it extends. Dafny reports errors of inheritance in this order.
pub(in super::super) fn parents_first(program: &Program) -> Vec<u32> {
    let mut order: Vec<TypeId> = program.ids();
    order.sort_by_key(|id| program[*id].span.start);
    let mut seen = std::collections::BTreeSet::new();
    let mut sorted = Vec::new();
    for id in order {
        // A type stays on the stack until its parents are sorted.
        let mut stack = vec![(id, false)];
        while let Some((id, is_last_visit)) = stack.pop() {
            if is_last_visit {
                sorted.push(program[id].span.start);
            } else if seen.insert(id) {
                stack.push((id, true));
                let parent = |p: &Type| {
                    if let Type::Named { decl, .. } = p {
                        Some((*decl, false))
                    } else {
                        None
                    }
                };
                stack.extend(program[id].parents.iter().rev().filter_map(parent));
            }
        }
    }
    sorted
}

/// The traits above a type, nearest first, with type arguments over the parameters of the type. A
/// trait that is reached with different arguments occurs with each.
fn traits_above(c: &Check<'_>, id: TypeId) -> Vec<(TypeId, Vec<Type>)> {
    let program = c.program();
    let mut found: Vec<(TypeId, Vec<Type>)> = Vec::new();
    let mut queue: std::collections::VecDeque<Type> = program[id].parents.iter().cloned().collect();
    while let Some(parent) = queue.pop_front() {
        let Type::Named { decl, args, .. } = parent else {
            continue;
        };
        if decl == id || found.iter().any(|(d, a)| *d == decl && *a == args) || found.len() > 256 {
            continue;
        }
        let map = program.substitution(decl, &args);
        queue.extend(program[decl].parents.iter().map(|p| p.subst(&map)));
        found.push((decl, args));
    }
    found
}

fn repeated_parents(c: &mut Check<'_>, id: TypeId) {
    let above = traits_above(c, id);
    for (i, (decl, args)) in above.iter().enumerate() {
        if let Some((_, first)) = above.iter().take(i).find(|(d, _)| d == decl) {
            let program = c.program();
            let show = |args: &[Type]| program.show_type(&Type::named(*decl, args.to_vec()));
            let message = format!(
                "duplicate trait parents with the same head type must also have the same type arguments; got {} and {}",
                show(first),
                show(args)
            );
            c.error("resolve/inheritance", program[id].span, message);
            return;
        }
    }
}

/// The base of a newtype, as a source of members.
enum Base {
    /// Another newtype or any declared type.
    Declared(TypeId),
    /// A built-in type.
    Builtin(Type),
}

/// The base of a type, ignoring constraints. Only newtypes have one.
fn base_of(c: &Check<'_>, id: TypeId) -> Option<Base> {
    let TypeDeclKind::Newtype(n) = &c.program()[id].kind else {
        return None;
    };
    let other = c.program().strip_subset(&n.base);
    if let Type::Named { decl, .. } = other {
        Some(Base::Declared(decl))
    } else if matches!(other, Type::Error) {
        None
    } else {
        Some(Base::Builtin(other))
    }
}

/// The members that a newtype has from a built-in type, with their keywords.
fn builtin_members(c: &Check<'_>, ty: &Type) -> &'static [(&'static str, &'static str)] {
    let general = c.program().options.general_newtypes;
    if matches!(ty, Type::Real) {
        &[("Floor", "field")]
    } else if matches!(ty, Type::Bv(_)) && general {
        &[("RotateLeft", "function"), ("RotateRight", "function")]
    } else if matches!(ty, Type::Map { .. }) && general {
        &[("Keys", "field"), ("Values", "field"), ("Items", "field")]
    } else {
        &[]
    }
}

/// A member that a newtype inherits from its base: its kind, its source, and its declaration with
/// the owner.
struct FromBase {
    what: String,
    from: String,
    declared: Option<(TypeId, Member)>,
}

/// All members that a newtype inherits from its chain of bases, by name. Members declared by a base
/// take precedence over those from its own base, and these over members from traits.
fn of_bases(c: &Check<'_>, id: TypeId) -> BTreeMap<Name, FromBase> {
    let program = c.program();
    let mut all: BTreeMap<Name, FromBase> = BTreeMap::new();
    let add = |all: &mut BTreeMap<Name, FromBase>, owner: TypeId| {
        for (name, member) in c.cx.names.members_of(owner).into_iter().flatten() {
            let what = format!("{} '{name}'", word(c.cx, *member));
            let from = format!("{} '{}'", c.kind_of(owner), program[owner].name);
            all.entry(name.clone()).or_insert(FromBase {
                what,
                from,
                declared: Some((owner, *member)),
            });
        }
    };
    // The chain of bases. Cyclic bases are reported elsewhere, here they end the loop.
    let mut levels: Vec<TypeId> = Vec::new();
    let mut at = base_of(c, id);
    while let Some(Base::Declared(decl)) = at
        && !levels.contains(&decl)
    {
        add(&mut all, decl);
        levels.push(decl);
        at = base_of(c, decl);
    }
    if let Some(Base::Builtin(ty)) = at {
        let name = if let Type::Map { finite, .. } = &ty {
            if *finite {
                "map".to_owned()
            } else {
                "imap".to_owned()
            }
        } else {
            program.show_type(&ty)
        };
        for (member, what) in builtin_members(c, &ty) {
            let from = FromBase {
                what: format!("{what} '{member}'"),
                from: format!("type '{name}'"),
                declared: None,
            };
            all.entry((*member).into()).or_insert(from);
        }
    }
    // Members of traits come last, so that they do not hide those of a base.
    for level in levels.iter().rev() {
        c.cx.ancestors(*level)
            .into_iter()
            .skip(1)
            .for_each(|(owner, _)| add(&mut all, owner));
    }
    all
}

/// Reports members from the base that the newtype declares again, or also inherits from a trait.
fn from_base(c: &mut Check<'_>, id: TypeId) {
    let program = c.program();
    let own = c.cx.names.members_of(id).cloned().unwrap_or_default();
    let traits = inherited(c, id);
    for (name, base) in of_bases(c, id) {
        let other = traits
            .get(&name)
            .and_then(|found| found.first())
            .filter(|(t, _)| {
                // No conflict if the base has the trait as well, or overrides its member.
                !base.declared.is_some_and(|(owner, _)| {
                    owner == *t || c.cx.ancestors(owner).iter().any(|(a, _)| a == t)
                })
            });
        if let Some((t, _)) = other {
            let (kind, own, trait_name) = (c.kind_of(id), &program[id].name, &program[*t].name);
            let message = format!(
                "{kind} '{own}' inherits a member named '{name}' from both {} and trait '{trait_name}'",
                base.from
            );
            c.error("resolve/inheritance", program[id].span, message);
        }
        if let Some(&mine) = own.get(&name)
            && base
                .declared
                .is_none_or(|(owner, _)| !program.is_trait(owner))
        {
            let (kind, own) = (c.kind_of(id), &program[id].name);
            let message = format!(
                "{} is inherited from {} and is not allowed to be re-declared in {kind} '{own}'",
                base.what, base.from
            );
            let mut d = Diagnostic::error("resolve/override", span_of(program, mine), message);
            if let Some((_, theirs)) = base.declared {
                d = d.with_secondary(span_of(program, theirs), "the inherited declaration");
            }
            c.found.push(d);
        }
    }
}

/// The members that a type inherits from traits, by name, without those that another trait
/// overrides.
fn inherited(c: &Check<'_>, id: TypeId) -> BTreeMap<Name, Vec<(TypeId, Member)>> {
    let mut all: BTreeMap<Name, Vec<(TypeId, Member)>> = BTreeMap::new();
    for (at, _) in traits_above(c, id) {
        for (name, member) in c.cx.names.members_of(at).into_iter().flatten() {
            let entry = all.entry(name.clone()).or_default();
            if !entry.iter().any(|(t, _)| *t == at) {
                entry.push((at, *member));
            }
        }
    }
    for found in all.values_mut() {
        let owners: Vec<TypeId> = found.iter().map(|(t, _)| *t).collect();
        // A trait below this one overrides the member.
        found.retain(|(t, _)| {
            !owners
                .iter()
                .any(|o| o != t && c.cx.ancestors(*o).iter().any(|(a, _)| a == t))
        });
    }
    all
}

/// The names that the type inherits from several traits, unless one parent provides all of them.
fn ambiguous(c: &mut Check<'_>, id: TypeId) -> Vec<Name> {
    let program = c.program();
    let mut names = Vec::new();
    for (name, found) in inherited(c, id) {
        let [(first, _), (second, _), ..] = found.as_slice() else {
            continue;
        };
        names.push(name.clone());
        let both = |parent: &Type| {
            let Type::Named { decl, .. } = parent else {
                return false;
            };
            let above = c.cx.ancestors(*decl);
            [first, second]
                .into_iter()
                .all(|t| above.iter().any(|(a, _)| a == t))
        };
        if program[id].parents.iter().any(both) {
            continue;
        }
        let message = format!(
            "{} '{}' inherits a member named '{name}' from both {} '{}' and {} '{}'",
            c.kind_of(id),
            program[id].name,
            c.kind_of(*first),
            program[*first].name,
            c.kind_of(*second),
            program[*second].name
        );
        c.error("resolve/inheritance", program[id].span, message);
    }
    names
}

fn word(cx: &Context, member: Member) -> &'static str {
    let program = &cx.program;
    match member {
        Member::Field(f) => match program[f].kind {
            crate::typed::FieldKind::Const(_) => "const field",
            crate::typed::FieldKind::Mutable | crate::typed::FieldKind::Destructor(_) => "field",
        },
        Member::Callable(c) => member_word(cx, c),
        Member::Ctor(_) | Member::CtorTest(_) => "constructor",
    }
}

/// The keywords of a callable's declaration.
pub(super) fn callable_word(c: &Callable) -> &'static str {
    match (c.kind, c.is_predicate) {
        (CallableKind::Function, false) => "function",
        (CallableKind::Function, true) => "predicate",
        (CallableKind::TwostateFunction, false) => "twostate function",
        (CallableKind::TwostateFunction, true) => "twostate predicate",
        (CallableKind::LeastPredicate, _) => "least predicate",
        (CallableKind::GreatestPredicate, _) => "greatest predicate",
        (CallableKind::Method, _) => "method",
        (CallableKind::Constructor, _) => "constructor",
        (CallableKind::Lemma, _) => "lemma",
    }
}

/// Like [`callable_word`] for a member, with the kinds of lemmas distinguished.
fn member_word(cx: &Context, id: CallableId) -> &'static str {
    match cx.callables.extreme_lemmas.get(&id) {
        _ if cx.callables.two_state_lemmas.contains(&id) => "twostate lemma",
        Some(true) => "least lemma",
        Some(false) => "greatest lemma",
        None => callable_word(&cx.program[id]),
    }
}

fn span_of(program: &Program, member: Member) -> Span {
    match member {
        Member::Field(f) => program[f].span,
        Member::Callable(c) => program[c].span,
        Member::Ctor(c) | Member::CtorTest(c) => program[c].span,
    }
}

fn is_static(program: &Program, member: Member) -> bool {
    match member {
        Member::Field(f) => program[f].is_static,
        Member::Callable(c) => program[c].is_static,
        Member::Ctor(_) | Member::CtorTest(_) => true,
    }
}

/// Checks the type's own members against the members that they override.
fn members(c: &mut Check<'_>, id: TypeId, ambiguous: &[Name]) {
    let program = c.program();
    let own = c.cx.names.members_of(id).cloned().unwrap_or_default();
    let of_base = of_bases(c, id);
    for (name, found) in inherited(c, id) {
        // Function [`from_base`] reports these.
        if of_base.contains_key(&name) {
            continue;
        }
        let (Some(&mine), Some(&(base, theirs))) = (own.get(&name), found.first()) else {
            continue;
        };
        if ambiguous.contains(&name) {
            continue;
        }
        let (at, first) = (span_of(program, mine), span_of(program, theirs));
        let (what, from) = (word(c.cx, theirs), &program[base].name);
        let redeclared = |fully: &str| {
            format!(
                "{fully}{what} '{name}' is inherited from {} '{from}' and is not allowed to be re-declared",
                c.kind_of(base)
            )
        };
        let message = match (mine, theirs) {
            _ if is_static(program, theirs) => Some(redeclared("static ")),
            _ if is_static(program, mine) => Some(format!(
                "static member '{name}' overrides non-static member in {} '{from}'",
                c.kind_of(base)
            )),
            (_, Member::Field(_)) => Some(redeclared("")),
            (_, Member::Callable(t))
                if program[t].kind.is_function() && c.cx.callables.with_body.contains(&t) =>
            {
                Some(redeclared("fully defined "))
            }
            (Member::Callable(m), Member::Callable(t)) => {
                // All lemmas have one kind, so their sorts are compared, too.
                let sort = |l: CallableId| {
                    (
                        c.cx.callables.two_state_lemmas.contains(&l),
                        c.cx.callables.extreme_lemmas.get(&l),
                    )
                };
                if program[m].kind == program[t].kind && sort(m) == sort(t) {
                    overriding(c, id, m, t, base);
                    None
                } else {
                    let got = member_word(c.cx, m);
                    Some(format!(
                        "{what} '{name}' in {} '{from}' can only be overridden by a {what} (got {got})",
                        c.kind_of(base)
                    ))
                }
            }
            (Member::Field(_) | Member::Ctor(_) | Member::CtorTest(_), Member::Callable(_)) => {
                Some(format!(
                    "{what} '{name}' in {} '{from}' can only be overridden by a {what} (got {})",
                    c.kind_of(base),
                    word(c.cx, mine)
                ))
            }
            (_, Member::Ctor(_) | Member::CtorTest(_)) => None,
        };
        if let Some(message) = message {
            let d = Diagnostic::error("resolve/override", at, message);
            c.found
                .push(d.with_secondary(first, "the inherited declaration"));
        }
    }
}

/// Checks a callable against the overridden one. Both have the same kind.
fn overriding(c: &mut Check<'_>, id: TypeId, mine: CallableId, theirs: CallableId, base: TypeId) {
    let program = c.program();
    let (m, t) = (&program[mine], &program[theirs]);
    let (what, name) = (callable_word(t), &t.name);
    let (owner, from) = (&program[id].name, &program[base].name);
    if m.ghost != t.ghost {
        let message = format!(
            "overridden {what} '{name}' in '{owner}' has different ghost/compiled status than in trait '{from}'"
        );
        return conflict(c, theirs, m.span, message);
    }
    if t.opaque && !m.opaque {
        let message = format!(
            "overridden {what} '{name}' in '{owner}' must be 'opaque' since the member is 'opaque' in trait '{from}'"
        );
        return conflict(c, theirs, m.span, message);
    }
    if m.spec.decreases_star && !t.spec.decreases_star && !t.kind.is_function() {
        let message = format!(
            "not allowed to override a terminating method with a possibly non-terminating method ('{name}')"
        );
        conflict(c, theirs, m.span, message);
    }
    // Extreme predicates and lemmas: both count their steps in the same type.
    let steps = [mine, theirs].map(|id| {
        c.cx.callables
            .prefixes
            .contains_key(&id)
            .then(|| steps_by_nat(c, id))
    });
    if let [Some(by_nat), Some(was_by_nat)] = steps
        && by_nat != was_by_nat
    {
        let [new, old] = [by_nat, was_by_nat].map(|nat| if nat { "nat" } else { "ORDINAL" });
        let what = member_word(c.cx, theirs);
        let message = format!(
            "the type of the number of steps of {what} '{name}' ({new}) must be the same as in the overridden {what} ({old})"
        );
        conflict(c, theirs, m.span, message);
    }
    compare_signatures(c, id, mine, theirs, base);
}

/// Reports an overriding declaration that does not fit the overridden one.
fn conflict(c: &mut Check<'_>, theirs: CallableId, span: Span, message: String) {
    let base = c.program()[theirs].span;
    let d = Diagnostic::error("resolve/override", span, message);
    c.found
        .push(d.with_secondary(base, "the overridden declaration"));
}

/// Compares the signatures after instantiating those of the trait with the arguments that this type
/// gives it.
fn compare_signatures(
    c: &mut Check<'_>,
    id: TypeId,
    mine: CallableId,
    theirs: CallableId,
    base: TypeId,
) {
    let program = c.program();
    let (m, t) = (&program[mine], &program[theirs]);
    let (what, name) = (callable_word(t), &t.name);
    let Some(args) = traits_above(c, id)
        .into_iter()
        .find(|(d, _)| *d == base)
        .map(|(_, a)| a)
    else {
        return;
    };
    let mut map = program.substitution(base, &args);
    if m.type_params.len() != t.type_params.len() {
        let (got, wanted) = (m.type_params.len(), t.type_params.len());
        let message = format!(
            "{what} '{name}' is declared with a different number of type parameters ({got} instead of {wanted}) than in the overridden one"
        );
        return conflict(c, theirs, m.span, message);
    }
    map.extend(
        t.type_params
            .iter()
            .copied()
            .zip(m.type_params.iter().map(|p| Type::Param(*p))),
    );
    // Bounds are compared as text, so that the names of their parameters matter.
    let bounded = t
        .type_params
        .iter()
        .chain(&m.type_params)
        .any(|p| !program[*p].bounds.is_empty());
    for (old, new) in t.type_params.iter().zip(&m.type_params) {
        let (wanted, got) = (&program[*old].name, &program[*new].name);
        if bounded && wanted != got {
            let message = format!(
                "where type parameters have bounds, those of the overridden {what} keep their names ('{wanted}', not '{got}')"
            );
            conflict(c, theirs, program[*new].span, message);
        } else if let Some(message) = changed_characteristics(program, *old, *new)
            .or_else(|| changed_bounds(program, *old, *new, &map))
        {
            conflict(c, theirs, program[*new].span, message);
        }
    }
    let kind = if t.kind.is_function() {
        "parameter"
    } else {
        "in-parameter"
    };
    formals(c, mine, theirs, (&m.ins, &t.ins), kind, &map);
    if !t.kind.is_function() {
        formals(c, mine, theirs, (&m.outs, &t.outs), "out-parameter", &map);
    } else if let (Some(new), Some(old)) = (m.outs.first(), t.outs.first()) {
        let (new, old) = (&program[new.local].ty, program[old.local].ty.subst(&map));
        if *new != old && *new != Type::Error {
            let (new, old) = (program.show_type(new), program.show_type(&old));
            conflict(
                c,
                theirs,
                m.span,
                format!(
                    "the result type of function '{name}' ({new}) differs from that in the overridden function ({old})"
                ),
            );
        }
    }
}

/// The error message if a parameter requires other characteristics than the overridden one.
pub(super) fn changed_characteristics(
    program: &Program,
    old: TypeParamId,
    new: TypeParamId,
) -> Option<String> {
    let (o, n) = (program[old].characteristics, program[new].characteristics);
    let what = if o.equality != n.equality {
        "change the requirement of supporting equality"
    } else if o.auto_init != n.auto_init {
        "change the requirement of supporting auto-initialization"
    } else if o.nonempty != n.nonempty {
        "change the requirement of being nonempty"
    } else if o.no_new != n.no_new {
        "change the no-reference-type requirement"
    } else {
        return None;
    };
    Some(format!(
        "type parameter '{}' is not allowed to {what}",
        program[new].name
    ))
}

/// The error message if a parameter has other bounds than the overridden one.
pub(super) fn changed_bounds(
    program: &Program,
    old: TypeParamId,
    new: TypeParamId,
    map: &Substitution,
) -> Option<String> {
    let (o, n) = (&program[old].bounds, &program[new].bounds);
    let name = &program[new].name;
    if o.len() != n.len() {
        let (wanted, got) = (o.len(), n.len());
        return Some(format!(
            "type parameter '{name}' has a different number of type bounds (expected {wanted}, found {got})"
        ));
    }
    let differs = |(o, n): (&Type, &Type)| {
        let wanted = o.subst(map);
        let message = || {
            let (wanted, got) = (program.show_type(&wanted), program.show_type(n));
            format!(
                "type bound for type parameter '{name}' is different (expected '{wanted}', found '{got}')"
            )
        };
        (wanted != *n).then(message)
    };
    o.iter().zip(n).find_map(differs)
}

fn formals(
    c: &mut Check<'_>,
    mine: CallableId,
    theirs: CallableId,
    (new, old): (&[Formal], &[Formal]),
    kind: &str,
    map: &Substitution,
) {
    let program = c.program();
    let (what, name) = (callable_word(&program[theirs]), &program[mine].name);
    let mut fail = |span: Span, message: String| {
        let d = Diagnostic::error("resolve/override", span, message);
        c.found
            .push(d.with_secondary(program[theirs].span, "the overridden declaration"));
    };
    if new.len() != old.len() {
        // A different number of in-parameters has been reported with the signatures.
        if kind == "out-parameter" {
            let (got, wanted) = (new.len(), old.len());
            let message = format!(
                "{what} '{name}' is declared with a different number of {kind}s ({got} instead of {wanted}) than in the overridden {what}"
            );
            fail(program[mine].span, message);
        }
        return;
    }
    for (n, o) in new.iter().zip(old) {
        let (n, o) = (&program[n.local], &program[o.local]);
        let wanted = o.ty.subst(map);
        if n.ghost != o.ghost {
            let change = if n.ghost {
                "from non-ghost to ghost"
            } else {
                "from ghost to non-ghost"
            };
            let message = format!(
                "{kind} '{}' of {what} '{name}' cannot be changed, compared to in the overridden {what}, {change}",
                n.name
            );
            fail(n.span, message);
        } else if n.ty != wanted && n.ty != Type::Error {
            let (got, wanted) = (program.show_type(&n.ty), program.show_type(&wanted));
            let message = format!(
                "the type of {kind} '{}' is different from the type of the corresponding {kind} in the overridden {what} ('{got}' instead of '{wanted}')",
                n.name
            );
            fail(n.span, message);
        }
    }
}

/// Reports bodyless trait members that the type does not implement.
fn missing(c: &mut Check<'_>, id: TypeId, ambiguous: &[Name]) {
    let program = c.program();
    if matches!(program[id].kind, TypeDeclKind::Trait { .. }) {
        return;
    }
    let own = c.cx.names.members_of(id).cloned().unwrap_or_default();
    let of_base = of_bases(c, id);
    for (name, found) in inherited(c, id) {
        let Some(&(base, Member::Callable(theirs))) = found.first() else {
            continue;
        };
        let t = &program[theirs];
        let given = of_base.contains_key(&name)
            || own.contains_key(&name)
            || c.cx.callables.with_body.contains(&theirs)
            || t.is_static
            || is_extern(t);
        if given || ambiguous.contains(&name) {
            continue;
        }
        let (kind, what) = (c.kind_of(id), callable_word(t));
        let message = format!(
            "{kind} '{}' does not implement trait {what} '{}.{name}'",
            program[id].name, program[base].name
        );
        let d = Diagnostic::error("resolve/not-implemented", program[id].span, message);
        c.found
            .push(d.with_secondary(t.span, "declared here without a body"));
    }
}
