//! Variants of a clause: the clause with one change that makes it weaker or stronger.
//!
//! A change of a part has the opposite effect on the whole where the part is negated: left of an
//! implication, and in the range of a `forall`. Parts with an unknown effect, such as the sides of
//! `<==>`, do not change.

use dafny_resolve::typed::{BinaryOp, Expr, ExprKind, Span, UnaryOp};

/// The change of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The part is dropped.
    Dropped,
    /// The first operator is replaced by the second one.
    Operator(BinaryOp, BinaryOp),
    /// `old(e)` becomes `e`.
    Old,
}

/// The effect of a change on the clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// The variant accepts at least as much. For [`Change::Old`], it is only looked at whether the
    /// variant accepts more.
    Weaker,
    /// The variant accepts at most as much.
    Stronger,
}

/// A variant of a condition.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// The changed condition.
    pub(crate) cond: Expr,
    /// The changed part.
    pub(crate) span: Span,
    /// The change.
    pub(crate) change: Change,
    /// The effect.
    pub(crate) strength: Strength,
}

/// Maximum number of variants of a clause.
const MAX_VARIANTS: usize = 24;
/// Maximum depth of a changed part.
const MAX_DEPTH: usize = 24;

/// Returns the variants of a condition.
pub(crate) fn variants(cond: &Expr) -> Vec<Variant> {
    let whole = Position {
        is_positive: true,
        is_quantified: false,
        depth: 0,
    };
    let mut variants = parts(cond, whole);
    variants.truncate(MAX_VARIANTS);
    variants
}

/// Replacements of an operator by a weaker and by a stronger one.
fn neighbours(op: BinaryOp) -> (Option<BinaryOp>, Option<BinaryOp>) {
    match op {
        BinaryOp::Lt => (Some(BinaryOp::Le), None),
        BinaryOp::Gt => (Some(BinaryOp::Ge), None),
        BinaryOp::Le => (None, Some(BinaryOp::Lt)),
        BinaryOp::Ge => (None, Some(BinaryOp::Gt)),
        BinaryOp::Iff => (Some(BinaryOp::Implies), None),
        BinaryOp::Implies => (None, Some(BinaryOp::Iff)),
        BinaryOp::Explies
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Above
        | BinaryOp::In
        | BinaryOp::NotIn
        | BinaryOp::Disjoint
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Mod
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => (None, None),
    }
}

/// The effect in a part that is negated, or is not.
fn effect(is_weaker: bool, is_positive: bool) -> Strength {
    match is_weaker == is_positive {
        true => Strength::Weaker,
        false => Strength::Stronger,
    }
}

/// The position of a part in a condition.
#[derive(Clone, Copy)]
struct Position {
    /// Whether a weaker part makes the condition weaker.
    is_positive: bool,
    /// Whether the part is in a quantifier, whose variables have the bounds of the unchanged body.
    is_quantified: bool,
    /// The depth of the part.
    depth: usize,
}

impl Position {
    fn negated(self) -> Self {
        Self {
            is_positive: !self.is_positive,
            ..self
        }
    }
}

/// Whether a change of a range leaves the values of the variables within their bounds.
fn narrows(variant: &Variant) -> bool {
    matches!(
        variant.change,
        Change::Operator(BinaryOp::Le, BinaryOp::Lt) | Change::Operator(BinaryOp::Ge, BinaryOp::Gt)
    )
}

/// The variants of a part of a condition.
fn parts(e: &Expr, at: Position) -> Vec<Variant> {
    if at.depth > MAX_DEPTH {
        return Vec::new();
    }
    if let ExprKind::Binary(op, a, b) = &e.kind {
        of_binary(e, at, (*op, a, b))
    } else if let ExprKind::Chain { first, rest } = &e.kind {
        of_chain(e, at, (first, rest))
    } else if let ExprKind::Unary(UnaryOp::Not, x) = &e.kind
        && !at.is_quantified
    {
        let not = |x: Expr| ExprKind::Unary(UnaryOp::Not, Box::new(x));
        inside(e, x, at.negated(), &not)
    } else if let ExprKind::Quantifier {
        forall: true,
        vars,
        body,
    } = &e.kind
    {
        // A change must not need larger bounds of the variables than the unchanged body.
        let whole = |x: Expr| ExprKind::Quantifier {
            forall: true,
            vars: vars.clone(),
            body: Box::new(x),
        };
        let quantified = Position {
            is_quantified: true,
            ..at
        };
        inside(e, body, quantified, &whole)
    } else {
        Vec::new()
    }
}

