//! Resolution of choices other than by the rule for choices: pseudorandom, or given by the caller.
//!
//! A statement chooses anew whenever it is executed. An expression in a function or constant is
//! deterministic: it takes the same candidate whenever the candidates are the same.
//!
//! Key type: [`Resolver`].

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Frame, Machine, Step, bug};
use crate::api::{Chosen, Opening, Resolution};
use crate::heap::{Words, cell_mut};
use crate::word::Word;
use crate::xorshift::Xorshift;
use dafny_resolve::typed::{ArrowKind, FieldId, FieldKind, Type, TypeDeclKind};
use dafny_source::Span;
use dtest_ir::ctors_of;
use dtest_sorted::SortedMap;
use dtest_value::{FunctionValue, ObjectId, Value};

/// The nesting depth of generated values.
const DEPTH: u32 = 2;
/// The limit of candidates of `:|` that are inspected.
pub(super) const MAX_CANDIDATES: u64 = 40;
/// The limit of elements of a new array with values other than the default.
const MAX_OPEN: usize = 64;
/// The limit of attempts to generate a value of a type.
const TRIES: usize = 12;

/// A `:|` in a function: its place and the arguments of the function.
pub(super) type FunctionalChoice = (u32, Vec<Value>);

/// The resolver of choices.
pub(super) struct Resolver {
    advice: Advice,
    seed: u64,
    random: Xorshift,
    /// The numbers that the program compares with.
    ints: Vec<BigInt>,
    /// The resolutions so far.
    chosen: Vec<Chosen>,
    /// The resolution of the current `:|`.
    wanted: Option<Vec<Value>>,
    /// The resolutions of choices in functions.
    settled: SortedMap<FunctionalChoice, Vec<Value>>,
    /// The values of constants without a value.
    pub(super) constants: SortedMap<(FieldId, Type), Word>,
}

impl Resolver {
    pub(super) fn of(resolution: &Resolution) -> Option<Self> {
        match resolution {
            Resolution::Rule => None,
            Resolution::Random { seed, ints } => Some(Self::new(Advice::None, *seed, ints.clone())),
            Resolution::Guided(guide) => {
                let queues = guide
                    .taken
                    .iter()
                    .map(|(at, all)| (at.clone(), all.iter().cloned().collect()));
                Some(Self::new(Advice::At(queues.collect()), 0, Vec::new()))
            }
            Resolution::Again(all) => Some(Self::new(
                Advice::InOrder(all.iter().cloned().collect()),
                0,
                Vec::new(),
            )),
        }
    }

    fn new(advice: Advice, seed: u64, ints: Vec<BigInt>) -> Self {
        let state = (seed ^ Xorshift::START).wrapping_mul(0xBF58_476D_1CE4_E5B9) | 1;
        Self {
            advice,
            seed,
            random: Xorshift::new(state),
            ints,
            chosen: Vec::new(),
            wanted: None,
            settled: SortedMap::new(),
            constants: SortedMap::new(),
        }
    }

    /// Returns the caller's choice for this place.
    fn advised(&mut self, at: Option<&Opening>) -> Option<Chosen> {
        match &mut self.advice {
            Advice::None => None,
            Advice::At(queues) => at
                .and_then(|at| queues.get_mut(at))
                .and_then(VecDeque::pop_front),
            Advice::InOrder(all) => all.pop_front(),
        }
    }

    /// Returns the caller's choice for a place that a `modify` statement changes.
    fn advised_place(&mut self, at: Span, object: ObjectId, place: u32) -> Option<Chosen> {
        let Advice::At(queues) = &mut self.advice else {
            return self.advised(None);
        };
        let queue = queues.get_mut(&Opening::Modified(at))?;
        let is_here = |chosen: &Chosen| match chosen {
            Chosen::Values(values) => match values.as_slice() {
                [Value::Ref(id), Value::Int(n), _] => *id == object && *n == BigInt::from(place),
                _ => false,
            },
            Chosen::Way(_) => false,
        };
        let found = queue.iter().position(is_here)?;
        match queue.remove(found)? {
            Chosen::Values(mut values) => Some(Chosen::Values(values.pop().into_iter().collect())),
            Chosen::Way(_) => None,
        }
    }

