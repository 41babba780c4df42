//! The search for violations in all units, and the report on every obligation.
//!
//! [`search()`] runs [`check_obligations`] on units within a shared budget, [`search_callers`]
//! extends it to units that reach a selected obligation by calls, and [`report`] merges the
//! verdicts of all units: the strongest verdict on an obligation wins.

use super::implied::{self, Explain};
use super::obligation_keys::Keys;
use super::progress::Begin;
use super::replay::Keeper;
use super::reports::given;
use super::work::{Cost, Kept, Recall, context, within_whole};
use crate::message::MessageId;
use crate::report::check::{CheckReport, ObligationReport, Standing};
use crate::report::place::Place;
use crate::report::trace::TraceReport;
use dafny_resolve::typed::CallableId;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{Name, SourceMap, Span};
use dtest_desugar::GeneratedCode as _;
use dtest_encode::{BoundKind, Bounds};
use dtest_ir::reason::{OpenReason, Stopped};
use dtest_ir::{self as ir, ObligationKind};
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_search::check::{CheckResult, Given, Verdict, Violation, check_obligations};
use dtest_search::describe;
use dtest_search::most;
use dtest_search::portable::Closures;
use dtest_sorted::{SortedMap, SortedSet};

/// Returns the callables whose obligations are checked, in the named files (in all files if
/// `included`), if their paths match `filter`.
pub fn units(
    program: &ir::Program,
    sources: &SourceMap,
    included: bool,
    filter: Option<&regex_lite::Regex>,
) -> Vec<Unit> {
    let is_wanted =
        |span: Span| included || sources.file_at(span.start).is_some_and(|(_, f)| f.named);
    let all = dtest_lower::units::units_with_obligations(&program.typed, is_wanted);
    all.into_iter()
        .filter(|u| filter.is_none_or(|f| f.is_match(&u.path)))
        .collect()
}

/// A predicate that selects obligations by their span and the span of their clause.
pub type Wanted<'a> = &'a (dyn Fn(Span, Option<Span>) -> bool + Sync);

/// Returns the units with selected obligations, and the number of these obligations.
pub fn with_wanted(
    program: &ir::Program,
    units: Vec<Unit>,
    wanted: Wanted<'_>,
) -> (Vec<Unit>, usize) {
    let count = |unit: &Unit| {
        places(program, unit)
            .filter(|(span, clause)| wanted(*span, *clause))
            .count()
    };
    let counted: Vec<(Unit, usize)> = units
        .into_iter()
        .map(|u| (count(&u), u))
        .filter(|(n, _)| *n > 0)
        .map(|(n, u)| (u, n))
        .collect();
    let all = counted.iter().map(|(_, n)| n).sum();
    (counted.into_iter().map(|(u, _)| u).collect(), all)
}

/// Returns the spans of the obligations of a unit, with the spans of their clauses.
pub fn places<'p>(
    program: &'p ir::Program,
    unit: &Unit,
) -> impl Iterator<Item = (Span, Option<Span>)> + 'p {
    program
        .goals(unit.callable)
        .into_iter()
        .filter_map(|(_, goal)| goal.obligation().map(|(_, clause)| (goal.span, clause)))
}

/// The options of `check` for one program.
pub struct Options<'o> {
    /// The options of the search.
    pub search: &'o search::Options,
    /// The number of threads.
    pub jobs: usize,
    /// The results of earlier runs.
    pub kept: Option<Kept<'o>>,
    /// Whether only some obligations are wanted.
    pub is_partial: bool,
    /// The options for tracing violations; `None` disables it.
    pub follow: Option<Follow<'o>>,
    /// The obligations whose specifications are searched for a violation.
    pub explain: Explain<'o>,
}

/// The outcome of `check` for one program.
pub struct Outcome {
    /// The report on the wanted obligations.
    pub report: CheckReport,
    /// The units that were searched.
    pub units: Vec<Unit>,
    /// The results of `units`, in the same order.
    pub results: Vec<CheckResult>,
}

