//! Enumeration of candidates for comprehensions, quantifiers and `:|`, in the order of the rule for
//! choices.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::Signed;

use super::{Machine, Step, bug};
use crate::api::{FailureKind, Outcome};
use crate::code::{Code, Ins, IterKind};
use crate::ops;
use crate::probes::probes;
use crate::types::{self, Obligation};
use crate::word::Word;
use dafny_resolve::typed::{Type, TypeDeclKind};
use dtest_ir::reason::{Equality, Limit, Reason};
use dtest_value::{ObjectId, Value};

/// The limit of enumerated values of a type.
const MAX_VALUES: usize = 1_200_000;

/// An active iteration.
pub(crate) enum Iter {
    /// Ascending integers up to `end`, exclusive.
    Ints {
        next: i64,
        end: i64,
    },
    /// Ascending integers of any size, up to `end` if there is one.
    Large {
        next: BigInt,
        end: Option<BigInt>,
    },
    /// Descending integers without end.
    Down(BigInt),
    /// The integers 0, 1, -1, 2, -2, …
    Outward(i64),
    List(std::vec::IntoIter<Value>),
    /// Subsets in ascending order, each represented by the positions of its elements.
    Subsets {
        items: Vec<Value>,
        chosen: Option<Vec<usize>>,
    },
    Prefixes {
        items: std::sync::Arc<Vec<Value>>,
        length: usize,
    },
    /// Constraints to check. They are not candidates.
    Obligations(std::vec::IntoIter<Obligation>),
}

impl Iter {
    /// Returns the next candidate; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Word> {
        match self {
            Self::Ints { next, end } => {
                if *next >= *end {
                    return None;
                }
                *next += 1;
                Some(Word::Int(*next - 1))
            }
            Self::Large { next, end } => {
                if end.as_ref().is_some_and(|e| *next >= *e) {
                    return None;
                }
                let n = next.clone();
                *next += 1;
                Some(Word::int(n))
            }
            Self::Down(next) => {
                *next -= 1;
                Some(Word::int(next.clone()))
            }
            // The order 0, 1, -1, 2, -2, … reaches every integer.
            Self::Outward(n) => {
                let now = *n;
                *n = if now > 0 {
                    -now
                } else {
                    now.checked_neg()?.checked_add(1)?
                };
                Some(Word::Int(now))
            }
            Self::List(items) => items.next().map(Word::of),
            Self::Subsets { items, chosen } => {
                let now = chosen.take()?;
                let set = Value::set(now.iter().filter_map(|i| items.get(*i)).cloned());
                *chosen = next_subset(now, items.len());
                Some(Word::of(set))
            }
            Self::Prefixes { items, length } => {
                let prefix = items.get(..*length)?;
                *length += 1;
                Some(Word::of(Value::seq(prefix.iter().cloned())))
            }
            Self::Obligations(_) => None,
        }
    }
}

/// Returns the next subset in lexicographic order.
fn next_subset(mut now: Vec<usize>, n: usize) -> Option<Vec<usize>> {
    match now.last().copied() {
        None if n == 0 => None,
        None => Some(vec![0]),
        Some(last) if last + 1 < n => {
            now.push(last + 1);
            Some(now)
        }
        Some(_) => {
            now.pop();
            let before = now.pop()?;
            now.push(before + 1);
            Some(now)
        }
    }
}

