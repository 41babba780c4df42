//! Converts a test case to the pieces of a test: inputs, copies of the state before the call, the
//! call, checks.

use dafny_resolve::typed::{BinaryOp, CallableKind, Expr, ExprKind, LocalId, Type, TypeDeclKind};
use dafny_source::{SourceMap, Span};
use dtest_sorted::SortedSet;
use dtest_value::{Answer, Value};

use super::clause::{Before, Specs, Writer};
use super::expected::{After, Expected};
use super::mock::{Mocks, is_of_mock};
use super::names::{Names, Variables, lower_camel};
use super::value::{Defaults, Values, constructor_suffix};
use super::{Piece, Role, Written};
use crate::suite::case::{Case, CaseOutcome};

/// Maximum length of a clause in a message, in characters.
const MAX_TEXT: usize = 160;

/// The parts of a test.
pub(super) struct TestParts {
    pub(super) pieces: Vec<Piece>,
    pub(super) doc: Vec<String>,
    /// Whether the test must be in a refinement of the module under test.
    pub(super) needs_inside: bool,
}

/// Writes the tests of a module.
pub(super) struct TestWriter<'w, 'p> {
    pub(super) names: &'w Names<'p>,
    pub(super) sources: &'w SourceMap,
    pub(super) specs: &'w Specs,
    pub(super) mocks: &'w Mocks<'p>,
    pub(super) co_defaults: &'w Defaults,
}

/// Formats `expect condition, "message";`.
pub(super) fn expect(condition: &str, message: &str) -> String {
    let mut text = String::new();
    for c in dafny_source::visible(message, &[]).chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            other => text.push(other),
        }
    }
    format!("expect {condition}, \"{text}\";")
}

impl TestWriter<'_, '_> {
    pub(super) fn test(&self, case: &Case) -> Written<TestParts> {
        let program = self.names.program;
        let known = match &case.outcome {
            CaseOutcome::Returns(known) => known.as_ref(),
            CaseOutcome::Open | CaseOutcome::Halts { .. } => {
                return Err(
                    "the call ends with a failing `expect`, which a test in Dafny cannot expect"
                        .into(),
                );
            }
        };
        let mut doc = case.doc.clone();
        let mut variables = Variables {
            substitution: program
                .all_type_params(case.unit)
                .into_iter()
                .zip(case.type_args.iter().cloned())
                .collect(),
            ..Variables::default()
        };
        let mut values = Values::new(
            self.names,
            &case.heap,
            &case.constructed,
            (self.specs, self.co_defaults),
        );
        let of_mocks: Vec<Answer> = case
            .answers
            .iter()
            .filter(|a| is_of_mock(program, a, &case.heap))
            .cloned()
            .collect();
        if of_mocks.len() < case.answers.len() {
            return Err("external code that the unit calls has no stub in Dafny".into());
        }
        values.answers = &of_mocks;
        values.mocks = Some(self.mocks);

        let actuals = self.inputs(case, &mut values, &mut variables)?;
        if !values.by_fields.is_empty() {
            doc.push(format!(
                "Created field by field (no calls were found that create it): {}.",
                values.by_fields.join(", ")
            ));
        }
        let mut pieces = std::mem::take(&mut values.lines);

        let outs = self.declare_results(case, &mut values, &mut variables);
        let call = self.call(case, &mut values, &mut variables, &actuals, &outs)?;

        let mut before = Before::default();
        let clauses = self.clauses(case, &variables, (&mut before, &mut values.taken));
        let constraints = self.result_constraints(case, &variables, &outs, known.is_some());

        let mut checks = Vec::new();
        let mut copies = Vec::new();
        let after = After {
            case,
            sources: self.sources,
            outs: &outs,
            this: variables.this.as_deref(),
        };
        let mut expected = Expected::new(after, &mut values);
        match known {
            Some((results, heap)) => expected.all(results, heap),
            None => expected.unchanged(),
        }
        let (found, copied, missing) = expected.finish();
        checks.extend(found);
        copies.extend(copied);
        doc.extend(missing);
        if case.printed.as_ref().is_some_and(|t| !t.is_empty()) {
            doc.push(
                "Output not checked: a program in Dafny cannot read what it has printed.".into(),
            );
        }
        checks.extend(constraints);
        checks.extend(clauses);
        pieces.extend(before.pieces);
        pieces.extend(copies);
        pieces.push(call);
        pieces.extend(checks);
        Ok(TestParts {
            pieces,
            doc,
            needs_inside: values.needs_inside,
        })
    }

