//! What gives inputs that the user named.

use dafny_resolve::typed::{CallableId, Type};

/// A callable that gives inputs of a type: by itself one value, with parameters one for each choice of arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker {
    /// The type for which the user named it; its values are of this type, as far as the resolver can tell.
    pub ty: Type,
    /// A compiled function or method that takes no receiver, or a constructor.
    pub callable: CallableId,
    /// What its type parameters stand for (owner's, then own).
    pub type_args: Vec<Type>,
}
