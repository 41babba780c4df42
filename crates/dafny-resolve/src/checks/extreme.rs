//! Checks that extreme predicates have no postconditions, and that `older` and `new` are used
//! consistently (reference manual, "Extreme predicates", "Older parameters").

use crate::typed::{Arena, CallableId, CallableKind, Type};
use dafny_source::diagnostic::Diagnostic;

use super::Check;

/// Reports `older` parameters of anything but predicates.
pub(super) fn older(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<CallableId> = program.ids();
    for id in ids {
        let callable = &program[id];
        let is_bool = callable
            .outs
            .first()
            .is_some_and(|f| program.strip_subset(&program[f.local].ty) == Type::Bool);
        if callable.kind.is_function() && is_bool && !callable.kind.is_extreme() {
            continue;
        }
        for f in callable
            .ins
            .iter()
            .filter(|f| c.cx.variables.older.contains(&f.local))
        {
            let message = "only predicates and two-state predicates have `older` parameters";
            let d = Diagnostic::error("resolve/older", program[f.local].span, message);
            c.found.push(d.with_help("remove `older`"));
        }
    }
}

/// Checks that overriding functions and lemmas agree with the overridden ones on `older` and `new`.
pub(super) fn overridden(c: &mut Check<'_>) {
    let program = c.program();
    for id in Arena::<CallableId>::ids(program) {
        let callable = &program[id];
        let Some(inherited) = callable.overrides.first().map(|o| &program[*o]) else {
            continue;
        };
        for (own, other) in callable.ins.iter().zip(&inherited.ins) {
            for (word, declared) in [
                ("new", &c.cx.variables.new_params),
                ("older", &c.cx.variables.older),
            ] {
                if declared.contains(&own.local) != declared.contains(&other.local) {
                    let name = &program[own.local].name;
                    let message = format!(
                        "the parameter `{name}` must be `{word}` in both the overriding and the overridden declaration, or in neither"
                    );
                    let d = Diagnostic::error("resolve/older", program[own.local].span, message);
                    c.found
                        .push(d.with_secondary(program[other.local].span, "what is overridden"));
                    break;
                }
            }
        }
    }
}

/// Reports postconditions of extreme predicates.
pub(super) fn postconditions(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<CallableId> = program.ids();
    for id in ids {
        let callable = &program[id];
        let what = match callable.kind {
            CallableKind::LeastPredicate => "a least predicate",
            CallableKind::GreatestPredicate => "a greatest predicate",
            CallableKind::Function
            | CallableKind::TwostateFunction
            | CallableKind::Method
            | CallableKind::Constructor
            | CallableKind::Lemma => continue,
        };
        if let Some(first) = callable.spec.ensures.first() {
            let d = Diagnostic::error(
                "resolve/extreme-ensures",
                first.span,
                format!("{what} cannot have postconditions"),
            );
            c.found.push(d.with_help("state the property in a lemma"));
        }
    }
}
