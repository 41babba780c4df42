//! Desugarings of typed Dafny programs for tests and for the search for violations.
//!
//! The resolver yields a program as its author means it. This crate turns parts of it that no
//! execution of the compiled program would reach into code, so that later stages need to know
//! statements only: contracts, obligations of overrides, unproved lemmas, values of constants and
//! witnesses, functions by method ([`unghosted`]), and implicit conversions ([`casts`]). It also answers questions about
//! code that the program does not contain: external code and its links, mocks ([`ExternalCode`], [`TestOptions`]),
//! and methods with `{:synthesize}` ([`Syntheses`]).
//!
//! Generated callables carry attributes that no source program can contain; [`GeneratedCode`] asks
//! for them.
#![deny(missing_docs)]
// Not in tests, which print variants without a notation by `{:?}`.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod assigned_collections;
mod assigned_types;
mod by_contract;
mod by_method;
pub mod casts;
mod claims;
mod contracts;
mod external;
mod initial;
mod iterator_contracts;
mod options;
mod overrides;
mod printing;
mod proofs;
mod synthesize;
mod unghosted;

use dafny_resolve::typed::{AttributeArg, Attributes as _, CallableId, Program};

pub use by_contract::{by_contract, known_by_contract, without_conditions};
pub use contracts::may_be_undefined;
pub use external::{External, ExternalCode, Link, Linked};
pub use options::{Links, TestOptions};
pub use printing::printing;
pub use synthesize::{Argument, Rule, Syntheses, Synthesis, Synthesized};
pub use unghosted::unghosted;

use by_method::FUNCTION;
use claims::CLAIM;
use contracts::CONTRACT;
use initial::{CONSTANT, WITNESS};
use overrides::OVERRIDE;

/// A program to which passes add code.
struct Desugaring {
    program: Program,
}

impl std::ops::Deref for Desugaring {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

impl std::ops::DerefMut for Desugaring {
    fn deref_mut(&mut self) -> &mut Program {
        &mut self.program
    }
}

/// Questions about the origin of generated callables.
pub trait GeneratedCode {
    /// Whether the callable was generated for a lemma without a proof.
    fn is_claim(&self, id: CallableId) -> bool;

    /// Whether the callable evaluates a contract. Each clause is assumed by the following ones.
    fn is_contract(&self, id: CallableId) -> bool;

    /// Whether the callable evaluates the contract of a function only to check its `reads` clause.
    fn is_bound_contract(&self, id: CallableId) -> bool;

    /// Whether the callable evaluates the value of a constant, which must not read mutable state.
    fn is_constant_value(&self, id: CallableId) -> bool;

    /// Whether the callable checks the witness of a type.
    fn is_witness(&self, id: CallableId) -> bool;

    /// Whether the callable stands for a witness that is missing ([`Self::is_witness`]).
    fn lacks_witness(&self, id: CallableId) -> bool;

    /// The callable whose measure and frames the code of a callable has: a function by method for
    /// the function that was generated from its expression, and the callable itself for others.
    fn declared(&self, id: CallableId) -> CallableId;

    /// Whether the callable calls an override under the contract of its parent.
    fn is_override(&self, id: CallableId) -> bool;

    /// The declaration that a callable calls under the contract of another one, and that other one.
    /// `None`: it is not such a callable, or one about what is read.
    fn override_of(&self, id: CallableId) -> Option<(CallableId, CallableId)>;
}

impl GeneratedCode for Program {
    fn is_claim(&self, id: CallableId) -> bool {
        self[id].attribute(CLAIM).is_some()
    }

    fn is_contract(&self, id: CallableId) -> bool {
        self[id].attribute(CONTRACT).is_some()
    }

    fn is_bound_contract(&self, id: CallableId) -> bool {
        self[id]
            .attribute(CONTRACT)
            .is_some_and(|a| a.args == [AttributeArg::Bool(true)])
    }

    fn is_constant_value(&self, id: CallableId) -> bool {
        self[id].attribute(CONSTANT).is_some()
    }

    fn is_witness(&self, id: CallableId) -> bool {
        self[id].attribute(WITNESS).is_some()
    }

    fn lacks_witness(&self, id: CallableId) -> bool {
        self[id]
            .attribute(WITNESS)
            .is_some_and(|a| a.args == [AttributeArg::Bool(true)])
    }

    fn declared(&self, id: CallableId) -> CallableId {
        match self[id].attribute(FUNCTION).map(|a| a.args.as_slice()) {
            Some([AttributeArg::Int(of)]) => u32::try_from(of).map_or(id, CallableId),
            Some(_) | None => id,
        }
    }

    fn is_override(&self, id: CallableId) -> bool {
        self[id].attribute(OVERRIDE).is_some()
    }

    fn override_of(&self, id: CallableId) -> Option<(CallableId, CallableId)> {
        let number = |arg: &AttributeArg| {
            if let AttributeArg::Int(n) = arg {
                u32::try_from(n).ok().map(CallableId)
            } else {
                None
            }
        };
        let attribute = self[id].attribute(OVERRIDE)?;
        if let [AttributeArg::Bool(false), own, parent] = attribute.args.as_slice() {
            Some((number(own)?, number(parent)?))
        } else {
            None
        }
    }
}
