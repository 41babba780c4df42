//! Postconditions that a contract lacks: properties that the body has, and that reject results that
//! the contract accepts.
//!
//! The properties are instances of a few forms over results, final states and inputs: length,
//! multiset, membership, order, bounds, equality with an input, an old value or a function of the
//! program. None is taken from executions, so that each is tried on all inputs.

use dafny_resolve::typed::{
    Arena as _, BinaryOp, Body, Call, CallableId, CallableKind, Clause, Domain, Expr, ExprKind,
    Literal, LocalId, Quantified, Type, VarBound,
};
use dtest_search::Options;

use crate::contract::{Contract, Write, array_of, binary, elements, local};
use crate::difference::Side;
use crate::examine::{Answer, Examination, lower};
use crate::mutants::with_body;
use crate::questions::{Question, Questions, cardinality, clause, in_range, index_of, state};
use crate::tried::Tried;
use crate::{Certainty, Example};

/// Maximum number of properties that are tried for a contract.
const MAX_TRIED: usize = 40;

/// A postcondition that a contract lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The condition, as Dafny text.
    pub text: String,
    /// A result that the contract accepts and the condition rejects.
    pub rejects: Example,
    /// The number of accepted results among those tried that the condition rejects.
    pub rejected: usize,
    /// The number of accepted results among those tried.
    pub accepted: usize,
    /// The certainty that the body satisfies the condition.
    pub certainty: Certainty,
}

/// A value that a condition is about.
#[derive(Clone)]
struct Term {
    text: String,
    value: Expr,
}

/// A condition with its text.
struct Property {
    text: String,
    cond: Expr,
    /// The texts of the two values that it relates, if it is implied by their equality.
    related: Option<(String, String)>,
    /// Whether it is the equality of the two values, or of their multisets. Candidates that such a
    /// property implies are left out.
    is_equality: bool,
}

impl Property {
    /// Marks a relation of two values.
    fn relates(self, a: &Term, b: &Term) -> Self {
        Self {
            related: Some((a.text.clone(), b.text.clone())),
            ..self
        }
    }
}

/// Returns postconditions that the body of a callable satisfies and its contract does not imply,
/// those that reject most results first. The program must not have been desugared.
pub fn candidates(
    program: &dafny_resolve::typed::Program,
    unit: CallableId,
    options: &Options,
) -> Vec<Candidate> {
    let contract = Contract::new(program, unit);
    let whole = Side::of(&contract);
    if whole.obstacle.is_some() || !contract.leaves_results() {
        return Vec::new();
    }
    let examination = Examination::new(&contract, options);
    let mut questions = Questions::new(&contract);
    let all: Vec<usize> = (0..contract.ensures().len()).collect();
    let base = questions.accepted_results(&all);
    let mut properties = properties(&mut questions);
    properties.truncate(MAX_TRIED);
    let mut asked = Vec::new();
    for property in properties {
        let added = clause(property.cond.clone(), contract.span());
        let Some(body) = with_body(&mut questions, vec![added.clone()]) else {
            return Vec::new();
        };
        let mut stronger = whole.clone();
        stronger.ensures.push(added);
        let rejected = questions.result_difference(&whole, &stronger);
        let accepted = accepted_by(&mut questions, &stronger);
        asked.push((property, body, rejected, accepted));
    }
    let lowered = lower(questions.program);
    let mut found = Vec::new();
    let total = |question: &Question| -> usize {
        let tried = Tried::new(&lowered, &contract, question);
        tried.inputs.iter().map(|i| i.results).sum()
    };
    let mut accepted = None;
    let mut equal = Vec::new();
    for (property, body, rejected, with) in asked {
        if property.related.as_ref().is_some_and(|r| equal.contains(r)) {
            continue;
        }
        // What the contract implies, and what the body does not satisfy, is no candidate.
        let Answer::Example(inputs) = examination.ask(&lowered, &rejected) else {
            continue;
        };
        let Answer::Nothing(certainty) = examination.satisfies(&lowered, body) else {
            continue;
        };
        let accepted = *accepted.get_or_insert_with(|| total(&base));
        if property.is_equality {
            equal.extend(property.related);
        }
        found.push(Candidate {
            text: property.text,
            rejects: examination.example(&lowered, &rejected, &inputs),
            rejected: accepted.saturating_sub(total(&with)),
            accepted,
            certainty,
        });
    }
    // Stable: properties of the same rank stay in the order of their forms.
    found.sort_by_key(|c| std::cmp::Reverse(c.rejected));
    found
}

/// Asks for results that a contract accepts.
fn accepted_by(questions: &mut Questions<'_, '_>, side: &Side) -> Question {
    let requires: Vec<Expr> = side.requires.iter().map(|c| c.cond.clone()).collect();
    let clauses: Vec<Clause> = side.ensures.clone();
    let promised = (&*clauses, side.definition.clone());
    let span = questions.contract.span();
    let never = Expr {
        kind: ExprKind::Literal(Literal::Bool(false)),
        ty: Type::Bool,
        span,
    };
    questions.asked(requires, promised, 1, |_, _| never)
}

