//! Units: the callables that tests are made for.

use dafny_resolve::typed::{
    Arena, Attributes, Body, CallableId, CallableKind, Program, TypeDeclKind, TypeId,
};
use dafny_syntax::source::Span;
use dtest_sorted::SortedMap;

/// A compiled function, method or constructor with a body, or with Rust that is linked to it; for an iterator, what
/// drives it ([`dafny_resolve::typed::IteratorMembers::drive`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Which.
    pub callable: CallableId,
    /// Its name for reports, unique in the program: `Module.Type.Name`, a constructor without a name
    /// being `Module.Type._ctor`. Where two would be the same, the later one has its position added.
    pub path: String,
}

/// The units of the program in the order of the source.
///
/// `named` says whether a span lies in a file that the user named. It is asked of the module, so that what a
/// module inherits by refinement belongs to it, wherever that text stands; members of the default module
/// are asked themselves. A unit is compiled, has a body or Rust linked to it, lies in
/// no abstract module, and is not itself a test (`{:test}`). Where some unit is marked `{:testEntry}`,
/// only those so marked are units.
pub fn units(program: &Program, named: impl Fn(Span) -> bool) -> Vec<Unit> {
    let mut ids: Vec<CallableId> = Arena::<CallableId>::ids(program)
        .into_iter()
        .filter(|id| named(home(program, *id)) && is_unit(program, *id))
        .collect();
    let entries: Vec<CallableId> = ids
        .iter()
        .copied()
        .filter(|id| program[*id].attribute("testEntry").is_some())
        .collect();
    if !entries.is_empty() {
        ids = entries;
    }
    units_of(program, ids)
}

/// The callables whose obligations are looked at, in the order of the source: functions, methods, constructors, lemmas and iterators with
/// bodies, ghost ones and those of abstract modules too. `named` is as for [`units`].
pub fn units_with_obligations(program: &Program, named: impl Fn(Span) -> bool) -> Vec<Unit> {
    let has_obligations = |id: &CallableId| has_body(program, *id) && named(home(program, *id));
    units_of(
        program,
        Arena::<CallableId>::ids(program)
            .into_iter()
            .filter(has_obligations)
            .collect(),
    )
}

/// The given callables as units, in the order of the source.
pub fn units_of(program: &Program, mut ids: Vec<CallableId>) -> Vec<Unit> {
    ids.sort_by_key(|id| (program[*id].span, *id));
    let mut seen: SortedMap<String, u32> = SortedMap::new();
    let mut units = Vec::new();
    for callable in ids {
        let path = program.callable_path(callable);
        let count = seen.entry(path.clone()).or_default();
        *count += 1;
        let path = if *count == 1 {
            path
        } else {
            format!("{path}#{count}")
        };
        units.push(Unit { callable, path });
    }
    units
}

/// The program's own tests, in the order of the source: what is compiled and marked `{:test}` (or `@Test`). `named` is as for
/// [`units`].
pub fn own_tests(program: &Program, named: impl Fn(Span) -> bool) -> Vec<CallableId> {
    let is_test = |id: &CallableId| {
        let c = &program[*id];
        c.attribute("test").is_some()
            && !c.ghost
            && c.kind != CallableKind::Lemma
            && !program.is_left_out(*id)
    };
    let mut ids: Vec<CallableId> = Arena::<CallableId>::ids(program)
        .into_iter()
        .filter(|id| named(home(program, *id)) && is_test(id))
        .collect();
    ids.sort_by_key(|id| (program[*id].span, *id));
    ids
}

/// The datatypes and codatatypes that exist at run time, in the order of the source. `named` is as for [`units`].
pub fn datatypes(program: &Program, named: impl Fn(Span) -> bool) -> Vec<TypeId> {
    types(program, named, |id| {
        matches!(program[id].kind, TypeDeclKind::Datatype { .. })
    })
}

/// The classes that exist at run time, in the order of the source. `named` is as for [`units`].
pub fn classes(program: &Program, named: impl Fn(Span) -> bool) -> Vec<TypeId> {
    types(program, named, |id| {
        matches!(program[id].kind, TypeDeclKind::Class)
    })
}

fn types(
    program: &Program,
    named: impl Fn(Span) -> bool,
    is_kind: impl Fn(TypeId) -> bool,
) -> Vec<TypeId> {
    let is_wanted = |id: &TypeId| {
        let decl = &program[*id];
        let module = &program[decl.module];
        is_kind(*id)
            && !decl.ghost
            && !program.is_module_left_out(decl.module)
            && named(if module.name.is_empty() {
                decl.span
            } else {
                module.span
            })
    };
    let mut ids: Vec<TypeId> = Arena::<TypeId>::ids(program)
        .into_iter()
        .filter(is_wanted)
        .collect();
    ids.sort_by_key(|id| (program[*id].span, *id));
    ids
}

/// Why something marked `{:test}` cannot be called as a test, if it cannot (reference manual, 11.2.18).
pub fn no_test(program: &Program, id: CallableId) -> Option<&'static str> {
    let c = &program[id];
    if c.kind == CallableKind::Constructor || !c.is_static {
        Some("a test must be static")
    } else if !c.ins.is_empty() {
        Some("a test cannot have parameters")
    } else if !program.all_type_params(id).is_empty() {
        Some("a test cannot have type parameters")
    } else if c.outs.len() > 1 {
        Some("a test can have at most one result")
    } else if !has_body(program, id) {
        Some("a test must have a body")
    } else {
        None
    }
}

/// Whether tests can be made for a callable, whichever file it stands in.
pub fn is_unit(program: &Program, id: CallableId) -> bool {
    let c = &program[id];
    !c.ghost
        && c.kind != CallableKind::Lemma
        && (has_body(program, id) || program.is_linked(id))
        && c.attribute("test").is_none()
        && !program.is_left_out(id)
}

/// Whether a callable is compiled Dafny code, whose blocks are known.
pub fn has_goals(program: &Program, id: CallableId) -> bool {
    !program[id].ghost
        && program[id].kind != CallableKind::Lemma
        && has_body(program, id)
        && !program.is_left_out(id)
}

/// The span that says which file a callable belongs to.
pub(super) fn home(program: &Program, id: CallableId) -> Span {
    let module = &program[program[id].module];
    if module.name.is_empty() {
        program[id].span
    } else {
        module.span
    }
}

fn has_body(program: &Program, id: CallableId) -> bool {
    match program[id].body {
        Body::None => program
            .driven_by(id)
            .is_some_and(|(_, parts, _)| parts.body.is_some()),
        Body::Expr(_) | Body::Block(_) | Body::ByMethod(..) => true,
    }
}