impl Machine<'_, '_, '_> {
    pub(super) fn end_iterations(&mut self, n: u32) {
        let keep = self.iters.len().saturating_sub(n as usize);
        self.iters.truncate(keep);
    }

    /// Executes instructions that add to the accumulator of a comprehension.
    pub(super) fn accumulate(&mut self, ins: Ins) -> Step<()> {
        // An unknown accumulator stays unknown.
        if matches!(ins, Ins::SetInsert | Ins::SeqPush) {
            let word = self.pop()?;
            let max = self.interp.limits.objects;
            let acc = self.top()?;
            match (acc, word.clone().value()) {
                (Word::Unknown(_), _) => {}
                (Word::Set(items), Some(v)) => drop(Arc::make_mut(items).insert(v)),
                (Word::Seq(items), Some(v)) if items.len() < max => Arc::make_mut(items).push(v),
                (Word::Seq(_), Some(_)) => return Err(Box::new(Outcome::OutOfFuel(Limit::Memory))),
                (acc, None) => *acc = word,
                (_, Some(_)) => return Err(bug()),
            }
        } else if matches!(ins, Ins::MapInsert) {
            self.map_insert()?
        } else if matches!(ins, Ins::CheckLength) {
            let n = self.top()?;
            if matches!(n, Word::Unknown(_)) {
                return Ok(());
            }
            // A length must not be negative, and must not exceed the memory.
            let (shown, small) = (n.show(), n.as_index());
            let negative = n.compare_ints(&Word::Int(0)).ok_or_else(bug)?.is_lt();
            if negative {
                return self.fail(FailureKind::Domain, format!("length {shown}"));
            }
            if small.is_none_or(|n| n > self.interp.limits.objects) {
                return Err(Box::new(Outcome::OutOfFuel(Limit::Memory)));
            }
        } else {
            return Err(bug());
        }
        Ok(())
    }

    /// Adds a pair to the accumulator of a map comprehension.
    fn map_insert(&mut self) -> Step<()> {
        let (v, k) = (self.pop()?, self.pop()?);
        let unknown = [&k, &v]
            .into_iter()
            .find(|w| matches!(w, Word::Unknown(_)))
            .cloned();
        let acc = self.top()?;
        match (acc, k.clone().value(), v.value()) {
            (Word::Unknown(_), _, _) => Ok(()),
            (Word::Map(pairs), Some(k), Some(v)) => {
                let pairs = std::sync::Arc::make_mut(pairs);
                // Equal keys need equal values.
                match pairs.get(&k) {
                    Some(old) if old.may_equal(&v) => {
                        *self.top()? = Word::unknown(Equality::Functions);
                        Ok(())
                    }
                    Some(old) if *old != v => self.fail(
                        FailureKind::Key,
                        "two different values for one key of a map comprehension",
                    ),
                    Some(_) => Ok(()),
                    None => {
                        pairs.insert(k, v);
                        Ok(())
                    }
                }
            }
            (acc, _, _) => {
                *acc = unknown.ok_or_else(bug)?;
                Ok(())
            }
        }
    }

    pub(super) fn iter_new(&mut self, site: u32, code: &Code) -> Step<()> {
        let site = code.iters.get(site as usize).ok_or_else(bug)?;
        let operands = match site.kind {
            IterKind::Ints => 2,
            IterKind::Up
            | IterKind::Down
            | IterKind::Exact
            | IterKind::Elements
            | IterKind::Subsets
            | IterKind::Prefixes
            | IterKind::Subterms(_) => 1,
            IterKind::Outward
            | IterKind::AllValues(_)
            | IterKind::Allocated { .. }
            | IterKind::Probe { .. } => 0,
        };
        let operands = self.pop_many(operands)?;
        // If an operand is unknown, the whole loop is skipped with an unknown result.
        let unknown = operands
            .iter()
            .find(|w| matches!(w, Word::Unknown(_)))
            .cloned();
        let made = match unknown {
            Some(word) => Err(word),
            None => self.iter_of(&site.kind, operands)?,
        };
        match made {
            Ok(iter) => self.iters.push(iter),
            Err(unknown) => {
                self.end_iterations(site.depth);
                *self.top()? = unknown;
                self.jump(site.unknown)?;
            }
        }
        Ok(())
    }

    fn iter_of(&mut self, kind: &IterKind, operands: Vec<Word>) -> Step<Result<Iter, Word>> {
        let program = &self.interp.program.typed;
        let mut operands = operands.into_iter();
        let mut operand = || operands.next().ok_or_else(bug);
        let list = |values: Vec<Value>| Iter::List(values.into_iter());
        Ok(Ok(match kind {
            // Bounded ranges of machine integers are the common case.
            IterKind::Ints => match (operand()?, operand()?) {
                (Word::Int(low), Word::Int(high)) => Iter::Ints {
                    next: low,
                    end: high,
                },
                (low, high) => Iter::Large {
                    next: low.as_number().ok_or_else(bug)?,
                    end: Some(high.as_number().ok_or_else(bug)?),
                },
            },
            IterKind::Up => Iter::Large {
                next: operand()?.as_number().ok_or_else(bug)?,
                end: None,
            },
            IterKind::Down => Iter::Down(operand()?.as_number().ok_or_else(bug)?),
            IterKind::Outward => Iter::Outward(0),
            IterKind::Exact => list(vec![operand()?.value().ok_or_else(bug)?]),
            IterKind::Elements => {
                let values = ops::elements(&operand()?).ok_or_else(bug)?;
                self.charge(values.len())?;
                list(values)
            }
            IterKind::Subsets => {
                let items = ops::elements(&operand()?).ok_or_else(bug)?;
                Iter::Subsets {
                    items,
                    chosen: Some(Vec::new()),
                }
            }
            IterKind::Prefixes => {
                if let Word::Seq(items) = operand()? {
                    Iter::Prefixes { items, length: 0 }
                } else {
                    return Err(bug());
                }
            }
            IterKind::AllValues(ty) => {
                let ty = self.concrete(*ty)?;
                if let Some((low, high)) = integers(program, &ty) {
                    return Ok(Ok(Iter::Large {
                        next: low,
                        end: Some(high),
                    }));
                }
                match types::all_values(program, &ty, MAX_VALUES) {
                    Some(values) => {
                        self.charge(values.len() / 8)?;
                        list(values)
                    }
                    None => {
                        return Ok(Err(Word::unknown(Reason::AllValues(
                            program.show_type(&ty).into(),
                        ))));
                    }
                }
            }
            // The proper components of a value that belong to the type.
            IterKind::Subterms(ty) => {
                let ty = self.concrete(*ty)?;
                let within = ops::subterms(&operand()?);
                self.charge(within.len())?;
                let heap = self.view();
                let constraints = self.interp.constraints();
                let fits = |v: &Value| {
                    let tested = types::obligations(program, constraints, heap, v.clone(), &ty);
                    tested.constraints.is_some()
                };
                list(within.into_iter().filter(fits).collect())
            }
            IterKind::Allocated { nullable } => {
                // There may be more objects than the inputs have.
                self.undecided_count += 1;
                let count = self.view().len();
                self.charge(count)?;
                let objects = (0..count as u32).map(|id| Value::Ref(ObjectId(id)));
                list(
                    nullable
                        .then_some(Value::Null)
                        .into_iter()
                        .chain(objects)
                        .collect(),
                )
            }
            IterKind::Probe { ty, max } => {
                let ty = self.concrete(*ty)?;
                // If the type has too many values, only samples are tried, and the flag below on
                // the stack becomes false.
                match types::all_values(program, &ty, *max).filter(|values| values.len() <= *max) {
                    Some(values) => list(values),
                    None => {
                        let below = self.stack.len().checked_sub(2).ok_or_else(bug)?;
                        *self.stack.get_mut(below).ok_or_else(bug)? = Word::Bool(false);
                        list(probes(program, self.view(), &ty))
                    }
                }
            }
        }))
    }
}

