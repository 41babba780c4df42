//! The declaration being lowered, and what lowering adds to the program beside it.

use dafny_resolve::typed::{self, CallableId, FieldId};
use dtest_ir::{self as ir, Var};

/// The callable being lowered.
#[derive(Default)]
pub(super) struct CurrentCallable<'p> {
    /// The callable; `None` where the current expressions have no obligations.
    pub(super) id: Option<CallableId>,
    /// Whether the body is the method of a function by method.
    pub(super) by_method: bool,
    /// The postconditions that are due at the end of the body.
    pub(super) ensured: &'p [typed::Clause],
    /// The function whose postconditions are being lowered.
    pub(super) measured: Option<CallableId>,
    /// The results, each with the variable that records whether it was assigned, if obligations
    /// are goals.
    pub(super) result_flags: Vec<(Var, Var)>,
    /// The fields that a constructor has to assign before `new;`. The second variable of a pair
    /// holds whether the field was assigned.
    pub(super) field_flags: Vec<(FieldId, Var)>,
}

/// The parts of the lowered program that no declaration of the source holds.
#[derive(Default)]
pub(super) struct Added {
    pub(super) lambdas: Vec<ir::Lambda>,
    /// Hidden fields of iterators. They follow the fields of the program.
    pub(super) fields: Vec<typed::Field>,
}

impl Added {
    /// Adds a lambda and returns its index.
    pub(super) fn lambda(&mut self, lambda: ir::Lambda) -> u32 {
        self.lambdas.push(lambda);
        self.lambdas.len() as u32 - 1
    }

    /// Adds a hidden field to `program` and returns its id.
    pub(super) fn field(&mut self, program: &typed::Program, field: typed::Field) -> FieldId {
        self.fields.push(field);
        FieldId((program.fields.len() + self.fields.len()) as u32 - 1)
    }
}
