//! Values of newtypes, converted to traits.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use dafny_resolve::typed::{Type, TypeId};

use super::{Value, deeper};

/// A value with its newtype. Two values are equal if newtype and value are equal; type arguments
/// only serve calls of members.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct NewtypeValue {
    /// The newtype.
    pub decl: TypeId,
    /// The type arguments of the newtype.
    pub args: Vec<Type>,
    /// The bare value.
    pub value: Value,
}

impl NewtypeValue {
    /// Returns the newtype with its type arguments.
    pub fn ty(&self) -> Type {
        Type::named(self.decl, self.args.clone())
    }

    /// Creates another value of the newtype.
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
    /// Creates a value of a newtype, converted to a trait.
    pub fn newtype(decl: TypeId, args: Vec<Type>, value: Value) -> Self {
        Self::Newtype(std::sync::Arc::new(NewtypeValue { decl, args, value }))
    }
}
