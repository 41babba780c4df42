//! What stands in for external code, and what a mock answers, as a value.

use super::{ObjectId, Value};
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dafny_syntax::source::Span;

/// An answer of what stands in for external code (see [`dafny_resolve::typed::External`]), or of a mock (an object whose type is a
/// trait, see [`super::Object::ty`]; it is the first argument): to every call of a function with these arguments, to one
/// call of a method. Answers of ghost functions are for the clauses that a test executes.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Answer {
    /// Whose code is missing.
    pub callee: CallableId,
    /// Type arguments (owner's, then own).
    pub type_args: Vec<Type>,
    /// Arguments; the receiver first. `None`: a ghost parameter of what is compiled.
    pub args: Vec<Option<Value>>,
    /// Values of the out-parameters. `None`: a ghost result of what is compiled.
    pub results: Vec<Option<Value>>,
    /// What the call changed, of objects of the inputs' heap.
    pub changes: Vec<(ObjectId, Place, Value)>,
    /// Postconditions of which it is not known whether the answer meets them.
    pub undecided: Vec<Span>,
}

/// A part of an object.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Place {
    /// A field.
    Field(FieldId),
    /// An element of an array, in row-major order.
    Element(usize),
}

/// Calls that yield an object of a heap, with the objects that only it leads to.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Construction {
    /// A constructor, or a method or function without a receiver that gives the object.
    pub maker: CallableId,
    /// Its arguments, ghost ones included; what they refer to does not refer to the object.
    pub args: Vec<Value>,
    /// Calls of the object's methods after that, in order. Where there are some, no argument refers to an object.
    pub then: Vec<Call>,
}

/// A call of a method of an object that is known.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Call {
    /// The method.
    pub callee: CallableId,
    /// Its arguments without the object, ghost ones included.
    pub args: Vec<Value>,
}
