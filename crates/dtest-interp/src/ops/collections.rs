//! Operations on sequences, sets, multisets and maps, and the order of structural inclusion.
//!
//! Shared collections are modified in place if no other value refers to them; this makes loops that
//! build a collection linear.

use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::Zero;

use super::{Context, OpError, Result, fail};
use crate::api::FailureKind;
use crate::word::Word;
use dtest_ir::{Coll, Op};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::Value;

type Counts = SortedMap<Value, BigUint>;

fn value(w: Word) -> Result<Value> {
    w.value().ok_or(OpError::Shape)
}

/// Returns the contents of a shared collection, without a copy if it is not shared.
fn own<T: Clone>(shared: Arc<T>) -> T {
    Arc::unwrap_or_clone(shared)
}

pub(super) fn apply(cx: Context<'_>, op: &Op, args: &mut Vec<Word>) -> Result<Word> {
    // Operands are taken from the end of the list, so the last one comes first.
    if let Op::Display(coll) = op {
        return display(*coll, args);
    }
    let mut next = || args.pop().ok_or(OpError::Shape);
    match op {
        Op::Cardinality(_) => cardinality(next()?),
        Op::In(_) => {
            let c = next()?;
            contains(&c, &value(next()?)?)
        }
        Op::Union(_) => {
            let b = next()?;
            union(cx, next()?, b)
        }
        Op::Intersect(_) => {
            let b = next()?;
            intersect(next()?, b)
        }
        Op::Difference(_) => {
            let b = next()?;
            difference(next()?, b)
        }
        Op::Disjoint(_) => {
            let b = next()?;
            disjoint(next()?, b)
        }
        Op::SubsetEq(_) => {
            let b = next()?;
            subset(&next()?, &b).map(|(included, _)| Word::Bool(included))
        }
        Op::Subset(_) => {
            let b = next()?;
            subset(&next()?, &b).map(|(included, same)| Word::Bool(included && !same))
        }
        Op::Select(_) => {
            let i = next()?;
            select(&next()?, i)
        }
        Op::Update(_) => {
            let (v, i) = (next()?, next()?);
            update(next()?, i, v)
        }
        Op::Slice => {
            let (high, low) = (next()?, next()?);
            checked_slice(next()?, &low, &high)
        }
        Op::MultisetOf(_) => multiset_of(next()?),
        Op::Keys | Op::Values | Op::Items => {
            let Word::Map(m) = next()? else {
                return Err(OpError::Shape);
            };
            Ok(Word::of(if matches!(op, Op::Keys) {
                Value::set(m.keys().cloned())
            } else if matches!(op, Op::Values) {
                Value::set(m.values().cloned())
            } else {
                Value::set(m.iter().map(|(k, v)| Value::tuple([k.clone(), v.clone()])))
            }))
        }
        Op::Not
        | Op::Eq
        | Op::Ne
        | Op::Neg(_)
        | Op::Add(_)
        | Op::Sub(_)
        | Op::Mul(_)
        | Op::Div(_)
        | Op::Mod(_)
        | Op::Lt(_)
        | Op::Le(_)
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::BitNot
        | Op::Shl
        | Op::Shr
        | Op::RotateLeft
        | Op::RotateRight
        | Op::Floor
        | Op::OrdinalIsLimit
        | Op::OrdinalIsSucc
        | Op::OrdinalOffset
        | Op::OrdinalIsNat
        | Op::Display(_)
        | Op::ArraySlice
        | Op::ArrayLength(_)
        | Op::SeqInit
        | Op::Tuple
        | Op::TupleField(_)
        | Op::Construct(_)
        | Op::CtorTest(_)
        | Op::Destruct(_)
        | Op::PrefixEq
        | Op::Below
        | Op::FunctionRequires
        | Op::FunctionReads => Err(OpError::Shape),
    }
}

/// Returns the number of elements.
fn cardinality(word: Word) -> Result<Word> {
    Ok(match word {
        Word::Seq(s) => Word::length(s.len()),
        Word::Set(s) => Word::length(s.len()),
        Word::Map(m) => Word::length(m.len()),
        Word::Multiset(m) => Word::int(m.values().sum::<BigUint>().into()),
        Word::Unset
        | Word::Unknown(_)
        | Word::Bool(_)
        | Word::Char(_)
        | Word::Int(_)
        | Word::Tuple(_) => return Err(OpError::Shape),
        Word::Datatype(_) | Word::Null | Word::Ref(_) | Word::Function(_) | Word::Boxed(_) => {
            return Err(OpError::Shape);
        }
    })
}