    /// Writes the receiver and the arguments. Returns the actual arguments of the call.
    fn inputs(
        &self,
        case: &Case,
        values: &mut Values<'_, '_>,
        variables: &mut Variables,
    ) -> Written<Vec<String>> {
        let program = self.names.program;
        let c = &program[case.unit];
        let mut args = case.args.iter();
        let has_receiver = c.owner.is_some() && !c.is_static;
        let receiver = if has_receiver { args.next() } else { None };
        if let (Some(owner), Some(value)) = (
            c.owner.filter(|_| c.kind != CallableKind::Constructor),
            receiver,
        ) {
            let params: Vec<Type> = program[owner]
                .type_params
                .iter()
                .map(|&p| Type::Param(p))
                .collect();
            let ty = Type::named(owner, params).subst(&variables.substitution);
            let word = lower_camel(&program[owner].name);
            variables.this = Some(self.input(values, &word, value, &ty)?);
        }

        // Ghost arguments are passed too: a Dafny call has all arguments.
        let mut actuals = Vec::new();
        // The number of calls of an iterator is not an argument of its constructor.
        let driven = program.driven_by(case.unit);
        let inputs = c.ins.len() - usize::from(driven.is_some());
        for (formal, value) in c.ins.iter().take(inputs).zip(args) {
            let local = &program[formal.local];
            let ty = local.ty.subst(&variables.substitution);
            let name = self.input(values, &local.name, value, &ty)?;
            actuals.push(if formal.nameonly {
                format!("{} := {name}", local.name)
            } else {
                name.clone()
            });
            // The test's variable for a ghost parameter is compiled, so clauses about it can be
            // executed.
            variables.locals.insert(formal.local, name);
        }
        Ok(actuals)
    }

    /// Declares the variables of the results.
    fn declare_results(
        &self,
        case: &Case,
        values: &mut Values<'_, '_>,
        variables: &mut Variables,
    ) -> Vec<(LocalId, String)> {
        let program = self.names.program;
        let mut outs: Vec<(LocalId, String)> = Vec::new();
        for formal in &program[case.unit].outs {
            let local = &program[formal.local];
            let word = if formal.unnamed {
                "result".to_owned()
            } else {
                local.name.to_string()
            };
            let name = values.fresh(&lower_first(&word));
            variables.locals.insert(formal.local, name.clone());
            outs.push((formal.local, name));
        }
        outs
    }

    /// Writes the checks of the postconditions, with copies of what they read of the state before
    /// the call.
    fn clauses(
        &self,
        case: &Case,
        variables: &Variables,
        (before, taken): (&mut Before, &mut SortedSet<String>),
    ) -> Vec<Piece> {
        let mut clauses = Vec::new();
        for clause in &self.names.program[case.unit].spec.ensures {
            let unanswered = case
                .unanswered
                .iter()
                .find(|(span, _)| *span == clause.cond.span);
            // Conjuncts are executed separately, because some of them may be ghost.
            for conjunct in conjuncts(&clause.cond) {
                let place = self.sources.locate(conjunct.span);
                let shown = format!("{place}: {}", self.text_at(conjunct.span));
                let mut piece = Piece::new(String::new(), Role::Check);
                piece.clause = Some((clause.cond.span, shown.clone()));
                let written = match unanswered {
                    Some((_, reason)) => Err(reason.as_str().into()),
                    None => {
                        let mut writer =
                            Writer::new(self.names, Some(self.specs), variables.clone());
                        writer.before = Some((&mut *before, &mut *taken));
                        let text = writer.expr(conjunct, 0);
                        piece.needs = std::mem::take(&mut writer.needs);
                        text
                    }
                };
                match written {
                    Ok(text) => piece.text = expect(&text, &shown),
                    Err(reason) => piece.refused = Some(reason.to_string()),
                }
                clauses.push(piece);
            }
        }
        clauses
    }

    /// Writes the variable for an input.
    fn input(
        &self,
        values: &mut Values<'_, '_>,
        word: &str,
        value: &Value,
        ty: &Type,
    ) -> Written<String> {
        let word = lower_first(word);
        if let Value::Ref(object) = value {
            let is_known = values.objects.contains_key(object);
            // An object that is passed as a trait keeps its class in the variable, so that its
            // fields are accessible.
            if !is_known {
                let name = values.fresh(&word);
                values.objects.insert(*object, name);
            }
            return values.object(*object);
        }
        let text = values.value(value, ty)?;
        let name = values.fresh(&word);
        values.line(format!("var {name}: {} := {text};", self.names.ty(ty)?));
        Ok(name)
    }

