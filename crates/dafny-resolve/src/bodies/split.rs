//! Splits ghost quantifiers without bounds into several quantifiers that have bounds.
//!
//! `forall x :: x in s <==> x in t` is about values in either collection, but no single domain
//! contains them. The equivalent
//! `(forall x :: x in s ==> x in t) && (forall x :: x in t ==> x in s)` can be executed. The same
//! technique applies to bodies whose conjuncts are bounded by different collections, to antecedents
//! that are disjunctions, dually to `exists` over a disjunction, and to variables of which a
//! multiple is given (`exists k :: n == 2 * k`).
//!
//! Dafny's own bound discovery (reference manual, "Quantifier expressions") does none of this. It
//! alone decides what can be compiled, so only ghost expressions are split. A quantifier whose only
//! bound is a large type is split as well, because the parts have fewer candidates.
//!
//! [`split`] is the entry point. [`Parts::add`] divides the goal, [`Parts::cases`] divides the
//! hypotheses.

use super::bounds::{Reach, conjuncts, discover, largest_part, mentions};
use super::expr::{boxed, mk};
use super::walk::Instantiate;
use crate::typed::rewrite::{Rewrite, walk_expr, walk_quantified};
use crate::typed::{
    BinaryOp, Body, Call, CallableKind, Control, ControlMut, Domain, Expr, ExprKind, LocalId,
    Pattern, PatternKind, Program, Quantified, ShortCircuit, Type, UnaryOp, VarBound,
};
use dafny_source::Span;

/// The maximum number of parts of a quantifier.
const MAX_PARTS: usize = 8;
/// The number of values above which a type is a poor domain compared to a collection.
const MANY_VALUES: u32 = 256;

/// The maximum nesting of predicates that are unfolded to find bounds.
const MAX_UNFOLDED: u32 = 3;

/// The maximum number of calls replaced by their bodies in the parts of one quantifier.
const MAX_UNFOLDINGS: usize = 4;

/// Splits a quantifier if every part then has bounds. Otherwise leaves it unchanged.
pub(super) fn split(program: &Program, e: &mut Expr) {
    let ExprKind::Quantifier { forall, vars, body } = &e.kind else {
        return;
    };
    if vars.bounds.as_ref().is_some_and(|b| are_few(program, b)) {
        return;
    }
    let mut parts = Parts {
        program,
        span: vars.span,
        forall: *forall,
        found: Vec::new(),
        unfolded: 0,
    };
    let (known, goal) = if *forall {
        (Vec::new(), Some((**body).clone()))
    } else {
        (vec![(**body).clone()], None)
    };
    let known = vars
        .range
        .iter()
        .map(|r| (**r).clone())
        .chain(known)
        .collect();
    if parts.add(&vars.vars, known, goal).is_none() {
        return;
    }
    let (op, span) = (if *forall { BinaryOp::And } else { BinaryOp::Or }, e.span);
    let all = parts
        .found
        .into_iter()
        .reduce(|a, b| mk(ExprKind::Binary(op, boxed(a), boxed(b)), Type::Bool, span));
    if let Some(all) = all {
        *e = all;
    }
}

/// The parts of one quantifier.
struct Parts<'p> {
    program: &'p Program,
    /// The span of the bound variables.
    span: Span,
    forall: bool,
    found: Vec<Expr>,
    /// The number of calls replaced by their bodies.
    unfolded: usize,
}

