//! Name and type resolution: from parsed files to the typed program.
//!
//! Resolution has two halves. The first declares names: [`tree`] builds one tree of all modules and
//! implements refinement as a merge of declarations, [`declare`] assigns ids and fills scopes,
//! [`imports`] adds imports and export sets, and [`signatures`] resolves the signatures of
//! declarations. The second resolves the rest: [`bodies`] resolves expressions and statements, then
//! native types, characteristics and `Main` are computed, and [`checks`] checks the whole program.
//!
//! All errors are found, in an order of our own. [`passes`] selects and sorts the reported ones as
//! Dafny does: its resolver makes many passes over each module and stops at the first pass with
//! errors. `docs/limits.md` lists programs that Dafny rejects and this crate accepts.
//!
//! # Example
//!
//! ```
//! use dafny_resolve::{resolve_text, typed::Options};
//!
//! let (sources, program, diagnostics) = resolve_text("abs.dfy", "function Abs(x: int): nat { if x < 0 then -x else x }", Options::default());
//! assert!(diagnostics.is_empty());
//! assert!(program.callables.iter().any(|c| &*c.name == "Abs"));
//!
//! let (sources, _, diagnostics) = resolve_text("wrong.dfy", "method M() {\n  x := 3;\n}", Options::default());
//! let error = diagnostics.first().expect("`x` is not declared");
//! assert_eq!(error.id, "resolve/unknown-name");
//! assert_eq!(sources.locate(error.span.unwrap()), "wrong.dfy:2:3");
//! ```
#![deny(missing_docs)]
// Not in tests, which print variants without a notation by `{:?}`.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod at_attributes;
mod attributes;
mod autocontracts;
pub mod bodies;
mod characteristics;
mod checks;
mod compiled_names;
pub mod context;
mod declare;
mod dependencies;
mod export_views;
mod exportable;
mod graph;
mod imports;
pub mod index;
mod iterators;
mod main_method;
mod native;
mod opaque_synonyms;
mod parallel;
mod passes;
mod refine;
mod signatures;
pub mod spelling;
mod tree;
pub mod typed;
mod types;
mod visibility;

use crate::typed::{Options, Program};
use dafny_source::SourceMap;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use context::Context;
use index::{Index, Notes};
use passes::Pass;

/// Parses and resolves a program in a single text, which messages call `path`. Returns its source
/// map, the typed program and all diagnostics. If a diagnostic is an error, the typed program is
/// incomplete.
///
/// A text of 4 GiB or more is rejected, because positions are 32-bit.
pub fn resolve_text(
    path: &str,
    text: &str,
    options: Options,
) -> (SourceMap, Program, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    if sources.add(path, text, true).is_none() {
        return (
            sources,
            Program::default(),
            vec![Diagnostic::global(
                "load/too-large",
                format!("`{path}` is larger than 4 GiB"),
            )],
        );
    }
    let (file, mut diagnostics) = dafny_syntax::parse_with(0, text, options.syntax());
    let (program, more) = resolve(vec![file], options);
    diagnostics.extend(more);
    (sources, program, diagnostics)
}

/// Resolves the files of a program, in load order. Returns the typed program and all diagnostics.
pub fn resolve(files: Vec<ast::File>, options: Options) -> (Program, Vec<Diagnostic>) {
    let (program, reported, _) = resolve_noting(files, options, Notes::default());
    (program, reported)
}

/// Like [`resolve`], and returns an index of all references. If the text contains the name
/// `marker`, the index has the completions at its position. An editor inserts the marker at the
/// cursor.
pub fn resolve_indexed(
    files: Vec<ast::File>,
    options: Options,
    marker: Option<&str>,
) -> (Program, Vec<Diagnostic>, Index) {
    resolve_noting(files, options, Notes::wanted(marker))
}

fn resolve_noting(
    files: Vec<ast::File>,
    options: Options,
    notes: Notes,
) -> (Program, Vec<Diagnostic>, Index) {
    let mut cx = Context {
        notes,
        ..Context::default()
    };
    cx.program.options = options;
    cx.program.prebuilt = files
        .iter()
        .filter(|f| f.is_prebuilt)
        .map(|f| f.span)
        .collect();
    cx.text.anchors = files
        .iter()
        .flat_map(|f| f.anchors.0.iter().copied())
        .collect();
    for d in at_attributes::check(&files) {
        cx.diagnostics.push_in(Pass::BuiltInAttributes, d);
    }
    let mut tree = tree::Tree::build(files);
    let copy = export_views::copy(&mut tree);
    resolve_tree(&mut cx, tree);
    cx.note_exports();
    if let Some(copy) = copy {
        export_views::check(&mut cx, &copy);
    }
    cx.diagnostics.enter(Pass::Program);
    attributes::check_inlining(&cx.program, &mut cx.diagnostics);
    compiled_names::check(&cx.program, &mut cx.diagnostics);
    cx.program.main = main_method::find(&cx.program, &mut cx.diagnostics);
    let mut reported = passes::reported(
        std::mem::take(&mut cx.diagnostics),
        &cx.dependencies,
        std::mem::take(&mut cx.places),
    );
    // Report an error of an expression at its token and not at its whole span.
    for d in &mut reported {
        d.span = d
            .span
            .map(|s| cx.text.anchors.get(&s).copied().unwrap_or(s));
    }
    let index = cx.index();
    (cx.program, reported, index)
}

/// Runs all stages from modules to the typed program.
fn resolve_tree(cx: &mut Context, tree: tree::Tree) {
    let mut pending = declare::Declarer::run(cx, tree);
    visibility::settle(cx);
    opaque_synonyms::declare(cx);
    autocontracts::complete(cx, &mut pending);
    signatures::resolve(cx, &pending);
    bodies::resolve_bodies(cx);
    characteristics::infer(cx);
    checks::before_ghosts(cx);
    bodies::settle_ghosts(cx);
    checks::run(cx);
    opaque_synonyms::expand(cx);
}

/// The errors of the views in `tree`, which contains them besides the modules of `program`.
fn resolve_views(tree: tree::Tree, program: &Program) -> Vec<Diagnostic> {
    let mut cx = Context::default();
    cx.names.in_views = true;
    cx.program.options.clone_from(&program.options);
    cx.program.prebuilt.clone_from(&program.prebuilt);
    resolve_tree(&mut cx, tree);
    passes::reported(cx.diagnostics, &cx.dependencies, cx.places)
}

#[cfg(test)]
mod tests;