    fn call(
        &self,
        case: &Case,
        values: &mut Values<'_, '_>,
        variables: &mut Variables,
        actuals: &[String],
        outs: &[(LocalId, String)],
    ) -> Written<Piece> {
        let program = self.names.program;
        let c = &program[case.unit];
        let args = actuals.join(", ");
        let writer = Writer::new(self.names, None, variables.clone());
        let own = writer.own_type_args(case.unit, &case.type_args)?;
        // A constructor is called by `new`. The object is the receiver of the postconditions.
        if c.kind == CallableKind::Constructor {
            let owner = c.owner.ok_or("a constructor without a class")?;
            let count = program[owner].type_params.len();
            let types = case.type_args.get(..count).unwrap_or_default().to_vec();
            let class = self.names.ty(&Type::named(owner, types))?;
            let name = values.fresh(&lower_camel(&program[owner].name));
            variables.this = Some(name.clone());
            let text = format!(
                "var {name} := new {class}{}({args});",
                constructor_suffix(&c.name)
            );
            return Ok(Piece::new(text, Role::Call).providing(name));
        }
        // The body of an iterator runs step by step: `MoveNext` is called as often as in the
        // execution, and each yielded value is appended to the sequence of its `yields` parameter.
        if let (Some((owner, parts, _)), Some(Value::Int(calls))) =
            (program.driven_by(case.unit), case.args.last())
        {
            let class = self.names.ty(&Type::named(owner, case.type_args.clone()))?;
            let iterator = values.fresh(&lower_camel(&program[owner].name));
            let mut names = outs.iter().map(|(_, n)| n.as_str());
            let more = names.next().ok_or("an iterator without results")?;
            let mut text = format!("var {iterator} := new {class}({args});\nvar {more} := true;\n");
            let mut takes = String::new();
            let compiled = parts.yields.iter().filter(|y| !program[**y].ghost);
            for ((field, name), (local, _)) in compiled.zip(names).zip(outs.iter().skip(1)) {
                let ty = program[*local].ty.subst(&variables.substitution);
                text.push_str(&format!("var {name}: {} := [];\n", self.names.ty(&ty)?));
                takes.push_str(&format!(
                    " {name} := {name} + [{iterator}.{}];",
                    program[*field].name
                ));
            }
            text.push_str(&format!(
                "for i := 0 to {calls} {{\n  if {more} {{\n    {more} := {iterator}.MoveNext();\n    if {more} {{{takes} }}\n  }}\n}}"
            ));
            return Ok(Piece::new(text, Role::Call));
        }
        // All other callables: results become variables, which the checks of the test read.
        let callee = match &variables.this {
            Some(this) if !c.is_static => format!("{this}.{}", c.name),
            Some(_) | None => self.names.callable(case.unit, &case.type_args)?,
        };
        let names: Vec<&str> = outs.iter().map(|(_, n)| n.as_str()).collect();
        let targets = if names.is_empty() {
            String::new()
        } else {
            format!("var {} := ", names.join(", "))
        };
        Ok(Piece::new(
            format!("{targets}{callee}{own}({args});"),
            Role::Call,
        ))
    }

    /// Writes checks of the constraints of the results' types, for results without an expected
    /// value.
    fn result_constraints(
        &self,
        case: &Case,
        variables: &Variables,
        outs: &[(LocalId, String)],
        is_known: bool,
    ) -> Vec<Piece> {
        let program = self.names.program;
        let mut found = Vec::new();
        // A known result is compared as a whole; its type then says nothing more.
        if is_known {
            return found;
        }
        for (local, name) in outs
            .iter()
            .filter(|(l, _)| program[case.unit].ghost || !program[*l].ghost)
        {
            let ty = program[*local].ty.subst(&variables.substitution);
            let Type::Named { decl, args, .. } = &ty else {
                continue;
            };
            let place = self.sources.locate(program[*local].span);
            // `nat` is built in: it has no constraint that could be written out.
            let noun = crate::with_article(&program.show_type(&ty));
            let message = format!("{place}: {name} is {noun}");
            if program.nat == Some(*decl) {
                found.push(Piece::new(
                    expect(&format!("{name} >= 0"), &message),
                    Role::Check,
                ));
                continue;
            }
            let TypeDeclKind::Subset(constrained) = &program[*decl].kind else {
                continue;
            };
            let (Some(var), Some(constraint)) = (constrained.var, &constrained.constraint) else {
                continue;
            };
            let mut inner = Variables {
                substitution: program.substitution(*decl, args),
                ..Variables::default()
            };
            inner.locals.insert(var, name.clone());
            let mut writer = Writer::new(self.names, Some(self.specs), inner);
            if let Ok(text) = writer.expr(constraint, 0) {
                found.push(Piece::new(expect(&text, &message), Role::Check).needing(writer.needs));
            }
        }
        found
    }

    /// Returns the source text at a span, on one line and shortened.
    fn text_at(&self, span: Span) -> String {
        let text = self
            .sources
            .text(span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if text.chars().count() > MAX_TEXT {
            text.chars()
                .take(MAX_TEXT - 3)
                .chain("...".chars())
                .collect()
        } else {
            text
        }
    }
}

/// Splits a condition into conjuncts.
fn conjuncts(e: &Expr) -> Vec<&Expr> {
    if let ExprKind::Binary(BinaryOp::And, a, b) = &e.kind {
        let mut all = conjuncts(a);
        all.extend(conjuncts(b));
        all
    } else {
        vec![e]
    }
}

/// Converts the name of a parameter to that of a variable.
fn lower_first(word: &str) -> String {
    if super::names::is_name(word) {
        word.to_owned()
    } else {
        lower_camel(word)
    }
}
