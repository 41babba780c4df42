//! Rewrites membership in a ghost comprehension to a test of its range, so that the comprehension
//! is never enumerated.
//!
//! `x in iset y | P(y)` becomes `P(x)`, and `x in iset y | P(y) :: F(y)` becomes
//! `exists y | P(y) :: F(y) == x`. The same applies to unions, intersections and differences of
//! such sets, to the keys of such maps, and to lookups in them. Most of these collections are
//! infinite.

use super::expr::{boxed, mk};
use super::walk::Instantiate;
use crate::typed::{
    BinaryOp, BuiltinMember, Comprehension, Expr, ExprKind, Literal, LocalId, Pattern, PatternKind,
    Program, Quantified, Stmt, StmtKind, Substitution, Type, UnaryOp,
};
use dafny_source::Span;

/// Replaces memberships in infinite collections, and lookups in infinite maps, by equivalent
/// conditions and values.
pub(super) fn decide(program: &Program, e: &mut Expr) {
    let (span, ty) = (e.span, e.ty.clone());
    // Only infinite collections are rewritten: a finite one can be enumerated, and the user may
    // have written it to be.
    let meant = if let ExprKind::Binary(op @ (BinaryOp::In | BinaryOp::NotIn), element, collection) =
        &e.kind
        && is_described(program, collection)
    {
        holds(program, element, collection).map(|holds| {
            if matches!(op, BinaryOp::NotIn) {
                mk(
                    ExprKind::Unary(UnaryOp::Not, boxed(holds)),
                    Type::Bool,
                    span,
                )
            } else {
                holds
            }
        })
    } else if let ExprKind::Index { object, indices } = &e.kind {
        match (&object.kind, indices.as_slice()) {
            (ExprKind::MapComp { vars, key, value }, [index])
                if is_infinite(program, &object.ty) =>
            {
                // A lookup in a map over its own keys is the value at the index, if it is a key.
                // Other keys would need an inverse.
                itself(vars, key).map(|var| {
                    let value = with(program, var, index, value, &ty);
                    let is_key = described(program, index, vars, key);
                    looked_up(value, is_key, span)
                })
            }
            (_, _) => None,
        }
    } else {
        None
    };
    if let Some(meant) = meant {
        *e = Expr { span, ..meant };
    }
}

/// The value of a lookup in an infinite map, after the assertion that there is such a key.
fn looked_up(value: Expr, is_key: Expr, span: Span) -> Expr {
    if matches!(is_key.kind, ExprKind::Literal(Literal::Bool(true))) {
        return value;
    }
    let ty = value.ty.clone();
    let kind = StmtKind::Assert {
        cond: is_key,
        label: None,
        by: None,
    };
    let stmt = Stmt {
        kind,
        labels: Vec::new(),
        ghost: true,
        span,
    };
    let kind = ExprKind::StmtExpr {
        stmt: Box::new(stmt),
        body: boxed(value),
    };
    mk(kind, ty, span)
}

fn is_infinite(program: &Program, ty: &Type) -> bool {
    matches!(
        program.representation(ty),
        Type::Set { finite: false, .. } | Type::Map { finite: false, .. }
    )
}

/// Whether the collection contains an infinite comprehension.
fn is_described(program: &Program, collection: &Expr) -> bool {
    if matches!(
        &collection.kind,
        ExprKind::SetComp { .. } | ExprKind::MapComp { .. }
    ) {
        is_infinite(program, &collection.ty)
    } else if let ExprKind::Builtin {
        member: BuiltinMember::Keys,
        object,
    } = &collection.kind
    {
        is_described(program, object)
    } else if let ExprKind::Binary(BinaryOp::Add | BinaryOp::Mul | BinaryOp::Sub, a, b) =
        &collection.kind
    {
        is_infinite(program, &collection.ty)
            && (is_described(program, a) || is_described(program, b))
    } else {
        false
    }
}