/// Returns whether a collection contains an element, or a map a key.
fn contains(c: &Word, e: &Value) -> Result<Word> {
    Ok(Word::Bool(match c {
        Word::Seq(s) => s.contains(e),
        Word::Set(s) => s.contains(e),
        Word::Map(m) => m.contains_key(e),
        Word::Multiset(m) => m.contains_key(e),
        Word::Unset | Word::Unknown(_) | Word::Bool(_) | Word::Char(_) => {
            return Err(OpError::Shape);
        }
        Word::Int(_) | Word::Tuple(_) | Word::Datatype(_) | Word::Null => {
            return Err(OpError::Shape);
        }
        Word::Ref(_) | Word::Function(_) | Word::Boxed(_) => return Err(OpError::Shape),
    }))
}

/// Returns whether two collections have no element in common.
fn disjoint(a: Word, b: Word) -> Result<Word> {
    Ok(Word::Bool(match (a, b) {
        (Word::Set(a), Word::Set(b)) => a.is_disjoint(&b),
        (Word::Multiset(a), Word::Multiset(b)) => !a.keys().any(|k| b.contains_key(k)),
        (Word::Map(a), Word::Map(b)) => !a.keys().any(|k| b.contains_key(k)),
        (_, _) => return Err(OpError::Shape),
    }))
}

/// Returns a slice, whose bounds must be in order and within the sequence.
fn checked_slice(word: Word, low: &Word, high: &Word) -> Result<Word> {
    let Word::Seq(s) = word else {
        return Err(OpError::Shape);
    };
    match (low.as_index(), high.as_index()) {
        // A slice of everything shares the sequence.
        (Some(0), Some(h)) if h == s.len() => Ok(Word::Seq(s)),
        (Some(l), Some(h)) if l <= h && h <= s.len() => Ok(slice(s, l, h)),
        (_, _) => fail(
            FailureKind::Index,
            format!(
                "slice {}..{} of {} elements",
                low.show(),
                high.show(),
                s.len()
            ),
        ),
    }
}

/// Returns the multiset of the elements of a collection.
fn multiset_of(word: Word) -> Result<Word> {
    Ok(Word::of(match word {
        Word::Seq(s) => Value::multiset(s.iter().cloned()),
        Word::Set(s) => Value::multiset(s.iter().cloned()),
        other @ (Word::Unset
        | Word::Unknown(_)
        | Word::Bool(_)
        | Word::Char(_)
        | Word::Int(_)
        | Word::Multiset(_)
        | Word::Map(_)
        | Word::Tuple(_)
        | Word::Datatype(_)
        | Word::Null
        | Word::Ref(_)
        | Word::Function(_)
        | Word::Boxed(_)) => {
            return if matches!(other, Word::Multiset(_)) {
                Ok(other)
            } else {
                Err(OpError::Shape)
            };
        }
    }))
}

fn display(coll: Coll, args: &mut Vec<Word>) -> Result<Word> {
    let items: Option<Vec<Value>> = args.drain(..).map(Word::value).collect();
    let items = items.ok_or(OpError::Shape)?;
    Ok(Word::of(match coll {
        Coll::Seq => Value::Seq(Arc::new(items)),
        Coll::Set => Value::set(items),
        Coll::Multiset => Value::multiset(items),
        Coll::Map => {
            let mut pairs = SortedMap::new();
            let mut items = items.into_iter();
            while let (Some(k), Some(v)) = (items.next(), items.next()) {
                pairs.insert(k, v);
            }
            Value::Map(Arc::new(pairs))
        }
    }))
}

fn slice(s: Arc<Vec<Value>>, low: usize, high: usize) -> Word {
    let mut s = s;
    let items = match Arc::get_mut(&mut s) {
        Some(items) => {
            items.truncate(high);
            items.drain(..low);
            return Word::Seq(s);
        }
        None => s.get(low..high).unwrap_or_default().to_vec(),
    };
    Word::Seq(Arc::new(items))
}

