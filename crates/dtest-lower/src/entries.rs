//! Entries of system tests: the callables named by `--entry` or marked `{:testEntry}`, and the
//! callees whose goals count too.
//!
//! [`enter`] restricts the units of a program to the entries; [`idle_marks`] reports marks without
//! effect.

use dafny_resolve::typed::{Arena, Attributes, CallableId, CallableKind};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dtest_ir as ir;
use dtest_sorted::SortedSet;

use super::units;

/// Makes the named callables the only units, each the entry of a system test, and returns the names
/// that the program lacks.
///
/// The goals of all compiled code in the user's files that an entry calls count too. Without names,
/// a unit marked `{:testEntry}` is an entry if it calls something marked `{:testInline}`; then only
/// the goals of the callees marked so count in addition (reference manual, section 13.6.1.13).
/// `named` has the same meaning as in [`units::units`].
pub fn enter(
    program: &mut ir::Program,
    names: &[String],
    named: impl Fn(Span) -> bool,
) -> Vec<String> {
    let typed = program.typed.clone();
    let ids: Vec<CallableId> = Arena::<CallableId>::ids(&*typed);
    let is_marked = |id: CallableId, attribute: &str| typed[id].attribute(attribute).is_some();
    let mut missing = Vec::new();
    let mut entries: Vec<CallableId> = Vec::new();
    for name in names {
        let found: Vec<CallableId> = ids
            .iter()
            .copied()
            .filter(|id| typed.callable_path(*id) == *name && units::is_unit(&typed, *id))
            .collect();
        if found.is_empty() {
            missing.push(name.clone());
        }
        entries.extend(found);
    }
    // Without names, the marks in the program determine the entries.
    let inlined_only = names.is_empty();
    if inlined_only {
        entries.extend(
            ids.iter()
                .copied()
                .filter(|id| is_marked(*id, "testEntry") && units::is_unit(&typed, *id)),
        );
    }
    for entry in &entries {
        let mut callees = program.callees(*entry);
        callees.retain(|c| units::has_goals(&typed, *c) && named(units::home(&typed, *c)));
        // With marks, only the callees marked `{:testInline}` count in addition.
        if inlined_only {
            callees.retain(|c| is_marked(*c, "testInline"));
        }
        callees.sort_by_key(|c| (typed[*c].span, *c));
        // An entry without such callees remains an ordinary unit.
        if !inlined_only || !callees.is_empty() {
            program.make_entry(*entry, callees);
        }
    }
    if !inlined_only {
        entries.sort_by_key(|c| (typed[*c].span, *c));
        entries.dedup();
        program.entries = Some(entries);
    }
    missing
}

/// Returns a warning for each mark of system tests that has no effect on a program whose entries
/// [`enter`] made without names.
pub fn idle_marks(program: &ir::Program) -> Vec<Diagnostic> {
    let typed = &*program.typed;
    let reached: SortedSet<CallableId> = program
        .systems
        .values()
        .flat_map(|s| s.callees.iter().copied())
        .collect();
    let idle = |id: &CallableId| {
        let path = typed.callable_path(*id);
        let entry = typed[*id].attribute("testEntry").filter(|_| !units::is_unit(typed, *id)).map(|mark| {
            if typed[*id].kind == CallableKind::Lemma {
                let message = format!("`{{:testEntry}}` of the lemma `{path}` has no effect: a lemma is ghost, and tests execute compiled code");
                return Diagnostic::warning("entry/no-effect", mark.span, message).with_help("`cargo dtest check` executes lemmas");
            }
            let message = format!("`{{:testEntry}}` of `{path}` has no effect: it is not compiled, so tests cannot call it");
            Diagnostic::warning("entry/no-effect", mark.span, message)
        });
        let inline = typed[*id].attribute("testInline").filter(|_| !reached.contains(id)).map(|mark| {
            let message = format!("`{{:testInline}}` of `{path}` has no effect: no callable marked `{{:testEntry}}` calls it");
            Diagnostic::warning("entry/no-effect", mark.span, message)
        });
        entry.into_iter().chain(inline)
    };
    Arena::<CallableId>::ids(typed)
        .iter()
        .flat_map(idle)
        .collect()
}

/// Returns the units with names similar to one that the program lacks: those whose path ends with
/// the name, or else those whose last component equals it regardless of case.
pub fn similar(program: &ir::Program, name: &str) -> Vec<String> {
    let paths: Vec<String> = units::units(&program.typed, |_| true)
        .into_iter()
        .map(|u| u.path)
        .collect();
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_lowercase();
    let ends: Vec<String> = paths
        .iter()
        .filter(|p| p.ends_with(&format!(".{name}")))
        .cloned()
        .collect();
    if ends.is_empty() {
        paths
            .into_iter()
            .filter(|p| last(p) == last(name))
            .collect()
    } else {
        ends
    }
}
