//! Parsed files → the typed program: modules, imports, exports, refinement, types, ghostness.

pub mod bodies;
pub mod context;
mod spelling;
mod types;

use crate::diagnostic::Diagnostic;
use crate::syntax::ast;
use crate::typed::{Options, Program};

use context::Context;

/// Resolves the files of a program, in the order of loading.
///
/// What is broken is reported and left out (or its body is); the rest is usable.
pub fn resolve(_files: Vec<ast::File>, options: Options) -> (Program, Vec<Diagnostic>) {
    let mut context = Context::default();
    context.program.options = options;
    bodies::resolve_bodies(&mut context);
    (context.program, context.diagnostics)
}
