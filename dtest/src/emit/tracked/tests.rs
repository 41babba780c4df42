use crate::diagnostic::Diagnostic;
use crate::emit::{Placement, Translation, translate};
use crate::source::SourceMap;
use crate::typed::Options;

/// The translation of a program in one file.
fn translated(source: &str) -> (Translation, SourceMap) {
    let mut sources = SourceMap::default();
    let (id, base) = sources.add("a.dfy", source, true);
    let (tree, diagnostics) = crate::syntax::parse(id, base, source);
    assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:?}");
    let (program, diagnostics) = crate::resolve::resolve(vec![tree], Options::default());
    assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:?}");
    let translation = translate(&program, &sources, &Placement::single("lib.rs", "crate", ""));
    (translation, sources)
}