/// Checks the wanted obligations of the units `all`.
pub fn check(
    program: &ir::Program,
    sources: &SourceMap,
    all: &[Unit],
    wanted: Wanted<'_>,
    options: &Options<'_>,
    begin: Begin<'_>,
) -> Outcome {
    let (mut units, _) = with_wanted(program, all.to_vec(), wanted);
    // A search for some obligations only is partial, so that its results are neither read from nor
    // written to the cache.
    let progress = begin("looking for violations in units", units.len());
    let mut results = search(
        program,
        &units,
        options.search,
        options.jobs,
        options.kept.filter(|_| !options.is_partial),
        wanted,
        &|done| progress.set(done),
    );
    progress.finish();
    // An obligation of a callee may be violated only with the arguments of a caller, so that the
    // callers are searched as well.
    if options.is_partial {
        let more = search_callers(
            program,
            all,
            (&units, &results),
            options.search,
            options.jobs,
            options.kept,
            wanted,
        );
        units.extend(more.0);
        results.extend(more.1);
    }
    let mut report = report(program, sources, &units, &results, wanted, options.follow);
    implied::explain(program, sources, &units, &mut report, options);
    Outcome {
        report,
        units,
        results,
    }
}

/// Searches for violations in all units, on `jobs` threads. Results are in the order of `units`,
/// and cached results are reused. `done` is called with the number of finished units after each
/// unit.
pub fn search(
    program: &ir::Program,
    units: &[Unit],
    options: &search::Options,
    jobs: usize,
    kept: Option<Kept<'_>>,
    wanted: Wanted<'_>,
    done: &(dyn Fn(usize) + Sync),
) -> Vec<CheckResult> {
    let is_wanted = |goal: &ir::Goal| {
        goal.obligation()
            .is_some_and(|(_, clause)| wanted(goal.span, clause))
    };
    let pool = super::work::pool_of(program);
    let recall = kept.map(|k| {
        Recall::new(
            program,
            units,
            k,
            &format!("check {}", context(k.versions, options)),
        )
        .with_pool(program, pool.as_ref())
    });
    let is_cut = |found: &CheckResult| found.is_spent || found.timed_out;
    // A result that was cut by its budget is valid for that part of the budget alone; complete
    // results are shared.
    let look = |unit: &Unit, part: u32| {
        let find = || {
            check_obligations(
                program,
                unit.callable,
                &options.in_part(part),
                &is_wanted,
                pool.as_ref(),
            )
        };
        let Some(recall) = &recall else { return find() };
        let is_good = |known: &CheckResult, retry: bool| {
            known.unit == unit.callable && !(retry && known.timed_out)
        };
        recall.or_find_in_part(unit.callable, part, is_good, find, is_cut)
    };
    let cost = |found: &CheckResult| Cost {
        points: found.points,
        is_cut: is_cut(found),
    };
    let found = within_whole(
        "check",
        program,
        units,
        jobs,
        most(options),
        &look,
        &cost,
        done,
    );
    let nothing = |unit: &Unit, stopped: Stopped| {
        CheckResult::unsupported(program, unit.callable, &stopped.into())
    };
    found
        .into_iter()
        .zip(units)
        .map(|(result, unit)| result.unwrap_or_else(|stopped| nothing(unit, stopped)))
        .collect()
}

