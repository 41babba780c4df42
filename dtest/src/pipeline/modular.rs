//! Obligations that the specifications do not imply: violations that only the abstraction of a
//! callee or loop by its specification allows.
//!
//! The verifier knows a callee by its contract and a loop by its invariants. If an obligation is
//! violated only in the abstracted program, the specification is too weak, and the program has no
//! error. [`search()`] finds a smallest set of abstractions that admits the violation, so that
//! the report names the specification: all abstractions together first, since a violation under a
//! part of them is one under all, then each alone, then the whole set without one after the other.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::visible::View;
use super::weak::{self, NotImplied};
use super::work::in_parallel;
use dafny_resolve::typed::CallableId;
use dafny_source::{SourceMap, Span};
use dtest_ir::{self as ir, Criteria, ObligationKind};
use dtest_lower as lower;
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_search::check::{CheckResult, Given, Verdict, Violation, find_violations};
use dtest_search::portable::Closures;
use dtest_sorted::{SortedMap, SortedSet};

/// The callables and loops that are abstracted by their specifications.
#[derive(Debug, Clone, Default)]
pub struct Modular {
    /// The abstracted callables.
    pub callables: BTreeSet<CallableId>,
    /// The abstracted loops, by the spans of their statements.
    pub loops: Vec<Span>,
}

/// A part of a program that is abstracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Abstraction {
    /// A callable, by its contract.
    Callable(CallableId),
    /// A loop, by its invariants: the span of its statement.
    Loop(Span),
    /// A labelled assertion or precondition that is not revealed: the span of its condition.
    Label(Span),
}

/// Obligations of a unit with the code that is abstracted for them.
pub type Groups = Vec<(SortedSet<Abstraction>, SortedSet<ObligationId>)>;

/// An obligation: its place, its kind and its clause.
pub type ObligationId = (Span, ObligationKind, Option<Span>);

/// The largest number of abstractions of a unit that are tried one by one.
const MAX_ALONE: usize = 8;
/// The largest number of obligations of a unit whose sets of abstractions are reduced.
const MAX_REDUCED: usize = 4;
/// The divisor of a unit's budget for one search under abstraction, and the number of units that
/// have that much.
const PART: u32 = 8;
const UNITS_PER_BUDGET: u32 = 3;

/// Returns the spans of the loops of a unit.
pub fn loops(program: &ir::Program, unit: CallableId) -> Vec<Span> {
    let blocks = program.procedures.get(&unit).map_or(&[][..], |p| &p.blocks);
    blocks
        .iter()
        .filter_map(|b| b.loop_head.as_ref())
        .map(|head| head.span)
        .collect()
}

/// Groups obligations of a unit by what the verifier abstracts for them: the methods that the unit
/// calls, its loops, and the functions and labelled conditions that are hidden at the place.
pub fn groups(program: &ir::Program, unit: &Unit, wanted: &SortedSet<ObligationId>) -> Groups {
    View::new(program, unit.callable).groups(wanted)
}

/// Returns the part of `known` that concerns a unit.
pub fn within(program: &ir::Program, unit: CallableId, known: &Modular) -> SortedSet<Abstraction> {
    let closures = Closures::new(program, [unit], "");
    let reached = closures.of(unit);
    let reached = reached.iter().flat_map(|closure| closure.callables());
    let own = loops(program, unit);
    let callables = reached.filter(|id| known.callables.contains(id) && *id != unit);
    let loops = known.loops.iter().filter(|l| own.contains(l));
    callables
        .map(Abstraction::Callable)
        .chain(loops.copied().map(Abstraction::Loop))
        .collect()
}

/// The obligations that abstractions admit violations of, by unit, and the reasons why others are
/// undecided.
pub type AllNotImplied = (Vec<NotImplied>, SortedSet<String>);

