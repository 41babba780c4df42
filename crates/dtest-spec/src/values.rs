//! Values as typed expressions.

use dafny_resolve::typed::{Expr, ExprKind, Literal, Program, Span, Type};
use dtest_value::Value;
use num_bigint::BigInt;

/// Returns a value as an expression of the type; `None` for objects, functions, ordinals and lazy
/// values, which no expression denotes.
pub(crate) fn expression(program: &Program, value: &Value, ty: &Type, span: Span) -> Option<Expr> {
    let all = |values: &mut dyn Iterator<Item = &Value>, ty: &Type| -> Option<Vec<Expr>> {
        values.map(|v| expression(program, v, ty, span)).collect()
    };
    let base = program.representation(ty);
    let kind = match (value, &base) {
        (Value::Bool(b), _) => ExprKind::Literal(Literal::Bool(*b)),
        (Value::Char(c), _) => ExprKind::Literal(Literal::Char(*c)),
        (Value::Int(n), _) => ExprKind::Literal(Literal::Int(n.clone())),
        (Value::Real(r), _) => ExprKind::Literal(Literal::Real(r.clone())),
        (Value::Bv { bits, .. }, _) => ExprKind::Literal(Literal::Int(BigInt::from(bits.clone()))),
        (Value::Seq(elements), Type::Seq(elem)) => {
            ExprKind::SeqDisplay(all(&mut elements.iter(), elem)?)
        }
        (Value::Set(elements), Type::Set { elem, .. }) => {
            ExprKind::SetDisplay(all(&mut elements.iter(), elem)?)
        }
        (Value::Multiset(elements), Type::Multiset(elem)) => {
            let mut display = Vec::new();
            for (element, count) in elements.iter() {
                let count = usize::try_from(count).ok().filter(|n| *n <= MAX_COPIES)?;
                let element = expression(program, element, elem, span)?;
                display.extend(std::iter::repeat_n(element, count));
            }
            ExprKind::MultisetDisplay(display)
        }
        (Value::Map(entries), Type::Map { key, value, .. }) => {
            let entries = entries.iter().map(|(k, v)| {
                Some((
                    expression(program, k, key, span)?,
                    expression(program, v, value, span)?,
                ))
            });
            ExprKind::MapDisplay(entries.collect::<Option<_>>()?)
        }
        (Value::Tuple(values), Type::Tuple(types)) => {
            let components = values
                .iter()
                .zip(types)
                .map(|(v, (_, ty))| expression(program, v, ty, span));
            ExprKind::Tuple(components.collect::<Option<_>>()?)
        }
        (Value::Datatype(value), Type::Named { decl, args, .. }) => {
            let substitution = program.substitution(*decl, args);
            let fields = &program[value.ctor].fields;
            let args = value.args.iter().zip(fields).map(|(v, f)| {
                let ty = program[*f].ty.subst(&substitution);
                expression(program, v, &ty, span)
            });
            ExprKind::Construct {
                ctor: value.ctor,
                args: args.collect::<Option<_>>()?,
            }
        }
        (Value::Null, _) => ExprKind::Literal(Literal::Null),
        (
            Value::Seq(_)
            | Value::Set(_)
            | Value::Multiset(_)
            | Value::Map(_)
            | Value::Tuple(_)
            | Value::Datatype(_)
            | Value::Ordinal(_)
            | Value::Ref(_)
            | Value::Function(_)
            | Value::Newtype(_)
            | Value::Lazy(_),
            _,
        ) => return None,
    };
    Some(Expr {
        kind,
        ty: ty.clone(),
        span,
    })
}

/// Maximum number of copies of an element in a display of a multiset.
const MAX_COPIES: usize = 64;
