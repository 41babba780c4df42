//! The search for dead code in all units, and the report on the blocks.
//!
//! [`search()`] runs the search of the engine on each unit; [`report`] describes each dead, always
//! failing or open block with the facts that justify the claim ([`Renderer`]).

mod no_path;

use super::work::{Kept, Recall, context, in_parallel};
use crate::message::MessageId;
use crate::report::GoalOutcome;
use crate::report::dead::{DeadBlock, DeadReport, OpenBlock, Reason, Sureness};
use crate::report::key::Key;
use crate::report::place::{End, Place};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{SourceMap, Span};
use dtest_encode::{BoundKind, Fact};
use dtest_interp::Failure;
use dtest_ir::reason::{OpenReason, Stopped};
use dtest_ir::{self as ir, AssertKind, BlockId, Goal, GoalId, GoalReason, Procedure, Terminator};
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_search::dead::{Cause, DeadResult, Strength, Verdict, dead_unit};
use dtest_search::describe;
use dtest_sorted::{SortedMap, SortedSet};

/// Searches for dead code in all units, on `jobs` threads. Results are in the order of `units`, and
/// cached results are reused. `done` is called with the number of finished units after each unit.
pub fn search(
    program: &ir::Program,
    units: &[Unit],
    options: &search::Options,
    jobs: usize,
    kept: Option<Kept<'_>>,
    done: &(dyn Fn(usize) + Sync),
) -> Vec<DeadResult> {
    let recall = kept.map(|k| {
        Recall::new(
            program,
            units,
            k,
            &format!("dead {}", context(k.versions, options)),
        )
    });
    // A result that was found while memory was short is not cached: it may be incomplete.
    let look = |unit: &Unit| {
        let find = || dead_unit(program, unit.callable, options);
        let Some(recall) = &recall else { return find() };
        let is_good = |known: &DeadResult, retry: bool| {
            known.unit == unit.callable && !(retry && known.timed_out)
        };
        recall
            .or_find(unit.callable, is_good, find, |_| {
                !dtest_limits::memory::is_short()
            })
            .0
    };
    let found = in_parallel("dead", program, units, jobs, &look, done);
    let nothing = |unit: &Unit, stopped: Stopped| {
        DeadResult::unsupported(program, unit.callable, &stopped.into())
    };
    found
        .into_iter()
        .zip(units)
        .map(|(result, unit)| result.unwrap_or_else(|stopped| nothing(unit, stopped)))
        .collect()
}