/// Searches for violations of selected obligations in executions of other units that reach them by
/// calls. Returns these units with their results, without their own obligations.
///
/// The first pass tries small inputs only. If obligations stay open, the second pass searches the
/// units as if all their obligations were selected, so that the result is as strong as for the
/// whole program.
pub fn search_callers(
    program: &ir::Program,
    all: &[Unit],
    known: (&[Unit], &[CheckResult]),
    options: &search::Options,
    jobs: usize,
    kept: Option<Kept<'_>>,
    wanted: Wanted<'_>,
) -> (Vec<Unit>, Vec<CheckResult>) {
    let mut open = unsettled(program, known, wanted);
    let callers = callers(program, all, known.0, &open);
    let mut results = Vec::new();
    // The first pass selects no obligation of the callers, which tries small inputs only. The
    // second one searches the callers as a whole, if obligations are still open.
    for (kept, is_wanted) in [(None, (&|_, _| false) as Wanted<'_>), (kept, &|_, _| true)] {
        if open.is_empty() || callers.is_empty() {
            break;
        }
        results = search(program, &callers, options, jobs, kept, is_wanted, &|_| {});
        for broken in results
            .iter()
            .flat_map(|r| &r.others)
            .filter(|v| v.is_certain())
        {
            open.retain(|(_, span, kind)| {
                (*span, *kind) != (broken.failure.span, broken.failure.kind.obligation())
            });
        }
    }
    // Only the violations of callees remain; the callers' own obligations were not asked for.
    results.iter_mut().for_each(|r| r.obligations.clear());
    match results.is_empty() {
        true => (Vec::new(), results),
        false => (callers, results),
    }
}

/// Returns the selected obligations that are neither violated nor proved, with their units.
fn unsettled(
    program: &ir::Program,
    known: (&[Unit], &[CheckResult]),
    wanted: Wanted<'_>,
) -> Vec<(CallableId, Span, ObligationKind)> {
    let of_unit = |(unit, result): (&Unit, &CheckResult)| {
        let is_open = |verdict: &Verdict| match verdict {
            Verdict::Violated(v) => !v.is_certain(),
            Verdict::Holds | Verdict::NotReached => false,
            Verdict::HoldsAssuming(_) | Verdict::HoldsWithin { .. } | Verdict::Open(_) => true,
        };
        let goals = result
            .obligations
            .iter()
            .filter(|(_, verdict)| is_open(verdict))
            .filter_map(|(id, _)| program.goal(unit.callable, *id));
        let places =
            goals.filter_map(|g| g.obligation().map(|(kind, clause)| (g.span, kind, clause)));
        places
            .filter(|(span, _, clause)| wanted(*span, *clause))
            .map(|(span, kind, _)| (unit.callable, span, kind))
            .collect::<Vec<_>>()
    };
    known.0.iter().zip(known.1).flat_map(of_unit).collect()
}

/// Returns the units that reach one with an open obligation, without those that are known.
fn callers(
    program: &ir::Program,
    all: &[Unit],
    known: &[Unit],
    open: &[(CallableId, Span, ObligationKind)],
) -> Vec<Unit> {
    let aims: SortedSet<CallableId> = open.iter().map(|(unit, ..)| *unit).collect();
    let is_new = |u: &&Unit| !known.iter().any(|k| k.callable == u.callable);
    let others: Vec<&Unit> = all
        .iter()
        .filter(is_new)
        .filter(|_| !aims.is_empty())
        .collect();
    let closures = Closures::new(program, others.iter().map(|u| u.callable), "");
    let reaches = |u: &&&Unit| {
        closures
            .of(u.callable)
            .is_some_and(|c| c.callables().any(|id| aims.contains(&id)))
    };
    others
        .iter()
        .filter(reaches)
        .map(|u| (*u).clone())
        .collect()
}

/// Options for tracing the executions of violations.
#[derive(Clone, Copy)]
pub struct Follow<'a> {
    /// The options of the search.
    pub options: &'a search::Options,
    /// Whether messages show every step.
    pub whole: bool,
    /// Whether executions are recorded for `run --replay`.
    pub kept: bool,
    /// Whether violations are written as Dafny methods.
    pub dafny: bool,
}

