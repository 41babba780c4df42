//! Converts test cases to test vectors: JSON without the syntax of any language, for code that was
//! written by hand in another one.
//!
//! [`test()`] returns the line of a test, [`header`] the first line of a file. The format is described
//! by `runners/vectors.schema.json`, and changes of it by [`SCHEMA`]. The hard part is what a port
//! can be compared with: parts without a neutral form are inputs that no test is written for, and
//! expected values that are not compared ([`values::Role`]).

mod json;
mod values;

use dafny_resolve::typed::{CallableKind, Program, Type, TypeId};
use dafny_source::SourceMap;
use dtest_value::{Heap, Value};

use crate::Reason;
use crate::suite::case::{Case, CaseOutcome, FrameKept, Oracle, Written};
use json::Json;
use values::{Role, Values, any, instantiated};

/// The version of the format. It changes when a reader of the earlier version would be wrong.
pub const SCHEMA: i64 = 1;

/// The first member of a file, which identifies generated files.
pub const MARKER: &str = "{\"generated\":\"by cargo dtest ";

/// Members of an object, in order.
type Members = Vec<(&'static str, Json)>;

/// A goal that a test covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// The name of the criterion.
    pub criterion: String,
    /// The place: `file:line:column`.
    pub place: String,
    /// The goal as a phrase.
    pub text: String,
}

/// A clause of the contract, as it was evaluated when the test was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The place: `file:line:column`.
    pub place: String,
    /// The text in the source.
    pub text: String,
    /// The reason why it is undecided; `None`: it holds.
    pub undecided: Option<String>,
}

/// Knowledge about a test besides its case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The goals, first the one that the test was written for.
    pub goals: Vec<Goal>,
    /// The mutant that only this test kills, described.
    pub sole_kill: Option<String>,
    /// The preconditions, and the types of parameters.
    pub requires: Vec<Clause>,
    /// The postconditions.
    pub ensures: Vec<Clause>,
}

/// Returns the first line of a file. `tool` has the versions of the tool and of the solver.
pub fn header(tool: &str, command: &str, inputs: &str, program: &Program) -> String {
    let characters = if program.options.unicode_char {
        "unicode"
    } else {
        "utf-16"
    };
    let line = Json::object([
        ("generated", Json::text(format!("by cargo dtest {tool}"))),
        ("schema", Json::Number(SCHEMA)),
        ("command", Json::text(command)),
        ("inputs", Json::text(inputs)),
        ("characters", Json::text(characters)),
    ]);
    format!("{line}\n")
}

/// Returns the line of a test, with its name and oracle.
///
/// # Errors
///
/// The reason, if the inputs have no neutral form.
pub fn test(
    program: &Program,
    sources: &SourceMap,
    case: &Case,
    facts: &Facts,
) -> Result<(String, Written), Reason> {
    let writer = Writer { program, case };
    let unit = program.callable_path(case.unit);
    let name = format!("{unit}.{}", case.name);
    let (mut values, inputs) = writer.inputs()?;
    let mut answers = Vec::new();
    for answer in &case.answers {
        answers.push(values.answer(answer)?);
    }
    let objects = values.objects(&case.constructed)?;
    let clauses = |all: &[Clause]| Json::List(all.iter().map(clause).collect());
    let mut line = vec![
        ("schema", Json::Number(SCHEMA)),
        ("test", Json::text(name.as_str())),
        ("unit", Json::text(unit)),
        ("kind", Json::text(writer.kind())),
        ("place", Json::text(sources.locate(program[case.unit].span))),
        ("goals", Json::List(facts.goals.iter().map(goal).collect())),
        (
            "kills",
            Json::List(
                facts
                    .sole_kill
                    .iter()
                    .map(|k| Json::text(k.as_str()))
                    .collect(),
            ),
        ),
        ("type_arguments", writer.type_args()),
        ("inputs", inputs),
        ("objects", objects),
        ("answers", Json::List(answers)),
    ];
    let (expected, oracle) = writer.expected(sources)?;
    line.extend(expected);
    line.extend([
        ("requires", clauses(&facts.requires)),
        ("ensures", clauses(&facts.ensures)),
        ("frame", writer.frame()),
    ]);
    let members = line.into_iter().map(|(k, v)| (k.to_owned(), v));
    let text = format!("{}\n", Json::Object(members.collect()));
    Ok((text, Written { test: name, oracle }))
}

fn goal(goal: &Goal) -> Json {
    Json::object([
        ("criterion", Json::text(goal.criterion.as_str())),
        ("place", Json::text(goal.place.as_str())),
        ("text", Json::text(goal.text.as_str())),
    ])
}

fn clause(clause: &Clause) -> Json {
    let mut members = vec![
        ("place".to_owned(), Json::text(clause.place.as_str())),
        ("text".to_owned(), Json::text(clause.text.as_str())),
    ];
    let verdict = match &clause.undecided {
        None => "holds",
        Some(_) => "undecided",
    };
    members.push(("verdict".to_owned(), Json::text(verdict)));
    if let Some(reason) = &clause.undecided {
        members.push(("reason".to_owned(), Json::text(reason.as_str())));
    }
    Json::Object(members)
}

/// Converts one test.
struct Writer<'a> {
    program: &'a Program,
    case: &'a Case,
}

