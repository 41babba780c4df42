//! Programs that print the value of a constant, to evaluate expressions in the scope of a program.

use crate::Desugaring;
use crate::initial::assign;
use dafny_resolve::typed::{CallableId, Expr, ExprKind, FieldKind, Program, Stmt, StmtKind};

/// Replaces `Main` by a method that prints the value of the static constant with this name.
/// Returns `None` if there is no such constant with a value.
#[must_use]
pub fn printing(program: Program, constant: &str) -> Option<Program> {
    let mut program = Desugaring { program };
    let field = program
        .fields
        .iter()
        .find(|f| f.is_static && &*f.name == constant)?;
    let FieldKind::Const(Some(value)) = &field.kind else {
        return None;
    };
    let (value, ty, module, name) = (
        (**value).clone(),
        field.ty.clone(),
        field.module,
        field.name.clone(),
    );
    let span = value.span;
    let local = program.new_local(name.clone(), ty.clone(), span);
    let read = Expr {
        kind: ExprKind::Local(local),
        ty,
        span,
    };
    let print = Stmt {
        kind: StmtKind::Print(vec![read]),
        labels: Vec::new(),
        ghost: false,
        span,
    };
    program.add_code(
        name,
        module,
        Vec::new(),
        span,
        Vec::new(),
        vec![assign(local, value), print],
    );
    program.main = Some(CallableId(u32::try_from(program.callables.len()).ok()? - 1));
    Some(program.program)
}
