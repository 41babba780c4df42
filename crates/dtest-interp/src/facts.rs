//! Statements of contracts about functions without a body.
//!
//! A ghost function without a body often models the state of external code: `GetKey()` of an object
//! whose class is external. Its values are unknown unless a contract gives them, by an equation
//! `GetKey() == key`, or as a condition by itself: a precondition of the unit, which is assumed, or
//! a postcondition of external code. [`statements`] finds these statements; the machine evaluates
//! them, and records the values as [`Fact`]s.

use dafny_resolve::typed::{Body, CallableId, Program, Type};
use dtest_desugar::ExternalCode as _;
use dtest_ir::{self as ir, Clause, Coll, Expr, ExprKind, Op, Var};
use dtest_value::Value;

use super::answers::Footprint;

/// The clauses of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Requires,
    Ensures,
}

/// A part of a statement, which has code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// A condition under which the statement is made.
    Guard(usize),
    /// An argument of the function.
    Arg(usize),
    /// The value.
    Value,
}

/// The subject of a statement.
#[derive(Clone, Debug)]
pub(super) enum Subject<'p> {
    /// A call of a function without a body.
    Call {
        callee: CallableId,
        type_args: &'p [Type],
        args: &'p [Expr],
    },
    /// The length of an out-parameter.
    Length(Var),
}

/// A statement: under the guards, the subject has a value.
#[derive(Clone, Debug)]
pub(super) struct Statement<'p> {
    /// The conditions, each with the value that it must have.
    pub(super) guards: Vec<(&'p Expr, bool)>,
    pub(super) subject: Subject<'p>,
    pub(super) value: Stated<'p>,
}

/// The value that a statement gives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stated<'p> {
    Expr(&'p Expr),
    Bool(bool),
}

/// A value of a function without a body.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) callee: CallableId,
    pub(super) type_args: Vec<Type>,
    pub(super) args: Vec<Value>,
    pub(super) value: Value,
    /// The objects that the function reads, in the state of which the fact is known.
    pub(super) read: Footprint,
}

impl Statement<'_> {
    /// Returns the expression of a part.
    pub(super) fn part(&self, part: Part) -> Option<&Expr> {
        match (part, &self.subject, self.value) {
            (Part::Guard(i), _, _) => self.guards.get(i).map(|(e, _)| *e),
            (Part::Arg(i), Subject::Call { args, .. }, _) => args.get(i),
            (Part::Arg(_), Subject::Length(_), _) => None,
            (Part::Value, _, Stated::Expr(e)) => Some(e),
            (Part::Value, _, Stated::Bool(_)) => None,
        }
    }
}

/// Whether a function has neither a body nor a stub nor a mock.
pub(super) fn is_uninterpreted(program: &Program, callee: CallableId) -> bool {
    program[callee].kind.is_function()
        && matches!(program[callee].body, Body::None)
        && !program.is_mocked(callee)
        && program.external(callee).is_none()
}

/// Whether contracts may state the values of a function: it has neither a body nor a stub. Of a
/// mock, the statement is an answer.
fn may_be_stated(program: &Program, callee: CallableId) -> bool {
    program.is_mocked(callee) && program[callee].kind.is_function()
        || is_uninterpreted(program, callee)
}

/// Returns the statements of clauses, in order.
pub(super) fn statements<'p>(program: &Program, clauses: &'p [Clause]) -> Vec<Statement<'p>> {
    let mut found = Vec::new();
    for clause in clauses {
        // The last condition is taken first, so that the order is that of the text.
        let mut todo: Vec<(Vec<(&Expr, bool)>, &Expr)> = vec![(Vec::new(), &clause.cond)];
        while let Some((guards, e)) = todo.pop() {
            let with = |guard: &'p Expr, value: bool| {
                let mut all = guards.clone();
                all.push((guard, value));
                all
            };
            if let ExprKind::And(a, b) = &e.kind {
                todo.push((guards.clone(), b));
                todo.push((guards, a));
            } else if let ExprKind::Implies(a, b) = &e.kind {
                todo.push((with(a, true), b));
            } else if let ExprKind::If(c, a, b) = &e.kind {
                todo.push((with(c, false), b));
                todo.push((with(c, true), a));
            } else if let ExprKind::Checked(_, _, inner) = &e.kind {
                todo.push((guards, inner));
            } else if let Some((subject, value)) = stated(program, e) {
                found.push(Statement {
                    guards,
                    subject,
                    value,
                });
            }
        }
    }
    found
}

/// The statement that a condition makes by itself.
fn stated<'p>(program: &Program, e: &'p Expr) -> Option<(Subject<'p>, Stated<'p>)> {
    let call = |e: &'p Expr| {
        let ExprKind::Call {
            callee,
            type_args,
            args,
            label: None,
        } = &e.kind
        else {
            return None;
        };
        may_be_stated(program, *callee).then_some(Subject::Call {
            callee: *callee,
            type_args,
            args,
        })
    };
    if let Some(subject) = call(e) {
        return Some((subject, Stated::Bool(true)));
    }
    let ExprKind::Op(op, args) = &e.kind else {
        return None;
    };
    match (op, args.as_slice()) {
        (Op::Not, [inner]) => Some((call(inner)?, Stated::Bool(false))),
        (Op::Eq, [a, b]) => {
            let subject = |e: &'p Expr| call(e).or_else(|| length(e));
            match subject(a) {
                Some(known) => Some((known, Stated::Expr(b))),
                None => Some((subject(b)?, Stated::Expr(a))),
            }
        }
        _other => None,
    }
}

/// The length of a variable, perhaps converted.
fn length(e: &Expr) -> Option<Subject<'_>> {
    if let ExprKind::Convert(inner) | ExprKind::Checked(_, _, inner) = &e.kind {
        return length(inner);
    }
    let ExprKind::Op(Op::Cardinality(Coll::Seq), args) = &e.kind else {
        return None;
    };
    match args.first().map(|arg| &arg.kind) {
        Some(ExprKind::Var(var)) => Some(Subject::Length(*var)),
        Some(_) | None => None,
    }
}

/// Returns the clauses of one side of a contract.
pub(super) fn clauses(contract: &ir::Contract, side: Side) -> &[Clause] {
    match side {
        Side::Requires => &contract.requires,
        Side::Ensures => &contract.ensures,
    }
}