/// Concatenates two sequences. Elements are moved out of, or into, a sequence that is not shared; a
/// sequence that grows at its front is the second operand.
fn concatenation(mut a: Arc<Vec<Value>>, mut b: Arc<Vec<Value>>) -> Arc<Vec<Value>> {
    match (Arc::get_mut(&mut a), Arc::get_mut(&mut b)) {
        (Some(front), Some(back)) if front.len() >= back.len() => front.append(back),
        (Some(front), Some(back)) => {
            back.splice(..0, front.drain(..));
            return b;
        }
        (Some(front), None) => front.extend_from_slice(&b),
        (None, Some(back)) => {
            back.splice(..0, a.iter().cloned());
            return b;
        }
        (None, None) => a = Arc::new(a.iter().chain(b.iter()).cloned().collect()),
    }
    a
}

fn union(cx: Context<'_>, a: Word, b: Word) -> Result<Word> {
    match (a, b) {
        (Word::Seq(a), Word::Seq(b)) => {
            if a.len().saturating_add(b.len()) > cx.max_elements {
                return Err(OpError::TooLarge);
            }
            if a.is_empty() {
                return Ok(Word::Seq(b));
            }
            if b.is_empty() {
                return Ok(Word::Seq(a));
            }
            Ok(Word::Seq(concatenation(a, b)))
        }
        (Word::Set(a), Word::Set(b)) => {
            let (mut large, small) = if a.len() >= b.len() { (a, b) } else { (b, a) };
            Arc::make_mut(&mut large).extend(small.iter().cloned());
            Ok(Word::Set(large))
        }
        (Word::Multiset(mut a), Word::Multiset(b)) => {
            let counts = Arc::make_mut(&mut a);
            for (e, n) in b.iter() {
                *counts.entry(e.clone()).or_default() += n;
            }
            Ok(Word::Multiset(a))
        }
        (Word::Map(mut a), Word::Map(b)) => {
            Arc::make_mut(&mut a).extend(b.iter().map(|(k, v)| (k.clone(), v.clone())));
            Ok(Word::Map(a))
        }
        (_, _) => Err(OpError::Shape),
    }
}

fn intersect(a: Word, b: Word) -> Result<Word> {
    match (a, b) {
        (Word::Set(mut a), Word::Set(b)) => {
            Arc::make_mut(&mut a).retain(|e| b.contains(e));
            Ok(Word::Set(a))
        }
        (Word::Multiset(a), Word::Multiset(b)) => {
            let least = |(e, n): (Value, BigUint)| b.get(&e).map(|m| (e, n.min(m.clone())));
            Ok(Word::Multiset(Arc::new(
                own(a).into_iter().filter_map(least).collect(),
            )))
        }
        (_, _) => Err(OpError::Shape),
    }
}

fn difference(a: Word, b: Word) -> Result<Word> {
    match (a, b) {
        (Word::Set(mut a), Word::Set(b)) => {
            let items = Arc::make_mut(&mut a);
            if b.len() < items.len() {
                for e in b.iter() {
                    items.remove(e);
                }
            } else {
                items.retain(|e| !b.contains(e));
            }
            Ok(Word::Set(a))
        }
        (Word::Multiset(a), Word::Multiset(b)) => {
            let mut counts: Counts = own(a);
            for (e, n) in b.iter() {
                let rest = counts
                    .get(e)
                    .map(|m| if m > n { m - n } else { BigUint::zero() });
                match rest {
                    Some(rest) if rest.is_zero() => drop(counts.remove(e)),
                    Some(rest) => drop(counts.insert(e.clone(), rest)),
                    None => {}
                }
            }
            Ok(Word::Multiset(Arc::new(counts)))
        }
        (Word::Map(mut a), Word::Set(keys)) => {
            let pairs = Arc::make_mut(&mut a);
            for k in keys.iter() {
                pairs.remove(k);
            }
            Ok(Word::Map(a))
        }
        (_, _) => Err(OpError::Shape),
    }
}

