//! What a program must still satisfy once every name and type is known.
//!
//! Each check looks at the whole typed program and changes nothing. They go in phases: a module in which a phase finds
//! errors is passed over by later ones, so that one mistake is reported once.

mod arguments;
mod contexts;
mod cycles;
mod determinism;
mod inherit;
mod initial;
mod proofs;
#[cfg(test)]
mod tests;
mod variance;

use rustc_hash::FxHashSet;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::typed::{Attributes, ModuleId, Program, TypeDeclKind, TypeId};

use super::context::Context;

/// Runs all checks; what they find is added to [`Context::diagnostics`].
pub(super) fn run(cx: &mut Context) {
    let phases: &[&[fn(&mut Check<'_>)]] = &[
        &[inherit::check, contexts::check, determinism::check],
        &[proofs::check],
        &[cycles::check],
        &[variance::check],
        &[initial::check],
        &[arguments::check],
    ];
    for phase in phases {
        let broken: FxHashSet<ModuleId> =
            cx.diagnostics.iter().filter(|d| d.is_error()).filter_map(|d| Some(cx.module_at(d.span?.start))).collect();
        let mut check = Check { cx, found: Vec::new() };
        for part in *phase {
            part(&mut check);
        }
        let mut found = check.found;
        found.retain(|d| d.span.is_none_or(|s| !broken.contains(&cx.module_at(s.start))));
        cx.diagnostics.extend(found);
    }
    let mut seen = FxHashSet::default();
    // What a refining module inherits is looked at again in it.
    cx.diagnostics.retain(|d| seen.insert((d.span, d.message.clone())));
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
