//! Definedness of changed expressions: whether they have a value wherever the original has one
//! (Dafny reference manual, section 5.3: expressions are partial). All answers are conservative:
//! false if it is not obvious.

use num_bigint::BigInt;

use dafny_resolve::typed::{Literal, Type};
use dtest_ir::{Coll, Expr, ExprKind, Num, Op, Var};

/// Whether `root` with `instead` at `path` is well-formed in every state in which `root` is.
pub(super) fn alike(root: &Expr, path: &[usize], instead: &Expr) -> bool {
    let mut mutated = root.clone();
    if super::apply::put(&mut mutated, path, instead).is_none() {
        return false;
    }
    // Goes down to the change: no operation on the way may fail or skip it.
    let (mut at, mut now) = (root, &mutated);
    for step in path {
        let children = at.children();
        // The mutant may evaluate an operand that the unit skips.
        let is_guarded = is_lazy(at)
            && !children
                .iter()
                .enumerate()
                .all(|(i, c)| i == *step || is_total(c));
        // Whether an operation fails may depend on its operands: `7 / 2` has a value, `7 / 0` has
        // none.
        match (
            children.into_iter().nth(*step),
            now.children().into_iter().nth(*step),
        ) {
            (Some(child), Some(changed)) if !is_guarded && !may_fail(at) && !may_fail(now) => {
                (at, now) = (child, changed);
            }
            (_, _) => return false,
        }
    }
    // Operands that both expressions evaluate are defined for the mutant, too.
    let kept = if is_lazy(at) {
        Vec::new()
    } else {
        at.children()
    };
    let is_kept = |e: &Expr| kept.iter().any(|k| is_same(k, e));
    is_total(instead)
        || is_kept(instead)
        || !is_lazy(instead)
            && !may_fail(instead)
            && instead
                .children()
                .into_iter()
                .all(|c| is_total(c) || is_kept(c))
}

/// Whether an expression has a value in every state.
pub(super) fn is_total(e: &Expr) -> bool {
    !may_fail(e) && e.children().into_iter().all(is_total)
}

/// Whether an expression has a value in every state in which another one has.
pub(super) fn is_total_after(e: &Expr, before: &Expr) -> bool {
    let is_evaluated = evaluated(before).into_iter().any(|known| is_same(known, e));
    is_evaluated || !may_fail(e) && e.children().into_iter().all(|c| is_total_after(c, before))
}

/// The parts of an expression that are evaluated whenever it is.
fn evaluated(e: &Expr) -> Vec<&Expr> {
    let mut found = vec![e];
    let parts = if let ExprKind::And(a, _)
    | ExprKind::Or(a, _)
    | ExprKind::Implies(a, _)
    | ExprKind::If(a, ..) = &e.kind
    {
        vec![&**a]
    } else if is_lazy(e) {
        Vec::new()
    } else {
        e.children()
    };
    found.extend(parts.into_iter().flat_map(evaluated));
    found
}

/// Whether two expressions read the same locations and hence have the same value in a state.
pub fn is_same(a: &Expr, b: &Expr) -> bool {
    // Calls are compared by their arguments, and reads by their locations: both are evaluated in
    // the same state.
    let all = |xs: &[Expr], ys: &[Expr]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| is_same(x, y))
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b,
        (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
        (ExprKind::Op(op, xs), ExprKind::Op(other, ys)) => op == other && all(xs, ys),
        (ExprKind::And(x, y), ExprKind::And(v, w))
        | (ExprKind::Or(x, y), ExprKind::Or(v, w))
        | (ExprKind::Implies(x, y), ExprKind::Implies(v, w)) => is_same(x, v) && is_same(y, w),
        (ExprKind::If(c, x, y), ExprKind::If(d, v, w)) => {
            is_same(c, d) && is_same(x, v) && is_same(y, w)
        }
        (ExprKind::Convert(x), ExprKind::Convert(y)) => a.ty == b.ty && is_same(x, y),
        (ExprKind::ReadField(x, field), ExprKind::ReadField(y, other)) => {
            field == other && is_same(x, y)
        }
        (ExprKind::ReadElement(x, xs), ExprKind::ReadElement(y, ys)) => {
            is_same(x, y) && all(xs, ys)
        }
        (
            ExprKind::Call {
                callee: a,
                args: xs,
                type_args: ts,
                label: None,
            },
            ExprKind::Call {
                callee: b,
                args: ys,
                type_args: us,
                label: None,
            },
        ) => a == b && ts == us && all(xs, ys),
        (_, _) => false,
    }
}

