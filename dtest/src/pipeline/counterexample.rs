//! Validation of counterexamples from Dafny's verifier: checks whether executions from their values
//! violate the obligation.

use dafny_resolve::typed::{self, Body};
use dafny_source::{SourceMap, Span};
use dtest_ir::{self as ir, Criteria};
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_search::check::{Verdict, check_obligations};
use dtest_search::describe;

/// The result of validating a counterexample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counterexample {
    /// An execution from its values violates the obligation; the inputs are given as `name =
    /// value`.
    Real(Vec<String>),
    /// No execution from its values violates the obligation, at least within bounds.
    Spurious,
    /// The counterexample is undecided, for this reason.
    Open(String),
}

/// Maximum number of conjuncts of an assumption that are tried separately.
const PARTS: usize = 40;

/// Searches for executions of a unit that start in a state where `assumed` holds and violate an
/// obligation that `is_wanted` selects (by the line of the obligation or its clause). Also returns
/// the parts of the assumption that could not be parsed and were left out.
pub fn judge(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    assumed: &str,
    is_wanted: &(dyn Fn(&str, u32) -> bool + Sync),
    options: &search::Options,
) -> (Counterexample, Vec<String>) {
    let typed = &program.typed;
    // The values become preconditions of a variant of the program. If they do not parse and resolve
    // as a whole, the conjuncts that do are used.
    let parts = conjuncts(assumed);
    let whole = with_requires(typed, sources, unit, assumed);
    let (variant, left) = match whole {
        Some(variant) => (Some(variant), Vec::new()),
        None => {
            let is_understood = |part: &&str| with_requires(typed, sources, unit, part).is_some();
            let (known, left): (Vec<&str>, Vec<&str>) =
                parts.into_iter().take(PARTS).partition(is_understood);
            let variant = if known.is_empty() {
                None
            } else {
                with_requires(typed, sources, unit, &known.join(" && "))
            };
            (variant, left.into_iter().map(str::to_owned).collect())
        }
    };
    let Some((sources, typed)) = variant else {
        return (
            Counterexample::Open("its values could not be interpreted".into()),
            left,
        );
    };
    // The variant's ids and positions are its own: unit and obligations are found again.
    let program = super::lower(typed, Criteria::obligations());
    let all = super::check::units(&program, &sources, true, None);
    let Some(unit) = all.into_iter().find(|u| u.path == unit.path) else {
        return (Counterexample::Open("no such unit".into()), left);
    };
    let at = |span: Span| {
        let file = sources.file_at(span.start).map(|(_, f)| f.path.as_str());
        file.zip(sources.line_column(span.start))
            .is_some_and(|(file, at)| is_wanted(file, at.line))
    };
    let is_goal = |goal: &ir::Goal| {
        goal.obligation()
            .is_some_and(|(_, clause)| at(goal.span) || clause.is_some_and(at))
    };
    // One certain violation suffices; "spurious" requires that every obligation was decided.
    let result = check_obligations(&program, unit.callable, options, &is_goal, None);
    let mut open = None;
    for (_, verdict) in &result.obligations {
        match verdict {
            Verdict::Violated(v) if v.is_certain() => {
                return (
                    Counterexample::Real(describe::inputs(&program, unit.callable, &v.inputs)),
                    left,
                );
            }
            Verdict::Violated(_) => {
                open = Some("it depends on code that is not executed".to_owned())
            }
            Verdict::Open(reason) => open = Some(reason.to_string()),
            Verdict::Holds
            | Verdict::HoldsAssuming(_)
            | Verdict::NotReached
            | Verdict::HoldsWithin { .. } => {}
        }
    }
    let judged = match open {
        Some(reason) => Counterexample::Open(reason),
        None if result.obligations.is_empty() => {
            Counterexample::Open("there is no obligation at that place".into())
        }
        None => Counterexample::Spurious,
    };
    (judged, left)
}

/// Splits a text at `&&` outside of parentheses and quotes.
fn conjuncts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0u32, false);
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            '&' if !quoted && depth == 0 && i >= start && text.get(i..i + 2) == Some("&&") => {
                parts.extend(text.get(start..i));
                start = i + 2;
            }
            _other => {}
        }
    }
    parts.extend(text.get(start..));
    parts
        .into_iter()
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .collect()
}

/// Adds a precondition to a unit and resolves the program; `None` if it has errors then.
fn with_requires(
    program: &typed::Program,
    sources: &SourceMap,
    unit: &Unit,
    condition: &str,
) -> Option<(SourceMap, typed::Program)> {
    let callable = &program[unit.callable];
    let (_, changed) = sources.file_at(callable.span.start)?;
    let name = callable.span.end.checked_sub(changed.base)? as usize;
    let body = match &callable.body {
        Body::Block(b) => b.span.start,
        Body::Expr(e) | Body::ByMethod(e, _) => e.span.start,
        Body::None => return None,
    };
    let body = body.checked_sub(changed.base)? as usize;
    let at = match &callable.body {
        Body::Block(_) => body,
        Body::Expr(_) | Body::ByMethod(..) | Body::None => {
            name + changed.text.get(name..body)?.rfind('{')?
        }
    };
    let (before, after) = (changed.text.get(..at)?, changed.text.get(at..)?);
    super::edited(
        program,
        sources,
        changed.base,
        &format!("{before} requires ({condition}) {after}"),
    )
}

#[cfg(test)]
mod tests {
    use super::conjuncts;

    #[test]
    fn conjuncts_are_those_outside_of_parentheses() {
        assert_eq!(
            conjuncts("0 == m && (a && b) && s == \"&&\""),
            ["0 == m", "(a && b)", "s == \"&&\""]
        );
        assert_eq!(conjuncts(""), Vec::<&str>::new());
    }
}
