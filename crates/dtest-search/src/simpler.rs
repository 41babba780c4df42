//! Values that are simpler than a given one, the simplest first. The order is well-founded, so that
//! loops over it end.
//!
//! All variants are created one by one, when they are asked for: each one is as large as the value,
//! so that all variants of a block of 4096 bytes have 16 million elements.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{DatatypeValue, FunctionValue, Value};

/// Maximum number of elements that are removed and simplified one by one. In a longer sequence,
/// these are the first elements of runs of equal ones: the others are filler.
const MAX_SINGLE: usize = 64;

/// Variants of a value.
type Variants<'v> = Box<dyn Iterator<Item = Value> + 'v>;

/// Returns the values that are simpler than this one.
pub(super) fn simpler(v: &Value) -> Variants<'_> {
    match v {
        Value::Bool(b) => Box::new(b.then_some(Value::Bool(false)).into_iter()),
        Value::Char(c) => Box::new(simpler_chars(*c).into_iter().map(Value::Char)),
        Value::Int(n) => Box::new(simpler_ints(n).into_iter().map(Value::Int)),
        Value::Real(r) => Box::new(simpler_reals(r).into_iter()),
        Value::Bv { width, bits } => Box::new(simpler_naturals(bits).map(|bits| Value::Bv {
            width: *width,
            bits,
        })),
        Value::Ordinal(n) => Box::new(simpler_naturals(n).map(Value::Ordinal)),
        Value::Seq(xs) => simpler_sequences(xs),
        Value::Set(xs) => simpler_sets(xs),
        Value::Multiset(xs) => simpler_multisets(xs),
        Value::Map(xs) => simpler_maps(xs),
        Value::Tuple(xs) => Box::new(with_simpler_parts(xs).map(Value::tuple)),
        Value::Datatype(d) => simpler_datatypes(d),
        Value::Newtype(n) => Box::new(simpler(&n.value).map(|y| n.with(y))),
        // A default value of a type is already the simplest one.
        Value::Ref(_) => Box::new(std::iter::once(Value::Null)),
        Value::Null | Value::Lazy(_) => Box::new(std::iter::empty()),
        Value::Function(f) => simpler_functions(f),
    }
}

/// The values with one of them simplified.
fn with_simpler_parts(xs: &[Value]) -> impl Iterator<Item = Vec<Value>> + '_ {
    let with = move |i: usize, y: Value| {
        let mut out = xs.to_vec();
        if let Some(x) = out.get_mut(i) {
            *x = y;
        }
        out
    };
    xs.iter()
        .enumerate()
        .flat_map(move |(i, x)| simpler(x).map(move |y| with(i, y)))
}

/// The values without the one at a place.
fn without<T: Clone>(xs: &[T], place: usize) -> Vec<T> {
    let others = xs.iter().enumerate().filter(|(i, _)| *i != place);
    others.map(|(_, x)| x.clone()).collect()
}

/// Large steps first: the empty sequence, halves, single elements, and then changes of elements.
fn simpler_sequences(xs: &[Value]) -> Variants<'_> {
    let len = xs.len();
    let part = move |from: usize, to: usize| {
        Value::seq(xs.get(from..to).unwrap_or_default().iter().cloned())
    };
    let empty = (len > 1).then(|| Value::seq([]));
    let halves = [(0, len / 2), (len / 2, len)]
        .into_iter()
        .filter(move |_| len > 3)
        .map(move |(from, to)| part(from, to));
    let shorter = single_places(xs).map(move |i| Value::seq(without(xs, i)));
    let changed = single_places(xs).flat_map(move |i| {
        let with = move |y: Value| {
            let before = xs.iter().take(i).cloned();
            let after = xs.iter().skip(i + 1).cloned();
            Value::seq(before.chain([y]).chain(after))
        };
        xs.get(i).into_iter().flat_map(simpler).map(with)
    });
    Box::new(
        empty
            .into_iter()
            .chain(halves)
            .chain(shorter)
            .chain(changed),
    )
}

/// The places of the elements of a sequence that are removed and simplified one by one.
fn single_places(xs: &[Value]) -> impl Iterator<Item = usize> + '_ {
    let is_long = xs.len() > MAX_SINGLE;
    let starts_run = |i: &usize| *i == 0 || xs.get(*i) != xs.get(*i - 1);
    (0..xs.len())
        .filter(move |i| !is_long || starts_run(i))
        .take(MAX_SINGLE)
}

/// Zero first, then the integer part, then simpler integers.
fn simpler_reals(r: &BigRational) -> Vec<Value> {
    let mut out = Vec::new();
    if !r.is_zero() {
        out.push(Value::Real(BigRational::zero()));
    }
    if !dtest_value::real::is_integer(r) {
        out.push(Value::Real(r.trunc()));
    } else {
        out.extend(
            simpler_ints(&r.to_integer())
                .into_iter()
                .map(|n| Value::Real(BigRational::from_integer(n))),
        );
    }
    out
}