/// Reports on the selected obligations, each once, in source order. `follows` has the options for
/// tracing violations; `None` disables it.
pub fn report(
    program: &ir::Program,
    sources: &SourceMap,
    units: &[Unit],
    results: &[CheckResult],
    wanted: Wanted<'_>,
    follows: Option<Follow<'_>>,
) -> CheckReport {
    let keys = Keys::new(program, sources);
    let keeper = follows
        .filter(|f| f.kept)
        .map(|_| Keeper::new(program, units));
    let mut obligations: SortedMap<(Span, ObligationKind, Option<Span>), ObligationReport> =
        SortedMap::new();
    let mut add = |key: (Span, ObligationKind, Option<Span>), obligation: ObligationReport| {
        // Several units may reach an obligation. The more informative verdict, which is the lesser
        // one, wins.
        let is_stronger = obligations
            .get(&key)
            .is_none_or(|known| obligation.standing < known.standing);
        if is_stronger {
            obligations.insert(key, obligation);
        }
    };
    for (unit, result) in units.iter().zip(results) {
        let renderer = Renderer {
            program,
            sources,
            unit,
            result,
            follows,
            keeper: keeper.as_ref(),
            keys: &keys,
        };
        for (id, verdict) in &result.obligations {
            let Some(goal) = program.goal(unit.callable, *id) else {
                continue;
            };
            let Some((obligation, clause)) = goal.obligation() else {
                continue;
            };
            add(
                (goal.span, obligation, clause),
                renderer.obligation(obligation, goal.span, clause, verdict),
            );
        }
    }
    // A violation in a callee or in a contract belongs to the obligation of another unit, which may
    // not be among `units`.
    for (unit, result) in units.iter().zip(results) {
        let renderer = Renderer {
            program,
            sources,
            unit,
            result,
            follows,
            keeper: keeper.as_ref(),
            keys: &keys,
        };
        for violation in &result.others {
            let (kind, span) = (violation.failure.kind.obligation(), violation.failure.span);
            let asked = violation.failure.clause;
            let mut known = obligations
                .range((span, kind, None)..)
                .take_while(|((s, k, _), _)| *s == span && *k == kind);
            let key = known
                .find(|((_, _, c), _)| asked.is_none() || *c == asked)
                .map_or((span, kind, asked), |(key, _)| *key);
            if !wanted(span, key.2) {
                continue;
            }
            let obligation = renderer.violated(kind, span, key.2, violation);
            let is_stronger = obligations
                .get(&key)
                .is_none_or(|known| obligation.standing < known.standing);
            if is_stronger {
                obligations.insert(key, obligation);
            }
        }
    }
    CheckReport {
        units: units.len(),
        executions: results.iter().map(|r| r.executions).sum(),
        obligations: obligations.into_values().collect(),
        programs: Vec::new(),
    }
}

/// Formats the verdicts of one unit.
struct Renderer<'a> {
    program: &'a ir::Program,
    sources: &'a SourceMap,
    unit: &'a Unit,
    result: &'a CheckResult,
    follows: Option<Follow<'a>>,
    keeper: Option<&'a Keeper>,
    keys: &'a Keys<'a>,
}

