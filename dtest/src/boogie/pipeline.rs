//! The front end for Boogie programs: parsing, and the lookup of procedures and loops that options
//! name.

use crate::message::MessageId;
use boogie_resolve::typed::{ProcedureId, Program};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

/// Parses and resolves a program.
///
/// # Errors
/// The errors in the program.
pub fn front(text: &str) -> Result<Program, Vec<Diagnostic>> {
    let (parsed, diagnostics) = boogie_syntax::parse(0, text);
    if diagnostics.is_empty() {
        boogie_resolve::resolve(&parsed)
    } else {
        Err(diagnostics)
    }
}

/// Returns the procedure with that name; without a name `Main`, or the only procedure with a body.
///
/// # Errors
/// A diagnostic if there is none.
pub fn entry(program: &Program, name: Option<&str>) -> Result<ProcedureId, Diagnostic> {
    let bodies: Vec<&str> = program
        .procedures
        .iter()
        .filter(|p| !p.implementations.is_empty())
        .map(|p| &*p.name)
        .collect();
    let known = |message: String| {
        let diagnostic = Diagnostic::global(MessageId::CliUnknownEntry, message);
        diagnostic.with_help(match bodies.as_slice() {
            [] => "the program has no procedure with a body".to_owned(),
            names => format!(
                "choose one with `--entry NAME`; the procedures with bodies are {}",
                names.join(", ")
            ),
        })
    };
    match (name, bodies.as_slice()) {
        (Some(name), _) => program
            .procedure_named(name)
            .ok_or_else(|| known(format!("the program has no procedure `{name}`"))),
        (None, [only]) => program
            .procedure_named(only)
            .ok_or_else(|| known("the program has no procedure".into())),
        (None, _) => program
            .procedure_named("Main")
            .ok_or_else(|| known("the program has no procedure `Main`".into())),
    }
}

/// Returns the loops for which `is_meant` is true, by the spans of their keywords.
pub fn loops(program: &Program, is_meant: impl Fn(Span) -> bool) -> Vec<Span> {
    let bodies = program.procedures.iter().flat_map(|p| &p.implementations);
    let heads = bodies
        .flat_map(|b| &b.blocks)
        .filter_map(|b| b.head.as_ref());
    heads.map(|h| h.span).filter(|s| is_meant(*s)).collect()
}
