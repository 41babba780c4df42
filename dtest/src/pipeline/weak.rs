//! Descriptions of what specifications admit: the state in which an obligation is violated that no
//! execution violates, as the verifier sees it.

use super::modular::{Abstraction, ObligationId, Variant};
use crate::message::MessageId;
use crate::report::check::{AbstractionReport, NotImpliedReport};
use crate::report::place::Place as ReportPlace;
use crate::report::trace::Shown;
use dafny_resolve::typed::visit::{Visit, walk_body, walk_stmt};
use dafny_resolve::typed::{self, StmtKind, Type};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{SourceMap, Span};
use dtest_interp::{Answer, FailureKind, Inputs, Interp, Limits, Outcome, Trace};
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_search::check::{Ended, Violation, follow, replay};
use dtest_search::describe;
use dtest_sorted::SortedSet;
use dtest_value::{ObjectId, Place, Value};

/// The largest number of changes of the heap that are shown for a call.
const MAX_CHANGES: usize = 3;

/// An obligation that is violated only under abstraction.
#[derive(Debug, Clone)]
pub struct NotImplied {
    /// The Dafny path of the unit.
    pub unit: String,
    /// The obligation.
    pub id: ObligationId,
    /// The description of the violation.
    pub message: &'static str,
    /// The abstractions, the inputs and the state that violate it.
    pub report: NotImpliedReport,
}

impl NotImplied {
    /// Returns a warning, for users who asked for an abstraction.
    pub fn warning(&self) -> Diagnostic {
        let message = format!("by specifications alone, {}", self.message);
        let warning = Diagnostic::warning(MessageId::CheckWeakSpecification, self.id.0, message);
        self.explain(warning)
    }

    /// Returns a note on an obligation that the verifier cannot prove for this reason.
    pub fn note(&self) -> Diagnostic {
        let obligation = describe::obligation(self.id.1);
        let message = format!("not implied by the specifications: {obligation}");
        let mut note = Diagnostic::warning(MessageId::CheckNotImplied, self.id.0, message);
        note.severity = Severity::Note;
        if let Some(clause) = self.id.2.filter(|c| *c != self.id.0) {
            note = note.with_secondary(clause, "the obligation is stated here");
        }
        self.explain(note)
    }

    fn explain(&self, diagnostic: Diagnostic) -> Diagnostic {
        let NotImpliedReport {
            by: _,
            inputs,
            states,
            advice,
        } = &self.report;
        let with = match inputs.is_empty() {
            true => "no inputs".to_owned(),
            false => inputs.join(", "),
        };
        let diagnostic = diagnostic.with_note(format!(
            "in `{}` with {with}, although no execution from these inputs breaks it",
            self.unit
        ));
        let diagnostic = states
            .iter()
            .cloned()
            .fold(diagnostic, Diagnostic::with_note);
        diagnostic.with_help(advice.clone())
    }
}

/// Describes a violation under abstraction, unless an execution of the original from the same inputs
/// has the same violation.
pub(super) fn describe(
    program: &ir::Program,
    variant: &Variant,
    sources: &SourceMap,
    unit: &Unit,
    id: ObligationId,
    violation: &Violation,
    options: &search::Options,
) -> Option<NotImplied> {
    // A violation in the program itself is an error of the program, not a weak specification.
    let inputs = Inputs {
        answers: Vec::new(),
        ..violation.inputs.clone()
    };
    let is_same = |v: &Violation| {
        v.failure.kind == violation.failure.kind && v.failure.span == violation.failure.span
    };
    match replay(program, unit.callable, inputs.clone(), Vec::new(), options) {
        Ok((explored, _)) => {
            if matches!(&explored.ended, Ended::Broken(v) if is_same(v)) {
                return None;
            }
        }
        // Where a labelled precondition is hidden, the inputs need not satisfy it.
        Err(_) => {
            let is_label = |a: &Abstraction| matches!(a, Abstraction::Label(_));
            if !variant.by.iter().any(is_label) {
                return None;
            }
        }
    }
    // The run of the abstracted program shows what the specifications allow.
    let (execution, trace) = follow(
        &variant.program,
        variant.unit,
        &violation.inputs,
        violation.choices.as_deref(),
        options,
    )?;
    let shown = describe::inputs(&variant.program, unit.callable, &inputs);
    let view = View {
        program,
        variant,
        sources,
        unit,
        inputs: &inputs,
        trace: &trace,
        shown: &shown,
        failure: violation.failure.span,
    };
    // The states allowed by contracts, then those allowed by invariants.
    let mut states: Vec<String> = execution
        .answers
        .iter()
        .filter(|a| variant.by.contains(&Abstraction::Callable(a.callee)))
        .filter_map(|a| view.result(a))
        .collect();
    for by in &variant.by {
        match by {
            Abstraction::Loop(span) => states.extend(view.loop_state(*span)),
            Abstraction::Label(span) => states.push(format!(
                "`{}` ({}) has a label that is not revealed here",
                describe::one_line(sources.text(*span)),
                sources.locate(*span)
            )),
            Abstraction::Callable(_) => {}
        }
    }
    states.dedup();
    let message = describe::broken(violation.failure.kind.obligation());
    Some(NotImplied {
        unit: unit.path.clone(),
        id,
        message,
        report: NotImpliedReport {
            by: variant.by.iter().map(|a| view.abstraction(*a)).collect(),
            states,
            advice: view.advice(violation.failure.kind),
            inputs: shown.clone(),
        },
    })
}