impl Renderer<'_> {
    fn obligation(
        &self,
        kind: ObligationKind,
        span: Span,
        clause: Option<Span>,
        verdict: &Verdict,
    ) -> ObligationReport {
        // Severity is always `Note`: only violations are errors.
        let (standing, message) = match verdict {
            Verdict::Violated(violation) => return self.violated(kind, span, clause, violation),
            Verdict::Holds => (Standing::Holds, "holds for all executions"),
            Verdict::HoldsAssuming(_) => (
                Standing::HoldsAssuming,
                "holds for all executions, under assumptions",
            ),
            Verdict::NotReached => (Standing::NotReached, "not reached"),
            Verdict::HoldsWithin { .. } => (Standing::HoldsWithinBounds, "holds within bounds"),
            Verdict::Open(_) => (Standing::NotDecided, "not decided"),
        };
        let id = match standing {
            Standing::Holds => MessageId::CheckHolds,
            Standing::HoldsAssuming => MessageId::CheckHoldsAssuming,
            Standing::HoldsWithinBounds => MessageId::CheckHoldsWithinBounds,
            Standing::NotReached => MessageId::CheckNotReached,
            Standing::Violated | Standing::ViolatedAssuming | Standing::NotDecided => {
                MessageId::CheckNotDecided
            }
        };
        let obligation = describe::obligation(kind);
        let mut diagnostic = Diagnostic::warning(id, span, format!("{message}: {obligation}"));
        diagnostic.severity = Severity::Note;
        let mut report = self.blank(
            kind,
            span,
            clause,
            standing,
            format!("{message}: {obligation}"),
        );
        // Details that depend on the verdict: bounds and how to raise them, or the reason.
        match verdict {
            Verdict::HoldsWithin {
                scope,
                bounds,
                raise,
                gave_up,
            } => {
                report.bounds = Some(scope.to_string());
                diagnostic = diagnostic.with_note(format!("the bounds: {scope}"));
                diagnostic = match self.further(bounds, raise, *gave_up) {
                    Further::ByOption(help) => diagnostic.with_help(help),
                    Further::Impossible(note) => diagnostic.with_note(note),
                };
            }
            Verdict::Open(reason) => {
                report.is_candidate = matches!(reason, OpenReason::BrokenFromUndecided(_));
                report.reason = Some(reason.to_string());
                diagnostic = diagnostic.with_note(reason.to_string());
            }
            Verdict::NotReached => {
                diagnostic = diagnostic.with_note(
                    "no execution comes to it, so that nothing is known of what it says",
                );
            }
            Verdict::HoldsAssuming(facts) => {
                let mentioned = facts
                    .iter()
                    .filter_map(|fact| given(self.program, self.sources, *fact));
                report.given = mentioned.collect();
                for assumed in &report.given {
                    diagnostic = diagnostic.with_note(format!("assuming {assumed}"));
                }
            }
            Verdict::Violated(_) | Verdict::Holds => {}
        }
        report.diagnostic = diagnostic;
        report
    }

    /// Returns advice on how the search can continue, or the reason why it cannot.
    fn further(&self, bounds: &Bounds, raise: &SortedSet<BoundKind>, gave_up: bool) -> Further {
        let options: SortedMap<&str, u32> = raise.iter().map(|kind| option(*kind, bounds)).fold(
            SortedMap::new(),
            |mut all, (o, n)| {
                let least: &mut u32 = all.entry(o).or_insert(n);
                *least = n.max(*least);
                all
            },
        );
        if !options.is_empty() {
            let options: Vec<String> = options
                .into_iter()
                .map(|(option, n)| format!("`{option} {n}`"))
                .collect();
            return Further::ByOption(format!(
                "use {} or more to search further",
                options.join(", ")
            ));
        }
        match (self.result.is_spent, self.result.timed_out) {
            (_, _) if !self.result.notes.is_empty() => {
                Further::Impossible(self.result.notes.join("; "))
            }
            (true, _) => {
                Further::ByOption("the search used up its budget: raise `--rlimit`".to_owned())
            }
            (false, _) if gave_up => Further::ByOption(
                "the solver gave up on larger bounds: raise `--rlimit`".to_owned(),
            ),
            (false, true) => {
                Further::ByOption("the search ran out of time: raise `--timeout`".to_owned())
            }
            (false, false) => Further::Impossible("no option extends the search".to_owned()),
        }
    }

    fn violated(
        &self,
        kind: ObligationKind,
        span: Span,
        clause: Option<Span>,
        violation: &Violation,
    ) -> ObligationReport {
        // Headline: the violated obligation; a warning if the violation needs an assumption.
        let inputs = describe::inputs(self.program, self.unit.callable, &violation.inputs);
        let with = if inputs.is_empty() {
            "no inputs".to_owned()
        } else {
            inputs.join(", ")
        };
        let (code, broken) = if kind == ObligationKind::Postcondition && self.is_claim() {
            (MessageId::CheckClaim, "this lemma without a proof is false")
        } else {
            (code(kind), describe::broken(kind))
        };
        let standing = if violation.is_certain() {
            Standing::Violated
        } else {
            Standing::ViolatedAssuming
        };
        let mut diagnostic = Diagnostic::error(code, span, broken.to_owned())
            .with_label(violation.failure.message.clone());
        if standing == Standing::ViolatedAssuming {
            diagnostic.severity = Severity::Warning;
        }
        if let Some(clause) = clause.filter(|c| *c != span) {
            diagnostic = diagnostic.with_secondary(clause, "the obligation is stated here");
        }
        // Notes: inputs, types, choices and assumptions that make the violation reproducible.
        diagnostic = diagnostic.with_note(format!("in `{}` with {with}", self.unit.path));
        if let Some(types) = self.other_types(violation) {
            diagnostic = diagnostic.with_note(types);
        }
        if violation.choices.is_some() {
            diagnostic = diagnostic
                .with_note("with nondeterministic choices that compiled code resolves differently");
        }
        let given = self.all_given(violation);
        if !given.is_empty() {
            diagnostic = diagnostic.with_note(format!("assuming {}", given.join(", and ")));
        }
        // An execution behind other violations would stop at the first of them: it has no trace.
        let trace = self
            .follows
            .filter(|_| !violation.is_behind())
            .and_then(|f| self.trace(violation, f.options));
        if let (Some(trace), Some(follows)) = (&trace, self.follows) {
            let lines = if follows.whole {
                trace.whole()
            } else {
                trace.short()
            };
            diagnostic = lines
                .into_iter()
                .fold(diagnostic, Diagnostic::with_note)
                .with_flow(trace.flow(span, &violation.failure.message));
        }
        // The report has the same facts as the diagnostic, for `--message-format json`.
        let mut report = self.blank(kind, span, clause, standing, broken.to_owned());
        if self.follows.is_some_and(|f| f.dafny) && !violation.is_behind() {
            let written =
                super::dafny_test::method(self.program, self.sources, self.unit, violation);
            report.dafny = Some(written.unwrap_or_else(|why| {
                format!(
                    "// no test of `{}` for {}: {why}\n",
                    self.unit.path,
                    self.sources.locate(span)
                )
            }));
        }
        report.trace = trace;
        let chosen = violation.choices.as_deref().unwrap_or_default();
        let keeper = self.keeper.filter(|_| !violation.is_behind());
        report.execution =
            keeper.and_then(|k| k.keep(self.unit.callable, &violation.inputs, chosen));
        report.detail = Some(violation.failure.message.clone());
        report.inputs = inputs;
        report.given = given;
        report.by_choice = violation.choices.is_some();
        report.diagnostic = diagnostic;
        report
    }

    /// Describes the type arguments of a violation, if they differ from those of the search.
    fn other_types(&self, violation: &Violation) -> Option<String> {
        let params = self
            .program
            .procedures
            .get(&self.unit.callable)
            .map(|p| &p.type_params)?;
        let notes: Vec<Name> = params
            .iter()
            .zip(&violation.inputs.type_args)
            .map(|(p, ty)| describe::type_argument(self.program, *p, ty))
            .collect();
        (notes != self.result.notes).then(|| notes.join("; "))
    }

    /// Whether the unit is a lemma without a proof.
    fn is_claim(&self) -> bool {
        self.program.typed.is_claim(self.unit.callable)
    }

    fn trace(&self, violation: &Violation, options: &search::Options) -> Option<TraceReport> {
        let trace = search::check::trace(self.program, self.unit.callable, violation, options)?;
        Some(super::trace::describe(self.program, self.sources, &trace))
    }

    /// Returns the assumptions that a violation rests on.
    fn all_given(&self, violation: &Violation) -> Vec<String> {
        let is_disregarded = |g: &&Given| matches!(g, Given::Disregarded(..));
        let others = violation
            .given
            .iter()
            .filter(|g| !is_disregarded(g))
            .map(|g| self.given(g));
        let mut disregarded = violation.given.iter().filter(is_disregarded);
        let first = disregarded.next().map(|g| match disregarded.count() {
            0 => self.given(g),
            more => format!("{}, and {more} more", self.given(g)),
        });
        others.chain(first).collect()
    }

    fn given(&self, given: &Given) -> String {
        match given {
            Given::Disregarded(kind, span) => {
                let place = self.sources.locate(*span);
                format!(
                    "an earlier violated obligation, as if it held: {} ({place})",
                    describe::obligation(*kind)
                )
            }
            Given::Answer(callee) => {
                format!(
                    "a result of `{}`, whose code is unknown",
                    self.program.typed.callable_path(*callee)
                )
            }
            Given::Undecided(span, why) => {
                let text = describe::one_line(self.sources.text(*span));
                format!(
                    "`{text}` ({}), which could not be decided: {why}",
                    self.sources.locate(*span)
                )
            }
        }
    }

    fn blank(
        &self,
        kind: ObligationKind,
        span: Span,
        clause: Option<Span>,
        standing: Standing,
        message: String,
    ) -> ObligationReport {
        ObligationReport {
            unit: self.unit.path.clone(),
            place: Place::of(self.sources, span),
            obligation: kind,
            key: self.keys.of(span, kind, clause, &self.unit.path),
            allowed: None,
            text: describe::one_line(self.sources.text(span)),
            clause: clause.map(|c| self.sources.locate(c)),
            standing,
            message,
            detail: None,
            inputs: Vec::new(),
            by_choice: false,
            given: Vec::new(),
            trace: None,
            dafny: None,
            execution: None,
            bounds: None,
            reason: None,
            is_candidate: false,
            not_implied: None,
            proved: None,
            span,
            clause_span: clause,
            diagnostic: Diagnostic::warning(MessageId::CheckNotDecided, span, ""),
            explained: None,
        }
    }
}