/// The condition that the value is an element or key of the collection. Returns `None` if it cannot
/// be expressed.
fn holds(program: &Program, element: &Expr, collection: &Expr) -> Option<Expr> {
    let both = |op: BinaryOp, a: Expr, b: Expr| {
        mk(
            ExprKind::Binary(op, boxed(a), boxed(b)),
            Type::Bool,
            collection.span,
        )
    };
    let described = |vars, term| {
        is_infinite(program, &collection.ty).then(|| described(program, element, vars, term))
    };
    // A comprehension is described by its range, a set operation by its operands, anything else by
    // itself.
    let by_range = match collection.kind.comprehension() {
        Some(Comprehension::Set { vars, term }) => described(vars, term),
        Some(Comprehension::Map { vars, key }) => described(vars, key),
        Some(Comprehension::Quantifier { .. } | Comprehension::If(_)) | None => None,
    };
    if by_range.is_some() {
        by_range
    } else if let ExprKind::Builtin {
        member: BuiltinMember::Keys,
        object,
    } = &collection.kind
    {
        holds(program, element, object)
    } else if let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Mul | BinaryOp::Sub), a, b) =
        &collection.kind
        && is_described(program, collection)
    {
        // A difference of maps removes the keys in a set. A union of maps has the keys of both.
        let (left, right) = (holds(program, element, a)?, holds(program, element, b)?);
        Some(if matches!(op, BinaryOp::Add) {
            both(BinaryOp::Or, left, right)
        } else if matches!(op, BinaryOp::Mul) {
            both(BinaryOp::And, left, right)
        } else {
            both(
                BinaryOp::And,
                left,
                mk(
                    ExprKind::Unary(UnaryOp::Not, boxed(right)),
                    Type::Bool,
                    b.span,
                ),
            )
        })
    } else {
        Some(both(BinaryOp::In, element.clone(), collection.clone()))
    }
}

/// The condition that a comprehension yields a value.
fn described(program: &Program, element: &Expr, vars: &Quantified, term: &Expr) -> Expr {
    let span = vars.span;
    if let Some(var) = itself(vars, term) {
        let yes = mk(ExprKind::Literal(Literal::Bool(true)), Type::Bool, span);
        // The comprehension collects its variable: the element takes the place of the variable.
        let range = vars.range.as_deref().unwrap_or(&yes);
        let holds = with(program, var, element, range, &Type::Bool);
        let ty = &program[var].ty;
        if program.is_subtype(&element.ty, ty) {
            return holds;
        }
        // The variable has a narrower type than the element, so that an element outside of it does
        // not belong to the set.
        let is = mk(
            ExprKind::Is(boxed(element.clone()), ty.clone()),
            Type::Bool,
            span,
        );
        return mk(
            ExprKind::Binary(BinaryOp::And, boxed(is), boxed(holds)),
            Type::Bool,
            span,
        );
    }
    // The comprehension collects a term: some values of the variables have to make it the element.
    let is_it = mk(
        ExprKind::Binary(BinaryOp::Eq, boxed(term.clone()), boxed(element.clone())),
        Type::Bool,
        span,
    );
    let vars = Quantified {
        // The bounds of the comprehension were those of a set; the split below finds them anew.
        bounds: None,
        ..vars.clone()
    };
    let mut exists = mk(
        ExprKind::Quantifier {
            forall: false,
            vars,
            body: boxed(is_it),
        },
        Type::Bool,
        span,
    );
    super::split::split(program, &mut exists);
    exists
}

/// The bound variable of a comprehension that collects the variable itself.
fn itself(vars: &Quantified, term: &Expr) -> Option<LocalId> {
    let ([var], ExprKind::Local(l)) = (vars.vars.as_slice(), &term.kind) else {
        return None;
    };
    (l == var).then_some(*var)
}

/// Substitutes a value for a variable.
fn with(program: &Program, var: LocalId, value: &Expr, of: &Expr, ty: &Type) -> Expr {
    let mut of = of.clone();
    let own = program[var].ty.clone();
    // A value without effects on evaluation may be copied; any other is bound once.
    let fits = program.is_subtype(&value.ty, &own);
    if fits
        && matches!(
            value.kind,
            ExprKind::Local(_) | ExprKind::Literal(_) | ExprKind::This
        )
    {
        let locals = std::iter::once((var, value.clone())).collect();
        Instantiate {
            types: &Substitution::default(),
            locals: &locals,
            this: None,
        }
        .apply(&mut of);
        return of;
    }
    let span = of.span;
    let value = if fits {
        value.clone()
    } else {
        mk(ExprKind::Convert(boxed(value.clone())), own.clone(), span)
    };
    let pattern = Pattern {
        kind: PatternKind::Var(var),
        ty: own,
        span,
    };
    mk(
        ExprKind::Let {
            ghost: true,
            bindings: vec![(pattern, value)],
            body: boxed(of),
        },
        ty.clone(),
        span,
    )
}
