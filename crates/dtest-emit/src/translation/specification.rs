//! The executable part of contracts: specification functions, and their placement.

use super::convention::{Dependency, Scope, Translated};
use super::pieces::{Piece, is_ghost, missing};
use super::reason::{Reason, Unsupported};
use super::rep::Ground;
use super::two_state::States;
use super::{body, code, item};
use dafny_resolve::typed::{
    Attributes, CallableId, Clause, Frame, IteratorParts, LocalId, TypeDeclKind, TypeId,
};
use dafny_source::Span;
use dtest_lower::units::no_test;
use dtest_sorted::{SortedMap, SortedSet};

/// Returns the specification functions that contracts of compiled callables reach, and the clauses
/// that cannot be executed.
pub(super) fn specification(
    ground: &Ground<'_>,
    pieces: &[Piece<'_>],
    failed: &SortedMap<Dependency, Unsupported>,
) -> (SortedSet<Dependency>, SortedMap<Span, Reason>) {
    let by_id: SortedMap<Dependency, &Piece<'_>> = pieces.iter().map(|p| (p.id, p)).collect();
    let present: SortedSet<Dependency> = by_id.keys().copied().collect();
    // Tracked ghost state is computed by specification functions too.
    let compiled = pieces
        .iter()
        .filter(|p| !p.ghost && !failed.contains_key(&p.id));
    let mut todo: Vec<Dependency> = compiled
        .flat_map(|p| &p.needs)
        .copied()
        .filter(|n| is_ghost(ground.program, *n))
        .collect();
    let mut clauses = SortedMap::new();
    for p in pieces
        .iter()
        .filter(|p| !p.ghost && !failed.contains_key(&p.id))
    {
        let Dependency::Callable(c) = p.id else {
            continue;
        };
        todo.extend(
            of_types(ground, c)
                .into_iter()
                .filter(|needs| {
                    needs
                        .iter()
                        .all(|n| missing(ground, *n, &present, failed).is_none())
                })
                .flatten(),
        );
        let spec = &ground.program[c].spec;
        let of_clause = |clause: &Clause| {
            (
                clause.cond.span,
                needs_of(ground, c, &mut |body| body.value(&clause.cond).map(drop)),
            )
        };
        let of_frame = |frame: &Frame| {
            (
                frame.span,
                needs_of(ground, c, &mut |body| body.frame_part(frame).map(drop)),
            )
        };
        // The clauses of an iterator that its tests check refer to the constructor's parameters.
        let iterator = constructed_iterator(ground, c);
        let of_iterator = iterator
            .iter()
            .flat_map(|parts| parts.yield_ensures.iter().chain(&parts.spec.ensures));
        let conditions = spec
            .requires
            .iter()
            .chain(&spec.ensures)
            .chain(of_iterator)
            .map(of_clause);
        for (span, needs) in
            conditions.chain(spec.modifies.iter().filter(|f| !f.star).map(of_frame))
        {
            match needs {
                Ok(needs) => match needs
                    .iter()
                    .find_map(|n| missing(ground, *n, &present, failed))
                {
                    Some((reason, _)) => {
                        clauses.insert(span, reason);
                    }
                    None => todo.extend(needs),
                },
                Err(u) => {
                    clauses.insert(span, u.reason);
                }
            }
        }
    }
    let mut wanted = SortedSet::new();
    while let Some(id) = todo.pop() {
        if wanted.insert(id) {
            todo.extend(by_id.get(&id).into_iter().flat_map(|p| &p.needs));
        }
    }
    (wanted, clauses)
}

/// Returns the iterator that a callable is the constructor of.
fn constructed_iterator<'p>(
    ground: &Ground<'p>,
    callable: CallableId,
) -> Option<&'p IteratorParts> {
    let program = ground.program;
    let TypeDeclKind::Iterator(parts) = &program[program[callable].owner?].kind else {
        return None;
    };
    (parts.members?.constructor == callable).then_some(parts)
}