/// Reports on the units. `allowed` returns what allows a block of a unit, given by its index.
pub fn report(
    program: &ir::Program,
    sources: &SourceMap,
    units: &[Unit],
    results: &[DeadResult],
    mut allowed: impl FnMut(usize, &Key) -> Option<String>,
) -> DeadReport {
    let mut report = DeadReport {
        units: units.len(),
        ..DeadReport::default()
    };
    for (index, (unit, result)) in units.iter().zip(results).enumerate() {
        let Some(procedure) = program.procedures.get(&unit.callable) else {
            continue;
        };
        let renderer = Renderer {
            program,
            sources,
            unit,
            procedure,
            result,
        };
        report.blocks += result.goals.len();
        let before = report.reached;
        let mut permits: SortedMap<GoalId, String> = SortedMap::new();
        // All goals count, so that a key does not depend on which of them are dead.
        let mut seen: SortedMap<String, usize> = SortedMap::new();
        for (id, verdict) in &result.goals {
            let Some(goal) = program.goal(unit.callable, *id) else {
                continue;
            };
            let count = seen.entry(describe::phrase(goal, sources)).or_default();
            *count += 1;
            match verdict {
                Verdict::Reached => report.reached += 1,
                Verdict::OnlyByChoice => report.by_choice.push(renderer.by_choice(goal)),
                Verdict::OnlyByFinding { failure, inside } => report
                    .by_finding
                    .push(renderer.by_finding(goal, failure, *inside)),
                Verdict::Open(reason) => report.open.push(renderer.open(goal, reason)),
                Verdict::Dead { .. } | Verdict::AlwaysFails { .. } => {
                    let Some(mut block) = renderer.claim(*id, goal, verdict) else {
                        continue;
                    };
                    block.key.occurrence = *count;
                    block.allowed = allowed(index, &block.key);
                    if let Some(by) = &block.allowed {
                        permits.insert(*id, by.clone());
                    }
                    report.dead.push(block);
                }
            }
        }
        report.reached_by_unit.push((
            unit.path.clone(),
            Place::of(sources, program.typed[unit.callable].span),
            report.reached - before,
        ));
        // An allowed block also allows the dead blocks inside it.
        let inside = result.goals.iter().filter_map(|(id, v)| match v {
            Verdict::Dead {
                cause: Cause::Inside(_),
                ..
            }
            | Verdict::AlwaysFails {
                inside: Some(_), ..
            } => Some((*id, permits.get(&root(result, *id))?.clone())),
            Verdict::Dead { .. }
            | Verdict::AlwaysFails { .. }
            | Verdict::Reached
            | Verdict::OnlyByChoice
            | Verdict::OnlyByFinding { .. }
            | Verdict::Open(_) => None,
        });
        for (id, by) in inside.collect::<Vec<_>>() {
            let place = program
                .goal(unit.callable, id)
                .map(|g| (describe::phrase(g, sources), Place::of(sources, g.span)));
            let same = |d: &&mut DeadBlock| {
                d.unit == unit.path
                    && place
                        .as_ref()
                        .is_some_and(|(g, p)| d.goal == *g && d.place == *p)
            };
            if let Some(block) = report.dead.iter_mut().rev().find(same) {
                block.allowed.get_or_insert(by);
            }
        }
    }
    report
}

/// Returns the outermost enclosing block of a goal with the same claim.
fn root(result: &DeadResult, goal: GoalId) -> GoalId {
    let mut at = goal;
    for _ in 0..result.goals.len() {
        match result.goals.iter().find(|(g, _)| *g == at) {
            Some((
                _,
                Verdict::Dead {
                    cause: Cause::Inside(outer),
                    ..
                }
                | Verdict::AlwaysFails {
                    inside: Some(outer),
                    ..
                },
            )) => at = *outer,
            Some(_) | None => break,
        }
    }
    at
}

/// Formats the verdicts of one unit.
struct Renderer<'a> {
    program: &'a ir::Program,
    sources: &'a SourceMap,
    unit: &'a Unit,
    procedure: &'a Procedure,
    result: &'a DeadResult,
}