impl Parts<'_> {
    /// Adds the parts of "for all `vars`, `known` implies `goal`" or, without a goal, of "for some
    /// `vars`, `known` holds". Returns `None` if a part has no bounds or there are too many parts.
    fn add(&mut self, vars: &[LocalId], known: Vec<Expr>, goal: Option<Expr>) -> Option<()> {
        // If the whole quantifier has bounds, it is not divided.
        if let Some(whole) = self.whole(vars, &known, goal.as_ref()) {
            self.found.push(whole);
            return (self.found.len() <= MAX_PARTS).then_some(());
        }
        let Some(goal) = goal else {
            return self.cases(vars, known, None);
        };
        // The goal has no common bounds: divide it. Conjuncts become separate parts, antecedents
        // become hypotheses.
        let with = |e: Expr| known.iter().cloned().chain([e]).collect::<Vec<_>>();
        // An equivalence is two implications, which may have bounds each on their own.
        let is_equivalence = matches!(&goal.kind, ExprKind::Binary(BinaryOp::Iff, ..))
            || matches!(&goal.kind, ExprKind::Binary(BinaryOp::Eq, a, _) if a.ty == Type::Bool);
        match goal.control() {
            Control::ShortCircuit {
                op: ShortCircuit::And,
                left,
                right,
            } => {
                self.add(vars, known.clone(), Some(left.clone()))?;
                self.add(vars, known, Some(right.clone()))
            }
            Control::ShortCircuit {
                op: ShortCircuit::Implies,
                left,
                right,
            } => self.add(vars, with(left.clone()), Some(right.clone())),
            Control::Strict => {
                if is_equivalence && let ExprKind::Binary(_, a, b) = goal.kind {
                    self.add(vars, with((*a).clone()), Some((*b).clone()))?;
                    self.add(vars, with(*b), Some(*a))
                } else if let ExprKind::Quantifier {
                    forall: true,
                    vars: inner,
                    body,
                } = goal.kind
                {
                    // A quantifier of the same kind inside the goal: its variables join those
                    // outside.
                    let vars: Vec<LocalId> = vars.iter().chain(&inner.vars).copied().collect();
                    let known = known.into_iter().chain(inner.range.map(|r| *r)).collect();
                    self.add(&vars, known, Some(*body))
                } else {
                    self.cases(vars, known, Some(goal))
                }
            }
            Control::ShortCircuit {
                op: ShortCircuit::Or,
                ..
            }
            | Control::Not(_)
            | Control::Chain { .. } => self.cases(vars, known, Some(goal)),
            Control::If { .. }
            | Control::IfBinding { .. }
            | Control::Match { .. }
            | Control::Let { .. } => self.cases(vars, known, Some(goal)),
            Control::LetSuchThat { .. }
            | Control::LetOrFail(_)
            | Control::StmtExpr { .. }
            | Control::Delayed(_) => self.cases(vars, known, Some(goal)),
        }
    }

    /// Divides the hypotheses: one part for each side of a disjunction or branch of a conditional.
    /// The variable of an `exists` becomes a variable of the part. If no hypothesis can be divided,
    /// unfolds a predicate.
    fn cases(&mut self, vars: &[LocalId], mut known: Vec<Expr>, goal: Option<Expr>) -> Option<()> {
        for (i, e) in known.iter().enumerate() {
            match e.control() {
                Control::ShortCircuit {
                    op: ShortCircuit::And,
                    left,
                    right,
                } => {
                    // Conjuncts are hypotheses of their own, so that each can be divided.
                    let both = [left.clone(), right.clone()];
                    known.splice(i..=i, both);
                    return self.cases(vars, known, goal);
                }
                Control::ShortCircuit {
                    op: ShortCircuit::Or,
                    left,
                    right,
                } => {
                    let (a, b) = (left.clone(), right.clone());
                    let (mut left, mut right) = (known.clone(), known);
                    // The right side may be well-formed only if the left one is false.
                    let guard = (!is_total(&b)).then(|| not(a.clone()));
                    left.splice(i..=i, [a]);
                    right.splice(i..=i, guard.into_iter().chain([b]));
                    self.add(vars, left, goal.clone())?;
                    return self.add(vars, right, goal);
                }
                Control::If { cond, then, els } => {
                    let (cond, then, els) = (cond.clone(), then.clone(), els.clone());
                    let (mut left, mut right) = (known.clone(), known);
                    // In each branch, the condition or its negation is known.
                    left.splice(i..=i, [cond.clone(), then]);
                    right.splice(i..=i, [not(cond), els]);
                    self.add(vars, left, goal.clone())?;
                    return self.add(vars, right, goal);
                }
                Control::Strict => {
                    let ExprKind::Quantifier {
                        forall: false,
                        vars: inner,
                        body,
                    } = &e.kind
                    else {
                        continue;
                    };
                    let vars: Vec<LocalId> = vars.iter().chain(&inner.vars).copied().collect();
                    let said: Vec<Expr> = inner
                        .range
                        .iter()
                        .chain([body])
                        .map(|e| (**e).clone())
                        .collect();
                    // The variables occur twice if one predicate was unfolded twice.
                    if has_duplicates(&vars) {
                        return None;
                    }
                    known.splice(i..=i, said);
                    return self.add(&vars, known, goal);
                }
                Control::ShortCircuit {
                    op: ShortCircuit::Implies,
                    ..
                }
                | Control::Not(_)
                | Control::Chain { .. } => {}
                Control::IfBinding { .. }
                | Control::Match { .. }
                | Control::Let { .. }
                | Control::LetSuchThat { .. } => {}
                Control::LetOrFail(_) | Control::StmtExpr { .. } | Control::Delayed(_) => {}
            }
        }
        let (i, body) = known
            .iter()
            .enumerate()
            .find_map(|(i, e)| Some((i, self.looked_into(e, vars)?)))?;
        // Nothing was left to divide in the hypotheses themselves; the body of a predicate may be
        // divided.
        self.unfolded += 1;
        // A call with a precondition is kept, because its body may be ill-formed without it.
        let is_total = matches!(&known.get(i)?.kind, ExprKind::Call(c) if self.program[c.callee].spec.requires.is_empty());
        if is_total {
            known.splice(i..=i, [body]);
        } else {
            known.insert(i, body);
        }
        self.add(vars, known, goal)
    }

    /// The body of a called predicate, if it is a disjunction, conditional or `exists` that
    /// constrains the variables.
    fn looked_into(&self, e: &Expr, vars: &[LocalId]) -> Option<Expr> {
        let ExprKind::Call(call) = &e.kind else {
            return None;
        };
        let Body::Expr(body) = &self.program[call.callee].body else {
            return None;
        };
        // A call in another state has another meaning than its body here.
        if call.at_label.is_some() || self.unfolded == MAX_UNFOLDINGS || !mentions(e, vars) {
            return None;
        }
        // The arguments of a recursive predicate may mention variables that its own body binds.
        if mentions_own(self.program, call, body) {
            return None;
        }
        let body = self.instance(body, call);
        splits(&body).then_some(body)
    }

    /// The quantifier over the variables that occur in the conditions, if it has bounds.
    fn whole(&self, vars: &[LocalId], known: &[Expr], goal: Option<&Expr>) -> Option<Expr> {
        let span = self.span;
        // Put the quantifier together again from its parts.
        let hypothesis = known.iter().cloned().reduce(|a, b| {
            mk(
                ExprKind::Binary(BinaryOp::And, boxed(a), boxed(b)),
                Type::Bool,
                span,
            )
        });
        let body = match (hypothesis, goal) {
            (Some(h), Some(goal)) => mk(
                ExprKind::Binary(BinaryOp::Implies, boxed(h), boxed(goal.clone())),
                Type::Bool,
                span,
            ),
            (Some(one), None) => one,
            (None, Some(one)) => one.clone(),
            (None, None) => return None,
        };
        // A variable that does not occur is dropped, provided that its type has a value.
        let is_needed = |v: &LocalId| mentions(&body, &[*v]) || !has_values(&self.program[*v].ty);
        let vars: Vec<LocalId> = vars.iter().copied().filter(is_needed).collect();
        if vars.is_empty() {
            return Some(body);
        }
        let mut facts = Vec::new();
        conjuncts(
            // Bounds may come from the bodies of predicates, which stay calls in the result.
            &self.unfolded(&body, MAX_UNFOLDED),
            !self.forall,
            &mut facts,
        );
        let bounds = discover(self.program, &vars, &facts, Reach::Further)
            .filter(|b| are_few(self.program, b))?;
        let vars = Quantified {
            vars,
            range: None,
            bounds: Some(bounds),
            span,
        };
        Some(mk(
            ExprKind::Quantifier {
                forall: self.forall,
                vars,
                body: boxed(body),
            },
            Type::Bool,
            span,
        ))
    }

    /// Replaces the calls of predicates that a condition consists of by their bodies. A function
    /// body in a trait cannot be overridden.
    fn unfolded(&self, e: &Expr, depth: u32) -> Expr {
        if let ExprKind::Call(call) = &e.kind
            && let (Body::Expr(body), None) = (&self.program[call.callee].body, &call.at_label)
            && depth > 0
        {
            return self.unfolded(&self.instance(body, call), depth - 1);
        }
        let mut e = e.clone();
        match e.control_mut() {
            ControlMut::Not(x) => *x = self.unfolded(x, depth),
            ControlMut::ShortCircuit { left, right, .. } => {
                *left = self.unfolded(left, depth);
                *right = self.unfolded(right, depth);
            }
            ControlMut::Chain { .. }
            | ControlMut::If { .. }
            | ControlMut::IfBinding { .. }
            | ControlMut::Match { .. } => {}
            ControlMut::Let { .. }
            | ControlMut::LetSuchThat { .. }
            | ControlMut::LetOrFail(_)
            | ControlMut::StmtExpr { .. } => {}
            ControlMut::Delayed(_) | ControlMut::Strict => {}
        }
        e
    }

    /// The body of a function with the arguments of a call.
    fn instance(&self, body: &Expr, call: &Call) -> Expr {
        self.program.instance(body, call)
    }
}