/// Returns the known range of an integer newtype.
fn integers(program: &dafny_resolve::typed::Program, ty: &Type) -> Option<(BigInt, BigInt)> {
    let Type::Named { decl, .. } = ty else {
        return None;
    };
    match &program[*decl].kind {
        TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => c
            .range
            .clone()
            .filter(|(low, high)| !(high - low).is_negative()),
        TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Abstract
        | TypeDeclKind::Class
        | TypeDeclKind::Trait { .. }
        | TypeDeclKind::Iterator(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut iter: Iter, n: usize) -> Vec<Value> {
        std::iter::from_fn(|| iter.next().and_then(Word::value))
            .take(n)
            .collect()
    }

    #[test]
    fn integers_without_bounds_are_searched_outward_from_zero() {
        let expected: Vec<Value> = [0, 1, -1, 2, -2].map(Value::int).into();
        assert_eq!(all(Iter::Outward(0), 5), expected);
    }

    #[test]
    fn subsets_come_in_ascending_order() {
        let items: Vec<Value> = (1..=4).map(Value::int).collect();
        let found = all(
            Iter::Subsets {
                items,
                chosen: Some(Vec::new()),
            },
            100,
        );
        assert_eq!(found.len(), 16);
        assert!(found.is_sorted());
    }

    #[test]
    fn prefixes_go_from_the_empty_one_to_the_whole() {
        let items = std::sync::Arc::new(vec![Value::int(1), Value::int(2)]);
        let found = all(Iter::Prefixes { items, length: 0 }, 100);
        assert_eq!(found.len(), 3);
        assert!(found.is_sorted());
    }
}