/// Whether an expression consists of operators over allowed variables and constants: it reads no
/// objects and calls nothing.
pub(super) fn is_pure_of(e: &Expr, is_ok: &dyn Fn(Var) -> bool) -> bool {
    let is_plain = match &e.kind {
        ExprKind::Var(v) => is_ok(*v),
        // These operators read objects or properties of functions.
        ExprKind::Op(op, _) => !matches!(
            op,
            Op::ArraySlice | Op::Below | Op::FunctionRequires | Op::FunctionReads
        ),
        ExprKind::Literal(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::If(..) => true,
        ExprKind::Let(..)
        | ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::Call { .. }
        | ExprKind::Const { .. }
        | ExprKind::Apply(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::FunctionRef { .. }
        | ExprKind::ReadField(..)
        | ExprKind::ReadElement(..)
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::Convert(_)
        | ExprKind::Is(..)
        | ExprKind::Checked(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => false,
    };
    is_plain && e.children().into_iter().all(|c| is_pure_of(c, is_ok))
}

/// Whether some parts of the expression may not be evaluated, or be evaluated several times.
fn is_lazy(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::If(..)
        | ExprKind::Let(..)
        | ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::Checked(..) => true,
        ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::Op(..)
        | ExprKind::Call { .. }
        | ExprKind::Const { .. }
        | ExprKind::Apply(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::FunctionRef { .. }
        | ExprKind::ReadField(..)
        | ExprKind::ReadElement(..)
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::Convert(_)
        | ExprKind::Is(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => false,
    }
}

/// Whether a conversion between the types always has a value.
pub(super) fn is_wide(from: &Type, to: &Type) -> bool {
    matches!(
        (from, to),
        (Type::Int | Type::Char | Type::Bv(_), Type::Int) | (Type::Int | Type::Real, Type::Real)
    )
}

/// Whether the operation may be ill-formed although its operands are well-formed.
pub(super) fn may_fail(e: &Expr) -> bool {
    match &e.kind {
        // A constant divisor other than zero cannot fail.
        ExprKind::Op(Op::Div(Num::Int) | Op::Mod(Num::Int), args) if e.ty == Type::Int => {
            !matches!(args.get(1).map(|d| &d.kind), Some(ExprKind::Literal(Literal::Int(n))) if *n != BigInt::default())
        }
        // The length of an array that is never null.
        ExprKind::Op(Op::ArrayLength(_), args) => !matches!(
            args.first().map(|a| &a.ty),
            Some(Type::Array {
                nullable: false,
                ..
            })
        ),
        ExprKind::Op(op, _) => may_operator_fail(op, &e.ty),
        ExprKind::Convert(from) => !is_wide(&from.ty, &e.ty),
        ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::If(..)
        | ExprKind::Let(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::FunctionRef { .. }
        | ExprKind::Is(..) => false,
        // Under a changed range, these bind values about which nothing is known.
        ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::Call { .. }
        | ExprKind::Const { .. }
        | ExprKind::Apply(..)
        | ExprKind::ReadField(..)
        | ExprKind::ReadElement(..)
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::Checked(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => true,
    }
}

/// Whether an operator with a result of this type is partial. Arithmetic of newtypes is, because
/// its results have a range.
fn may_operator_fail(op: &Op, ty: &Type) -> bool {
    match op {
        Op::Neg(num) | Op::Add(num) | Op::Sub(num) | Op::Mul(num) => match num {
            Num::Int => *ty != Type::Int,
            Num::Real => *ty != Type::Real,
            Num::Bv(_) => false,
            Num::Char | Num::Ordinal => true,
        },
        // The multiplicity of an absent element of a multiset is zero.
        Op::Select(coll) | Op::Update(coll) => {
            *coll != Coll::Multiset || matches!(op, Op::Update(_))
        }
        Op::Div(_)
        | Op::Mod(_)
        | Op::Shl
        | Op::Shr
        | Op::RotateLeft
        | Op::RotateRight
        | Op::OrdinalIsLimit
        | Op::OrdinalIsSucc
        | Op::OrdinalOffset
        | Op::OrdinalIsNat
        | Op::Slice
        | Op::ArraySlice
        | Op::ArrayLength(_)
        | Op::SeqInit
        | Op::Destruct(_)
        | Op::PrefixEq
        | Op::Below
        | Op::FunctionRequires
        | Op::FunctionReads => true,
        Op::Not
        | Op::Eq
        | Op::Ne
        | Op::Lt(_)
        | Op::Le(_)
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::BitNot
        | Op::Floor
        | Op::Display(_)
        | Op::Cardinality(_)
        | Op::In(_)
        | Op::Union(_)
        | Op::Intersect(_)
        | Op::Difference(_)
        | Op::Disjoint(_)
        | Op::SubsetEq(_)
        | Op::Subset(_)
        | Op::MultisetOf(_)
        | Op::Keys
        | Op::Values
        | Op::Items
        | Op::Tuple
        | Op::TupleField(_)
        | Op::Construct(_)
        | Op::CtorTest(_) => false,
    }
}
