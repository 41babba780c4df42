//! Whatever parses, the resolver returns: with messages whose places lie within the text, and the same ones again; what it accepts is
//! lowered.
//!
//! `cargo xtask fuzz resolve`, or `cargo +nightly fuzz run resolve fuzz/corpus/resolve dtest/tests/verdicts`

#![no_main]

use std::sync::Arc;

use dafny_resolve::resolve;
use dafny_resolve::typed::Options;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::parse;
use dtest_lower::lower;
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|text: &str| -> Corpus {
    let (file, diagnostics) = parse(0, text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Corpus::Keep;
    }
    let (program, diagnostics) = resolve(vec![file.clone()], Options::default());
    for d in &diagnostics {
        let places = d
            .span
            .into_iter()
            .chain(d.labels.iter().map(|label| label.span));
        for place in places {
            assert!(
                place.start <= place.end && place.end as usize <= text.len(),
                "{d:?}"
            );
        }
    }
    let (_, again) = resolve(vec![file], Options::default());
    assert_eq!(diagnostics, again, "other messages for\n{text}");
    if !diagnostics.iter().any(Diagnostic::is_error) {
        lower(Arc::new(program));
    }
    Corpus::Keep
});