/// Returns the needs of the constraints of each type in a compiled callable's signature, including
/// its receiver; tests execute them.
fn of_types(ground: &Ground<'_>, callable: CallableId) -> Vec<SortedSet<Dependency>> {
    let program = ground.program;
    let c = &program[callable];
    let locals = c
        .ins
        .iter()
        .chain(&c.outs)
        .map(|f| f.local)
        .filter(|&l| !program[l].ghost);
    let of_local = |local: LocalId| {
        let ty = &program[local].ty;
        needs_of(ground, callable, &mut |body| {
            let code = body
                .vars
                .get(local)
                .cloned()
                .unwrap_or_else(|| code::Code::named("value", false));
            body.constraints(ty, &code, program[local].span).map(drop)
        })
    };
    locals.filter_map(|local| of_local(local).ok()).collect()
}

/// Returns the callables that are placed in the suite: specification functions of modules, values
/// and objects that only clauses and each other call, and the program's own tests that no other
/// code calls. Members of a trait, or of a type that extends one, stay in the library, because they
/// may be called through the trait; so do members of iterators, which access the body.
pub(super) fn apart(ground: &Ground<'_>, kept: &[Piece<'_>]) -> SortedSet<CallableId> {
    let program = ground.program;
    // Candidates: ghost callables and tests of the program, if they can leave their type.
    let is_own_test = |c: CallableId| {
        program[c].attribute("test").is_some()
            && no_test(program, c).is_none()
            && program.main != Some(c)
    };
    let is_outside = |&c: &CallableId| {
        let owner = program[c].owner;
        let is_bound = |t: TypeId| {
            let is_iterator = matches!(program[t].kind, TypeDeclKind::Iterator(_));
            program.is_trait(t) || is_iterator || !program[t].parents.is_empty()
        };
        (program[c].ghost || is_own_test(c)) && !owner.is_some_and(is_bound)
    };
    let callables = kept.iter().filter_map(|p| {
        if let Dependency::Callable(c) = p.id {
            Some(c)
        } else {
            None
        }
    });
    // Only callables that have a translation outside of the types can move.
    let candidates: SortedSet<CallableId> = callables.filter(is_outside).collect();
    ground.apart.replace(candidates.clone());
    let in_suite = Scope::in_suite(ground, true);
    let can_be = |&c: &CallableId| item::callable(&in_suite, c).is_ok();
    let movable: SortedSet<CallableId> = candidates.into_iter().filter(can_be).collect();
    ground.apart.take();
    // A callable that the rest of the translation needs must stay, with all that it needs.
    let by_id: SortedMap<Dependency, &Piece<'_>> = kept.iter().map(|p| (p.id, p)).collect();
    let is_movable = |id: &Dependency| matches!(id, Dependency::Callable(c) if movable.contains(c));
    let mut todo: Vec<Dependency> = kept
        .iter()
        .filter(|p| !is_movable(&p.id))
        .flat_map(|p| p.needs.iter().copied())
        .collect();
    let mut staying = SortedSet::new();
    while let Some(id) = todo.pop() {
        if is_movable(&id) && staying.insert(id) {
            todo.extend(by_id.get(&id).into_iter().flat_map(|p| &p.needs));
        }
    }
    movable
        .into_iter()
        .filter(|c| !staying.contains(&Dependency::Callable(*c)))
        .collect()
}

/// Returns the needs of a part of a contract; `write` translates it.
fn needs_of(
    ground: &Ground<'_>,
    callable: CallableId,
    write: &mut dyn FnMut(&mut body::Body<'_, '_, '_>) -> Translated<()>,
) -> Translated<SortedSet<Dependency>> {
    let scope = Scope::in_suite(ground, false);
    let mut body = body::Body::new(&scope);
    body.states = States::with_before();
    let c = &ground.program[callable];
    for local in c
        .ins
        .iter()
        .chain(&c.outs)
        .map(|f| f.local)
        .filter(|&l| !ground.program[l].ghost)
    {
        body.declare(local, code::Own::Place);
    }
    if !c.is_static {
        body.this = Some(code::Code::named("this", false));
    }
    // A test collects the values that an iterator yields.
    if let Some(TypeDeclKind::Iterator(parts)) = c.owner.map(|t| &ground.program[t].kind) {
        for (_, history) in parts
            .yields
            .iter()
            .zip(&parts.histories)
            .filter(|(y, _)| !ground.program[**y].ghost)
        {
            body.before_new
                .insert(*history, code::Code::named("history", false));
        }
    }
    write(&mut body)?;
    drop(body);
    Ok(scope.dependencies.into_inner())
}