/// Returns the message id of a violation.
pub(super) fn code(kind: ObligationKind) -> MessageId {
    names(kind).0
}

/// Returns the name of the violated obligation in the name of a test.
pub(super) fn test_name(kind: ObligationKind) -> &'static str {
    names(kind).1
}

/// The message id and the part of a test name.
fn names(kind: ObligationKind) -> (MessageId, &'static str) {
    match kind {
        ObligationKind::Assertion => (MessageId::CheckAssertion, "assertion"),
        ObligationKind::InvariantOnEntry => {
            (MessageId::CheckInvariantOnEntry, "invariant_on_entry")
        }
        ObligationKind::InvariantKept => (MessageId::CheckInvariantKept, "invariant_kept"),
        ObligationKind::Decreases => (MessageId::CheckDecreases, "decreases"),
        ObligationKind::Reads => (MessageId::CheckReads, "reads"),
        ObligationKind::Precondition => (MessageId::CheckPrecondition, "precondition"),
        ObligationKind::Postcondition => (MessageId::CheckPostcondition, "postcondition"),
        ObligationKind::LoopRange => (MessageId::CheckLoopRange, "loop_range"),
        ObligationKind::Frame => (MessageId::CheckFrame, "frame"),
        ObligationKind::Type => (MessageId::CheckType, "type"),
        ObligationKind::Case => (MessageId::CheckCase, "case"),
        ObligationKind::Aliasing => (MessageId::CheckAliasing, "aliasing"),
        ObligationKind::Uniqueness => (MessageId::CheckUniqueness, "uniqueness"),
        ObligationKind::Index => (MessageId::CheckIndex, "index"),
        ObligationKind::Key => (MessageId::CheckKey, "key"),
        ObligationKind::Divisor => (MessageId::CheckDivisor, "divisor"),
        ObligationKind::Constructor => (MessageId::CheckConstructor, "constructor"),
        ObligationKind::NonNull => (MessageId::CheckNonNull, "non_null"),
        ObligationKind::Domain => (MessageId::CheckDomain, "domain"),
        ObligationKind::Existence => (MessageId::CheckExistence, "existence"),
        ObligationKind::Assigned => (MessageId::CheckAssigned, "assigned"),
        ObligationKind::Application => (MessageId::CheckApplication, "application"),
        ObligationKind::Allocated => (MessageId::CheckAllocated, "allocated"),
        ObligationKind::Override => (MessageId::CheckOverride, "override"),
        ObligationKind::Witness | ObligationKind::Inhabited => (MessageId::CheckWitness, "witness"),
    }
}

/// The continuation of a search that ended at its bounds.
enum Further {
    /// Options that extend it, as advice.
    ByOption(String),
    /// No option extends it, for this reason.
    Impossible(String),
}

/// Returns the option that raises a bound, and the least value that does.
pub(super) fn option(kind: BoundKind, bounds: &Bounds) -> (&'static str, u32) {
    // `--max-size` also raises the depth of datatypes and the number of objects, by a quarter of
    // the size.
    let of_size = |n: u32| n.saturating_add(1).saturating_mul(4);
    match kind {
        BoundKind::Unroll => ("--unroll", bounds.unroll + 1),
        BoundKind::Inline => ("--inline", bounds.inline + 1),
        BoundKind::Calls => ("--inline", bounds.calls.saturating_add(1)),
        BoundKind::Collection => ("--max-size", bounds.collection + 1),
        BoundKind::Depth => ("--max-size", of_size(bounds.depth)),
        BoundKind::Objects => ("--max-size", of_size(bounds.objects)),
    }
}
