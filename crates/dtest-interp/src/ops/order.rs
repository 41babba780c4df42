//! Dafny's well-founded order, which `decreases` clauses and `decreases to` use (reference manual,
//! section 12.7).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

use crate::word::Word;
use dtest_value::Value;

/// Returns whether `a` is strictly below `b`; `None` for structures of which neither is a part of
/// the other.
pub(crate) fn is_below(a: &Word, b: &Word) -> Option<bool> {
    match (a.clone().value(), b.clone().value()) {
        (Some(a), Some(b)) => below(&a, &b),
        (_, _) => Some(false),
    }
}

fn below(a: &Value, b: &Value) -> Option<bool> {
    Some(match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => !a && *b,
        (Value::Char(a), Value::Char(b)) => a < b,
        (Value::Int(a), Value::Int(b)) => a < b && *b >= BigInt::ZERO,
        (Value::Ordinal(_), Value::Ordinal(_)) | (Value::Bv { .. }, Value::Bv { .. }) => a < b,
        (Value::Real(a), Value::Real(b)) => *a <= b - BigRational::one() && !b.is_negative(),
        (Value::Set(a), Value::Set(b)) => a.len() < b.len() && a.is_subset(b),
        (Value::Multiset(a), Value::Multiset(b)) => {
            a != b && a.iter().all(|(e, n)| b.get(e).is_some_and(|m| n <= m))
        }
        (Value::Map(a), Value::Map(b)) => a.len() < b.len() && a.keys().all(|k| b.contains_key(k)),
        (Value::Null, Value::Ref(_)) => true,
        // Every part of a datatype is below it, even if a type parameter hides the type of the
        // part.
        (_, Value::Datatype(_))
        | (
            Value::Seq(_)
            | Value::Datatype(_)
            | Value::Tuple(_)
            | Value::Set(_)
            | Value::Multiset(_)
            | Value::Map(_),
            _,
        ) => {
            let is_known = is_within(a, b) || a == b || is_within(b, a);
            return is_known.then(|| is_within(a, b));
        }
        (
            Value::Bool(_)
            | Value::Char(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::Bv { .. }
            | Value::Ordinal(_),
            _,
        )
        | (
            Value::Null | Value::Ref(_) | Value::Function(_) | Value::Newtype(_) | Value::Lazy(_),
            _,
        ) => false,
    })
}

/// Whether `a` is a part of `b` at any depth. Removing consecutive elements of a sequence leaves a
/// part of it, too.
fn is_within(a: &Value, b: &Value) -> bool {
    let is_rest_of = |whole: &Value| match (a, whole) {
        (Value::Seq(a), Value::Seq(whole)) if a.len() < whole.len() => {
            let common = a
                .iter()
                .zip(whole.iter())
                .take_while(|(x, y)| x == y)
                .count();
            let after = a
                .iter()
                .rev()
                .zip(whole.iter().rev())
                .take_while(|(x, y)| x == y)
                .count();
            common + after >= a.len() || whole.windows(a.len()).any(|w| w == &a[..])
        }
        (_, _) => false,
    };
    b.within()
        .enumerate()
        .any(|(place, part)| is_rest_of(part) || place > 0 && part == a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dafny_resolve::typed::CtorId;

    #[test]
    fn the_order_is_that_of_the_manual() {
        let int = Value::int;
        let real = |n: i64| Value::Real(BigRational::new(n.into(), 2.into()));
        let seq = |items: &[i64]| Value::seq(items.iter().map(|n| int(*n)));
        let set = |items: &[i64]| Value::set(items.iter().map(|n| int(*n)));
        let ordered = [
            (Value::Bool(false), Value::Bool(true)),
            (int(78), int(102)),
            (int(-5), int(0)),
            (real(-7), real(0)),
            (real(1), real(3)),
            (set(&[2, 5]), set(&[2, 3, 5])),
            (seq(&[2, 3]), seq(&[1, 2, 3, 4])),
            (seq(&[]), seq(&[1])),
            (seq(&[1, 2]), Value::seq([seq(&[0, 1, 2])])),
            (set(&[1]), Value::seq([set(&[1])])),
        ];
        for (a, b) in &ordered {
            let all = [below(a, b), below(b, a), below(a, a), below(b, b)];
            assert_eq!(
                all,
                [Some(true), Some(false), Some(false), Some(false)],
                "{a:?} {b:?}"
            );
        }
        let unordered = [
            (int(-2), int(-1)),
            (real(0), real(1)),
            (set(&[9]), set(&[1, 2])),
            (int(1), seq(&[1])),
        ];
        for (a, b) in &unordered {
            assert_eq!(
                (below(a, b), below(b, a)),
                (Some(false), Some(false)),
                "{a:?} {b:?}"
            );
        }
        assert_eq!(
            below(&seq(&[1, 3]), &seq(&[1, 2, 3])),
            Some(true),
            "what is left where something is taken away"
        );
        assert_eq!(
            below(&seq(&[3, 1]), &seq(&[1, 2, 3])),
            None,
            "nobody says which of them is below"
        );
    }

    #[test]
    fn depth_is_no_limit() {
        let cons = |n: i64, tail: Value| Value::datatype(CtorId(0), vec![Value::int(n), tail]);
        let short = cons(0, Value::datatype(CtorId(1), vec![]));
        let long = (1..100_000).fold(short.clone(), |list, n| cons(n, list));
        assert_eq!(
            [
                below(&short, &long),
                below(&long, &short),
                below(&long, &long)
            ],
            [Some(true), Some(false), Some(false)]
        );
    }
}
