//! Units: the callables for which tests are generated.
//!
//! [`units`] selects them; [`Unit`] pairs a callable with its name in reports. Further functions
//! select datatypes, classes and the program's own tests.

use dafny_resolve::typed::{
    Arena, Attributes, Body, CallableId, CallableKind, Program, TypeDeclKind, TypeId,
};
use dafny_source::Span;
use dtest_desugar::ExternalCode as _;
use dtest_sorted::SortedMap;

/// A compiled function, method or constructor with a body or linked Rust code; for an iterator, its
/// driver ([`dafny_resolve::typed::IteratorMembers::drive`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The callable.
    pub callable: CallableId,
    /// The name in reports, unique in the program: `Module.Type.Name`; a constructor without a name
    /// is `Module.Type._ctor`. The second and later callables with the same name get a number
    /// appended.
    pub path: String,
}

/// Returns the units of the program in the order of the source.
///
/// `named` says whether a span lies in a file that the user named. It is applied to the span of the
/// module, so that a member inherited by refinement belongs to the refining module, regardless of
/// the position of its text; for members of the default module, it is applied to their own spans. A
/// unit is compiled, has a body or linked Rust code, lies in no abstract module, and is not itself
/// a test (`{:test}`). If some unit is marked `{:testEntry}`, only the units marked so count.
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

/// Returns the units that `{:testEntry}` on other units leaves out. Those marked `{:testInline}` are
/// part of entries.
pub fn left_out(program: &Program, named: impl Fn(Span) -> bool) -> Vec<Unit> {
    let chosen: Vec<CallableId> = units(program, &named)
        .into_iter()
        .map(|u| u.callable)
        .collect();
    let is_left_out = |id: &CallableId| {
        named(home(program, *id))
            && is_unit(program, *id)
            && !chosen.contains(id)
            && program[*id].attribute("testInline").is_none()
    };
    let all = Arena::<CallableId>::ids(program).into_iter();
    units_of(program, all.filter(is_left_out).collect())
}

/// Returns the callables whose obligations are checked, in the order of the source: functions,
/// methods, constructors, lemmas and iterators with bodies, including ghost ones and those of
/// abstract modules. `named` has the same meaning as in [`units`].
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

/// Returns the callables with a precondition or postcondition, in the order of the source, with or
/// without bodies. Own tests, members that the language generates for iterators, and prefix
/// predicates and lemmas are left out. `named` has the same meaning as in [`units`].
pub fn units_with_contracts(program: &Program, named: impl Fn(Span) -> bool) -> Vec<Unit> {
    let is_of_iterator = |id: CallableId| {
        let owner = program[id].owner;
        owner.is_some_and(|t| matches!(program[t].kind, TypeDeclKind::Iterator(_)))
    };
    let has_contract = |id: &CallableId| {
        let c = &program[*id];
        let has_clauses = !c.spec.requires.is_empty() || !c.spec.ensures.is_empty();
        has_clauses
            && !is_of_iterator(*id)
            && !c.name.ends_with('#')
            && c.attribute("test").is_none()
            && named(home(program, *id))
    };
    let ids = Arena::<CallableId>::ids(program).into_iter();
    units_of(program, ids.filter(has_contract).collect())
}

/// Returns the given callables as units, in the order of the source.
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

/// Returns the program's own tests in the order of the source: compiled callables marked `{:test}`
/// (or `@Test`). `named` has the same meaning as in [`units`].
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

/// Returns the datatypes and codatatypes that exist at run time, in the order of the source.
/// `named` has the same meaning as in [`units`].
pub fn datatypes(program: &Program, named: impl Fn(Span) -> bool) -> Vec<TypeId> {
    types(program, named, |id| {
        matches!(program[id].kind, TypeDeclKind::Datatype { .. })
    })
}

/// Returns the classes that exist at run time, in the order of the source. `named` has the same
/// meaning as in [`units`].
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

/// Returns the reason why a callable marked `{:test}` cannot be called as a test, if it cannot
/// (reference manual, section 11.2.18).
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

/// Whether tests can be generated for a callable, regardless of its file.
pub fn is_unit(program: &Program, id: CallableId) -> bool {
    let c = &program[id];
    !c.ghost
        && c.kind != CallableKind::Lemma
        && (has_body(program, id) || program.is_linked(id))
        && c.attribute("test").is_none()
        && !program.is_left_out(id)
}

/// Whether a callable is compiled Dafny code with known blocks.
pub fn has_goals(program: &Program, id: CallableId) -> bool {
    !program[id].ghost
        && program[id].kind != CallableKind::Lemma
        && has_body(program, id)
        && !program.is_left_out(id)
}

/// Returns the span that determines the file to which a callable belongs.
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
