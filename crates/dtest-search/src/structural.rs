//! Structural changes of inputs: parts are exchanged, repeated, removed, permuted and spliced, and
//! elements are added that are related to others.
//!
//! Small changes of single values ([`Mutator::changed`]) rarely make inputs in which three elements
//! are equal, or two orders of magnitude interleave. These operators copy from the inputs
//! themselves, or from other inputs of the unit, the donors. Structures that are put together from
//! parts of valid ones are often valid themselves (Godefroid, Kiezun and Levin, *Grammar-based
//! Whitebox Fuzzing*, 2008; Wang, Chen, Wei and Liu, *Superion*, 2019). Whether a precondition holds
//! is decided by the validation of the result.

use num_bigint::BigInt;

use super::diversify::rewrite;
use super::mutate::Mutator;
use super::parts::{self, Part, Scope};
use dafny_resolve::typed::Type;
use dtest_interp::{Inputs, Interp};
use dtest_value::Value;

/// Maximum number of parts of inputs that structural changes choose from.
pub(super) const MAX_PLACES: usize = 60;
/// Maximum number of changes that are drawn until one applies.
const MAX_DRAWN: usize = 4;
/// Maximum number of changes at once, after the first.
const MAX_FURTHER: usize = 3;
/// Maximum number of elements that a change adds, after the first.
const MAX_MORE: usize = 3;
/// Maximum number of elements of a changed collection.
const MAX_ELEMENTS: usize = 16;
/// Maximum number of characters of a changed string.
pub(super) const MAX_CHARACTERS: usize = 32;

