//! Alternative ways to satisfy the clauses of a contract, as goals.
//!
//! A clause is decomposed at each choice of its logic: each disjunct, an implication with true and
//! with false antecedent, both values of an equivalence, each branch of a conditional and each case
//! of a match (also inside a term), and a quantifier with an empty or a non-empty range. A
//! remaining part without a choice simply holds. [`Lowerer::ways`] is the entry point, and `parts`
//! does the decomposition.

use super::{Lowerer, build};
use dafny_resolve::typed::{self, Type};
use dafny_source::Span;
use dtest_ir::{Clause, Criterion, Expr, ExprKind, Goal, GoalReason, Op, Quantified, Way};

/// The maximal number of ways of one clause; a clause with more combinations is treated as a whole.
const MAX_WAYS: usize = 64;

/// One way: a condition, and the part of the source that it concerns.
struct Part {
    cond: Expr,
    span: Span,
    value: bool,
}

impl Lowerer<'_> {
    /// Returns the ways of a contract; none if the criterion is not selected or the callable is not
    /// compiled.
    pub(super) fn ways(
        &self,
        c: &typed::Callable,
        requires: &[Clause],
        ensures: &[Clause],
    ) -> Vec<Way> {
        if !self.criteria.has(Criterion::Spec) || c.ghost {
            return Vec::new();
        }
        let clauses = requires
            .iter()
            .map(|c| (false, c))
            .chain(ensures.iter().map(|c| (true, c)));
        let of_clause = |(post, clause): (bool, &Clause)| {
            let mut parts = parts(&clause.cond, true);
            if parts.len() > MAX_WAYS {
                parts = leaf(&clause.cond, true);
            }
            parts.into_iter().map(move |p| {
                let reason = GoalReason::Clause {
                    post,
                    part: p.span,
                    value: p.value,
                };
                Way {
                    post,
                    clause: Clause {
                        cond: p.cond,
                        span: p.span,
                    },
                    goal: Goal {
                        reason,
                        span: p.span,
                    },
                }
            })
        };
        clauses.flat_map(of_clause).collect()
    }
}

