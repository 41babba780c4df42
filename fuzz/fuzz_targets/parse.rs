//! Whatever the text, the parser returns; its messages lie within the text; what it accepts prints as text
//! that has the same tree.
//!
//! `cargo +nightly fuzz run parse fuzz/corpus/parse crates/dafny-syntax/src/programs`

#![no_main]

use dafny_syntax::erase::EraseSpans;
use dafny_syntax::{file_to_string, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (mut file, diagnostics) = parse(0, text);
    for d in &diagnostics {
        assert!(
            d.span
                .is_some_and(|s| s.start <= s.end && s.end as usize <= text.len()),
            "{d:?}"
        );
    }
    if diagnostics.iter().any(|d| d.is_error()) {
        return;
    }
    let printed = file_to_string(&file);
    let (mut again, diagnostics) = parse(0, &printed);
    assert!(
        !diagnostics.iter().any(|d| d.is_error()),
        "{diagnostics:?}\n{printed}"
    );
    file.erase_spans();
    again.erase_spans();
    assert!(file == again, "another tree for\n{printed}");
});