impl Mutator<'_> {
    /// The inputs with one or more structural changes. Parts may be taken from a `donor`. `None` if
    /// nothing can be changed.
    pub(super) fn restructured(
        &mut self,
        interp: &Interp<'_>,
        inputs: &Inputs,
        donor: Option<&Inputs>,
        scope: Scope,
    ) -> Option<Inputs> {
        // Many drawn changes do not apply to the drawn place.
        let mut drawn =
            (0..MAX_DRAWN).map(|_| self.restructured_once(interp, inputs, donor, scope));
        let mut out = drawn.find_map(|out| out.filter(|out| out != inputs))?;
        // Several changes at once reach inputs that are invalid or of no interest after the first.
        for _ in 0..MAX_FURTHER {
            if self.random.below(3) == 0
                && let Some(further) = self.restructured_once(interp, &out, donor, scope)
            {
                out = further;
            }
        }
        (out != *inputs).then_some(out)
    }

    fn restructured_once(
        &mut self,
        interp: &Interp<'_>,
        inputs: &Inputs,
        donor: Option<&Inputs>,
        scope: Scope,
    ) -> Option<Inputs> {
        // A structure means something by the values that its parts share.
        match self.random.below(8) {
            0 => return self.linked(interp, inputs, scope),
            1 => return self.mixed(interp, inputs, scope),
            _ => {}
        }
        let places = self.places(inputs, scope);
        let place = self.random.pick(&places)?;
        let ty = self.program.representation(&place.ty);
        // Values of the same type, first from the inputs themselves, then from the donor.
        let given = donor.map(|d| self.places(d, scope)).unwrap_or_default();
        let others: Vec<Value> = places
            .iter()
            .chain(&given)
            .filter(|p| p.value != place.value && self.program.representation(&p.ty) == ty)
            .map(|p| p.value.clone())
            .collect();
        let value = if self.random.below(4) == 0 && !others.is_empty() {
            self.random.pick(&others)?.clone()
        } else {
            self.reshaped(interp, &place.value, &ty, &others)?
        };
        parts::with(inputs, place, value)
    }

    /// The places that structural changes apply to: datatype values and collections.
    pub(super) fn places(&self, inputs: &Inputs, scope: Scope) -> Vec<Part> {
        parts::structures(self.program, &self.types, inputs, scope, MAX_PLACES)
    }

    /// A value with another structure. `others` are values of the same type.
    fn reshaped(
        &mut self,
        interp: &Interp<'_>,
        value: &Value,
        ty: &Type,
        others: &[Value],
    ) -> Option<Value> {
        match (value, ty) {
            (Value::Seq(xs), Type::Seq(elem)) => {
                let most = if self.program.representation(elem) == Type::Char {
                    MAX_CHARACTERS
                } else {
                    MAX_ELEMENTS
                };
                let other = self
                    .random
                    .pick(others)
                    .and_then(elements)
                    .unwrap_or_default();
                let xs = match self.recomposed(xs.to_vec().as_slice(), elem) {
                    Some(text) if self.random.below(3) == 0 => text,
                    Some(_) | None => self.resequenced(interp, xs.to_vec(), elem, &other)?,
                };
                (xs.len() <= most).then(|| Value::seq(xs))
            }
            (Value::Set(_), Type::Set { elem, .. }) => {
                let xs = self.regrouped(interp, elements(value)?, elem, others)?;
                Some(Value::set(xs))
            }
            (Value::Multiset(counts), Type::Multiset(elem)) => {
                let mut xs: Vec<Value> = counts.keys().cloned().collect();
                // One more of an element that is there already.
                if self.random.flip() {
                    let again = self.random.pick(&xs)?.clone();
                    let one = BigInt::from(1u32);
                    let more = counts.iter().map(|(x, n)| {
                        let n = BigInt::from(n.clone());
                        (x.clone(), if *x == again { n + &one } else { n })
                    });
                    let more: Vec<Value> = more
                        .flat_map(|(x, n)| {
                            let n = usize::try_from(n).unwrap_or(0).min(MAX_ELEMENTS);
                            std::iter::repeat_n(x, n)
                        })
                        .collect();
                    return Some(Value::multiset(more));
                }
                xs = self.regrouped(interp, xs, elem, others)?;
                Some(Value::multiset(xs))
            }
            (Value::Map(pairs), Type::Map { key, value: of, .. }) => {
                let mut pairs: Vec<(Value, Value)> =
                    pairs.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                self.remapped(interp, &mut pairs, (key, of), others)?;
                (pairs.len() <= MAX_ELEMENTS).then(|| Value::map(pairs))
            }
            (Value::Datatype(d), Type::Named { .. }) => {
                // A part of the same datatype: the value is nested into itself or into another one,
                // or replaced by its part.
                let own: Vec<usize> = (0..d.args.len())
                    .filter(|i| d.args.get(*i).is_some_and(|a| self.is_alike(a, value)))
                    .collect();
                let at = self.random.pick(&own).copied();
                match at {
                    Some(at) if self.random.below(3) == 0 => d.args.get(at).cloned(),
                    Some(at) => {
                        let inner = self.random.pick(others).unwrap_or(value).clone();
                        let mut args = d.args.clone();
                        *args.get_mut(at)? = inner;
                        Some(Value::datatype(d.ctor, args))
                    }
                    None => {
                        let around = self.random.pick(others)?;
                        let Value::Datatype(outer) = around else {
                            return None;
                        };
                        let at = outer.args.iter().position(|a| self.is_alike(a, value));
                        match at {
                            Some(at) => {
                                let mut args = outer.args.clone();
                                *args.get_mut(at)? = value.clone();
                                Some(Value::datatype(outer.ctor, args))
                            }
                            None => self.related(value, around),
                        }
                    }
                }
            }
            _ => None,
        }
    }

    /// The elements of a sequence with another structure.
    fn resequenced(
        &mut self,
        interp: &Interp<'_>,
        mut xs: Vec<Value>,
        elem: &Type,
        other: &[Value],
    ) -> Option<Vec<Value>> {
        let length = xs.len();
        let at = self.random.below(length + 1);
        match self.random.below(10) {
            // An element once more, beside itself or elsewhere.
            0 => {
                let x = self.random.pick(&xs)?.clone();
                let to = xs
                    .iter()
                    .position(|y| *y == x)
                    .filter(|_| self.random.flip());
                xs.insert(to.unwrap_or(at), x);
            }
            // A part once more.
            1 => {
                let from = self.random.below(length);
                let end = from + 1 + self.random.below(length - from.min(length));
                let part = xs.get(from..end.min(length))?.to_vec();
                xs.splice(at..at, part);
            }
            // A part less.
            2 => {
                let from = self.random.below(length);
                let end = from + 1 + self.random.below((length - from.min(length)).min(3));
                if end > length {
                    return None;
                }
                xs.drain(from..end);
            }
            // Another order.
            3 => {
                let other = self.random.below(length);
                match self.random.below(3) {
                    0 => xs.reverse(),
                    1 => xs.rotate_left(other),
                    _ if at < length => xs.swap(at, other),
                    _ => return None,
                }
            }
            // Two sequences spliced.
            4 => {
                xs.truncate(at);
                let from = self.random.below(other.len());
                xs.extend(other.get(from..)?.iter().cloned());
            }
            5 => {
                let from = self.random.below(other.len());
                let end = (from + 1 + self.random.below(4)).min(other.len());
                let part = other.get(from..end)?.to_vec();
                xs.splice(at..at, part);
            }
            // An element that is related to two others: it agrees with one in all but one part, and
            // in this part it is equal to the other or its neighbour.
            6 | 7 => {
                let (x, y) = (self.random.pick(&xs)?, self.random.pick(&xs)?);
                let (x, y) = (x.clone(), y.clone());
                let new = self.related(&x, &y)?;
                if self.random.flip() {
                    xs.insert(at, new);
                } else {
                    let at = at.min(length.checked_sub(1)?);
                    *xs.get_mut(at)? = new;
                }
            }
            // Several elements more, each similar to one that is there.
            8 => {
                for _ in 0..=self.random.below(MAX_MORE) {
                    let new = match self.random.pick(&xs).cloned() {
                        Some(x) => self.change(interp, &x, elem),
                        None => self.any_small(interp, elem)?,
                    };
                    let at = self.random.below(xs.len() + 1);
                    xs.insert(at, new);
                }
            }
            _ => {
                let new = match self.random.pick(&xs).cloned() {
                    Some(x) => self.change(interp, &x, elem),
                    None => self.any_small(interp, elem)?,
                };
                xs.insert(at, new);
            }
        }
        Some(xs)
    }

    /// The elements of a set with one more or one less.
    fn regrouped(
        &mut self,
        interp: &Interp<'_>,
        mut xs: Vec<Value>,
        elem: &Type,
        others: &[Value],
    ) -> Option<Vec<Value>> {
        match self.random.below(4) {
            0 => {
                let at = self.random.below(xs.len());
                (at < xs.len()).then(|| xs.remove(at))?;
            }
            1 => {
                let other = self.random.pick(others).and_then(elements)?;
                xs.push(self.random.pick(&other)?.clone());
            }
            _ => {
                let new = match self.random.pick(&xs).cloned() {
                    Some(x) => self.change(interp, &x, elem),
                    None => self.any_small(interp, elem)?,
                };
                xs.push(new);
            }
        }
        (xs.len() <= MAX_ELEMENTS).then_some(xs)
    }

    /// Changes the pairs of a map: one more, one less, or the value of another key.
    fn remapped(
        &mut self,
        interp: &Interp<'_>,
        pairs: &mut Vec<(Value, Value)>,
        (key, value): (&Type, &Type),
        others: &[Value],
    ) -> Option<()> {
        match self.random.below(5) {
            0 => {
                let at = self.random.below(pairs.len());
                (at < pairs.len()).then(|| pairs.remove(at))?;
            }
            1 => {
                let (Some((_, from)), at) = (
                    self.random.pick(pairs).cloned(),
                    self.random.below(pairs.len()),
                ) else {
                    return None;
                };
                let old = pairs.get(at)?.1.clone();
                let new = self.related(&old, &from).unwrap_or(from);
                pairs.get_mut(at)?.1 = new;
            }
            2 => {
                let Some(Value::Map(other)) = self.random.pick(others) else {
                    return None;
                };
                let at = self.random.below(other.len());
                let (k, v) = other.iter().nth(at)?;
                pairs.push((k.clone(), v.clone()));
            }
            _ => {
                let near = self.random.pick(pairs).cloned();
                let (k, v) = match near {
                    Some((k, v)) => (
                        self.change(interp, &k, key),
                        if self.random.flip() {
                            v
                        } else {
                            self.change(interp, &v, value)
                        },
                    ),
                    None => (self.any_small(interp, key)?, self.any_small(interp, value)?),
                };
                pairs.push((k, v));
            }
        }
        Some(())
    }

    /// Whether two values belong to the same datatype, so that one may stand for the other.
    fn is_alike(&self, a: &Value, b: &Value) -> bool {
        if let (Value::Datatype(a), Value::Datatype(b)) = (a, b) {
            self.program[a.ctor].datatype == self.program[b.ctor].datatype
        } else {
            false
        }
    }

    /// The value `x` with one of its parts taken from `y`: a component, or a number that is equal
    /// to the one in `y`, its neighbour, or between the two.
    fn related(&mut self, x: &Value, y: &Value) -> Option<Value> {
        // Whole components, such as a name, are exchanged where there are any.
        if let (Value::Datatype(a), Value::Datatype(b)) = (x, y)
            && a.ctor == b.ctor
            && self.random.flip()
        {
            let at = self.random.below(a.args.len());
            let mut args = a.args.clone();
            *args.get_mut(at)? = b.args.get(at)?.clone();
            return Some(Value::datatype(a.ctor, args));
        }
        if let (Value::Tuple(a), Value::Tuple(b)) = (x, y)
            && self.random.flip()
        {
            let at = self.random.below(a.len());
            let mut items = a.to_vec();
            *items.get_mut(at)? = b.get(at)?.clone();
            return Some(Value::tuple(items));
        }
        let numbers = |value: &Value| {
            let mut found = Vec::new();
            rewrite(value, false, &mut |v| {
                if let Value::Int(n) = v {
                    found.push(n.clone());
                }
                None
            });
            found
        };
        let (mine, theirs) = (numbers(x), numbers(y));
        // Values of the same form have the same number of numbers in the same order.
        let at = self.random.below(mine.len());
        let from = if mine.len() == theirs.len() {
            theirs.get(at)?
        } else {
            self.random.pick(&theirs)?
        };
        let new = match self.random.below(5) {
            0 | 1 => from.clone(),
            2 => from + 1,
            3 => from - 1,
            _ => (from + mine.get(at)?) / 2,
        };
        let mut next = 0;
        Some(rewrite(x, false, &mut |v| {
            let Value::Int(_) = v else { return None };
            next += 1;
            (next == at + 1).then(|| Value::Int(new.clone()))
        }))
    }
}

/// The elements of a sequence, set or multiset.
fn elements(value: &Value) -> Option<Vec<Value>> {
    if let Value::Seq(xs) = value {
        Some(xs.to_vec())
    } else if let Value::Set(xs) = value {
        Some(xs.iter().cloned().collect())
    } else if let Value::Multiset(counts) = value {
        Some(counts.keys().cloned().collect())
    } else {
        None
    }
}