/// The values after the call, and before it.
fn terms(contract: &Contract<'_>) -> (Vec<Term>, Vec<Term>) {
    let program = contract.program;
    let unit = &program[contract.unit];
    let old = |e: Expr| Expr {
        ty: e.ty.clone(),
        span: e.span,
        kind: ExprKind::Old {
            label: None,
            expr: Box::new(e),
        },
    };
    let (mut after, mut before) = (Vec::new(), Vec::new());
    for output in &contract.outputs {
        let own = local(program, output.local);
        let name = match output.name.as_str() {
            "result" if unit.kind.is_function() => {
                let names: Vec<&str> = unit.ins.iter().map(|f| &*program[f.local].name).collect();
                format!("{}({})", unit.name, names.join(", "))
            }
            name => name.to_owned(),
        };
        after.push(match &output.array {
            Some(elem) => Term {
                text: format!("{name}[..]"),
                value: elements(&own, elem),
            },
            None => Term {
                text: name,
                value: own,
            },
        });
    }
    for write in contract.writes() {
        let (Some(name), Some(now)) = (write.name(program), state(write)) else {
            continue;
        };
        if contract.contains_reference(&now.ty) {
            continue;
        }
        before.push(Term {
            text: format!("old({name})"),
            value: old(now.clone()),
        });
        after.push(Term {
            text: name,
            value: now,
        });
    }
    let is_written = |name: &str| {
        let writes = contract.writes().iter();
        let mut names = writes.filter(|w| matches!(w, Write::Elements { .. }));
        names.any(|w| w.name(program).is_some_and(|n| n == name))
    };
    for formal in &unit.ins {
        let own = local(program, formal.local);
        let name = &program[formal.local].name;
        match array_of(program, &own.ty) {
            Some(_) if is_written(&format!("{name}[..]")) => {}
            Some(elem) => before.push(Term {
                text: format!("{name}[..]"),
                value: elements(&own, &elem),
            }),
            None => before.push(Term {
                text: name.to_string(),
                value: own,
            }),
        }
    }
    (after, before)
}

/// The properties of a contract, without those that cannot be compared by `==`.
fn properties(questions: &mut Questions<'_, '_>) -> Vec<Property> {
    let contract = questions.contract;
    let program = contract.program;
    let (after, before) = terms(contract);
    let mut all = Vec::new();
    let base = |t: &Term| program.representation(&t.value.ty);
    let compared = |text: String, op, a: &Expr, b: Expr| Property {
        text,
        cond: binary(op, a.clone(), b, Type::Bool),
        related: None,
        is_equality: false,
    };
    for a in &after {
        let has_order = |ty: &Type| matches!(ty, Type::Int | Type::Real | Type::Char);
        for b in &before {
            let (a_ty, b_ty) = (base(a), base(b));
            if a_ty == b_ty && !contract.contains_reference(&a_ty) {
                let text = format!("{} == {}", a.text, b.text);
                let equal = compared(text, BinaryOp::Eq, &a.value, b.value.clone());
                all.push(Property {
                    is_equality: true,
                    ..equal.relates(a, b)
                });
            }
            if a_ty == b_ty && matches!(a_ty, Type::Int | Type::Real) {
                for op in [BinaryOp::Ge, BinaryOp::Le] {
                    let text = format!("{} {} {}", a.text, op.as_str(), b.text);
                    all.push(compared(text, op, &a.value, b.value.clone()).relates(a, b));
                }
            }
            if let (Type::Seq(x), Type::Seq(y)) = (&a_ty, &b_ty)
                && x == y
            {
                let multiset = |t: &Term| multiset_of(&t.value, x);
                let text = format!("multiset({}) == multiset({})", a.text, b.text);
                let equal = compared(text, BinaryOp::Eq, &multiset(a), multiset(b));
                all.push(Property {
                    is_equality: true,
                    ..equal.relates(a, b)
                });
                all.push(questions.membership(a, b, x).relates(a, b));
            }
            if let (Type::Seq(_), Type::Seq(_)) = (&a_ty, &b_ty) {
                let text = format!("|{}| == |{}|", a.text, b.text);
                let (x, y) = (cardinality(&a.value), cardinality(&b.value));
                all.push(compared(text, BinaryOp::Eq, &x, y).relates(a, b));
            }
            if let (Type::Int, Type::Seq(_)) = (&a_ty, &b_ty) {
                for op in [BinaryOp::Lt, BinaryOp::Le] {
                    let text = format!("{} {} |{}|", a.text, op.as_str(), b.text);
                    all.push(compared(text, op, &a.value, cardinality(&b.value)));
                }
            }
        }
        let a_ty = base(a);
        if let Type::Seq(elem) = &a_ty
            && has_order(&program.representation(elem))
        {
            all.push(questions.order(a, elem));
        }
        if a_ty == Type::Int {
            let text = format!("{} >= 0", a.text);
            all.push(compared(text, BinaryOp::Ge, &a.value, number(&a.value)));
        }
        all.extend(models(contract, a, &before));
    }
    all
}

