//! Results of external code and mocks, and the calls that construct objects.

use super::{ObjectId, Value};
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dafny_source::Span;

/// A result of external code (see `dtest_desugar::External`) or of a mock (an object whose
/// type is a trait, see [`super::Object::ty`]; it is the first argument). For a function, it
/// applies to every call with these arguments; for a method, to one call. Results of ghost
/// functions serve the clauses that a test executes.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Answer {
    /// The callable.
    pub callee: CallableId,
    /// The type arguments: the owner's, then its own.
    pub type_args: Vec<Type>,
    /// The arguments; the receiver is the first. `None`: a ghost parameter of compiled code.
    pub args: Vec<Option<Value>>,
    /// The values of the out-parameters. `None`: a ghost result of compiled code.
    pub results: Vec<Option<Value>>,
    /// The changes of input objects.
    pub changes: Vec<(ObjectId, Place, Value)>,
    /// The postconditions for which it is undecided whether the result satisfies them.
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

/// The calls that construct an object of a heap, including the objects that are reachable only from
/// it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Construction {
    /// A constructor, or a method or function without a receiver that returns the object.
    pub maker: CallableId,
    /// The arguments, ghost ones included. They do not refer to the object.
    pub args: Vec<Value>,
    /// Further calls of the object's methods, in order. If there are any, no argument refers to an
    /// object.
    pub then: Vec<Call>,
}

/// A call of a method on a known object.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Call {
    /// The method.
    pub callee: CallableId,
    /// The arguments without the receiver, ghost ones included.
    pub args: Vec<Value>,
}