impl Program {
    /// The body of the called function with the arguments of the call. Returns `None` if the body
    /// is not an expression, if the call refers to another state, or if the arguments mention
    /// variables that the body binds (as in recursive calls).
    ///
    /// The body of a two-state function may evaluate its parameters within `old`, but their values
    /// are those before the call: arguments that could read the heap are bound to the parameters.
    /// Returns `None` if such an argument is the receiver or depends on type arguments.
    pub fn unfolded(&self, call: &Call) -> Option<Expr> {
        if self[call.callee].kind == CallableKind::TwostateFunction {
            return self.unfolded_by_value(call);
        }
        match &self[call.callee].body {
            Body::Expr(body) | Body::ByMethod(body, _)
                if call.at_label.is_none() && !mentions_own(self, call, body) =>
            {
                Some(self.instance(body, call))
            }
            Body::Expr(_) | Body::ByMethod(..) | Body::None | Body::Block(_) => None,
        }
    }

    fn unfolded_by_value(&self, call: &Call) -> Option<Expr> {
        let callee = &self[call.callee];
        let Body::Expr(body) = &callee.body else {
            return None;
        };
        let is_known = call.at_label.is_none()
            && call.receiver.as_deref().is_none_or(is_stable)
            && !mentions_own(self, call, body);
        if !is_known {
            return None;
        }
        let mut call = call.clone();
        let mut bindings = Vec::new();
        for (formal, arg) in callee.ins.iter().zip(&mut call.args) {
            if is_stable(arg) {
                continue;
            }
            let local = &self[formal.local];
            // The parameter itself becomes the variable, so its type must not depend on the call.
            if !call.type_args.is_empty() {
                return None;
            }
            let span = arg.span;
            let variable = mk(ExprKind::Local(formal.local), local.ty.clone(), span);
            let pattern = Pattern {
                kind: PatternKind::Var(formal.local),
                ty: local.ty.clone(),
                span,
            };
            bindings.push((pattern, std::mem::replace(arg, variable)));
        }
        let body = self.instance(body, &call);
        if bindings.is_empty() {
            return Some(body);
        }
        let (ty, span) = (body.ty.clone(), body.span);
        let kind = ExprKind::Let {
            ghost: false,
            bindings,
            body: Box::new(body),
        };
        Some(mk(kind, ty, span))
    }

