//! What a program must still satisfy once every name and type is known.
//!
//! Each check looks at the whole typed program and changes nothing. [`PASSES`] says in which of Dafny's passes it is made
//! ([`super::passes::Pass`], where each pass is described): a module in which a pass finds errors is passed over by later
//! ones, so that one mistake is reported once, and the first error is Dafny's. To see where a check of Dafny's belongs,
//! look for its call in `ModuleResolver.ResolveTopLevelDecls_Core`; what its `ResolveClassMembers_Pass1` does is
//! [`Pass::Ghost`], its `CheckTypeInferenceVisitor` [`Pass::Inference`].

mod arguments;
mod contexts;
mod cycles;
mod determinism;
mod extreme;
mod inherit;
mod initial;
mod pools;
mod proofs;
#[cfg(test)]
mod tests;
mod unborn;
mod variance;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::typed::{Attributes, Program, TypeDeclKind, TypeId};

use super::context::Context;
use super::passes::Pass;

/// The checks that Dafny makes in one of its passes.
type Checks = (Pass, &'static [fn(&mut Check<'_>)]);

/// The checks by pass.
const PASSES: &[Checks] = &[
    (Pass::Inheritance, &[inherit::check, extreme::overridden]),
    (Pass::Bodies, &[contexts::check]),
    (Pass::Ghost, &[proofs::check]),
    (Pass::ConstraintCycles, &[cycles::own_values, cycles::check]),
    (Pass::Characteristics, &[arguments::check, extreme::older]),
    (Pass::Recursion, &[extreme::promises, cycles::constants]),
    (Pass::Determinism, &[determinism::check]),
    (Pass::Variance, &[variance::check]),
    (Pass::Initialization, &[initial::check, unborn::check]),
];

/// All other checks; what they find is added to [`Context::diagnostics`].
pub(super) fn run(cx: &mut Context) {
    run_passes(cx, PASSES);
}

/// What is looked at before ghost expressions are made ready for execution.
pub(super) fn before_ghosts(cx: &mut Context) {
    run_passes(cx, &[(Pass::Bounds, &[pools::check])]);
}

fn run_passes(cx: &mut Context, passes: &[Checks]) {
    for (pass, checks) in passes {
        let mut check = Check { cx, found: Vec::new() };
        checks.iter().for_each(|run| run(&mut check));
        let found = check.found;
        cx.diagnostics.enter(*pass);
        cx.diagnostics.extend(found);
    }
}

/// A check at work.
struct Check<'a> {
    cx: &'a Context,
    found: Vec<Diagnostic>,
}

impl<'a> Check<'a> {
    fn program(&self) -> &'a Program {
        &self.cx.program
    }

    fn error(&mut self, id: &'static str, span: Span, message: String) {
        self.found.push(Diagnostic::error(id, span, message));
    }

    /// What a type's declaration says it is.
    fn kind_of(&self, ty: TypeId) -> &'static str {
        type_word(&self.program()[ty].kind)
    }
}

/// The keyword of a type's declaration.
fn type_word(kind: &TypeDeclKind) -> &'static str {
    match kind {
        TypeDeclKind::Datatype { co: false, .. } => "datatype",
        TypeDeclKind::Datatype { co: true, .. } => "codatatype",
        TypeDeclKind::Newtype(_) => "newtype",
        TypeDeclKind::Subset(_) => "subset type",
        TypeDeclKind::Abstract => "abstract type",
        TypeDeclKind::Class => "class",
        TypeDeclKind::Trait { .. } => "trait",
        TypeDeclKind::Iterator(_) => "iterator",
    }
}

/// Whether something is defined outside Dafny.
fn is_extern(item: &impl Attributes) -> bool {
    item.attribute("extern").is_some()
}
