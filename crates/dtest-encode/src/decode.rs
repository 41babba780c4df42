//! Decoding of models: reads the concrete inputs of the interpreter from an assignment.
//!
//! Key type: [`Decoder`]. Values without a concrete form are `None`: the model is then not usable,
//! or the interpreter chooses.

use std::sync::Arc;

use num_traits::{Signed, ToPrimitive};

use super::value::{Heap, Sym, SymContents, SymFunc, SymLazy, SymMap, SymMultiset, SymSeq, SymSet};
use super::{Encoder, Taken};
use dafny_resolve::typed::Type;
use dtest_desugar::ExternalCode as _;
use dtest_interp::{Answer, Chosen, Guide, Inputs};
use dtest_smt::{Assignment, Const, Evaluator};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{
    Contents, Elements, FunctionValue, Heap as ValueHeap, LazyValue, Object, ObjectId, Thunk, Value,
};

/// The limit of the length of a described sequence.
const MAX_LENGTH: usize = 1 << 20;

/// A reader of the values of one model.
pub(super) struct Decoder<'a> {
    encoder: &'a Encoder<'a>,
    eval: Evaluator<'a>,
    heap: &'a Heap,
    /// The concrete numbers of the objects that were reached.
    numbers: SortedMap<u32, u32>,
    objects: Vec<Option<Object>>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(encoder: &'a Encoder<'a>, model: &'a Assignment, heap: &'a Heap) -> Self {
        Self {
            encoder,
            eval: Evaluator::new(&encoder.t, model),
            heap,
            numbers: SortedMap::new(),
            objects: Vec::new(),
        }
    }

    pub(super) fn inputs(self, inputs: &[(Sym, Type)], type_args: &[Type]) -> Option<Inputs> {
        self.all(inputs, type_args, false).map(|(inputs, _)| inputs)
    }

    /// Decodes the inputs and the resolution of free choices.
    pub(super) fn freely(
        self,
        inputs: &[(Sym, Type)],
        type_args: &[Type],
    ) -> Option<(Inputs, Guide)> {
        self.all(inputs, type_args, true)
    }

    fn all(
        mut self,
        inputs: &[(Sym, Type)],
        type_args: &[Type],
        is_free: bool,
    ) -> Option<(Inputs, Guide)> {
        let args: Option<Vec<Value>> = inputs.iter().map(|(s, _)| self.value(s)).collect();
        let args = args?;
        // The arguments come first: the changes that stubs make refer to their objects.
        let answers = self.answers();
        let guide = if is_free {
            self.guide()
        } else {
            Guide::default()
        };
        let objects: Option<Vec<Object>> = self.objects.into_iter().collect();
        Some((
            Inputs {
                type_args: type_args.to_vec(),
                args,
                heap: ValueHeap { objects: objects? },
                answers,
            },
            guide,
        ))
    }

    /// Decodes the resolutions of free choices in the model. The interpreter resolves those without
    /// a concrete form.
    fn guide(&mut self) -> Guide {
        let encoder = self.encoder;
        let mut guide = Guide::default();
        for opened in &encoder.choices.opened {
            if !self.eval.holds(opened.when) {
                continue;
            }
            let taken = match &opened.taken {
                Taken::Way(way) => Some(Chosen::Way(*way)),
                Taken::Values(values) => values
                    .iter()
                    .map(|v| self.plain(v))
                    .collect::<Option<Vec<_>>>()
                    .map(Chosen::Values),
            };
            guide
                .taken
                .entry(opened.at.clone())
                .or_default()
                .push(taken.unwrap_or(Chosen::Values(Vec::new())));
        }
        guide
    }

    /// Decodes a value unless it contains an object that is not reachable otherwise.
    fn plain(&mut self, s: &Sym) -> Option<Value> {
        let known = self.objects.len();
        let value = self.value(s);
        if self.objects.len() > known {
            // Undo the numbering of the new objects.
            self.objects.truncate(known);
            self.numbers.retain(|_, n| (*n as usize) < known);
            return None;
        }
        value
    }

    /// Decodes the results of external code on the path of the model. The interpreter finds those
    /// without a concrete form.
    fn answers(&mut self) -> Vec<Answer> {
        let encoder = self.encoder;
        let typed = encoder.typed();
        let mut all = Vec::new();
        let mut lost = SortedSet::new();
        for a in &encoder.external.answers {
            if !self.eval.holds(a.when) || lost.contains(&a.callee) {
                continue;
            }
            // Results are passed on only where a stub can return them.
            let results: Option<Vec<Option<Value>>> = typed[a.callee]
                .outs
                .iter()
                .zip(&a.results)
                .map(|(f, r)| {
                    if typed.mock_has_value(a.callee, f.local) {
                        self.value(r).map(Some)
                    } else {
                        Some(None)
                    }
                })
                .collect();
            let Some(results) = results else {
                // From here on, answers to later calls would be used for this call.
                lost.insert(a.callee);
                continue;
            };
            let args = a.args.iter().map(|x| self.value(x)).collect();
            let passed: Vec<Option<u32>> = a.args.iter().map(|arg| self.passed(arg)).collect();
            let mut changes = Vec::new();
            // A change of an object that the inputs do not reach cannot be observed, unless it is
            // an argument.
            for (covered, id, place, new) in &a.changes {
                let known = self.numbers.get(id).copied().map(ObjectId);
                let at = passed.iter().position(|n| *n == Some(*id));
                let object = known.or_else(|| ObjectId::argument(at?));
                if let (true, Some(object)) = (self.eval.holds(*covered), object)
                    && let Some(new) = self.value(new)
                {
                    changes.push((object, *place, new));
                }
            }
            all.push(Answer {
                callee: a.callee,
                type_args: a.type_args.clone(),
                args,
                results,
                changes,
                undecided: Vec::new(),
            });
        }
        self.add_answers_of_tables(&mut all);
        all
    }

    /// Adds the answers of functions without bodies. They are tables: one answer for each row.
    fn add_answers_of_tables(&mut self, all: &mut Vec<Answer>) {
        let encoder = self.encoder;
        for ((callee, type_args), table) in &encoder.external.tables {
            let told: Vec<bool> = encoder.runtime_params(*callee);
            for (args, answer) in encoder
                .objects
                .tables
                .get(*table as usize)
                .map_or(&[][..], |t| &t.entries)
            {
                let args: Option<Vec<Option<Value>>> = args
                    .iter()
                    .zip(&told)
                    .map(|(x, told)| {
                        if *told {
                            self.value(x).map(Some)
                        } else {
                            Some(None)
                        }
                    })
                    .collect();
                let (Some(args), Some(answer)) = (args, self.value(answer)) else {
                    continue;
                };
                let results = vec![Some(answer)];
                // A function that reads the heap may have another result in another heap, so that
                // the arguments do not identify the call.
                let reads = encoder
                    .program
                    .contracts
                    .get(callee)
                    .is_some_and(|c| !c.reads.is_empty());
                let is_known = |a: &Answer| !reads || a.results == results;
                let same = |a: &Answer| {
                    a.callee == *callee
                        && a.type_args == *type_args
                        && a.args == args
                        && is_known(a)
                };
                if !all.iter().any(same) {
                    let type_args = type_args.clone();
                    all.push(Answer {
                        callee: *callee,
                        type_args,
                        args,
                        results,
                        changes: Vec::new(),
                        undecided: Vec::new(),
                    });
                }
            }
        }
    }

    /// Returns the number of the object that is an argument of a call, in the encoding.
    fn passed(&mut self, arg: &Sym) -> Option<u32> {
        let Sym::Ref(r) = arg else {
            return None;
        };
        self.eval.int(*r).to_u32()?.checked_sub(1)
    }

    /// Decodes a value; `None` if it has no concrete form.
    fn value(&mut self, s: &Sym) -> Option<Value> {
        Some(match s {
            Sym::Bool(t) => Value::Bool(self.eval.holds(*t)),
            Sym::Int(t) => Value::Int(self.eval.int(*t)),
            Sym::Char(t) => Value::Char(self.eval.int(*t).to_u32()?),
            Sym::Real(t) => match self.eval.value(*t) {
                Const::Real(r) => Value::Real(r),
                Const::Bool(_) | Const::Int(_) | Const::Bv(..) => return None,
            },
            Sym::Bv(t) => match self.eval.value(*t) {
                Const::Bv(width, bits) => Value::Bv { width, bits },
                Const::Bool(_) | Const::Int(_) | Const::Real(_) => Value::Bv {
                    width: 0,
                    bits: 0u32.into(),
                },
            },
            Sym::Ordinal(t) => Value::Ordinal(self.eval.int(*t).to_biguint()?),
            Sym::Seq(s) => Value::seq(self.sequence(s)?),
            Sym::Set(s) => self.set(s)?,
            Sym::Multiset(m) => self.multiset(m)?,
            Sym::Map(m) => self.map(m)?,
            Sym::Tuple(cs) => {
                let cs: Option<Vec<Value>> = cs.iter().map(|c| self.value(c)).collect();
                Value::tuple(cs?)
            }
            // The tag determines the constructor, and only its arguments are decoded.
            Sym::Data(d) => {
                let i = self.eval.int(d.tag).to_usize()?;
                let ctor = *self.encoder.ctors(d.ty).get(i)?;
                let args: Option<Vec<Value>> = d
                    .args
                    .get(i)?
                    .as_ref()?
                    .iter()
                    .map(|x| self.value(x))
                    .collect();
                Value::datatype(ctor, args?)
            }
            Sym::Newtype(n) => Value::newtype(n.decl, n.args.clone(), self.value(&n.value)?),
            Sym::OneOf(all) => {
                let (_, chosen) = all.iter().find(|(cond, _)| self.eval.holds(*cond))?;
                self.value(chosen)?
            }
            Sym::Func(f) => self.function(f)?,
            Sym::Lazy(l) => self.lazy(l)?,
            // References are numbered from 1; 0 and below denote null.
            Sym::Ref(t) => {
                let n = self.eval.int(*t);
                if n.is_zero_or_negative() {
                    Value::Null
                } else {
                    Value::Ref(ObjectId(self.object(n.to_u32()? - 1)?))
                }
            }
            Sym::Any | Sym::Undef => return None,
        })
    }

    /// Decodes a set. Only present slots have an element.
    fn set(&mut self, s: &SymSet) -> Option<Value> {
        let mut out = SortedSet::new();
        for (p, x) in &s.slots {
            if self.eval.holds(*p) {
                out.insert(self.value(x)?);
            }
        }
        Some(Value::Set(Arc::new(out)))
    }

    /// Decodes a multiset: the multiplicities of equal slots are added.
    fn multiset(&mut self, m: &SymMultiset) -> Option<Value> {
        let mut out = SortedMap::new();
        for (n, x) in &m.slots {
            let n = self.eval.int(*n);
            if n.is_positive() {
                *out.entry(self.value(x)?)
                    .or_insert_with(num_bigint::BigUint::default) += n.to_biguint()?;
            }
        }
        Some(Value::Multiset(Arc::new(out)))
    }

    /// Decodes a map. Of equal keys, the last present one has the value.
    fn map(&mut self, m: &SymMap) -> Option<Value> {
        let mut out = SortedMap::new();
        for (p, k, v) in &m.slots {
            if self.eval.holds(*p) {
                out.insert(self.value(k)?, self.value(v)?);
            }
        }
        Some(Value::Map(Arc::new(out)))
    }

    /// Decodes a delayed value as code with captured values; it is not computed.
    fn lazy(&mut self, l: &SymLazy) -> Option<Value> {
        let thunk = match l {
            SymLazy::Code {
                lambda,
                captures,
                type_args,
            } => Thunk::Code {
                lambda: *lambda,
                captured: captures
                    .iter()
                    .map(|c| self.value(c))
                    .collect::<Option<Vec<_>>>()?,
                type_args: type_args.clone(),
            },
            SymLazy::Rest(ty) => Thunk::Default(ty.clone()),
            SymLazy::If(c, a, b) => {
                let chosen = if self.eval.holds(*c) { a } else { b };
                return self.value(chosen);
            }
        };
        Some(Value::Lazy(Arc::new(LazyValue::new(thunk))))
    }

    /// Decodes the elements of a sequence or array.
    fn sequence(&mut self, s: &SymSeq) -> Option<Vec<Value>> {
        let n = self.eval.int(s.len).to_usize()?;
        let slots = s.slots.iter().take(n).map(|x| self.value(x));
        let mut elements: Vec<Value> = slots.collect::<Option<_>>()?;
        let known = elements.len();
        if n == known {
            return Some(elements);
        }
        // The model may exceed the slots, in which case the value is unknown unless it is described.
        if !self.encoder.describes() || !s.is_open() || n > MAX_LENGTH {
            return None;
        }
        let fill = dtest_value::repeated(elements.last()?, n - known)?;
        elements.extend(fill);
        for (at, x) in self.encoder.exceptions(s) {
            let at = self.eval.int(at).to_usize().filter(|at| *at >= known);
            if let Some(place) = at.and_then(|at| elements.get_mut(at))
                && let Some(value) = self.value(&x)
            {
                *place = value;
            }
        }
        Some(elements)
    }

    fn function(&mut self, f: &SymFunc) -> Option<Value> {
        match f {
            SymFunc::Table(id) => {
                let table = self.encoder.objects.tables.get(*id as usize)?;
                let function = self.table(table)?;
                // The domain is a table of its own: a default, and the arguments that differ from
                // it.
                let Some(domain) = table
                    .domain
                    .and_then(|d| self.encoder.objects.tables.get(d as usize))
                else {
                    return Some(Value::Function(Arc::new(function)));
                };
                let Some(Value::Bool(elsewhere)) = self.default_of(domain) else {
                    return None;
                };
                // The same arguments may be in the table several times, because its rows are
                // symbolic.
                let mut exceptions: Vec<Vec<Value>> = Vec::new();
                for (args, may) in &domain.entries {
                    let Some(args) = args
                        .iter()
                        .map(|a| self.value(a))
                        .collect::<Option<Vec<_>>>()
                    else {
                        continue;
                    };
                    let Some(Value::Bool(may)) = self.value(may) else {
                        continue;
                    };
                    if may != elsewhere && !exceptions.contains(&args) {
                        exceptions.push(args);
                    }
                }
                exceptions.sort();
                Some(Value::Function(Arc::new(
                    match elsewhere && exceptions.is_empty() {
                        true => function,
                        false => FunctionValue::Partial {
                            function: Box::new(function),
                            elsewhere,
                            exceptions,
                        },
                    },
                )))
            }
            SymFunc::Lambda {
                lambda,
                captures,
                type_args,
            } => {
                let captured: Option<Vec<Value>> = captures.iter().map(|c| self.value(c)).collect();
                Some(Value::Function(Arc::new(FunctionValue::Closure {
                    lambda: *lambda,
                    captured: captured?,
                    type_args: type_args.clone(),
                })))
            }
            SymFunc::Named {
                callee,
                type_args,
                receiver,
            } => {
                let receiver = match receiver {
                    Some(r) => Some(self.value(r)?),
                    None => None,
                };
                Some(Value::Function(Arc::new(FunctionValue::Named {
                    callee: *callee,
                    receiver,
                    type_args: type_args.clone(),
                })))
            }
            SymFunc::If(c, a, b) => {
                if self.eval.holds(*c) {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
        }
    }

    /// Decodes a function input: a template or a table.
    fn table(&mut self, table: &super::Table) -> Option<FunctionValue> {
        // The value 0 selects the table, see [`super::Table::choice`].
        if let Some((which, templates)) = &table.choice {
            let n = self.eval.int(*which).to_usize()?;
            if let Some(t) = n.checked_sub(1).and_then(|i| templates.get(i)) {
                return Some(FunctionValue::Template(*t));
            }
        }
        let default = self.default_of(table)?;
        let mut entries: Vec<(Vec<Value>, Value)> = Vec::new();
        for (args, result) in &table.entries {
            // Arguments on paths that the execution does not take may have no concrete form.
            let Some(args) = args
                .iter()
                .map(|a| self.value(a))
                .collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            let Some(result) = self.value(result) else {
                continue;
            };
            if result != default && !entries.iter().any(|(a, _)| *a == args) {
                entries.push((args, result));
            }
        }
        entries.sort();
        Some(FunctionValue::Table { entries, default })
    }

    /// Decodes the result of a table for arguments without a row.
    fn default_of(&mut self, table: &super::Table) -> Option<Value> {
        match table.entries.first() {
            // A complete table never uses its default; its first result makes the shortest table.
            Some((_, answer)) if table.complete => self.value(answer),
            Some(_) | None => self.value(&table.default),
        }
    }

    /// Returns the number of an object in the concrete heap. Adds the object and everything that it
    /// references.
    fn object(&mut self, id: u32) -> Option<u32> {
        if let Some(n) = self.numbers.get(&id) {
            return Some(*n);
        }
        // An object that a stub returns is created with the inputs.
        let object = self.heap.objects.get(&id);
        let object = object
            .or_else(|| self.encoder.external.made.get(&id))?
            .clone();
        let n = self.objects.len() as u32;
        self.numbers.insert(id, n);
        // The slot is reserved before the contents are decoded, because objects may be cyclic.
        self.objects.push(None);
        // Unassigned fields are left out, so that they get their default values.
        let contents = match &object.contents {
            SymContents::Fields(fields) => {
                let mut out = SortedMap::new();
                for (field, x) in fields {
                    if *x != Sym::Undef {
                        out.insert(*field, self.value(x)?);
                    }
                }
                Contents::Fields(out)
            }
            SymContents::Array(s) => {
                let elements = self.sequence(s)?;
                Contents::Elements(Elements::row(elements.into_iter().map(Some).collect()))
            }
            SymContents::Grid(g) => {
                let dims: Option<Vec<usize>> = g
                    .dims
                    .iter()
                    .map(|n| self.eval.int(*n).to_usize())
                    .collect();
                let dims = dims?;
                if dims.iter().zip(&g.caps).any(|(n, cap)| n > cap) {
                    return None;
                }
                let mut elements = Vec::new();
                for (place, x) in g.places().iter().zip(&g.slots) {
                    if place.iter().zip(&dims).all(|(i, n)| i < n) {
                        elements.push(Some(self.value(x)?));
                    }
                }
                Contents::Elements(Elements::new(dims, elements)?)
            }
        };
        if let Some(slot) = self.objects.get_mut(n as usize) {
            *slot = Some(Object::new(object.ty.clone(), contents));
        }
        Some(n)
    }
}

trait ZeroOrNegative {
    fn is_zero_or_negative(&self) -> bool;
}

impl ZeroOrNegative for num_bigint::BigInt {
    fn is_zero_or_negative(&self) -> bool {
        !self.is_positive()
    }
}