fn number(at: &Expr) -> Expr {
    Expr {
        kind: ExprKind::Literal(Literal::Int(0.into())),
        ty: Type::Int,
        span: at.span,
    }
}

fn multiset_of(e: &Expr, elem: &Type) -> Expr {
    Expr {
        kind: ExprKind::MultisetFrom(Box::new(e.clone())),
        ty: Type::Multiset(Box::new(elem.clone())),
        span: e.span,
    }
}

/// The equalities of a value with a function of the program that has the parameters of the unit.
fn models(contract: &Contract<'_>, a: &Term, before: &[Term]) -> Vec<Property> {
    let program = contract.program;
    let types: Vec<Type> = before.iter().map(|b| b.value.ty.clone()).collect();
    let ids: Vec<CallableId> = program.ids();
    let is_model = |id: &CallableId| {
        let c = &program[*id];
        let params: Vec<Type> = c.ins.iter().map(|f| program[f.local].ty.clone()).collect();
        let result = c.outs.first().map(|f| &program[f.local].ty);
        c.kind == CallableKind::Function
            && *id != contract.unit
            && c.is_static
            && c.owner.is_none()
            && c.type_params.is_empty()
            && c.spec.reads.is_empty()
            && !matches!(c.body, Body::None)
            && params == types
            && result == Some(&a.value.ty)
    };
    let model = |id: CallableId| {
        let args: Vec<&str> = before.iter().map(|b| b.text.as_str()).collect();
        let call = Expr {
            kind: ExprKind::Call(Call {
                callee: id,
                receiver: None,
                discarded: None,
                type_args: Vec::new(),
                args: before.iter().map(|b| b.value.clone()).collect(),
                at_label: None,
                is_static_dispatch: false,
                is_corecursive: false,
            }),
            ty: a.value.ty.clone(),
            span: a.value.span,
        };
        Property {
            text: format!("{} == {}({})", a.text, program[id].name, args.join(", ")),
            cond: binary(BinaryOp::Eq, a.value.clone(), call, Type::Bool),
            related: None,
            is_equality: false,
        }
    };
    ids.into_iter().filter(is_model).map(model).collect()
}

impl Questions<'_, '_> {
    /// `forall x :: x in a ==> x in b`.
    fn membership(&mut self, a: &Term, b: &Term, elem: &Type) -> Property {
        let var = self.variable("x", elem);
        let x = local(&self.program, var);
        let is_in = |set: &Term| binary(BinaryOp::In, x.clone(), set.value.clone(), Type::Bool);
        let domain = Domain::Elements(Box::new(a.value.clone()));
        let body = binary(BinaryOp::Implies, is_in(a), is_in(b), Type::Bool);
        Property {
            text: format!("forall x :: x in {} ==> x in {}", a.text, b.text),
            cond: self.forall(vec![(var, domain)], body),
            related: None,
            is_equality: false,
        }
    }

    /// `forall i, j :: 0 <= i < j < |a| ==> a[i] <= a[j]`.
    fn order(&mut self, a: &Term, elem: &Type) -> Property {
        let (i, j) = (
            self.variable("i", &Type::Int),
            self.variable("j", &Type::Int),
        );
        let size = cardinality(&a.value);
        let domain = || Domain::IntRange {
            low: Some(Box::new(number(&a.value))),
            high: Some(Box::new(size.clone())),
        };
        let (first, second) = (local(&self.program, i), local(&self.program, j));
        let ordered = binary(
            BinaryOp::Le,
            index_of(&a.value, first.clone(), elem),
            index_of(&a.value, second.clone(), elem),
            Type::Bool,
        );
        let before = in_range(&first, second.clone());
        let within = binary(BinaryOp::Lt, second, size.clone(), Type::Bool);
        let range = binary(BinaryOp::And, before, within, Type::Bool);
        let body = binary(BinaryOp::Implies, range, ordered, Type::Bool);
        let text = &a.text;
        Property {
            text: format!("forall i, j :: 0 <= i < j < |{text}| ==> {text}[i] <= {text}[j]"),
            cond: self.forall(vec![(i, domain()), (j, domain())], body),
            related: None,
            is_equality: false,
        }
    }

    fn forall(&self, vars: Vec<(LocalId, Domain)>, body: Expr) -> Expr {
        let span = body.span;
        let (ids, bounds) = vars
            .into_iter()
            .map(|(var, domain)| (var, VarBound { var, domain }))
            .unzip();
        Expr {
            kind: ExprKind::Quantifier {
                forall: true,
                vars: Quantified {
                    vars: ids,
                    range: None,
                    bounds: Some(bounds),
                    span,
                },
                body: Box::new(body),
            },
            ty: Type::Bool,
            span,
        }
    }
}
