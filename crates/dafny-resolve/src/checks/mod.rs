//! Checks of the typed program, after names and types are resolved.
//!
//! Each check reads the whole typed program and changes nothing. [`PASSES`] maps checks to Dafny's
//! passes ([`super::passes::Pass`] describes each pass). Later passes skip a module in which an
//! earlier pass found errors, so that each error is reported once and the first one is the one
//! that Dafny reports.
//!
//! To find the pass of a Dafny check, look for its call in
//! `ModuleResolver.ResolveTopLevelDecls_Core`. Checks in its `ResolveClassMembers_Pass1` belong to
//! [`Pass::Ghost`], those in its `CheckTypeInferenceVisitor` to [`Pass::Inference`].

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
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::context::Context;
use super::graph::Graph;
use super::parallel;
use super::passes::Pass;

pub(super) use demands::undetermined_base;

/// The checks of one of Dafny's passes.
type Checks = (Pass, &'static [fn(&mut Check<'_>)]);

/// The checks by pass.
const PASSES: &[Checks] = &[
    (Pass::Inheritance, &[inherit::check, extreme::overridden]),
    (Pass::Values, &[cycles::own_constraints, demands::check]),
    (Pass::Contexts, &[contexts::check]),
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
    (Pass::Recursion, &[extreme::postconditions]),
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

/// The number of callables from which a second thread pays off.
const LARGE: usize = 200;

/// Runs all checks but those of [`before_ghosts`], and adds the errors to [`Context::diagnostics`].
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

/// Reports declarations that depend on themselves.
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

/// Runs checks that depend on which types are opaque to a module: once for each module with opaque
/// types, and once for all others together. See [`Check::looks_at`].
fn run_by_module(cx: &mut Context, pass: Pass, checks: &[fn(&mut Check<'_>)]) {
    let modules = (0..cx.names.scopes.len()).map(|m| ModuleId(m as u32));
    let limited: Vec<ModuleId> = modules.filter(|m| cx.has_opaque_types(*m)).collect();
    for module in std::iter::once(None).chain(limited.into_iter().map(Some)) {
        cx.seen_by(module, |cx| {
            let mut check = Check {
                cx,
                found: Vec::new(),
                map_ranges: Vec::new(),
                module,
            };
            checks.iter().for_each(|run| run(&mut check));
            let (found, map_ranges) = (check.found, check.map_ranges);
            cx.diagnostics.enter(pass);
            cx.diagnostics.extend(found);
            map_ranges
                .into_iter()
                .for_each(|d| cx.diagnostics.push_in(Pass::MapRanges, d));
        });
    }
}

/// Runs the checks that precede the preparation of ghost expressions for execution.
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
            map_ranges: Vec::new(),
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
        map_ranges: Vec::new(),
        module: None,
    };
    run(&mut check);
    let found = check.found;
    cx.diagnostics.enter(pass);
    cx.diagnostics.extend(found);
}

/// A running check.
struct Check<'a> {
    cx: &'a Context,
    found: Vec<Diagnostic>,
    /// The errors of [`Pass::MapRanges`].
    map_ranges: Vec<Diagnostic>,
    /// The module being checked, with its view of types. `None`: all modules without opaque types.
    module: Option<ModuleId>,
}

impl<'a> Check<'a> {
    fn program(&self) -> &'a Program {
        &self.cx.program
    }

    /// Whether this run of a check covers the module.
    fn looks_at(&self, module: ModuleId) -> bool {
        self.module
            .map_or_else(|| !self.cx.has_opaque_types(module), |m| m == module)
    }

    fn error(&mut self, id: &'static str, span: Span, message: String) {
        self.found.push(Diagnostic::error(id, span, message));
    }

    /// The keyword of the type's declaration.
    fn kind_of(&self, ty: TypeId) -> &'static str {
        type_word(&self.program()[ty].kind)
    }
}

/// The keyword of a type declaration.
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

/// Whether the item has `{:extern}`.
fn is_extern(item: &impl Attributes) -> bool {
    item.attribute("extern").is_some()
}