impl Renderer<'_> {
    fn open(&self, goal: &Goal, reason: &OpenReason) -> OpenBlock {
        let phrase = describe::phrase(goal, self.sources);
        let mut diagnostic = Diagnostic::warning(
            MessageId::DeadOpen,
            goal.span,
            format!("it could not be decided whether this is reached: {phrase}"),
        );
        diagnostic.severity = Severity::Note;
        diagnostic.notes.push(reason.to_string());
        OpenBlock {
            unit: self.unit.path.clone(),
            goal: phrase,
            place: Place::of(self.sources, goal.span),
            reason: reason.to_string(),
            inside: None,
            diagnostic,
        }
    }

    fn by_choice(&self, goal: &Goal) -> OpenBlock {
        let phrase = describe::phrase(goal, self.sources);
        let message = format!(
            "reached only if nondeterministic choices are resolved otherwise than in tests: {phrase}"
        );
        let mut diagnostic = Diagnostic::warning(MessageId::DeadChoice, goal.span, message);
        diagnostic.severity = Severity::Note;
        let reason = GoalOutcome::BY_CHOICE.to_owned();
        let (unit, place) = (self.unit.path.clone(), Place::of(self.sources, goal.span));
        OpenBlock {
            unit,
            goal: phrase,
            place,
            reason,
            inside: None,
            diagnostic,
        }
    }

    fn by_finding(&self, goal: &Goal, failure: &Failure, inside: Option<GoalId>) -> OpenBlock {
        let phrase = describe::phrase(goal, self.sources);
        let message =
            format!("every execution found that reaches this violates an obligation: {phrase}");
        let mut diagnostic = Diagnostic::warning(MessageId::DeadFinding, goal.span, message)
            .with_secondary(failure.span, failure.message.clone());
        diagnostic.severity = Severity::Note;
        let reason = format!(
            "reached only by findings: {}: {}",
            self.sources.locate(failure.span),
            failure.message
        );
        let (unit, place) = (self.unit.path.clone(), Place::of(self.sources, goal.span));
        OpenBlock {
            unit,
            goal: phrase,
            place,
            reason,
            inside: self.locate_goal(inside),
            diagnostic,
        }
    }

    /// Returns the claim of a verdict on a block; `None` if it claims nothing.
    fn claim(&self, id: GoalId, goal: &Goal, verdict: &Verdict) -> Option<DeadBlock> {
        match verdict {
            Verdict::Dead { strength, cause } => Some(self.dead(id, goal, strength, cause)),
            Verdict::AlwaysFails {
                obligations,
                seen,
                inside,
            } => Some(self.fails(id, goal, obligations, seen, *inside)),
            Verdict::Reached
            | Verdict::OnlyByChoice
            | Verdict::OnlyByFinding { .. }
            | Verdict::Open(_) => None,
        }
    }

    fn fails(
        &self,
        id: GoalId,
        goal: &Goal,
        obligations: &[Fact],
        seen: &[Failure],
        inside: Option<GoalId>,
    ) -> DeadBlock {
        let phrase = describe::phrase(goal, self.sources);
        let message = format!("every execution that gets here fails: {phrase}");
        let mut diagnostic =
            Diagnostic::warning(MessageId::DeadAlwaysFails, goal.span, message.clone()).with_label(
                "every execution that reaches this violates an obligation of the program",
            );
        let reasons = self.broken(obligations, seen);
        for (span, reason) in &reasons {
            diagnostic = diagnostic.with_secondary(*span, reason.text.clone());
        }
        let also = self.consequences(id);
        if !also.is_empty() {
            diagnostic = diagnostic.with_note(format!(
                "so does every execution that reaches {}",
                also.join(", ")
            ));
        }
        diagnostic.help = Some(self.how_to_allow(&phrase));
        DeadBlock {
            unit: self.unit.path.clone(),
            key: self.key(&phrase),
            goal: phrase,
            place: Place::of(self.sources, goal.span),
            end: self.end_of(goal),
            message,
            claim: Sureness::AlwaysFails,
            reasons: reasons.into_iter().map(|(_, r)| r).collect(),
            inside: self.locate_goal(inside),
            bounds: None,
            raise: Vec::new(),
            allowed: None,
            diagnostic,
        }
    }

    /// The key of the first block with this description.
    fn key(&self, phrase: &str) -> Key {
        Key {
            unit: self.unit.path.clone(),
            text: phrase.to_owned(),
            occurrence: 1,
        }
    }

    /// Describes the obligations, as observed violations if there are any.
    fn broken(&self, obligations: &[Fact], seen: &[Failure]) -> Vec<(Span, Reason)> {
        let reason = |fact: &Fact| {
            let (kind, span, text) = match *fact {
                Fact::WellFormed(span) => ("failure", span, "this fails".to_owned()),
                Fact::Assertion(kind, span) => (
                    "assertion",
                    span,
                    format!("this does not hold: {}", obligation(kind)),
                ),
                Fact::Postcondition(_, span) => (
                    "postcondition",
                    span,
                    "this postcondition is false".to_owned(),
                ),
                Fact::Precondition(_)
                | Fact::InputType(_)
                | Fact::Decision(_)
                | Fact::Definition(..)
                | Fact::Returns(_)
                | Fact::Expect(_)
                | Fact::Assume(_)
                | Fact::Contract(..)
                | Fact::Variable(_) => return None,
            };
            // A failure that was observed at the place of the obligation gives a precise message.
            let failure = seen.iter().find(|f| span.contains_span(f.span));
            let (span, text) = failure.map_or((span, text), |f| match kind {
                "failure" => (f.span, format!("this fails: {}", f.message)),
                _ => (f.span, f.message.clone()),
            });
            Some((
                span,
                Reason {
                    kind,
                    text,
                    place: Place::of(self.sources, span),
                },
            ))
        };
        let mut all: Vec<(Span, Reason)> = obligations.iter().filter_map(reason).collect();
        all.sort_by_key(|(span, _)| *span);
        all
    }

    fn how_to_allow(&self, phrase: &str) -> String {
        format!(
            "if this is intended, allow {:?} under [dead] in dtest.toml",
            format!("{}: {phrase}", self.unit.path)
        )
    }

    fn end_of(&self, goal: &Goal) -> End {
        End(self.sources.line_column(goal.span.end))
    }

    fn locate_goal(&self, goal: Option<GoalId>) -> Option<String> {
        self.program
            .goal(self.unit.callable, goal?)
            .map(|g| self.sources.locate(g.span))
    }

    /// Adds the bounds of a claim within bounds, and the options that raise them. Returns both as
    /// text.
    fn with_bounds(
        &self,
        mut diagnostic: Diagnostic,
        strength: &Strength,
    ) -> (Diagnostic, Option<String>, Vec<String>) {
        let Strength::WithinBounds {
            scope,
            bounds: _,
            raise: kinds,
        } = strength
        else {
            return (diagnostic, None, Vec::new());
        };
        let options: SortedSet<&str> = kinds.iter().map(|k| option(*k)).collect();
        let raise: Vec<String> = options.into_iter().map(str::to_owned).collect();
        diagnostic = diagnostic.with_note(format!("the bounds: {scope}"));
        diagnostic = if raise.is_empty() {
            diagnostic.with_note(if self.result.notes.is_empty() {
                "no option raises them further".to_owned()
            } else {
                self.result.notes.join("; ")
            })
        } else {
            diagnostic.with_help(format!("raise {} to search further", raise.join(", ")))
        };
        (diagnostic, Some(scope.to_string()), raise)
    }

    fn dead(&self, id: GoalId, goal: &Goal, strength: &Strength, cause: &Cause) -> DeadBlock {
        let (claim, code, label) = match strength {
            Strength::Proved => (
                Sureness::Proved,
                MessageId::DeadProved,
                "no execution reaches this",
            ),
            Strength::GivenAssertions => (
                Sureness::GivenAssertions,
                MessageId::DeadGivenAssertions,
                "no execution reaches this unless it violates a proof obligation first",
            ),
            Strength::GivenAssumptions => {
                let label = "no execution reaches this unless an assumption is false";
                (
                    Sureness::GivenAssumptions,
                    MessageId::DeadGivenAssumptions,
                    label,
                )
            }
            Strength::WithinBounds { .. } => (
                Sureness::WithinBounds,
                MessageId::DeadWithinBounds,
                "no execution within the bounds reaches this",
            ),
        };
        let never = describe::never(goal, self.sources);
        let message = match strength {
            Strength::Proved | Strength::GivenAssertions => never,
            Strength::GivenAssumptions => format!("under the assumptions, {never}"),
            Strength::WithinBounds { .. } => format!("within the bounds, {never}"),
        };
        let mut diagnostic =
            Diagnostic::warning(code, goal.span, message.clone()).with_label(label);
        let reasons = match cause {
            Cause::Facts(facts) => self.reasons(id, facts),
            Cause::NoPath => {
                let body = &self.program.typed[self.unit.callable].body;
                let said = |(span, text): (Span, &str)| {
                    (
                        span,
                        Reason {
                            kind: "path",
                            text: text.into(),
                            place: Place::of(self.sources, span),
                        },
                    )
                };
                no_path::reasons(body, goal).into_iter().map(said).collect()
            }
            Cause::Inside(_) | Cause::Unknown => Vec::new(),
        };
        // The location of the statement itself, unless a reason is more specific.
        if let GoalReason::After { stmt } = &goal.reason
            && !reasons.iter().any(|(s, _)| stmt.contains_span(*s))
        {
            diagnostic =
                diagnostic.with_secondary(*stmt, "control flow does not continue after this");
        }
        for (span, reason) in &reasons {
            diagnostic = diagnostic.with_secondary(*span, reason.text.clone());
        }
        diagnostic = with_premises(diagnostic, strength, cause);
        let inside = match cause {
            Cause::Inside(outer) => self.locate_goal(Some(*outer)),
            Cause::NoPath | Cause::Facts(_) | Cause::Unknown => None,
        };
        let also = self.consequences(id);
        if !also.is_empty() {
            diagnostic =
                diagnostic.with_note(format!("so {} is not reached either", also.join(", ")));
        }
        let (mut diagnostic, bounds, raise) = self.with_bounds(diagnostic, strength);
        let phrase = describe::phrase(goal, self.sources);
        if diagnostic.help.is_none() {
            diagnostic.help = Some(self.how_to_allow(&phrase));
        }
        DeadBlock {
            unit: self.unit.path.clone(),
            key: self.key(&phrase),
            goal: phrase,
            place: Place::of(self.sources, goal.span),
            end: self.end_of(goal),
            message,
            claim,
            reasons: reasons.into_iter().map(|(_, r)| r).collect(),
            inside,
            bounds,
            raise,
            allowed: None,
            diagnostic,
        }
    }

    /// Returns the locations of the dead blocks inside this one.
    fn consequences(&self, id: GoalId) -> Vec<String> {
        const SHOWN: usize = 4;
        let within = self
            .result
            .goals
            .iter()
            .filter(|(g, _)| *g != id && root(self.result, *g) == id);
        let spans: Vec<Span> = within
            .filter_map(|(g, _)| self.program.goal(self.unit.callable, *g))
            .map(|g| g.span)
            .collect();
        let place = |s: &Span| {
            self.sources
                .line_column(s.start)
                .map_or_else(String::new, |at| format!("line {}:{}", at.line, at.column))
        };
        let mut places: Vec<String> = spans.iter().take(SHOWN).map(place).collect();
        if spans.len() > SHOWN {
            places.push(format!("{} more blocks", spans.len() - SHOWN));
        }
        places
    }

    /// Describes the facts, except for the condition of the block itself, which the message already
    /// has.
    fn reasons(&self, id: GoalId, facts: &[Fact]) -> Vec<(Span, Reason)> {
        // A postcondition already implies that the call is well-formed and returns.
        let is_said =
            |f: &Fact| has_obligation(facts) && matches!(f, Fact::WellFormed(_) | Fact::Returns(_));
        let mut out: Vec<(Span, Reason)> = facts
            .iter()
            .filter(|f| !is_said(f))
            .filter_map(|f| self.reason(id, *f))
            .collect();
        out.sort_by_key(|(span, _)| *span);
        out
    }

    fn reason(&self, id: GoalId, fact: Fact) -> Option<(Span, Reason)> {
        let contract = self.program.contracts.get(&self.unit.callable);
        // Each fact names the place in the program that states it, so that a reader can check the
        // proof.
        let (kind, span, text) = match fact {
            Fact::Precondition(i) => {
                let span = contract?.requires.get(i as usize)?.span;
                ("precondition", span, "given this precondition".to_owned())
            }
            Fact::InputType(i) => {
                let var = contract
                    .and_then(|c| Some((c, c.params.get(i as usize)?)))
                    .and_then(|(c, p)| c.vars.get(p.0 as usize))?;
                (
                    "type",
                    var.span,
                    format!(
                        "`{}` is a value of `{}`",
                        var.name,
                        self.program.typed.show_type(&var.ty)
                    ),
                )
            }
            Fact::Decision(block) => return self.decision(id, block),
            Fact::Definition(var, span) => {
                let var = self.procedure.vars.get(var.0 as usize)?;
                (
                    "definition",
                    span,
                    format!("`{}` is assigned here", var.name),
                )
            }
            Fact::WellFormed(span) => ("failure", span, "otherwise this fails".to_owned()),
            Fact::Returns(span) => (
                "failure",
                span,
                "otherwise this call does not return".to_owned(),
            ),
            Fact::Expect(span) => (
                "expect",
                span,
                "otherwise this `expect` halts the program".to_owned(),
            ),
            Fact::Assume(span) => ("assumption", span, "given this assumption".to_owned()),
            Fact::Contract(callee, span) => (
                "contract",
                span,
                format!(
                    "given the contract of `{}`, which is not checked",
                    self.program.typed.callable_path(callee)
                ),
            ),
            Fact::Assertion(kind, span) => {
                ("assertion", span, format!("given {}", obligation(kind)))
            }
            Fact::Variable(var) => {
                let var = self.procedure.vars.get(var.0 as usize)?;
                (
                    "assertion",
                    var.span,
                    format!(
                        "given that `{}` is a value of `{}`",
                        var.name,
                        self.program.typed.show_type(&var.ty)
                    ),
                )
            }
            Fact::Postcondition(callee, span) => (
                "postcondition",
                span,
                format!(
                    "given this postcondition of `{}`",
                    self.program.typed.callable_path(callee)
                ),
            ),
        };
        Some((
            span,
            Reason {
                kind,
                text,
                place: Place::of(self.sources, span),
            },
        ))
    }

    /// Describes an earlier branch; `None` for the branch that leads to the block itself.
    fn decision(&self, id: GoalId, at: BlockId) -> Option<(Span, Reason)> {
        let target = self.place(id)?;
        let Terminator::Branch { cond, then, els } = &self.procedure.block(at)?.terminator else {
            return None;
        };
        // The condition directly before the goal is evident from the source.
        if matches!(id, GoalId::Block(_)) && (*then == target || *els == target) {
            return None;
        }
        let span = cond.span;
        // The value that the condition must have for the goal to be reachable.
        let value = match (self.leads(*then, target, at), self.leads(*els, target, at)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            (true, true) | (false, false) => None,
        };
        let is_case = |b: &BlockId| {
            matches!(
                self.procedure.block(*b).and_then(|b| b.goal.as_ref()),
                Some(Goal {
                    reason: GoalReason::Case { .. },
                    ..
                })
            )
        };
        let text = match value {
            Some(false) if is_case(then) => "this case comes first".to_owned(),
            Some(true) if is_case(then) => "only in this case".to_owned(),
            Some(value) => format!(
                "only if `{}`",
                describe::condition(span, value, self.sources)
            ),
            None => "given this condition".to_owned(),
        };
        Some((
            span,
            Reason {
                kind: "condition",
                text,
                place: Place::of(self.sources, span),
            },
        ))
    }

    /// Returns the block that contains a goal.
    fn place(&self, id: GoalId) -> Option<BlockId> {
        match id {
            GoalId::Block(b) => Some(b),
            GoalId::Probe(n) => {
                let is_it = |s: &ir::Stmt| matches!(s.kind, ir::StmtKind::Probe { probe, .. } if probe == n);
                let at = self
                    .procedure
                    .blocks
                    .iter()
                    .position(|b| b.stmts.iter().any(is_it))?;
                Some(BlockId(at as u32))
            }
            GoalId::Way(_)
            | GoalId::Path(_)
            | GoalId::BlockIn(..)
            | GoalId::ProbeIn(..)
            | GoalId::BlockBy(..) => None,
        }
    }

    /// Whether a path leads from `from` to `to` without passing through `avoid`.
    fn leads(&self, from: BlockId, to: BlockId, avoid: BlockId) -> bool {
        let mut seen = SortedSet::from([avoid]);
        let mut work = vec![from];
        while let Some(b) = work.pop() {
            if b == to {
                return true;
            }
            if seen.insert(b) {
                work.extend(
                    self.procedure
                        .block(b)
                        .map(|b| b.terminator.successors())
                        .unwrap_or_default(),
                );
            }
        }
        false
    }
}

