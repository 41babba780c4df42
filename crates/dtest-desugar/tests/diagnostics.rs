//! Snapshots of the diagnostics of this crate: `diagnostics/ID.dfy` is a small program with the
//! diagnostic, and `ID.snap` its rendered form.
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    missing_docs,
    reason = "tests"
)]

use std::path::Path;

use dafny_resolve::resolve_text;
use dafny_resolve::typed::Options;
use dafny_source::diagnostic::human;
use dtest_desugar::Syntheses as _;

#[test]
fn a_synthesized_method_with_another_form_of_postcondition_is_reported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics/synthesize");
    let text = std::fs::read_to_string(folder.join("form.dfy")).expect("a program");
    let (sources, program, mut diagnostics) =
        resolve_text("program.dfy", &text, Options::default());
    diagnostics.extend(program.unfit_syntheses());
    assert!(diagnostics.iter().any(|d| d.id == "synthesize/form"));
    let shown: Vec<String> = diagnostics
        .iter()
        .map(|d| human::render(d, &sources, false))
        .collect();
    insta::with_settings!({ snapshot_path => folder, prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("form", shown.join("\n\n"));
    });
}