    /// Instantiates an expression over the parameters of a function with the arguments of a call.
    fn instance(&self, body: &Expr, call: &Call) -> Expr {
        let callee = &self[call.callee];
        let owner = callee
            .owner
            .map(|o| self[o].type_params.clone())
            .unwrap_or_default();
        let types = owner
            .into_iter()
            .chain(callee.type_params.iter().copied())
            .zip(call.type_args.iter().cloned())
            .collect();
        let locals = callee
            .ins
            .iter()
            .map(|f| f.local)
            .zip(call.args.iter().cloned())
            .collect();
        let mut body = body.clone();
        Instantiate {
            types: &types,
            locals: &locals,
            this: call.receiver.as_deref(),
        }
        .apply(&mut body);
        body
    }
}

/// Whether [`Parts::cases`] can divide the condition.
fn splits(e: &Expr) -> bool {
    matches!(
        &e.kind,
        ExprKind::Binary(BinaryOp::Or, ..)
            | ExprKind::Quantifier { forall: false, .. }
            | ExprKind::If { .. }
            | ExprKind::Call(_)
    ) || matches!(&e.kind, ExprKind::Binary(BinaryOp::And, a, b) if splits(a) || splits(b))
}

fn has_duplicates(vars: &[LocalId]) -> bool {
    vars.iter()
        .enumerate()
        .any(|(i, v)| vars.iter().skip(i + 1).any(|w| v == w))
}

