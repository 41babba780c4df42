//! Values of newtypes that are seen as traits.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use dafny_resolve::typed::{Type, TypeId};

use super::{Value, deeper};

/// A value with its newtype. Two are equal if newtype and value are; type arguments are what members are called with.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct NewtypeValue {
    /// The newtype.
    pub decl: TypeId,
    /// Its type arguments.
    pub args: Vec<Type>,
    /// The value, as it is where its type is known.
    pub value: Value,
}

impl NewtypeValue {
    /// The newtype with its arguments.
    pub fn ty(&self) -> Type {
        Type::named(self.decl, self.args.clone())
    }

    /// Another value of the newtype.
    pub fn with(&self, value: Value) -> Value {
        Value::newtype(self.decl, self.args.clone(), value)
    }

    fn key(&self) -> (TypeId, &Value) {
        (self.decl, &self.value)
    }
}

impl PartialEq for NewtypeValue {
    fn eq(&self, other: &Self) -> bool {
        deeper(|| self.key() == other.key())
    }
}

impl Eq for NewtypeValue {}

impl PartialOrd for NewtypeValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NewtypeValue {
    fn cmp(&self, other: &Self) -> Ordering {
        deeper(|| self.key().cmp(&other.key()))
    }
}

impl Hash for NewtypeValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        deeper(|| self.key().hash(state));
    }
}

impl Value {
    /// A value of a newtype, seen as a trait.
    pub fn newtype(decl: TypeId, args: Vec<Type>, value: Value) -> Self {
        Self::Newtype(std::sync::Arc::new(NewtypeValue { decl, args, value }))
    }
}