/// The variants of a child, put back into the parent.
fn inside(
    parent: &Expr,
    child: &Expr,
    at: Position,
    whole: &dyn Fn(Expr) -> ExprKind,
) -> Vec<Variant> {
    let below = Position {
        depth: at.depth + 1,
        ..at
    };
    let variant = |v: Variant| Variant {
        cond: Expr {
            kind: whole(v.cond),
            ..parent.clone()
        },
        ..v
    };
    parts(child, below).into_iter().map(variant).collect()
}

/// A variant that replaces a whole part.
fn replaced(e: &Expr, at: Position, kind: ExprKind, change: (Change, bool), span: Span) -> Variant {
    let (change, is_weaker) = change;
    Variant {
        cond: Expr { kind, ..e.clone() },
        span,
        change,
        strength: effect(is_weaker, at.is_positive),
    }
}

/// The variants of a binary operation.
fn of_binary(e: &Expr, at: Position, (op, a, b): (BinaryOp, &Expr, &Expr)) -> Vec<Variant> {
    let mut found = Vec::new();
    let (weaker, stronger) = neighbours(op);
    // The bounds of variables do not hold right of an implication alone.
    let stronger = stronger.filter(|s| !at.is_quantified || *s != BinaryOp::Iff);
    for (new, is_weaker) in [(weaker, true), (stronger, false)] {
        let Some(new) = new else { continue };
        let kind = ExprKind::Binary(new, Box::new(a.clone()), Box::new(b.clone()));
        let change = (Change::Operator(op, new), is_weaker);
        found.push(replaced(e, at, kind, change, e.span));
    }
    let left = |x: Expr| ExprKind::Binary(op, Box::new(x), Box::new(b.clone()));
    let right = |x: Expr| ExprKind::Binary(op, Box::new(a.clone()), Box::new(x));
    match op {
        BinaryOp::And => {
            // The other conjunct may be defined only where the first one holds.
            let dropped = (Change::Dropped, true);
            found.push(replaced(e, at, b.kind.clone(), dropped, a.span));
            found.push(replaced(e, at, a.kind.clone(), dropped, b.span));
            found.extend(inside(e, a, at, &left));
            found.extend(inside(e, b, at, &right));
        }
        BinaryOp::Or => {
            found.extend(inside(e, a, at, &left));
            found.extend(inside(e, b, at, &right));
        }
        BinaryOp::Implies => {
            let of_range = inside(e, a, at.negated(), &left).into_iter();
            found.extend(of_range.filter(|v| !at.is_quantified || narrows(v)));
            found.extend(inside(e, b, at, &right));
        }
        BinaryOp::Explies if !at.is_quantified => {
            found.extend(inside(e, a, at, &left));
            found.extend(inside(e, b, at.negated(), &right));
        }
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::In
        | BinaryOp::NotIn => {
            found.extend(olds(a).map(|(v, span)| old(e, left(v), span)));
            found.extend(olds(b).map(|(v, span)| old(e, right(v), span)));
        }
        BinaryOp::Iff
        | BinaryOp::Explies
        | BinaryOp::Above
        | BinaryOp::Disjoint
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Mod
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => {}
    }
    found
}

/// The variants of a chain of comparisons.
fn of_chain(e: &Expr, at: Position, (first, rest): (&Expr, &[(BinaryOp, Expr)])) -> Vec<Variant> {
    let mut found = Vec::new();
    for (i, (op, _)) in rest.iter().enumerate() {
        let (weaker, stronger) = neighbours(*op);
        for (new, is_weaker) in [(weaker, true), (stronger, false)] {
            let Some(new) = new else { continue };
            let mut changed = rest.to_vec();
            if let Some((op, _)) = changed.get_mut(i) {
                *op = new;
            }
            let kind = ExprKind::Chain {
                first: Box::new(first.clone()),
                rest: changed,
            };
            let change = (Change::Operator(*op, new), is_weaker);
            found.push(replaced(e, at, kind, change, e.span));
        }
    }
    found
}

fn old(e: &Expr, kind: ExprKind, span: Span) -> Variant {
    Variant {
        cond: Expr { kind, ..e.clone() },
        span,
        change: Change::Old,
        strength: Strength::Weaker,
    }
}

/// The operand without `old`, if it is `old(x)`, with the place of the change.
fn olds(e: &Expr) -> impl Iterator<Item = (Expr, Span)> {
    let inner = if let ExprKind::Old { label: None, expr } = &e.kind {
        Some(((**expr).clone(), e.span))
    } else {
        None
    };
    inner.into_iter()
}