/// Whether the arguments of a call mention variables that the function's body binds.
fn mentions_own(program: &Program, call: &Call, body: &Expr) -> bool {
    let params: Vec<LocalId> = program[call.callee].ins.iter().map(|f| f.local).collect();
    let mut own = Locals::default();
    own.expr(&mut body.clone());
    let bound: Vec<LocalId> = own.0.into_iter().filter(|l| !params.contains(l)).collect();
    call.receiver
        .iter()
        .map(|r| &**r)
        .chain(&call.args)
        .any(|a| mentions(a, &bound))
}

/// The variables that an expression reads or binds.
#[derive(Default)]
struct Locals(Vec<LocalId>);

impl Rewrite for Locals {
    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Local(l) = &e.kind {
            self.0.push(*l)
        } else {
            walk_expr(self, e)
        }
    }

    fn quantified(&mut self, q: &mut Quantified) {
        self.0.extend(&q.vars);
        walk_quantified(self, q);
    }
}

/// Whether every domain is finite, and none consists of all values of a large type.
fn are_few(program: &Program, bounds: &[VarBound]) -> bool {
    bounds.iter().all(|b| match &b.domain {
        Domain::IntRange { low, high } => low.is_some() && high.is_some(),
        Domain::AllValues(ty) => {
            largest_part(program, ty, &mut Vec::new()).is_some_and(|n| n <= MANY_VALUES)
        }
        Domain::Exact(_)
        | Domain::Elements(_)
        | Domain::SubsetsOf(_)
        | Domain::PrefixesOf(_)
        | Domain::SubtermsOf(_) => true,
    })
}

/// Whether the type has a value, for all type arguments.
fn has_values(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) | Type::Ordinal => true,
        Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. } => true,
        Type::Tuple(parts) => parts.iter().all(|(_, t)| has_values(t)),
        Type::Named { .. }
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => false,
    }
}

/// Whether an expression has the same value in all states.
fn is_stable(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::This
    )
}

/// Whether the expression is well-formed for all values of its variables.
fn is_total(e: &Expr) -> bool {
    if matches!(
        &e.kind,
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::This
    ) {
        true
    } else if let ExprKind::Unary(UnaryOp::Not | UnaryOp::Neg, x) = &e.kind {
        is_total(x)
    } else if let ExprKind::Binary(op, a, b) = &e.kind {
        let is_defined = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => a.ty == Type::Int,
            BinaryOp::Iff
            | BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or => true,
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => true,
            BinaryOp::In | BinaryOp::NotIn | BinaryOp::Disjoint | BinaryOp::Above => true,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => true,
            BinaryOp::Div | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr => false,
        };
        is_defined && is_total(a) && is_total(b)
    } else if let ExprKind::Chain { first, rest } = &e.kind {
        is_total(first) && rest.iter().all(|(_, e)| is_total(e))
    } else {
        false
    }
}

fn not(e: Expr) -> Expr {
    let span = e.span;
    mk(ExprKind::Unary(UnaryOp::Not, boxed(e)), Type::Bool, span)
}
