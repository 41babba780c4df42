//! What stands in for external code, as a value.

use super::{ObjectId, Value};
use crate::source::Span;
use crate::typed::{CallableId, FieldId, Type};

/// An answer of what stands in for external code (see [`crate::typed::External`]): to every call of a function with these
/// arguments, to one call of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whose code is missing.
    pub callee: CallableId,
    /// Type arguments (owner's, then own).
    pub type_args: Vec<Type>,
    /// Arguments; the receiver first. `None`: ghost.
    pub args: Vec<Option<Value>>,
    /// Values of the out-parameters. `None`: ghost.
    pub results: Vec<Option<Value>>,
    /// What the call changed, of objects of the inputs' heap.
    pub changes: Vec<(ObjectId, Place, Value)>,
    /// Postconditions of which it is not known whether the answer meets them.
    pub undecided: Vec<Span>,
}

/// A part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A field.
    Field(FieldId),
    /// An element of an array, in row-major order.
    Element(usize),
}
