//! Dropping, comparing and hashing of values of any depth without exhausting the host's stack.
//!
//! Only datatypes, converted newtypes, lazy values and functions nest without a bound from their
//! type. Dropping uses a work list; comparing and hashing grow the stack.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{DatatypeValue, FunctionValue, LazyValue, NewtypeValue, Thunk, Value};
use dtest_sorted::SortedMap;

/// Runs `f` with enough stack for one more level of a value.
pub fn deeper<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(64 * 1024, 2 * 1024 * 1024, f)
}

impl Drop for DatatypeValue {
    fn drop(&mut self) {
        if self.args.iter().any(nests) {
            drop_all(std::mem::take(&mut self.args));
        }
    }
}

impl Drop for NewtypeValue {
    fn drop(&mut self) {
        if nests(&self.value) {
            drop_all(vec![std::mem::replace(&mut self.value, Value::Null)]);
        }
    }
}

impl Drop for FunctionValue {
    fn drop(&mut self) {
        drop_all(take_values(self));
    }
}

impl Drop for LazyValue {
    fn drop(&mut self) {
        drop_all(take_lazy(self));
    }
}

/// Whether dropping the value may recurse.
fn nests(value: &Value) -> bool {
    match value {
        Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Bv { .. }
        | Value::Ordinal(_)
        | Value::Null
        | Value::Ref(_) => false,
        Value::Seq(_)
        | Value::Set(_)
        | Value::Multiset(_)
        | Value::Map(_)
        | Value::Tuple(_)
        | Value::Datatype(_)
        | Value::Newtype(_)
        | Value::Function(_)
        | Value::Lazy(_) => true,
    }
}

fn take_values(f: &mut FunctionValue) -> Vec<Value> {
    match f {
        FunctionValue::Table { entries, default } => {
            let mut values = vec![std::mem::replace(default, Value::Null)];
            for (args, result) in entries.drain(..) {
                values.extend(args);
                values.push(result);
            }
            values
        }
        FunctionValue::Template(_) => Vec::new(),
        FunctionValue::Partial {
            function,
            exceptions,
            ..
        } => {
            let mut values = take_values(function);
            values.extend(exceptions.drain(..).flatten());
            values
        }
        FunctionValue::Closure { captured, .. } => std::mem::take(captured),
        FunctionValue::Named { receiver, .. } => receiver.take().into_iter().collect(),
    }
}

fn take_lazy(lazy: &mut LazyValue) -> Vec<Value> {
    let mut values = match &mut lazy.thunk {
        Thunk::Code { captured, .. } => std::mem::take(captured),
        Thunk::Default(_) => Vec::new(),
    };
    values.extend(lazy.computed.take().and_then(Result::ok));
    values
}

fn drop_all(mut work: Vec<Value>) {
    while let Some(value) = work.pop() {
        match value {
            Value::Bool(_)
            | Value::Char(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::Bv { .. }
            | Value::Ordinal(_)
            | Value::Null
            | Value::Ref(_) => {}
            // Only values that are not shared are taken apart; shared ones live on.
            Value::Seq(mut items) | Value::Tuple(mut items) => {
                if let Some(items) = Arc::get_mut(&mut items) {
                    work.extend(items.drain(..).filter(nests));
                }
            }
            Value::Set(mut items) => {
                if let Some(items) = Arc::get_mut(&mut items) {
                    work.extend(std::mem::take(items).into_iter().filter(nests));
                }
            }
            Value::Multiset(mut items) => {
                if let Some(items) = Arc::get_mut(&mut items) {
                    work.extend(std::mem::take(items).into_keys().filter(nests));
                }
            }
            Value::Map(mut items) => {
                if let Some(items) = Arc::get_mut(&mut items) {
                    for (k, v) in std::mem::take::<SortedMap<Value, Value>>(items) {
                        work.extend([k, v].into_iter().filter(nests));
                    }
                }
            }
            Value::Datatype(mut d) => {
                if let Some(d) = Arc::get_mut(&mut d) {
                    work.extend(d.args.drain(..).filter(nests));
                }
            }
            Value::Newtype(mut n) => {
                if let Some(n) = Arc::get_mut(&mut n) {
                    work.push(std::mem::replace(&mut n.value, Value::Null));
                }
            }
            Value::Function(mut f) => {
                if let Some(f) = Arc::get_mut(&mut f) {
                    work.extend(take_values(f).into_iter().filter(nests));
                }
            }
            Value::Lazy(mut l) => {
                if let Some(l) = Arc::get_mut(&mut l) {
                    work.extend(take_lazy(l).into_iter().filter(nests));
                }
            }
        }
    }
}

impl PartialEq for DatatypeValue {
    fn eq(&self, other: &Self) -> bool {
        self.ctor == other.ctor && deeper(|| self.args == other.args)
    }
}

impl Eq for DatatypeValue {}

impl PartialOrd for DatatypeValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DatatypeValue {
    fn cmp(&self, other: &Self) -> Ordering {
        self.ctor
            .cmp(&other.ctor)
            .then_with(|| deeper(|| self.args.cmp(&other.args)))
    }
}

impl Hash for DatatypeValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ctor.hash(state);
        deeper(|| self.args.hash(state));
    }
}