impl<'a> Writer<'a> {
    fn kind(&self) -> &'static str {
        if self.program.driven_by(self.case.unit).is_some() {
            return "iterator";
        }
        match self.program[self.case.unit].kind {
            CallableKind::Function
            | CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate => "function",
            CallableKind::Method | CallableKind::Lemma => "method",
            CallableKind::Constructor => "constructor",
        }
    }

    fn type_args(&self) -> Json {
        let args = self.case.type_args.iter();
        Json::List(
            args.map(|t| Json::text(self.program.show_type_with_modules(t)))
                .collect(),
        )
    }

    /// Returns the arguments of the call, the receiver first; the object that a constructor creates
    /// is a result.
    fn inputs(&self) -> Result<(Values<'a>, Json), Reason> {
        let (program, case) = (self.program, self.case);
        let c = &program[case.unit];
        let mut values = Values::new(program, &case.heap, Role::Input);
        let mut args = case.args.iter();
        let mut inputs = Vec::new();
        if let Some(owner) = c.owner.filter(|_| !c.is_static)
            && let Some(receiver) = args.next()
            && c.kind != CallableKind::Constructor
        {
            let ty = self.owner(owner);
            inputs.push(self.named("this", &ty, values.value(receiver, &ty)?));
        }
        for (formal, value) in c.ins.iter().zip(args) {
            let local = &program[formal.local];
            if local.ghost && !c.ghost {
                continue;
            }
            let ty = instantiated(program, case.unit, &case.type_args, &local.ty);
            inputs.push(self.named(&local.name, &ty, values.value(value, &ty)?));
        }
        Ok((values, Json::List(inputs)))
    }

    /// Returns the type of the receiver.
    fn owner(&self, owner: TypeId) -> Type {
        let count = self.program[owner].type_params.len();
        let args = self.case.type_args.get(..count).unwrap_or_default();
        Type::named(owner, args.to_vec())
    }

    fn named(&self, name: &str, ty: &Type, value: Json) -> Json {
        Json::object([
            ("name", Json::text(name)),
            ("type", Json::text(self.program.show_type_with_modules(ty))),
            ("value", value),
        ])
    }

    /// Returns the end of the execution, and what it leaves: results, state and output.
    fn expected(&self, sources: &SourceMap) -> Result<(Members, Oracle), Reason> {
        let case = self.case;
        let known = match &case.outcome {
            CaseOutcome::Returns(known) => known.as_ref(),
            CaseOutcome::Open | CaseOutcome::Halts { .. } => None,
        };
        let outcome = match &case.outcome {
            CaseOutcome::Returns(_) => "returns",
            CaseOutcome::Open => "open",
            CaseOutcome::Halts { .. } => "halts",
        };
        let mut out = vec![
            ("outcome", Json::text(outcome)),
            ("determined", Json::Bool(known.is_some())),
        ];
        if let CaseOutcome::Halts { span } = &case.outcome {
            out.push(("halts_at", Json::text(sources.locate(*span))));
        }
        let mut is_valued = false;
        if let Some((results, heap)) = known {
            let (results, objects, valued) = self.after(results, heap)?;
            is_valued = valued;
            out.push(("results", results));
            out.push(("objects_after", objects));
        }
        if let Some(printed) = &case.printed {
            is_valued |= !printed.is_empty();
            out.push(("output", Json::text(printed.as_str())));
        }
        let oracle = if is_valued {
            Oracle::Values
        } else if matches!(case.outcome, CaseOutcome::Halts { .. }) {
            Oracle::Clauses
        } else {
            Oracle::Nothing
        };
        Ok((out, oracle))
    }

    /// Returns the results and the objects after the call, and whether there is anything to compare.
    fn after(
        &self,
        results: &[Option<Value>],
        heap: &'a Heap,
    ) -> Result<(Json, Json, bool), Reason> {
        let (program, case) = (self.program, self.case);
        let c = &program[case.unit];
        let mut values = Values::new(program, heap, Role::Expected);
        let mut out = Vec::new();
        if let (CallableKind::Constructor, Some(owner), Some(made)) =
            (c.kind, c.owner, case.args.first())
        {
            let ty = self.owner(owner);
            out.push(self.named("this", &ty, values.value(made, &ty)?));
        }
        for (formal, value) in c.outs.iter().zip(results) {
            let local = &program[formal.local];
            if local.ghost && !c.ghost {
                continue;
            }
            let name = if formal.unnamed {
                "result"
            } else {
                &local.name
            };
            let ty = instantiated(program, case.unit, &case.type_args, &local.ty);
            let value = match value {
                Some(value) => values
                    .value(value, &ty)
                    .unwrap_or_else(|reason| any(&reason.to_string())),
                None => any("unknown"),
            };
            out.push(self.named(name, &ty, value));
        }
        // The objects of the inputs have a state after the call, too.
        if !c.kind.is_function() {
            for arg in &case.args {
                for part in arg.within() {
                    if let Value::Ref(object) = part {
                        values.reference(*object);
                    }
                }
            }
        }
        let objects = values.objects(&dtest_sorted::SortedMap::new())?;
        let is_valued = !out.is_empty() || matches!(&objects, Json::List(all) if !all.is_empty());
        Ok((Json::List(out), objects, is_valued))
    }

    fn frame(&self) -> Json {
        match &self.case.frame {
            FrameKept::Kept => Json::text("kept"),
            FrameKept::Unknown(reason) => {
                Json::object([("undecided", Json::text(reason.as_str()))])
            }
        }
    }
}