/// Adds notes on what a claim rests on: facts that the verifier checks, assumptions that nothing
/// checks, and executions that end before the block.
fn with_premises(mut diagnostic: Diagnostic, strength: &Strength, cause: &Cause) -> Diagnostic {
    let obligations = matches!(cause, Cause::Facts(facts) if has_obligation(facts));
    if *cause == Cause::Unknown {
        diagnostic = diagnostic
            .with_note("the solver could not determine the reasons within its resource limit");
    }
    if *strength == Strength::GivenAssertions {
        diagnostic = diagnostic
            .with_note("the facts used are checked by Dafny's verifier, not by compiled code");
    }
    if *strength == Strength::GivenAssumptions {
        diagnostic = diagnostic.with_note(
            "the assumptions are checked neither by Dafny's verifier nor by compiled code",
        );
    }
    let fails = |f: &Fact| {
        !obligations && matches!(f, Fact::WellFormed(_) | Fact::Returns(_) | Fact::Expect(_))
    };
    if matches!(cause, Cause::Facts(facts) if facts.iter().any(fails)) {
        diagnostic = diagnostic.with_note("executions that would reach this end earlier");
    }
    diagnostic
}

/// Describes a proof obligation.
fn obligation(kind: AssertKind) -> &'static str {
    match kind {
        AssertKind::Assert => "this assertion",
        AssertKind::Invariant | AssertKind::InvariantKept => "this loop invariant",
        AssertKind::Decreases => "that the termination measure decreases",
        AssertKind::Frame => "that this is in the `modifies` clause",
        AssertKind::Reads => "that this is in the `reads` clause",
        AssertKind::CallPrecondition => "the precondition of this call",
        AssertKind::LoopRange => "that the lower bound of this loop does not exceed the upper one",
        AssertKind::Termination => "that this call has smaller arguments",
        AssertKind::TypeConstraint => "the constraint of this value's type",
        AssertKind::MissingCase => "that a case applies here",
        AssertKind::Aliasing => "that these locations differ",
        AssertKind::Unique => "that only one value satisfies this condition",
        AssertKind::Constructor => "that this value has no ghost constructor",
        AssertKind::Allocated => "that this is allocated in that state",
        AssertKind::Override => "the postcondition of the overridden declaration",
        AssertKind::Witness => "the constraint of the type, for its witness",
        AssertKind::Inhabited => "that the type has a witness",
        AssertKind::Postcondition => "this postcondition",
        AssertKind::Application => "the precondition of this function value",
        AssertKind::Assigned => "that this was assigned",
        AssertKind::Size => "that the array has this size",
    }
}

fn has_obligation(facts: &[Fact]) -> bool {
    facts.iter().any(|f| matches!(f, Fact::Postcondition(..)))
}

/// The option that raises a bound.
fn option(kind: BoundKind) -> &'static str {
    match kind {
        BoundKind::Unroll => "`--unroll`",
        BoundKind::Inline | BoundKind::Calls => "`--inline`",
        BoundKind::Collection | BoundKind::Depth | BoundKind::Objects => "`--max-size`",
    }
}