impl std::fmt::Debug for DatatypeValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        deeper(|| {
            f.debug_tuple(&format!("ctor {}", self.ctor.0))
                .field(&self.args)
                .finish()
        })
    }
}

impl FunctionValue {
    /// Returns the key of the order of functions.
    fn key(&self) -> Key<'_> {
        match self {
            Self::Table { entries, default } => Key::Table(entries, default),
            Self::Template(t) => Key::Template(*t),
            Self::Partial {
                function,
                elsewhere,
                exceptions,
            } => Key::Partial(Box::new(function.key()), *elsewhere, exceptions),
            Self::Closure {
                lambda,
                captured,
                type_args,
            } => Key::Closure(*lambda, captured, type_args),
            Self::Named {
                callee,
                receiver,
                type_args,
            } => Key::Named(*callee, receiver.as_ref(), type_args),
        }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key<'a> {
    Table(&'a [(Vec<Value>, Value)], &'a Value),
    Template(super::Template),
    Partial(Box<Key<'a>>, bool, &'a [Vec<Value>]),
    Closure(u32, &'a [Value], &'a [dafny_resolve::typed::Type]),
    Named(
        dafny_resolve::typed::CallableId,
        Option<&'a Value>,
        &'a [dafny_resolve::typed::Type],
    ),
}

impl PartialEq for FunctionValue {
    fn eq(&self, other: &Self) -> bool {
        deeper(|| self.key() == other.key())
    }
}

impl Eq for FunctionValue {}

impl PartialOrd for FunctionValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FunctionValue {
    fn cmp(&self, other: &Self) -> Ordering {
        deeper(|| self.key().cmp(&other.key()))
    }
}

impl Hash for FunctionValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        deeper(|| self.key().hash(state));
    }
}

impl PartialEq for LazyValue {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || deeper(|| self.thunk == other.thunk)
    }
}

impl Eq for LazyValue {}

impl PartialOrd for LazyValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for LazyValue {
    fn cmp(&self, other: &Self) -> Ordering {
        if std::ptr::eq(self, other) {
            Ordering::Equal
        } else {
            deeper(|| self.thunk.cmp(&other.thunk))
        }
    }
}

impl Hash for LazyValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        deeper(|| self.thunk.hash(state));
    }
}

impl std::fmt::Debug for LazyValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        deeper(|| f.debug_tuple("lazy").field(&self.thunk).finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dafny_resolve::typed::CtorId;

    fn list(length: u32) -> Value {
        (0..length).fold(Value::datatype(CtorId(0), Vec::new()), |tail, n| {
            Value::datatype(CtorId(1), vec![Value::int(n), tail])
        })
    }

    #[test]
    fn a_long_list_is_compared_hashed_and_dropped() {
        let (a, b) = (list(200_000), list(200_000));
        assert!(a == b);
        assert_eq!(a.cmp(&b), Ordering::Equal);
        let mut hasher = rustc_hash::FxHasher::default();
        a.hash(&mut hasher);
    }

    #[test]
    fn a_long_chain_of_computed_values_is_dropped() {
        let chain = (0..200_000).fold(Value::datatype(CtorId(0), Vec::new()), |tail, n| {
            let lazy = LazyValue::new(Thunk::Code {
                lambda: 0,
                captured: vec![Value::int(n)],
                type_args: Vec::new(),
            });
            lazy.note(Ok(tail));
            Value::datatype(CtorId(1), vec![Value::int(n), Value::Lazy(Arc::new(lazy))])
        });
        assert!(chain == chain.clone());
    }

    #[test]
    fn closures_nested_deep_are_dropped() {
        let id = Value::Function(Arc::new(FunctionValue::Template(
            super::super::Template::Identity,
        )));
        let wrap = |f, _| {
            Value::Function(Arc::new(FunctionValue::Closure {
                lambda: 0,
                captured: vec![f],
                type_args: Vec::new(),
            }))
        };
        let f = (0..200_000).fold(id, wrap);
        assert!(f == f.clone());
    }
}