/// Returns whether `a` is included in `b`, and whether they are equal.
fn subset(a: &Word, b: &Word) -> Result<(bool, bool)> {
    match (a, b) {
        (Word::Seq(a), Word::Seq(b)) => Ok((b.starts_with(a), a.len() == b.len())),
        (Word::Set(a), Word::Set(b)) => Ok((a.is_subset(b), a.len() == b.len())),
        (Word::Multiset(a), Word::Multiset(b)) => {
            let included = a.iter().all(|(e, n)| b.get(e).is_some_and(|m| n <= m));
            Ok((included, a == b))
        }
        (Word::Map(a), Word::Map(b)) => Ok((
            a.iter().all(|(k, v)| b.get(k) == Some(v)),
            a.len() == b.len(),
        )),
        (_, _) => Err(OpError::Shape),
    }
}

fn select(c: &Word, i: Word) -> Result<Word> {
    match c {
        Word::Seq(s) => match i.as_index().and_then(|i| s.get(i)) {
            Some(v) => Ok(Word::of_ref(v)),
            None => fail(
                FailureKind::Index,
                format!("index {} of {} elements", i.show(), s.len()),
            ),
        },
        Word::Map(m) => {
            let shown = i.show();
            match m.get(&value(i)?) {
                Some(v) => Ok(Word::of_ref(v)),
                None => fail(FailureKind::Key, format!("{shown} is not a key of the map")),
            }
        }
        Word::Multiset(m) => Ok(m
            .get(&value(i)?)
            .map_or(Word::Int(0), |n| Word::int(n.clone().into()))),
        Word::Unset
        | Word::Unknown(_)
        | Word::Bool(_)
        | Word::Char(_)
        | Word::Int(_)
        | Word::Set(_) => Err(OpError::Shape),
        Word::Tuple(_)
        | Word::Datatype(_)
        | Word::Null
        | Word::Ref(_)
        | Word::Function(_)
        | Word::Boxed(_) => Err(OpError::Shape),
    }
}

fn update(c: Word, i: Word, v: Word) -> Result<Word> {
    match c {
        // The index of a sequence must exist.
        Word::Seq(mut s) => {
            let Some(at) = i.as_index().filter(|i| *i < s.len()) else {
                return fail(
                    FailureKind::Index,
                    format!("index {} of {} elements", i.show(), s.len()),
                );
            };
            // The sequence is copied only if it is shared.
            if let Some(place) = Arc::make_mut(&mut s).get_mut(at) {
                *place = value(v)?;
            }
            Ok(Word::Seq(s))
        }
        Word::Map(mut m) => {
            Arc::make_mut(&mut m).insert(value(i)?, value(v)?);
            Ok(Word::Map(m))
        }
        Word::Multiset(mut m) => {
            let Some(n) = v.as_int().and_then(|n| BigUint::try_from(n).ok()) else {
                return fail(FailureKind::Domain, format!("multiplicity {}", v.show()));
            };
            let counts = Arc::make_mut(&mut m);
            // An element with multiplicity zero is removed.
            if n.is_zero() {
                counts.remove(&value(i)?);
            } else {
                counts.insert(value(i)?, n);
            }
            Ok(Word::Multiset(m))
        }
        Word::Unset
        | Word::Unknown(_)
        | Word::Bool(_)
        | Word::Char(_)
        | Word::Int(_)
        | Word::Set(_) => Err(OpError::Shape),
        Word::Tuple(_)
        | Word::Datatype(_)
        | Word::Null
        | Word::Ref(_)
        | Word::Function(_)
        | Word::Boxed(_) => Err(OpError::Shape),
    }
}

/// Returns the elements of a set, multiset or sequence, or the keys of a map. Except for sequences,
/// they are in ascending order.
pub(crate) fn elements(c: &Word) -> Option<Vec<Value>> {
    match c {
        Word::Seq(s) => Some(s.to_vec()),
        Word::Set(s) => Some(s.iter().cloned().collect()),
        Word::Multiset(m) => Some(m.keys().cloned().collect()),
        Word::Map(m) => Some(m.keys().cloned().collect()),
        Word::Unset
        | Word::Unknown(_)
        | Word::Bool(_)
        | Word::Char(_)
        | Word::Int(_)
        | Word::Tuple(_) => None,
        Word::Datatype(_) | Word::Null | Word::Ref(_) | Word::Function(_) | Word::Boxed(_) => None,
    }
}

