//! What a program must still satisfy once every name and type is known.
//!
//! Each check looks at the whole typed program and changes nothing. [`PASSES`] says in which of Dafny's passes it is made
//! ([`super::passes::Pass`], where each pass is described): a module in which a pass finds errors is passed over by later
//! ones, so that one mistake is reported once, and the first error is Dafny's. To see where a check of Dafny's belongs,
//! look for its call in `ModuleResolver.ResolveTopLevelDecls_Core`; what its `ResolveClassMembers_Pass1` does is
//! [`Pass::Ghost`], its `CheckTypeInferenceVisitor` [`Pass::Inference`].

mod arguments;
mod assumptions;
mod before_new;
mod claims;
mod comprehensions;
mod contexts;
mod cycles;
mod demands;
mod determinism;
mod extreme;
mod inherit;
mod initial;
mod knots;
mod ordinals;
mod pools;
mod positions;
mod proofs;
mod refined;
mod tail;
#[cfg(test)]
mod tests;
mod variance;

use crate::typed::{Attributes, ModuleId, Program, TypeDeclKind, TypeId};
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::Span;

use super::context::Context;
use super::graph::Graph;
use super::parallel;
use super::passes::Pass;

pub(super) use demands::undetermined_base;

/// The checks that Dafny makes in one of its passes.
type Checks = (Pass, &'static [fn(&mut Check<'_>)]);

/// The checks by pass.
const PASSES: &[Checks] = &[
    (Pass::Inheritance, &[inherit::check, extreme::overridden]),
    (Pass::Values, &[cycles::own_constraints, demands::check]),
    (Pass::Bodies, &[contexts::check]),
    (Pass::Inference, &[assumptions::assigned, ordinals::check]),
    (
        Pass::Ghost,
        &[
            proofs::check,
            proofs::specifications,
            tail::check,
            assumptions::declared,
        ],
    ),
    (Pass::GhostTypes, &[proofs::types]),
    (Pass::Characteristics, &[claims::abstemious, extreme::older]),
    (Pass::Recursion, &[extreme::obligations]),
    (Pass::Determinism, &[determinism::check]),
    (Pass::Variance, &[variance::check]),
    (
        Pass::StoredFunctions,
        &[knots::readers, knots::own_functions],
    ),
    (Pass::Initialization, &[initial::check, before_new::check]),
    (Pass::Comprehensions, &[comprehensions::check]),
    (Pass::Afterwards, &[claims::printing]),
];

/// Callables from which on a second thread pays.
const LARGE: usize = 200;

/// All other checks; what they find is added to [`Context::diagnostics`].
pub(super) fn run(cx: &mut Context) {
    run_by_module(cx, Pass::Signatures, &[initial::yields]);
    run_by_module(cx, Pass::Initialization, &[initial::values]);
    run_by_module(cx, Pass::Characteristics, &[arguments::check]);
    run_by_module(cx, Pass::RefinedTypes, &[arguments::refined_types]);
    run_passes(cx, PASSES);
    cx.places.parents_first = inherit::parents_first(&cx.program);
    let added = std::mem::take(cx.diagnostics.added_statements());
    run_pass(cx, Pass::RefinedTypes, |c| refined::check(c, &added));
    circles(cx);
}

/// Declarations that depend on themselves.
fn circles(cx: &mut Context) {
    let mut graph = Graph::of(cx);
    run_pass(cx, Pass::ConstraintCycles, |c| {
        cycles::before_ghosts(c, &graph)
    });
    graph.add_method_calls(cx);
    run_pass(cx, Pass::FunctionUses, |c| cycles::functions(c, &graph));
    run_pass(cx, Pass::Recursion, |c| cycles::all(c, &graph));
    cx.program.circles = graph.circles();
}

/// Checks that look at each module as it sees the types of others; see [`Check::looks_at`].
fn run_by_module(cx: &mut Context, pass: Pass, checks: &[fn(&mut Check<'_>)]) {
    let modules = (0..cx.scopes.len()).map(|m| ModuleId(m as u32));
    let limited: Vec<ModuleId> = modules.filter(|m| cx.has_opaque_types(*m)).collect();
    for module in std::iter::once(None).chain(limited.into_iter().map(Some)) {
        let before = cx.look_from(module);
        let mut check = Check {
            cx,
            found: Vec::new(),
            module,
        };
        checks.iter().for_each(|run| run(&mut check));
        let found = check.found;
        cx.diagnostics.enter(pass);
        cx.diagnostics.extend(found);
        cx.look_from(before);
    }
}

/// What is looked at before ghost expressions are made ready for execution.
pub(super) fn before_ghosts(cx: &mut Context) {
    run_passes(
        cx,
        &[
            (Pass::Bounds, &[pools::check]),
            (Pass::PrefixLemmas, &[positions::prefix_lemmas]),
            (Pass::Recursion, &[positions::check]),
        ],
    );
}

fn run_passes(cx: &mut Context, passes: &[Checks]) {
    let look = |(_, checks): &Checks| {
        let mut check = Check {
            cx,
            found: Vec::new(),
            module: None,
        };
        checks.iter().for_each(|run| run(&mut check));
        check.found
    };
    let is_large = cx.program.callables.len() >= LARGE;
    let found: Vec<Vec<Diagnostic>> = if is_large {
        parallel::each(passes, look)
    } else {
        passes.iter().map(look).collect()
    };
    for ((pass, _), found) in passes.iter().zip(found) {
        cx.diagnostics.enter(*pass);
        cx.diagnostics.extend(found);
    }
}

fn run_pass(cx: &mut Context, pass: Pass, run: impl FnOnce(&mut Check<'_>)) {
    let mut check = Check {
        cx,
        found: Vec::new(),
        module: None,
    };
    run(&mut check);
    let found = check.found;
    cx.diagnostics.enter(pass);
    cx.diagnostics.extend(found);
}

/// A check at work.
struct Check<'a> {
    cx: &'a Context,
    found: Vec<Diagnostic>,
    /// The module that is looked at, as it sees the program; none: those to which nothing is opaque.
    module: Option<ModuleId>,
}

impl<'a> Check<'a> {
    fn program(&self) -> &'a Program {
        &self.cx.program
    }

    /// Whether a module is looked at in this run of a check by modules.
    fn looks_at(&self, module: ModuleId) -> bool {
        self.module
            .map_or_else(|| !self.cx.has_opaque_types(module), |m| m == module)
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
pub(super) fn type_word(kind: &TypeDeclKind) -> &'static str {
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