/// Fewer elements come before simpler elements.
fn simpler_sets(xs: &SortedSet<Value>) -> Variants<'_> {
    let fewer = xs
        .iter()
        .map(|x| Value::set(xs.iter().filter(|y| *y != x).cloned()));
    let changed = xs.iter().flat_map(move |x| {
        let with = move |y: Value| {
            Value::set(
                xs.iter()
                    .map(|z| if z == x { y.clone() } else { z.clone() }),
            )
        };
        simpler(x).filter(|y| !xs.contains(y)).map(with)
    });
    Box::new(fewer.chain(changed))
}

/// Multisets without an element, or with it only once.
fn simpler_multisets(xs: &SortedMap<Value, BigUint>) -> Variants<'_> {
    let without = move |x: &Value| {
        let mut m = xs.clone();
        m.remove(x);
        Value::Multiset(Arc::new(m))
    };
    let once = move |x: &Value| {
        let mut m = xs.clone();
        m.insert(x.clone(), BigUint::one());
        Value::Multiset(Arc::new(m))
    };
    let repeated = xs.iter().filter(|(_, n)| !n.is_one());
    Box::new(
        xs.keys()
            .map(without)
            .chain(repeated.map(move |(x, _)| once(x))),
    )
}

/// Fewer pairs first, then simpler keys and values.
fn simpler_maps(xs: &SortedMap<Value, Value>) -> Variants<'_> {
    let fewer = xs.keys().map(move |k| {
        let others = xs.iter().filter(|(l, _)| *l != k);
        Value::map(others.map(|(l, v)| (l.clone(), v.clone())))
    });
    let changed = xs.iter().flat_map(move |(k, v)| {
        let with_key = move |l: Value| {
            Value::map(
                xs.iter()
                    .map(|(m, w)| (if m == k { l.clone() } else { m.clone() }, w.clone())),
            )
        };
        let with_value = move |w: Value| {
            Value::map(
                xs.iter()
                    .map(|(m, u)| (m.clone(), if m == k { w.clone() } else { u.clone() })),
            )
        };
        let keys = simpler(k).filter(|l| !xs.contains_key(l)).map(with_key);
        keys.chain(simpler(v).map(with_value))
    });
    Box::new(fewer.chain(changed))
}

/// A part of the same datatype comes first. The interpreter rejects parts of other types.
fn simpler_datatypes(d: &DatatypeValue) -> Variants<'_> {
    let parts = d.args.iter().filter(|a| matches!(a, Value::Datatype(_)));
    let changed = with_simpler_parts(&d.args).map(|args| Value::datatype(d.ctor, args));
    Box::new(parts.cloned().chain(changed))
}

/// Simpler tables, and functions with a smaller restriction.
fn simpler_functions(f: &FunctionValue) -> Variants<'_> {
    match f {
        // Fewer entries first, then a simpler default, then simpler results.
        FunctionValue::Table { entries, default } => {
            let table = |entries: Vec<(Vec<Value>, Value)>, default: Value| {
                Value::Function(Arc::new(FunctionValue::Table { entries, default }))
            };
            let fewer =
                (0..entries.len()).map(move |i| table(without(entries, i), default.clone()));
            let defaults = simpler(default).map(move |d| table(entries.clone(), d));
            let results = entries.iter().enumerate().flat_map(move |(i, (_, r))| {
                let with = move |s: Value| {
                    let mut changed = entries.clone();
                    if let Some((_, result)) = changed.get_mut(i) {
                        *result = s;
                    }
                    table(changed, default.clone())
                };
                simpler(r).filter(move |s| s != default).map(with)
            });
            Box::new(fewer.chain(defaults).chain(results))
        }
        FunctionValue::Partial {
            function,
            elsewhere,
            exceptions,
        } => {
            let partial = |function: FunctionValue, exceptions: Vec<Vec<Value>>| {
                Value::Function(Arc::new(FunctionValue::Partial {
                    function: Box::new(function),
                    elsewhere: *elsewhere,
                    exceptions,
                }))
            };
            // The function without its restriction is the simplest.
            let unrestricted = elsewhere
                .then(|| Value::Function(Arc::new(FunctionValue::clone(function))))
                .into_iter();
            let fewer = (0..exceptions.len())
                .map(move |i| partial(FunctionValue::clone(function), without(exceptions, i)));
            let others = simpler_functions(function).filter_map(move |simpler| {
                if let Value::Function(f) = simpler {
                    Some(partial(FunctionValue::clone(&f), exceptions.clone()))
                } else {
                    None
                }
            });
            Box::new(unrestricted.chain(fewer).chain(others))
        }
        FunctionValue::Template(_)
        | FunctionValue::Closure { .. }
        | FunctionValue::Named { .. } => Box::new(std::iter::empty()),
    }
}

