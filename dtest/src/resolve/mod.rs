//! Parsed files → the typed program: modules, imports, exports, refinement, types, ghostness.
//!
//! Two halves. Declarations: [`tree`] makes one tree of all modules and does refinement as a merge of
//! declarations; [`declare`] gives ids and fills scopes; [`imports`] enters imports and export sets;
//! [`signatures`] resolves what declarations mention. Then [`bodies`] resolves expressions and
//! statements, and what depends on them is computed: native types, characteristics, `Main`. [`checks`] looks at the whole.
//!
//! What is broken is reported and left out; the rest of the program is usable. Dafny rejects, and we
//! accept:
//! - members of a type outside an export set, use of what is provided but not revealed, and export sets that are
//!   not closed (a signature that mentions what is not exported);
//! - overriding members whose contracts do not fit;
//! - what takes the place of an abstract type without its characteristics, abstract imports refined by modules that do not adhere;
//! - type arguments that do not meet the bounds (`extends`) of their parameters;
//! - recursive types and constants without a base case;
//! - abstract imports in modules that are not abstract, and abstract modules imported by compiled ones;
//! - newtypes over any base without the option for it;
//! - in `--function-syntax 3`, specifications whose type arguments may hold references where `(!new)` is asked for (Dafny
//!   before 4.5).

mod attributes;
mod autocontracts;
pub mod bodies;
mod characteristics;
mod checks;
pub mod context;
mod declare;
mod imports;
mod iterators;
mod main_method;
#[cfg(test)]
mod mutation;
mod native;
mod refine;
mod signatures;
pub(crate) mod spelling;
mod tree;
mod types;

use crate::diagnostic::Diagnostic;
use crate::syntax::ast;
use crate::typed::{Options, Program};

use context::Context;

/// Resolves the files of a program, in the order of loading.
pub fn resolve(files: Vec<ast::File>, options: Options) -> (Program, Vec<Diagnostic>) {
    let mut cx = Context::default();
    cx.program.options = options;
    let tree = tree::Tree::build(files);
    let mut pending = declare::Declarer::run(&mut cx, tree);
    autocontracts::complete(&mut cx, &mut pending);
    signatures::resolve(&mut cx, &pending);
    bodies::resolve_bodies(&mut cx);
    characteristics::infer(&mut cx.program);
    checks::run(&mut cx);
    attributes::check_inlining(&cx.program, &mut cx.diagnostics);
    cx.program.main = main_method::find(&cx.program, &mut cx.diagnostics);
    (cx.program, cx.diagnostics)
}

#[cfg(test)]
mod tests;