    /// Whether choices are pseudorandom.
    fn is_random(&self) -> bool {
        matches!(self.advice, Advice::None)
    }

    /// Chooses one of `n` successors.
    pub(super) fn way(&mut self, at: &Opening, n: usize) -> usize {
        let way = match self.advised(Some(at)) {
            Some(Chosen::Way(way)) if (way as usize) < n => way as usize,
            Some(Chosen::Way(_) | Chosen::Values(_)) => 0,
            None if self.is_random() => self.below(n),
            None => 0,
        };
        self.chosen.push(Chosen::Way(way as u32));
        way
    }

    /// Begins a `:|` and determines its resolution. In a function, an earlier resolution for the
    /// same arguments takes precedence.
    pub(super) fn begin(&mut self, at: &Opening, asked: Option<&FunctionalChoice>) {
        let advised = match self.advised(Some(at)) {
            Some(Chosen::Values(values)) => Some(values),
            Some(Chosen::Way(_)) | None => None,
        };
        self.wanted = asked
            .and_then(|asked| self.settled.get(asked).cloned())
            .or(advised);
    }

    /// Takes the resolution of the current `:|`.
    pub(super) fn take_wanted(&mut self) -> Option<Vec<Value>> {
        self.wanted.take()
    }

    /// Whether a candidate of `:|` is the resolution; `None` if there is none.
    pub(super) fn is_wanted(&self, values: &[Value]) -> Option<bool> {
        match &self.wanted {
            Some(wanted) => Some(wanted.as_slice() == values),
            None if self.is_random() => None,
            None => Some(true),
        }
    }

    /// Records the resolution of a `:|`.
    pub(super) fn took(&mut self, asked: Option<FunctionalChoice>, values: Vec<Value>) {
        self.wanted = None;
        if let Some(asked) = asked {
            self.settled.entry(asked).or_insert_with(|| values.clone());
        }
        self.chosen.push(Chosen::Values(values));
    }

    /// Returns all resolutions in order.
    pub(super) fn into_chosen(self) -> Vec<Chosen> {
        self.chosen
    }

    /// Returns the next pseudorandom number.
    pub(super) fn next(&mut self) -> u64 {
        self.random.next()
    }

    /// Returns a pseudorandom number below `n`; 0 if `n` is 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    /// Returns the rank of a candidate. The candidate with the highest rank is taken. In a
    /// function, the rank depends only on the place and the values.
    pub(super) fn rank(&mut self, place: Option<u32>, values: &[Value]) -> u64 {
        let Some(place) = place else {
            return self.next() >> 2;
        };
        let mut hasher = DefaultHasher::new();
        (self.seed, place, format!("{values:?}")).hash(&mut hasher);
        hasher.finish() >> 2
    }

    fn int(&mut self) -> BigInt {
        match self.below(4) {
            0 if !self.ints.is_empty() => {
                let at = self.below(self.ints.len());
                let near = self.below(3) as i64 - 1;
                self.ints.get(at).cloned().unwrap_or_default()
                    + if self.below(2) == 0 { 0 } else { near }
            }
            1 => BigInt::from(self.below(120) as i64 - 20),
            _ => BigInt::from(self.below(11) as i64 - 3),
        }
    }
}

/// The choices of the caller.
enum Advice {
    None,
    /// The resolutions of each place, in execution order.
    At(SortedMap<Opening, VecDeque<Chosen>>),
    InOrder(VecDeque<Chosen>),
}

