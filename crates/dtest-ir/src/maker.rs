//! Sources of the inputs that the user configured for a type.

use dafny_resolve::typed::{CallableId, Type};

/// A callable that produces configured inputs of a type: one value without parameters, otherwise
/// one for each choice of arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker {
    /// The type that the inputs are configured for. The resolver checks it where it can.
    pub ty: Type,
    /// A compiled function or method without a receiver, or a constructor.
    pub callable: CallableId,
    /// Type arguments: the owner's, then its own.
    pub type_args: Vec<Type>,
}
