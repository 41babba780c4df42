//! Which expressions have control flow of their own.

use dafny_resolve::typed::{Control, Expr};

/// Whether the value of an expression depends on control flow at its root, so that it needs a variable.
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