/// Simpler numbers that are not negative.
fn simpler_naturals(n: &BigUint) -> impl Iterator<Item = BigUint> + use<> {
    simpler_ints(&n.clone().into())
        .into_iter()
        .filter_map(|n| n.to_biguint())
}

/// Simpler integers: nearer to zero, and positive rather than negative.
fn simpler_ints(n: &BigInt) -> Vec<BigInt> {
    let mut out = Vec::new();
    if n.is_zero() {
        return out;
    }
    // The order matters: the first candidates simplify the most.
    out.push(BigInt::zero());
    if !n.is_one() {
        out.push(BigInt::one());
    }
    if n.is_negative() {
        out.push(-n);
    }
    let size = n.abs();
    if size > BigInt::from(2) {
        out.push(n / 2);
        // Round numbers, then a single step.
        for round in [10i64, 100, 1000] {
            let r = BigInt::from(round);
            if r < size {
                out.push(if n.is_negative() { -r } else { r });
            }
        }
        // Ever smaller steps, so that a number beyond a constant comes close to it in few attempts.
        for part in [4i64, 16, 64, 256] {
            let step: BigInt = n / part;
            if !step.is_zero() {
                out.push(n - step);
            }
        }
        out.push(n - n.signum());
    }
    // Only strictly simpler numbers stay, so that every chain of simplifications ends.
    out.retain(|m| m.abs() < size || (m.abs() == size && n.is_negative() && !m.is_negative()));
    out
}

/// Simpler characters: letters, then digits, then other printable characters.
fn simpler_chars(c: u32) -> Vec<u32> {
    let rank = |c: u32| match char::from_u32(c) {
        Some('a'..='z') => c.to_u64().unwrap_or(0),
        Some('A'..='Z') => 100 + u64::from(c),
        Some('0'..='9') => 200 + u64::from(c),
        Some(' '..='~') => 400 + u64::from(c),
        Some(_) | None => 1000 + u64::from(c),
    };
    let mut out: Vec<u32> = ['a', 'b', 'c', 'A', '0', '1', ' ', '-', '.', '~']
        .iter()
        .map(|c| *c as u32)
        .collect();
    out.retain(|x| rank(*x) < rank(c));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(xs: &[i64]) -> Value {
        Value::seq(xs.iter().map(|n| Value::int(*n)))
    }

    fn all(v: &Value) -> Vec<Value> {
        simpler(v).collect()
    }

    #[test]
    fn large_steps_come_first() {
        let expected = [
            ints(&[]),
            ints(&[1, 1]),
            ints(&[2, 1]),
            ints(&[1, 2, 1]),
            ints(&[1, 2, 1]),
        ];
        let found: Vec<Value> = simpler(&ints(&[1, 1, 2, 1])).take(5).collect();
        assert_eq!(found, expected);
        assert_eq!(all(&ints(&[1])), [ints(&[]), ints(&[0])]);
        assert_eq!(
            all(&Value::tuple([Value::int(1), Value::Bool(true)])),
            [
                Value::tuple([Value::int(0), Value::Bool(true)]),
                Value::tuple([Value::int(1), Value::Bool(false)]),
            ]
        );
    }

    #[test]
    fn every_chain_ends() {
        let mut v = Value::map([
            (Value::int(-7), ints(&[3, 300])),
            (Value::int(12), ints(&[-1])),
        ]);
        let mut steps = 0;
        while let Some(next) = simpler(&v).last() {
            v = next;
            steps += 1;
            assert!(steps < 1000, "{v:?}");
        }
        assert_eq!(v, Value::map([]));
    }

    #[test]
    fn long_sequences_have_few_variants_wherever_they_are() {
        let mut block = vec![Value::int(0); 65536];
        block[9] = Value::int(5);
        let block = Value::seq(block);
        let is_without_exception = |v: &Value| *v == Value::seq(vec![Value::int(0); 65536]);
        assert!(simpler(&block).any(|v| is_without_exception(&v)));
        // A disk of blocks: the variants would have more than 2^36 elements.
        let disk = Value::map((0..16).map(|a| {
            let entry = Value::tuple([block.clone(), Value::Bool(true)]);
            (Value::int(a), Value::seq([entry]))
        }));
        assert!(simpler(&disk).count() < 1000);
        // The elements of a long text differ.
        let text = Value::seq((0..5000).map(|n| Value::int(n % 10)));
        assert_eq!(
            simpler(&text)
                .filter(|v| v.extent() == text.extent() - 1)
                .count(),
            MAX_SINGLE
        );
    }
}