/// Searches for obligations of the units that are violated only under the abstractions that `known`
/// has for a unit. `wanted` has the obligations to search for; `stage` names the work.
#[allow(
    clippy::too_many_arguments,
    reason = "those of `in_parallel`, and the two questions"
)]
pub fn search(
    stage: &str,
    program: &ir::Program,
    sources: &SourceMap,
    units: &[Unit],
    wanted: &(dyn Fn(&Unit) -> SortedSet<ObligationId> + Sync),
    known: &(dyn Fn(&Unit, &SortedSet<ObligationId>) -> Groups + Sync),
    options: &search::Options,
    jobs: usize,
) -> AllNotImplied {
    // All units together have a part of the budget of a program.
    let part = PART.saturating_mul((units.len() as u32).div_ceil(UNITS_PER_BUDGET));
    let brief = options.in_part(options.part.saturating_mul(part));
    let look = |unit: &Unit| {
        let wanted = wanted(unit);
        if wanted.is_empty() {
            return AllNotImplied::default();
        }
        let searched = Searched {
            program,
            sources,
            unit,
            options,
            brief: &brief,
        };
        let (mut all, mut open) = AllNotImplied::default();
        for (by, wanted) in known(unit, &wanted) {
            let (found, reasons) = searched.not_implied(&wanted, &by);
            all.extend(found);
            open.extend(reasons);
        }
        (all, open)
    };
    let (mut all, mut open) = AllNotImplied::default();
    let found = in_parallel(stage, program, units, jobs, &look, &|_| {});
    for (unit, result) in units.iter().zip(found) {
        match result {
            Ok((found, reasons)) => {
                all.extend(found);
                open.extend(reasons);
            }
            Err(stopped) => {
                open.insert(format!("`{}`: {stopped}", unit.path));
            }
        }
    }
    (all, open)
}

/// Returns the obligations of a unit that no execution violates for certain.
pub fn not_violated(
    program: &ir::Program,
    unit: &Unit,
    results: &[CheckResult],
) -> SortedSet<ObligationId> {
    let result = results.iter().find(|r| r.unit == unit.callable);
    result
        .into_iter()
        .flat_map(|r| &r.obligations)
        .filter(|(_, verdict)| !matches!(verdict, Verdict::Violated(_)))
        .filter_map(|(id, _)| id_of(program.goal(unit.callable, *id)?))
        .collect()
}

/// Returns the identity of a goal that is an obligation.
fn id_of(goal: &ir::Goal) -> Option<ObligationId> {
    let (kind, clause) = goal.obligation()?;
    Some((goal.span, kind, clause))
}

/// A program in which some code is abstracted, and the unit in it.
pub(super) struct Variant {
    /// The program.
    pub(super) program: ir::Program,
    /// The unit's body in it. Recursive calls of an abstracted unit are calls of another callable.
    pub(super) unit: CallableId,
    /// The abstractions.
    pub(super) by: SortedSet<Abstraction>,
}

/// The search for the abstractions that admit violations in one unit.
struct Searched<'a> {
    program: &'a ir::Program,
    sources: &'a SourceMap,
    unit: &'a Unit,
    options: &'a search::Options,
    /// The options of one search.
    brief: &'a search::Options,
}

