//! Default values and other collections in place of a value that is passed on.

use super::MutationKind;
use super::exprs::{
    Names, Other, compiled_children, is_implicit, is_made, is_own_text, is_written, only, text,
};
use super::replacements::is_named;
use super::types::{are_alike, unconstrained};
use dafny_resolve::typed::{Literal, Type};
use dtest_ir::build::is_literal;
use dtest_ir::{Coll, Expr, ExprKind, Num, Op, Program, Var};
use num_bigint::BigInt;

/// A default value that replaces a call, or another expression whose value is passed on.
pub(super) fn default_instead(program: &Program, e: &Expr) -> Option<Other> {
    let coll = match unconstrained(&program.typed, &e.ty) {
        Type::Int => {
            let zero = ExprKind::Literal(Literal::Int(BigInt::default()));
            return Some((zero, MutationKind::Constant, vec![text("0")]));
        }
        Type::Seq(_) => Coll::Seq,
        Type::Set { .. } => Coll::Set,
        Type::Multiset(_) => Coll::Multiset,
        Type::Map { .. } => Coll::Map,
        // Other types have no obvious default value. A `bool` is negated instead.
        Type::Bool
        | Type::Char
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Named { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => return None,
    };
    let kind = ExprKind::Op(Op::Display(coll), Vec::new());
    Some((
        kind,
        MutationKind::Constant,
        vec![text(empty(program, &e.ty)?)],
    ))
}

/// A default value in place of a variable, field, element or length whose value is passed on: to a
/// call, a constructor, a collection, or an assigned variable. As the operand of an operator, the
/// value is replaced by other mutation operators: without `x`, `x + y` is `y`.
pub(super) fn absent(program: &Program, names: &Names<'_>, e: &Expr) -> Option<Other> {
    let is_read = match &e.kind {
        ExprKind::Var(v) => names
            .vars
            .get(v.0 as usize)
            .is_some_and(|i| !i.ghost && !i.name.starts_with('$')),
        ExprKind::ReadField(..) | ExprKind::ReadElement(..) => true,
        ExprKind::Op(op, _) => matches!(
            op,
            Op::Destruct(_)
                | Op::TupleField(_)
                | Op::Select(_)
                | Op::Cardinality(_)
                | Op::ArrayLength(_)
        ),
        ExprKind::Literal(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::If(..)
        | ExprKind::Let(..)
        | ExprKind::Call { .. }
        | ExprKind::Const { .. }
        | ExprKind::Apply(..)
        | ExprKind::FunctionRef { .. }
        | ExprKind::Convert(_)
        | ExprKind::Is(..) => false,
        ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::Checked(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => false,
    };
    // Code of the lowering, and names that stand in a pattern, are not replaced.
    let is_plain = is_written(e)
        && !is_made(e)
        && !is_implicit(names, e)
        && is_own_text(names, e)
        && !names.forms.is_in_pattern(e.span);
    if is_read && is_plain {
        default_instead(program, e)
    } else {
        None
    }
}

/// For a stored sum or difference of a value and a literal: the literal alone, as of an accumulator
/// that is reset.
pub(super) fn reset(e: &Expr) -> Option<Other> {
    let ExprKind::Op(Op::Add(Num::Int) | Op::Sub(Num::Int), args) = &e.kind else {
        return None;
    };
    let [value, literal] = args.as_slice() else {
        return None;
    };
    let is_written = is_written(literal) && !is_made(e) && value.span != literal.span;
    (is_literal(literal) && !is_literal(value) && is_written).then(|| {
        (
            literal.kind.clone(),
            MutationKind::Operand,
            vec![only(literal)],
        )
    })
}

/// Another collection in place of one that an operation, comprehension or call makes: a variable
/// of its type that the expression does not read and to which it is not assigned.
pub(super) fn other_collection(
    program: &Program,
    names: &Names<'_>,
    value: &Expr,
    target: Option<Var>,
) -> Option<Other> {
    let ty = unconstrained(&program.typed, &value.ty);
    let is_collection = matches!(
        ty,
        Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. }
    );
    let is_read = matches!(
        value.kind,
        ExprKind::Var(_)
            | ExprKind::Literal(_)
            | ExprKind::ReadField(..)
            | ExprKind::ReadElement(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)
    );
    if !is_collection || is_read || !is_written(value) || is_made(value) {
        return None;
    }
    let is_free = |v: Var| Some(v) != target && !value.mentions(&[v]);
    let mut others = names.known.iter().copied().filter(|v| is_free(*v));
    others.find_map(|v| {
        let info = names.vars.get(v.0 as usize)?;
        let is_alike = !info.ghost
            && !info.name.starts_with('$')
            && are_alike(&program.typed, &info.ty, &ty)
            && is_named(names, v, &info.name);
        is_alike.then(|| {
            (
                ExprKind::Var(v),
                MutationKind::Variable,
                vec![text(&*info.name)],
            )
        })
    })
}

/// The children of an expression whose values are passed on unchanged.
pub(super) fn passed_on<'e>(program: &Program, e: &'e Expr) -> Vec<(usize, &'e Expr)> {
    // Child 0 of an update is the collection, whose elements the result has.
    let skipped = match &e.kind {
        ExprKind::Call { .. } => 0,
        ExprKind::Op(Op::Construct(_) | Op::Tuple | Op::Display(_) | Op::Update(_), _) => 0,
        ExprKind::If(..) | ExprKind::Apply(..) => 1,
        ExprKind::Let(..)
        | ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::Op(..)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::Const { .. }
        | ExprKind::FunctionRef { .. }
        | ExprKind::ReadField(..)
        | ExprKind::ReadElement(..)
        | ExprKind::Convert(_)
        | ExprKind::Is(..)
        | ExprKind::Checked(..) => return Vec::new(),
        ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => return Vec::new(),
    };
    compiled_children(program, e)
        .into_iter()
        .filter(|(i, _)| *i >= skipped)
        .collect()
}

/// The display of the empty collection of a type. `None` if the type has none.
pub(super) fn empty(program: &Program, ty: &Type) -> Option<&'static str> {
    match program.typed.representation(ty) {
        Type::Seq(_) => Some("[]"),
        Type::Set { finite: true, .. } => Some("{}"),
        Type::Set { finite: false, .. } => Some("iset{}"),
        Type::Multiset(_) => Some("multiset{}"),
        Type::Map { finite: true, .. } => Some("map[]"),
        Type::Map { finite: false, .. } => Some("imap[]"),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Named { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => None,
    }
}
