//! Helpers of the unit tests of several layers: a program in one text, resolved and lowered.

use std::sync::Arc;

use dafny_resolve::typed::{self, Options};
use dafny_source::SourceMap;
use dtest_ir::{self as ir, Criteria};

/// Resolves a program. Panics if it has errors.
pub fn resolved(source: &str, options: Options) -> (SourceMap, typed::Program) {
    let (map, typed, diagnostics) = dafny_resolve::resolve_text("test.dfy", source, options);
    let errors: Vec<_> = diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| (&d.message, d.span.map(|s| map.locate(s))))
        .collect();
    assert!(errors.is_empty(), "{errors:?} in {source}");
    (map, typed)
}

/// Resolves a program and lowers it for `criteria`. Panics if it has errors.
pub fn lowered(source: &str, criteria: Criteria) -> (SourceMap, ir::Program) {
    let (map, typed) = resolved(source, Options::default());
    (map, crate::lower_for(Arc::new(typed), criteria))
}