impl Searched<'_> {
    fn not_implied(
        &self,
        wanted: &SortedSet<ObligationId>,
        all: &SortedSet<Abstraction>,
    ) -> AllNotImplied {
        let mut open = SortedSet::new();
        if all.is_empty() {
            return AllNotImplied::default();
        }
        // Whatever a part of the abstractions admits, all of them admit.
        let whole = self.variant(all, &mut open);
        let found = self.violations(&whole, wanted, &mut open);
        if found.is_empty() {
            return (Vec::new(), open);
        }
        let mut smallest: SortedMap<ObligationId, NotImplied> = SortedMap::new();
        let mut left: SortedSet<ObligationId> = found.iter().map(|(id, _)| *id).collect();
        if (2..=MAX_ALONE).contains(&whole.by.len()) {
            for one in &whole.by {
                if left.is_empty() {
                    break;
                }
                let variant = self.variant(&SortedSet::from([*one]), &mut SortedSet::new());
                for (id, violation) in self.violations(&variant, &left, &mut SortedSet::new()) {
                    if let Some(described) = self.described(&variant, id, &violation) {
                        left.remove(&id);
                        smallest.insert(id, described);
                    }
                }
            }
        }
        // Several abstractions are needed together: those are left out without which the violation
        // remains.
        for (nth, (id, violation)) in found.iter().enumerate() {
            if !left.contains(id) {
                continue;
            }
            let is_reducible = nth < MAX_REDUCED && (3..=MAX_ALONE).contains(&whole.by.len());
            let reduced = is_reducible.then(|| self.reduced(*id, &whole.by)).flatten();
            let described = match &reduced {
                Some((variant, violation)) => self.described(variant, *id, violation),
                None => self.described(&whole, *id, violation),
            };
            smallest.extend(described.map(|d| (*id, d)));
        }
        (smallest.into_values().collect(), open)
    }

    /// Returns a variant with fewer abstractions that admit the violation of an obligation: without
    /// any of them, no violation was found. `None` if all of `by` are needed.
    fn reduced(
        &self,
        id: ObligationId,
        by: &SortedSet<Abstraction>,
    ) -> Option<(Variant, Violation)> {
        let (mut needed, mut best) = (by.clone(), None);
        let wanted = SortedSet::from([id]);
        for one in by {
            let mut fewer = needed.clone();
            fewer.remove(one);
            let variant = self.variant(&fewer, &mut SortedSet::new());
            let found = self.violations(&variant, &wanted, &mut SortedSet::new());
            if let Some((_, violation)) = found.into_iter().next() {
                needed = fewer;
                best = Some((variant, violation));
            }
        }
        best
    }

    /// Abstracts code by its specification. `open` receives the reasons for what stays as it is.
    fn variant(&self, by: &SortedSet<Abstraction>, open: &mut SortedSet<String>) -> Variant {
        let callables: BTreeSet<CallableId> = by
            .iter()
            .filter_map(|a| match a {
                Abstraction::Callable(id) => Some(*id),
                Abstraction::Loop(_) | Abstraction::Label(_) => None,
            })
            .collect();
        let hidden: Vec<Span> = by
            .iter()
            .filter_map(|a| match a {
                Abstraction::Label(span) => Some(*span),
                Abstraction::Callable(_) | Abstraction::Loop(_) => None,
            })
            .collect();
        let typed = (*self.program.typed).clone();
        let (typed, unit) = dtest_desugar::by_contract(typed, &callables, self.unit.callable);
        let typed = dtest_desugar::without_conditions(typed, unit, &hidden);
        let mut program = lower::lower_for(Arc::new(typed), Criteria::obligations());
        let mut by = by.clone();
        if let Some(procedure) = program.procedures.get_mut(&unit) {
            let is_wanted = |span: Span| by.contains(&Abstraction::Loop(span));
            let (_, left) = lower::by_invariant(Arc::make_mut(procedure), &is_wanted);
            for span in left {
                by.remove(&Abstraction::Loop(span));
                open.insert(format!(
                    "the loop at {} writes the heap: it is executed",
                    self.sources.locate(span)
                ));
            }
        }
        Variant { program, unit, by }
    }

    /// Searches for violations of the wanted obligations in a variant. One that rests on an
    /// obligation that is undecided or disregarded shows nothing.
    fn violations(
        &self,
        variant: &Variant,
        wanted: &SortedSet<ObligationId>,
        open: &mut SortedSet<String>,
    ) -> Vec<(ObligationId, Violation)> {
        let is_wanted = |goal: &ir::Goal| id_of(goal).is_some_and(|id| wanted.contains(&id));
        let found = find_violations(&variant.program, variant.unit, self.brief, &is_wanted);
        let mut violations = Vec::new();
        for (id, verdict) in found.obligations {
            let goal = variant.program.goal(variant.unit, id);
            let Some(id) = goal.and_then(id_of) else {
                continue;
            };
            match verdict {
                Verdict::Violated(v) => {
                    let is_answer = |g: &Given| matches!(g, Given::Answer(_));
                    if v.given.iter().all(is_answer) {
                        violations.push((id, *v));
                    }
                }
                Verdict::Open(reason) => {
                    open.insert(format!(
                        "by specifications alone, some obligations of `{}` could not be decided: {reason}",
                        self.unit.path
                    ));
                }
                Verdict::Holds
                | Verdict::HoldsAssuming(_)
                | Verdict::NotReached
                | Verdict::HoldsWithin { .. } => {}
            }
        }
        violations
    }

    fn described(
        &self,
        variant: &Variant,
        id: ObligationId,
        violation: &Violation,
    ) -> Option<NotImplied> {
        weak::describe(
            self.program,
            variant,
            self.sources,
            self.unit,
            id,
            violation,
            self.options,
        )
    }
}