/// A violation in a variant of the program.
struct View<'a> {
    program: &'a ir::Program,
    /// Values are those of its execution: it has hidden fields of its own.
    variant: &'a Variant,
    sources: &'a SourceMap,
    unit: &'a Unit,
    inputs: &'a Inputs,
    /// The steps of the execution.
    trace: &'a Trace,
    /// The inputs as text.
    shown: &'a [String],
    /// The place of the violated obligation.
    failure: Span,
}

impl View<'_> {
    fn is_function(&self, a: Abstraction) -> bool {
        match a {
            Abstraction::Callable(id) => self.program.typed[id].kind.is_function(),
            Abstraction::Loop(_) | Abstraction::Label(_) => false,
        }
    }

    fn abstraction(&self, a: Abstraction) -> AbstractionReport {
        let place = |span| ReportPlace::of(self.sources, span);
        match a {
            Abstraction::Callable(id) => AbstractionReport {
                kind: match self.is_function(a) {
                    true => "opaque",
                    false => "contract",
                },
                name: Some(self.program.typed.callable_path(id)),
                place: place(self.program.typed[id].span),
            },
            Abstraction::Loop(span) => AbstractionReport {
                kind: "invariants",
                name: None,
                place: place(span),
            },
            Abstraction::Label(span) => AbstractionReport {
                kind: "label",
                name: None,
                place: place(span),
            },
        }
    }

    /// Returns advice that names the specifications.
    fn advice(&self, kind: FailureKind) -> String {
        let is_kept = kind == FailureKind::InvariantKept;
        let one = |a: &Abstraction| match a {
            Abstraction::Callable(id) => {
                let path = self.program.typed.callable_path(*id);
                match self.is_function(*a) {
                    true => format!("reveal `{path}`, or strengthen its postconditions"),
                    false => format!("strengthen the postconditions of `{path}`"),
                }
            }
            Abstraction::Loop(span) => {
                let place = self.sources.locate(*span);
                match is_kept && span.contains_span(self.failure) {
                    true => format!(
                        "strengthen the invariants of the loop at {place}: they are not inductive"
                    ),
                    false => format!("strengthen the invariants of the loop at {place}"),
                }
            }
            Abstraction::Label(_) => "reveal the label".to_owned(),
        };
        let all: SortedSet<String> = self.variant.by.iter().map(one).collect();
        all.into_iter().collect::<Vec<_>>().join(", or ")
    }

    /// Describes a result that a contract allows and the body does not return.
    fn result(&self, answer: &Answer) -> Option<String> {
        let path = self.program.typed.callable_path(answer.callee);
        let call = format!("`{path}({})`", self.values(&answer.args));
        let is_function = self.is_function(Abstraction::Callable(answer.callee));
        let real = self.real_results(answer);
        if real.as_ref() == Some(&answer.results) && answer.changes.is_empty() {
            return None;
        }
        let mut allowed = match (answer.results.is_empty(), is_function) {
            (true, _) => Vec::new(),
            (false, true) => vec![format!("be {}", self.values(&answer.results))],
            (false, false) => vec![format!("return {}", self.values(&answer.results))],
        };
        let changes: Vec<String> = answer
            .changes
            .iter()
            .take(MAX_CHANGES)
            .map(|(object, place, value)| {
                format!("{} = {}", self.place(*object, *place), self.value(value))
            })
            .collect();
        if !changes.is_empty() {
            allowed.push(format!("leave {}", changes.join(", ")));
        }
        if allowed.is_empty() {
            allowed.push("change nothing".to_owned());
        }
        let allowed = allowed.join(" and ");
        let real = real.filter(|r| !r.is_empty() && *r != answer.results);
        Some(match (is_function, real) {
            (true, Some(real)) => format!(
                "{call} may {allowed}, since its body is hidden; its value is {}",
                self.values(&real)
            ),
            (true, None) => format!("{call} may {allowed}, since its body is hidden"),
            (false, Some(real)) => format!(
                "{call} may {allowed} by its contract; its body returns {}",
                self.values(&real)
            ),
            (false, None) => format!("{call} may {allowed} by its contract"),
        })
    }

    /// Returns the results of the body for the arguments of a call; `None` if it cannot be run.
    fn real_results(&self, answer: &Answer) -> Option<Vec<Option<Value>>> {
        let args: Option<Vec<Value>> = answer.args.iter().cloned().collect();
        let has_references = |v: &Value| v.within().any(|v| matches!(v, Value::Ref(_)));
        let args = args.filter(|args| !args.iter().any(has_references))?;
        let limits = Limits {
            steps: 1_000_000,
            ..Limits::default()
        };
        let inputs = Inputs {
            type_args: answer.type_args.clone(),
            args,
            ..Inputs::default()
        };
        match Interp::new(self.program, limits)
            .run(answer.callee, &inputs)
            .outcome
        {
            Outcome::Returned(results) => Some(results),
            Outcome::Failed(_)
            | Outcome::Halted { .. }
            | Outcome::OutOfFuel(_)
            | Outcome::Infeasible(_)
            | Outcome::Unsupported(_) => None,
        }
    }

    /// Describes the state in which a loop was cut, without what the inputs determine.
    fn loop_state(&self, span: Span) -> Option<String> {
        let trace = self.trace;
        let procedure = self.program.procedures.get(&self.unit.callable)?;
        let heads = procedure.blocks.iter().filter_map(|b| b.loop_head.as_ref());
        let info = heads.into_iter().find(|head| head.span == span)?;
        // The state is that of the step after the loop was made arbitrary.
        let at = trace
            .steps
            .iter()
            .position(|s| s.depth == 1 && s.span == span)?;
        let mut later = trace
            .steps
            .iter()
            .skip(at)
            .filter(|s| s.depth == 1 && s.span != span);
        let after = later.next()?.clone();
        // The guard is evaluated in the same state whether the loop goes on or not.
        let bodies = self.bodies(span);
        let is_within = |place: Span| bodies.iter().any(|body| body.contains_span(place));
        let is_inside = is_within(self.failure) || later.any(|s| is_within(s.span));
        let described = super::trace::describe(
            &self.variant.program,
            self.sources,
            &Trace {
                steps: vec![after],
                ..Trace::default()
            },
        );
        let name = |v: &ir::Var| procedure.vars.get(v.0 as usize).map(|info| &*info.name);
        let assigned: Vec<&str> = info
            .assigned
            .iter()
            .filter_map(name)
            .filter(|name| !name.starts_with('$'))
            .collect();
        let has_objects = |v: &Shown| {
            let named = procedure.vars.iter().find(|info| *info.name == *v.name);
            named.is_some_and(|info| self.program.typed.is_reference(&info.ty))
        };
        // What the loop does not assign is as before it, except for the contents of objects.
        let is_shown = |v: &&Shown| {
            assigned.contains(&v.name.as_str())
                || info.writes_heap && (has_objects(v) || !self.shown.contains(&v.to_string()))
        };
        let variables: Vec<&Shown> = described
            .steps
            .first()?
            .variables
            .iter()
            .filter(is_shown)
            .collect();
        let when = match is_inside {
            true => "before an iteration of",
            false => "after",
        };
        let place = self.sources.locate(span);
        let texts: Vec<String> = variables.iter().map(ToString::to_string).collect();
        let state = texts.join(", ");
        if info.invariants.is_empty() {
            return Some(format!(
                "{when} the loop at {place}, which has no invariant, {state} is possible"
            ));
        }
        let clauses = || info.invariants.iter().chain(&info.range);
        // The silence about a variable matters only if the violated condition mentions it.
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '?');
        let words = self.sources.text(self.failure).split(|c| !is_word(c));
        let mentioned: SortedSet<&str> = words.collect();
        let is_free = |v: &&ir::Var| {
            let is_shown = |name: &str| variables.iter().any(|shown| shown.name == name);
            name(v).is_some_and(|name| mentioned.contains(name) && is_shown(name))
                && !clauses().any(|c| c.cond.mentions(&[**v]))
        };
        let free: Vec<String> = info
            .assigned
            .iter()
            .filter(is_free)
            .filter_map(name)
            .map(|name| format!("`{name}`"))
            .collect();
        let silence = match free.is_empty() {
            true => String::new(),
            false => format!(": they say nothing about {}", free.join(", ")),
        };
        Some(format!(
            "{when} the loop at {place}, the invariants allow {state}{silence}"
        ))
    }

    /// Returns the bodies of a loop, of which `while` with cases has several.
    fn bodies(&self, span: Span) -> Vec<Span> {
        struct Bodies {
            of: Span,
            found: Vec<Span>,
        }
        impl<'t> Visit<'t> for Bodies {
            fn stmt(&mut self, s: &'t typed::Stmt) {
                if s.span == self.of {
                    if let StmtKind::While { body, .. } | StmtKind::For { body, .. } = &s.kind {
                        self.found.extend(body.as_ref().map(|b| b.span));
                    } else if let StmtKind::WhileCase { cases, .. } = &s.kind {
                        self.found.extend(cases.iter().map(|c| c.body.span));
                    }
                }
                walk_stmt(self, s);
            }
        }
        let mut bodies = Bodies {
            of: span,
            found: Vec::new(),
        };
        walk_body(&mut bodies, &self.program.typed[self.unit.callable].body);
        bodies.found
    }

    fn values(&self, values: &[Option<Value>]) -> String {
        let texts: Vec<String> = values
            .iter()
            .map(|v| v.as_ref().map_or("_".to_owned(), |v| self.value(v)))
            .collect();
        texts.join(", ")
    }

    /// Returns a value as text. An object is named by the input that refers to it.
    fn value(&self, value: &Value) -> String {
        if let Value::Ref(id) = value
            && let Some(name) = self.name(*id)
        {
            return name;
        }
        let objects = &self.inputs.heap.objects;
        let ty = |id: ObjectId| objects.get(id.0 as usize).map(|o| o.ty.clone());
        dtest_value::show(&self.variant.program.typed, &ty, value, &Type::Error)
    }

    fn place(&self, object: ObjectId, place: Place) -> String {
        let name = self.name(object).unwrap_or_else(|| "an object".to_owned());
        match place {
            Place::Field(field) => format!("{name}.{}", self.variant.program.typed[field].name),
            Place::Element(index) => format!("{name}[{index}]"),
        }
    }

    /// Returns the parameter or the variable of the unit that refers to an object.
    fn name(&self, object: ObjectId) -> Option<String> {
        let procedure = self.program.procedures.get(&self.unit.callable)?;
        let refers = |value: &Value| matches!(value, Value::Ref(id) if *id == object);
        let mut params = procedure.params.iter().zip(&self.inputs.args);
        if let Some((param, _)) = params.find(|(_, value)| refers(value)) {
            let info = procedure.vars.get(param.0 as usize)?;
            return Some(info.name.to_string());
        }
        let own = self.trace.steps.iter().filter(|s| s.depth == 1);
        let mut variables = own.flat_map(|s| &s.variables);
        let variable = variables.find(|v| v.value.as_ref().is_some_and(refers))?;
        Some(variable.name.to_string())
    }
}