/// Returns all proper components of `whole`, which determine the rank order of datatypes.
pub(crate) fn subterms(whole: &Word) -> SortedSet<Value> {
    let mut found = SortedSet::new();
    let whole = whole.clone().value();
    let mut work: Vec<&Value> = whole.iter().flat_map(Value::parts).collect();
    while let Some(value) = work.pop() {
        if !matches!(value, Value::Lazy(_)) && !found.contains(value) {
            work.extend(value.parts());
            found.insert(value.clone());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use dafny_resolve::typed;
    use proptest::prelude::*;

    fn run(op: Op, args: &[Word]) -> Option<Word> {
        let program = typed::Program::default();
        super::super::apply(
            Context {
                program: &program,
                max_elements: 1000,
                max_extent: 1000,
            },
            &op,
            &mut args.to_vec(),
        )
        .ok()
    }

    fn ints(items: &[i8]) -> Vec<Value> {
        items.iter().map(|n| Value::int(*n)).collect()
    }

    fn set(items: &[i8]) -> Word {
        Word::of(Value::set(ints(items)))
    }

    fn bag(items: &[i8]) -> Word {
        Word::of(Value::multiset(ints(items)))
    }

    fn seq(items: &[i8]) -> Word {
        Word::of(Value::seq(ints(items)))
    }

    fn small() -> impl Strategy<Value = Vec<i8>> {
        proptest::collection::vec(-3i8..4, 0..8)
    }

    fn same(a: Option<Word>, b: Option<Word>) -> bool {
        a.zip(b).is_some_and(|(a, b)| a.same(&b))
    }

    proptest! {
        #[test]
        fn cardinality_of_a_union_counts_each_once(a in small(), b in small()) {
            let card = |w: Word| run(Op::Cardinality(Coll::Set), &[w]).and_then(|w| w.as_int()).unwrap();
            let both = run(Op::Union(Coll::Set), &[set(&a), set(&b)]).unwrap();
            let common = run(Op::Intersect(Coll::Set), &[set(&a), set(&b)]).unwrap();
            prop_assert_eq!(card(both) + card(common), card(set(&a)) + card(set(&b)));
        }

        #[test]
        fn removal_undoes_addition_to_a_multiset(a in small(), b in small()) {
            let sum = run(Op::Union(Coll::Multiset), &[bag(&a), bag(&b)]).unwrap();
            prop_assert!(same(run(Op::Difference(Coll::Multiset), &[sum, bag(&b)]), Some(bag(&a))));
        }

        #[test]
        fn the_multiset_of_a_concatenation_is_the_sum(a in small(), b in small()) {
            let joined = run(Op::Union(Coll::Seq), &[seq(&a), seq(&b)]).unwrap();
            let sum = run(Op::Union(Coll::Multiset), &[bag(&a), bag(&b)]);
            prop_assert!(same(run(Op::MultisetOf(Coll::Seq), &[joined]), sum));
        }

        #[test]
        fn slices_of_a_sequence_concatenate_to_it(a in small(), at in 0usize..9) {
            let cut = |low, high| run(Op::Slice, &[seq(&a), Word::length(low), Word::length(high)]);
            match (cut(0, at), cut(at, a.len())) {
                (Some(x), Some(y)) => prop_assert!(same(run(Op::Union(Coll::Seq), &[x, y]), Some(seq(&a)))),
                (x, y) => prop_assert!(at > a.len() && x.is_none() && y.is_none()),
            }
        }

        #[test]
        fn subset_is_inclusion(a in small(), b in small()) {
            let le = run(Op::SubsetEq(Coll::Set), &[set(&a), set(&b)]);
            let none_left = run(Op::Difference(Coll::Set), &[set(&a), set(&b)]).unwrap().same(&set(&[]));
            prop_assert!(same(le, Some(Word::Bool(none_left))));
        }

        #[test]
        fn an_update_is_seen_where_it_was_made(a in small(), at in 0usize..9, v in -3i8..4) {
            let updated = run(Op::Update(Coll::Seq), &[seq(&a), Word::length(at), Word::Int(v.into())]);
            prop_assert_eq!(updated.is_some(), at < a.len());
            if let Some(s) = updated {
                prop_assert!(same(run(Op::Select(Coll::Seq), &[s, Word::length(at)]), Some(Word::Int(v.into()))));
            }
        }
    }
}
