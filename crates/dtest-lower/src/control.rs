//! Expressions with control flow of their own.
//!
//! [`decides`] determines whether lowering must turn an expression into blocks.

use dafny_resolve::typed::{Control, Expr};

/// Whether the root of an expression is control flow, so that its value needs a variable.
pub(super) fn decides(e: &Expr) -> bool {
    match e.control() {
        Control::ShortCircuit { .. }
        | Control::If { .. }
        | Control::IfBinding { .. }
        | Control::Match { .. }
        | Control::LetOrFail(_) => true,
        Control::Chain { rest, .. } => rest.len() > 1,
        Control::Not(_)
        | Control::Let { .. }
        | Control::LetSuchThat { .. }
        | Control::StmtExpr { .. } => false,
        Control::Delayed(_) | Control::Strict => false,
    }
}
