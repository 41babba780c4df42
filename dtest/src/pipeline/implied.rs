//! The second stage of `check`, for obligations that no execution violates: the specifications that
//! do not imply them, or the proofs that the verifier could not find.

use super::check::Options;
use super::modular::{self, ObligationId};
use crate::message::MessageId;
use crate::report::check::{CheckReport, ObligationReport, ProvedReport, Standing};
use dafny_resolve::typed::{CallableId, Program, Type};
use dafny_source::SourceMap;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_ir::{self as ir, Expr, ExprKind, Op, StmtKind};
use dtest_lower::units::Unit;
use dtest_search::describe;
use dtest_sorted::{SortedMap, SortedSet};

/// The obligations whose specifications are searched for a violation.
#[derive(Clone, Copy)]
pub enum Explain<'a> {
    /// No obligations.
    Nothing,
    /// Obligations that are neither violated nor proved.
    Open,
    /// Obligations that the verifier could not prove, if they are not violated: the function selects
    /// them by their positions.
    Reported(&'a (dyn Fn(&[ObligationReport]) -> SortedSet<usize> + Sync)),
}

/// Adds to the report which obligations the specifications do not imply, and, for obligations that
/// the verifier reports, which of the others hold.
pub(super) fn explain(
    program: &ir::Program,
    sources: &SourceMap,
    units: &[Unit],
    report: &mut CheckReport,
    options: &Options<'_>,
) {
    let is_violated = |p: &ObligationReport| match p.standing {
        Standing::Violated | Standing::ViolatedAssuming => true,
        Standing::NotDecided
        | Standing::HoldsWithinBounds
        | Standing::Holds
        | Standing::HoldsAssuming
        | Standing::NotReached => false,
    };
    let reported: Option<SortedSet<usize>> = match options.explain {
        Explain::Nothing => return,
        Explain::Open => None,
        Explain::Reported(select) => Some(select(&report.obligations)),
    };
    let is_wanted = |(i, p): &(usize, &ObligationReport)| match &reported {
        Some(reported) => reported.contains(i) && !is_violated(p),
        None => match p.standing {
            Standing::NotDecided => !p.is_candidate,
            Standing::HoldsWithinBounds => true,
            Standing::Violated
            | Standing::ViolatedAssuming
            | Standing::Holds
            | Standing::HoldsAssuming
            | Standing::NotReached => false,
        },
    };
    let mut wanted: SortedMap<String, SortedSet<ObligationId>> = SortedMap::new();
    for (_, obligation) in report.obligations.iter().enumerate().filter(is_wanted) {
        let all = wanted.entry(obligation.unit.clone()).or_default();
        all.insert(id_of(obligation));
    }
    if wanted.is_empty() {
        return;
    }
    let units: Vec<Unit> = units
        .iter()
        .filter(|u| wanted.contains_key(&u.path))
        .cloned()
        .collect();
    let of_unit = |unit: &Unit| wanted.get(&unit.path).cloned().unwrap_or_default();
    // What is undecided under abstraction is of no use to the user: the verdict remains.
    let (found, _) = modular::search(
        "second stage",
        program,
        sources,
        &units,
        &of_unit,
        &|unit, wanted| modular::groups(program, unit, wanted),
        options.search,
        options.jobs,
    );
    for found in found {
        let of_same = |p: &&mut ObligationReport| p.unit == found.unit && id_of(p) == found.id;
        if let Some(obligation) = report.obligations.iter_mut().find(of_same) {
            obligation.explained = Some(found.note().with_note(obligation.message.clone()));
            obligation.not_implied = Some(found.report);
        }
    }
    for i in reported.into_iter().flatten() {
        if let Some(obligation) = report.obligations.get_mut(i)
            && obligation.not_implied.is_none()
            && let Some(unit) = units.iter().find(|u| u.path == obligation.unit)
        {
            prove(program, unit, obligation);
        }
    }
}

fn id_of(obligation: &ObligationReport) -> ObligationId {
    (
        obligation.span,
        obligation.obligation,
        obligation.clause_span,
    )
}

