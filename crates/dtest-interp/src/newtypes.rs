//! Conversion of values between newtypes and the traits that they extend.
//!
//! If its static type is a newtype, a value is represented without the newtype. Converted to a
//! trait, it carries its newtype. The typed program has an explicit conversion between the two
//! ([`dtest_desugar::casts::explicit_newtypes`]).

use dafny_resolve::typed::{Program, Type, TypeDeclKind};
use dtest_desugar::casts::changes_newtype;

use dtest_value::{Value, deeper};

/// Converts the representation of a value between types. `None` if a part of the value has another
/// newtype than `to` requires, or if a function or lazy value would have to convert its arguments
/// or results.
pub(super) fn retyped(program: &Program, value: &Value, from: &Type, to: &Type) -> Option<Value> {
    if !changes_newtype(program, from, to) {
        return Some(value.clone());
    }
    let all = |values: &mut dyn Iterator<Item = &Value>, a: &Type, b: &Type| {
        values
            .map(|v| retyped(program, v, a, b))
            .collect::<Option<Vec<Value>>>()
    };
    let (from, to) = (program.strip_subset(from), program.strip_subset(to));
    // Values are converted component by component along the two types; the types have the same
    // structure except where a newtype meets a trait.
    deeper(|| match (value, &from, &to) {
        (Value::Seq(xs), Type::Seq(a), Type::Seq(b)) => all(&mut xs.iter(), a, b).map(Value::seq),
        (Value::Set(xs), Type::Set { elem: a, .. }, Type::Set { elem: b, .. }) => {
            all(&mut xs.iter(), a, b).map(Value::set)
        }
        (Value::Multiset(counts), Type::Multiset(a), Type::Multiset(b)) => {
            let keys = all(&mut counts.keys(), a, b)?;
            Some(Value::Multiset(std::sync::Arc::new(
                keys.into_iter().zip(counts.values().cloned()).collect(),
            )))
        }
        (
            Value::Map(pairs),
            Type::Map {
                key: k, value: v, ..
            },
            Type::Map {
                key: l, value: w, ..
            },
        ) => {
            let (keys, values) = (
                all(&mut pairs.keys(), k, l)?,
                all(&mut pairs.values(), v, w)?,
            );
            Some(Value::map(keys.into_iter().zip(values)))
        }
        (Value::Tuple(xs), Type::Tuple(a), Type::Tuple(b)) => {
            let parts = xs
                .iter()
                .zip(a.iter().zip(b))
                .map(|(x, (a, b))| retyped(program, x, &a.1, &b.1));
            parts.collect::<Option<Vec<Value>>>().map(Value::tuple)
        }
        (Value::Datatype(d), Type::Named { decl, args: a, .. }, Type::Named { args: b, .. })
            if program[d.ctor].datatype == *decl =>
        {
            let (old, new) = (
                program.substitution(*decl, a),
                program.substitution(*decl, b),
            );
            let parts = d.args.iter().zip(&program[d.ctor].fields).map(|(x, f)| {
                let own = &program[*f].ty;
                retyped(program, x, &own.subst(&old), &own.subst(&new))
            });
            parts
                .collect::<Option<Vec<Value>>>()
                .map(|args| Value::datatype(d.ctor, args))
        }
        // A delayed value is converted only if it has been computed.
        (Value::Lazy(lazy), _, _) => retyped(program, lazy.computed()?.as_ref().ok()?, &from, &to),
        (Value::Function(_), Type::Arrow { .. }, _) => None,
        // A value seen as a trait returns to its newtype, or to another trait unchanged.
        (Value::Newtype(n), _, to) => match newtype_of(program, to) {
            Some(decl) => (decl == n.decl).then(|| n.value.clone()),
            None => Some(value.clone()),
        },
        (value, Type::Named { decl, args, .. }, _) if newtype_of(program, &from).is_some() => {
            Some(Value::newtype(*decl, args.clone(), value.clone()))
        }
        (value, _, _) => Some(value.clone()),
    })
}

/// Returns the declaration of a newtype.
fn newtype_of(program: &Program, ty: &Type) -> Option<dafny_resolve::typed::TypeId> {
    match ty {
        Type::Named { decl, .. } if matches!(program[*decl].kind, TypeDeclKind::Newtype(_)) => {
            Some(*decl)
        }
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Seq(_)
        | Type::Set { .. }
        | Type::Multiset(_)
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Named { .. }
        | Type::Param(_)
        | Type::Error => None,
    }
}