/// Returns the ways in which an expression can have a truth value.
fn parts(e: &Expr, value: bool) -> Vec<Part> {
    // A conjunction holds if both operands hold; it fails if one of them does.
    match &e.kind {
        ExprKind::And(a, b) if value => {
            together(e, value, parts(a, true), under(a, parts(b, true)))
        }
        ExprKind::And(a, b) => one_after_the_other(parts(a, false), under(a, parts(b, false))),
        ExprKind::Or(a, b) if value => {
            one_after_the_other(parts(a, true), under(&truth(a, false), parts(b, true)))
        }
        ExprKind::Or(a, b) => together(
            e,
            value,
            parts(a, false),
            under(&truth(a, false), parts(b, false)),
        ),
        ExprKind::Implies(a, b) if value => {
            one_after_the_other(parts(a, false), under(a, parts(b, true)))
        }
        ExprKind::Implies(a, b) => together(e, value, parts(a, true), under(a, parts(b, false))),
        ExprKind::If(c, a, b) => {
            let not = truth(c, false);
            let (a, b) = (under(c, parts(a, value)), under(&not, parts(b, value)));
            one_after_the_other(branch(c, true, a), branch(c, false, b))
        }
        ExprKind::Let(v, x, body) => {
            let bind = |p: Part| Part {
                cond: build::lets(vec![(*v, (**x).clone())], p.cond),
                ..p
            };
            parts(body, value).into_iter().map(bind).collect()
        }
        ExprKind::Checked(_, _, body) => parts(body, value),
        ExprKind::Op(Op::Not, args) => match args.as_slice() {
            [a] => parts(a, !value),
            [..] => leaf(e, value),
        },
        ExprKind::Op(Op::Eq, args) if value => match args.as_slice() {
            [a, b] if a.ty == Type::Bool && b.ty == Type::Bool => both_ways(e, a),
            [..] => leaf(e, value),
        },
        ExprKind::Quantifier {
            forall: true,
            vars,
            body,
        } if value => quantified(e, vars, body),
        ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::Op(..)
        | ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Call { .. }
        | ExprKind::Const { .. }
        | ExprKind::Apply(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::FunctionRef { .. }
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::ReadField(..)
        | ExprKind::ReadElement(..)
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::Convert(_)
        | ExprKind::Is(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => leaf(e, value),
    }
}

/// Returns the ways of two alternatives.
fn one_after_the_other(mut first: Vec<Part>, second: Vec<Part>) -> Vec<Part> {
    first.extend(second);
    first
}

/// Combines the ways of two operands that both matter: an operand without a choice adds nothing to
/// one with choices.
fn together(whole: &Expr, value: bool, first: Vec<Part>, second: Vec<Part>) -> Vec<Part> {
    match (first.len() > 1, second.len() > 1) {
        (true, true) => one_after_the_other(first, second),
        (true, false) => first,
        (false, true) => second,
        (false, false) => vec![Part {
            cond: truth(whole, value),
            span: whole.span,
            value,
        }],
    }
}

/// Returns the ways of a branch of a conditional; if it has no choice of its own, the condition
/// identifies it.
fn branch(condition: &Expr, holds: bool, parts: Vec<Part>) -> Vec<Part> {
    let is_single = parts.len() == 1;
    let named = |p: Part| {
        if is_single {
            Part {
                span: condition.span,
                value: holds,
                ..p
            }
        } else {
            p
        }
    };
    parts.into_iter().map(named).collect()
}

fn truth(e: &Expr, value: bool) -> Expr {
    if value {
        e.clone()
    } else {
        build::not(e.clone())
    }
}

/// Restricts the ways to states in which `guard` holds.
fn under(guard: &Expr, parts: Vec<Part>) -> Vec<Part> {
    parts
        .into_iter()
        .map(|p| Part {
            cond: build::and(guard.clone(), p.cond),
            ..p
        })
        .collect()
}

/// Returns the ways of an equivalence `a == b` of booleans: both true, both false.
fn both_ways(e: &Expr, a: &Expr) -> Vec<Part> {
    let way = |value: bool| Part {
        cond: build::and(e.clone(), truth(a, value)),
        span: a.span,
        value,
    };
    vec![way(true), way(false)]
}

/// Returns the ways of `forall`: with a non-empty and with an empty range.
fn quantified(e: &Expr, vars: &Quantified, body: &Expr) -> Vec<Part> {
    let range = match (&vars.range, &body.kind) {
        (Some(range), _) => (**range).clone(),
        (None, ExprKind::Implies(range, _)) => (**range).clone(),
        (None, _) => return leaf(e, true),
    };
    let some = ExprKind::Quantifier {
        forall: false,
        vars: vars.clone(),
        body: Box::new(range.clone()),
    };
    let some = build::expr(some, Type::Bool, range.span);
    let way = |value: bool| Part {
        cond: build::and(e.clone(), truth(&some, value)),
        span: range.span,
        value,
    };
    vec![way(true), way(false)]
}

/// Returns the ways of an expression whose logic has no choice: the branches of a conditional in
/// its terms, or the whole.
fn leaf(e: &Expr, value: bool) -> Vec<Part> {
    match condition_within(e) {
        Some(c) => {
            let way = |v: bool| Part {
                cond: build::and(truth(e, value), truth(c, v)),
                span: c.span,
                value: v,
            };
            vec![way(true), way(false)]
        }
        None => vec![Part {
            cond: truth(e, value),
            span: e.span,
            value,
        }],
    }
}

/// Returns the condition of a conditional that the term always evaluates.
fn condition_within(e: &Expr) -> Option<&Expr> {
    if let ExprKind::If(c, _, _) = &e.kind {
        Some(c)
    } else if let ExprKind::Op(_, args) | ExprKind::Call { args, .. } = &e.kind {
        args.iter().find_map(condition_within)
    } else {
        None
    }
}