impl Machine<'_, '_, '_> {
    /// Returns the resolutions in order; empty if the rule for choices applies.
    pub(crate) fn chosen(&mut self) -> Vec<Chosen> {
        self.resolver
            .take()
            .map_or_else(Vec::new, Resolver::into_chosen)
    }

    /// Whether a choice at the current place belongs to a function or a constant, so that equal
    /// candidates have the same resolution.
    pub(super) fn is_functional(&self) -> bool {
        let of_function = |f: &Frame| match f.code.callable {
            Some(callable) => self.interp.program.typed[callable].kind.is_function(),
            None => true,
        };
        self.frames.last().is_some_and(of_function)
    }

    /// Returns the key of a choice in a function, if the caller resolves choices. Pseudorandom
    /// choices are determined by the candidates instead.
    pub(super) fn functional_choice(&self) -> Option<FunctionalChoice> {
        if self.resolver.as_ref().is_none_or(Resolver::is_random) || !self.is_functional() {
            return None;
        }
        let frame = self.frames.last()?;
        let args = self
            .stack
            .get(frame.base as usize..)?
            .get(..frame.code.params as usize)?;
        Some((
            self.span().start,
            args.iter()
                .cloned()
                .map(Word::value)
                .collect::<Option<_>>()?,
        ))
    }

    /// Returns a value for an open location, if choices are resolved; `None`: the rule for choices
    /// applies.
    pub(super) fn opened(&mut self, at: Option<&Opening>, ty: &Type) -> Option<Value> {
        let advised = self.resolver.as_mut()?.advised(at);
        self.resolved(advised, ty)
    }

    /// Returns the resolution of a choice by the inputs of the execution (`advised`); otherwise, an
    /// arbitrary value, or `None`: the rule for choices applies.
    fn resolved(&mut self, advised: Option<Chosen>, ty: &Type) -> Option<Value> {
        let interp = self.interp;
        let is_random = self.resolver.as_ref()?.is_random();
        let value = match advised {
            // A given value counts only if it belongs to the type.
            Some(Chosen::Values(values)) => values
                .into_iter()
                .next()
                .filter(|v| interp.has_type(v, ty, &self.heap).is_true()),
            Some(Chosen::Way(_)) => None,
            None if is_random => self.made_up(ty),
            None => None,
        };
        self.resolver
            .as_mut()?
            .chosen
            .push(Chosen::Values(value.iter().cloned().collect()));
        value
    }

    /// Returns the value that a `modify` statement gives to a place of an object.
    fn changed(&mut self, object: ObjectId, place: u32, ty: &Type) -> Option<Value> {
        let span = self.span();
        let advised = self.resolver.as_mut()?.advised_place(span, object, place);
        self.resolved(advised, ty)
    }

    /// Initializes the contents of a new object if choices are resolved, so that all later states
    /// have the same values.
    pub(super) fn open_object(&mut self, id: ObjectId) -> Step<()> {
        if self.resolver.is_none() {
            return Ok(());
        }
        let interp = self.interp;
        let typed = &interp.program.typed;
        let cell = self.heap.get(id.0 as usize).cloned().ok_or_else(bug)?;
        match (&cell.contents, &cell.ty) {
            // The fields that Dafny leaves arbitrary get values from the resolver, or default
            // values.
            (Words::Fields(_), Type::Named { decl, .. }) => {
                let owners = std::iter::once(*decl)
                    .chain(typed.ancestors(*decl).into_iter().map(|(t, _)| t));
                for field in owners.flat_map(|t| typed[t].fields.iter().copied()) {
                    let is_open = matches!(
                        typed[field].kind,
                        FieldKind::Mutable | FieldKind::Const(None)
                    ) && !typed[field].is_static;
                    let ty = typed.field_type(&cell.ty, field);
                    // A field without a default value must be assigned before it is read.
                    if is_open && let Some(default) = interp.default_value(&ty) {
                        self.deterministic = false;
                        let value = self
                            .opened(Some(&Opening::Field(field)), &ty)
                            .unwrap_or(default);
                        cell_mut(&mut self.heap, id)
                            .ok_or_else(bug)?
                            .set_field(field, Word::of(value));
                    }
                }
            }
            (Words::Elements(elements), Type::Array { elem, .. }) => {
                let Some(default) = interp.default_value(elem) else {
                    return Ok(());
                };
                // The elements of an array without initializer are arbitrary as well.
                self.deterministic &= elements.is_empty();
                for at in 0..elements.len() {
                    let value = if at < MAX_OPEN {
                        self.opened(None, elem)
                    } else {
                        None
                    };
                    let word = Word::of(value.unwrap_or_else(|| default.clone()));
                    if let Words::Elements(elements) =
                        &mut cell_mut(&mut self.heap, id).ok_or_else(bug)?.contents
                        && let Some(place) = elements.get_mut(at)
                    {
                        *place = word;
                    }
                }
            }
            (Words::Fields(_) | Words::Elements(_), _) => {}
        }
        Ok(())
    }

    /// Generates a value of a concrete type; `None` if none was found.
    fn made_up(&mut self, ty: &Type) -> Option<Value> {
        let interp = self.interp;
        let rep = interp.program.typed.representation(ty);
        // Values of the base type are tried until one satisfies the constraints.
        for _ in 0..TRIES {
            let value = self.plain(&rep, DEPTH)?;
            if rep == *ty || interp.has_type(&value, ty, &self.heap).is_true() {
                return Some(value);
            }
        }
        None
    }

    /// Returns an existing object of a type, if choices are pseudorandom.
    pub(super) fn some_object(&mut self, ty: &Type) -> Option<Word> {
        let interp = self.interp;
        let resolver = self.resolver.as_mut().filter(|r| r.is_random())?;
        if !interp.program.typed.is_reference(ty) {
            return None;
        }
        let heap = &self.heap;
        let ids = (0..heap.len() as u32).map(ObjectId);
        let all: Vec<ObjectId> = ids
            .filter(|id| interp.has_type(&Value::Ref(*id), ty, heap).is_true())
            .take(16)
            .collect();
        let taken = all.get(resolver.below(all.len())).copied();
        taken.map(|id| {
            // Replace the recorded resolution, which was empty.
            resolver.chosen.pop();
            resolver.chosen.push(Chosen::Values(vec![Value::Ref(id)]));
            Word::of(Value::Ref(id))
        })
    }

    fn parts(&mut self, n: usize, ty: &Type, depth: u32) -> Option<Vec<Value>> {
        (0..n)
            .map(|_| {
                if depth == 0 {
                    self.interp.default_value(ty)
                } else {
                    self.within(ty, depth - 1)
                }
            })
            .collect()
    }

    fn within(&mut self, ty: &Type, depth: u32) -> Option<Value> {
        let interp = self.interp;
        let rep = interp.program.typed.representation(ty);
        let value = self.plain(&rep, depth)?;
        if rep == *ty || interp.has_type(&value, ty, &self.heap).is_true() {
            Some(value)
        } else {
            interp.default_value(ty)
        }
    }

    fn plain(&mut self, ty: &Type, depth: u32) -> Option<Value> {
        let interp = self.interp;
        // Sizes decrease with the depth, which bounds the value.
        let size = match &mut self.resolver {
            Some(r) if depth > 0 => r.below(4),
            Some(_) | None => 0,
        };
        let r = self.resolver.as_mut()?;
        Some(match ty {
            Type::Bool => Value::Bool(r.below(2) == 0),
            Type::Int => Value::Int(r.int()),
            Type::Char => Value::Char(32 + r.below(95) as u32),
            Type::Real => Value::Real(BigRational::new(r.int(), BigInt::from(1 + r.below(3)))),
            Type::Bv(width) => {
                let all = (num_bigint::BigUint::from(1u32) << *width) - 1u32;
                let bits = r.int().magnitude() & &all;
                Value::Bv {
                    width: *width,
                    bits: if r.below(4) == 0 { all - bits } else { bits },
                }
            }
            Type::Seq(elem) => Value::seq(self.parts(size, elem, depth)?),
            Type::Set { elem, .. } => Value::set(self.parts(size, elem, depth)?),
            Type::Multiset(elem) => Value::multiset(self.parts(size, elem, depth)?),
            Type::Map { key, value, .. } => {
                let keys = self.parts(size, key, depth)?;
                let values = self.parts(size, value, depth)?;
                Value::map(keys.into_iter().zip(values))
            }
            Type::Tuple(types) => {
                let mut parts = Vec::with_capacity(types.len());
                for (_, ty) in types {
                    parts.push(self.within(ty, depth.saturating_sub(1))?);
                }
                Value::tuple(parts)
            }
            Type::Named { decl, args, .. } => match &interp.program.typed[*decl].kind {
                TypeDeclKind::Datatype { co: false, .. } => {
                    let ctors = ctors_of(&interp.program.typed, *decl);
                    let ctor = *ctors.get(r.below(ctors.len()))?;
                    let subst = interp.program.typed.substitution(*decl, args);
                    let fields = &interp.program.typed[ctor].fields;
                    // A constructor with fields would exceed the depth.
                    if depth == 0 && !fields.is_empty() {
                        return interp.default_value(ty);
                    }
                    let mut values = Vec::with_capacity(fields.len());
                    for field in fields {
                        let ty = interp.program.typed[*field].ty.subst(&subst);
                        values.push(self.within(&ty, depth - 1)?);
                    }
                    Value::datatype(ctor, values)
                }
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_) => return interp.default_value(ty),
            },
            // A partial function may be undefined everywhere.
            Type::Arrow {
                kind: ArrowKind::Partial | ArrowKind::General,
                result,
                ..
            } if r.below(2) == 0 => {
                let default = interp.default_value(result)?;
                let function = Box::new(FunctionValue::Table {
                    entries: Vec::new(),
                    default,
                });
                Value::Function(Arc::new(FunctionValue::Partial {
                    function,
                    elsewhere: false,
                    exceptions: Vec::new(),
                }))
            }
            Type::Ordinal
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => {
                return interp.default_value(ty);
            }
        })
    }

    /// Executes `modify`: gives arbitrary values to the contents of the objects in a part of the
    /// frame.
    pub(super) fn modify(&mut self, part: &Word, only: Option<FieldId>) -> Step<()> {
        self.deterministic = false;
        if self.resolver.is_none() {
            return Ok(()); // the rule for choices leaves everything unchanged
        }
        // The part denotes an object or a collection of objects.
        let objects: Vec<ObjectId> = if let Word::Ref(id) = part {
            vec![*id]
        } else {
            super::ops::elements(part)
                .map(|all| {
                    all.into_iter()
                        .filter_map(|v| {
                            if let Value::Ref(id) = v {
                                Some(id)
                            } else {
                                None
                            }
                        })
                        .collect()
                })
                .unwrap_or_default()
        };
        // Only compiled fields that may change get new values.
        for id in objects {
            let cell = self.heap.get(id.0 as usize).cloned().ok_or_else(bug)?;
            match &cell.contents {
                Words::Fields(fields) => {
                    for (field, _) in fields.iter().filter(|(f, _)| only.is_none_or(|o| o == *f)) {
                        let typed = &self.interp.program.typed;
                        let is_open = !typed[*field].ghost
                            && matches!(typed[*field].kind, FieldKind::Mutable);
                        let ty = typed.field_type(&cell.ty, *field);
                        if is_open && let Some(value) = self.changed(id, field.0, &ty) {
                            cell_mut(&mut self.heap, id)
                                .ok_or_else(bug)?
                                .set_field(*field, Word::of(value));
                        }
                    }
                }
                Words::Elements(elements) if only.is_none() => {
                    let Type::Array { elem, .. } = &cell.ty else {
                        return Err(bug());
                    };
                    for at in 0..elements.len() {
                        let Some(value) = self.changed(id, at as u32, elem) else {
                            continue;
                        };
                        if let Words::Elements(elements) =
                            &mut cell_mut(&mut self.heap, id).ok_or_else(bug)?.contents
                            && let Some(word) = elements.get_mut(at)
                        {
                            *word = Word::of(value);
                        }
                    }
                }
                Words::Elements(_) => {} // an array has no fields
            }
        }
        Ok(())
    }
}