/// Says of an obligation that holds what the verifier may lack for its proof.
fn prove(program: &ir::Program, unit: &Unit, obligation: &mut ObligationReport) {
    let method = match obligation.standing {
        Standing::Holds => "for all executions",
        Standing::HoldsAssuming => "for all executions, under assumptions",
        Standing::HoldsWithinBounds => "within bounds",
        Standing::Violated
        | Standing::ViolatedAssuming
        | Standing::NotDecided
        | Standing::NotReached => return,
    };
    let lacks = lacks(program, unit.callable, id_of(obligation));
    let described = describe::obligation(obligation.obligation);
    let message = format!("proved {method}, although the verifier could not: {described}");
    let mut diagnostic = Diagnostic::warning(MessageId::CheckProved, obligation.span, message);
    diagnostic.severity = Severity::Note;
    if let Some(bounds) = &obligation.bounds {
        diagnostic = diagnostic.with_note(format!("the bounds: {bounds}"));
    }
    if !lacks.is_empty() {
        diagnostic = diagnostic.with_help(format!("the verifier may lack {}", lacks.join(", or ")));
    }
    obligation.explained = Some(diagnostic);
    obligation.proved = Some(ProvedReport { method, lacks });
}

/// Returns what the verifier may lack to prove an obligation, by the operators of its condition and
/// of the functions that these call.
fn lacks(program: &ir::Program, unit: CallableId, id: ObligationId) -> Vec<&'static str> {
    let Some(procedure) = program.procedures.get(&unit) else {
        return Vec::new();
    };
    let mut found = SortedSet::new();
    let stmts = procedure.blocks.iter().flat_map(|b| &b.stmts);
    for stmt in stmts {
        let StmtKind::Probe { probe, cond } = &stmt.kind else {
            continue;
        };
        let goal = procedure.probes.get(*probe as usize);
        let is_same = |goal: &ir::Goal| {
            let obligation = goal.obligation();
            obligation.is_some_and(|(kind, clause)| (goal.span, kind, clause) == id)
        };
        if goal.is_some_and(is_same) {
            look(program, cond, &mut found);
        }
    }
    found.into_iter().map(Lack::text).collect()
}

/// A kind of reasoning that the verifier does not do by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lack {
    Induction,
    Arithmetic,
    Extensionality,
    Trigger,
}

impl Lack {
    fn text(self) -> &'static str {
        match self {
            Self::Induction => "a lemma by induction, or more fuel, for a recursive function",
            Self::Arithmetic => "nonlinear arithmetic",
            Self::Extensionality => "extensionality: an assertion that two collections are equal",
            Self::Trigger => "a trigger that instantiates a quantifier",
        }
    }
}

fn look(program: &ir::Program, e: &Expr, found: &mut SortedSet<Lack>) {
    let typed = &program.typed;
    let is_literal = |e: &Expr| matches!(e.kind, ExprKind::Literal(_));
    if let ExprKind::Quantifier { .. } = &e.kind {
        found.insert(Lack::Trigger);
    } else if let ExprKind::Op(op, args) = &e.kind {
        let is_nonlinear = match args.as_slice() {
            [a, b] => {
                matches!(op, Op::Mul(_)) && !is_literal(a) && !is_literal(b)
                    || matches!(op, Op::Div(_) | Op::Mod(_)) && !is_literal(b)
            }
            _ => false,
        };
        if is_nonlinear {
            found.insert(Lack::Arithmetic);
        }
        let is_equation = matches!(op, Op::Eq | Op::Ne);
        if is_equation && args.iter().any(|a| is_collection(typed, &a.ty)) {
            found.insert(Lack::Extensionality);
        }
    } else if let ExprKind::Call { callee, .. } = &e.kind
        && is_recursive(program, *callee)
    {
        found.insert(Lack::Induction);
    }
    e.children()
        .into_iter()
        .for_each(|e| look(program, e, found));
}

/// Whether the body of a function calls a function of its own cycle.
fn is_recursive(program: &ir::Program, function: CallableId) -> bool {
    fn calls(program: &ir::Program, e: &Expr, function: CallableId) -> bool {
        let is_back = matches!(&e.kind, ExprKind::Call { callee, .. }
            if program.typed.is_recursive_call(function, *callee));
        is_back
            || e.children()
                .into_iter()
                .any(|e| calls(program, e, function))
    }
    let body = program.functions.get(&function).map(|f| &f.body);
    body.is_some_and(|body| calls(program, body, function))
}

/// Whether two values of the type are equal if their elements are.
fn is_collection(typed: &Program, ty: &Type) -> bool {
    matches!(
        typed.representation(ty),
        Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. }
    )
}
