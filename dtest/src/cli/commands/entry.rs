//! `--entry`: the methods and functions that system tests call.

use super::super::Environment;
use super::super::error::ExpectedError;
use super::Ready;
use crate::message::MessageId;
use crate::pipeline;
use dafny_resolve::typed::{Arena, Attributes as _, CallableId};
use dafny_source::Span;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_lower::{entries, units};

/// Maximum number of names that a note lists.
const MAX_NAMES: usize = 5;

/// Makes the named callables the entries of the programs. If there are several programs, a name may
/// belong to any of them. `inline` is the value of `--inline`.
pub fn enter(
    programs: &mut [Ready],
    names: &[String],
    included: bool,
    inline: Option<u32>,
    env: &Environment,
) -> Result<(), ExpectedError> {
    let mut missing: Option<Vec<String>> = None;
    // Dafny, too, generates no tests with an attribute that has no meaning. Elsewhere it is a warning.
    let mut is_wrong = false;
    for program in programs.iter() {
        let typed = &program.ir.typed;
        let wrong: Vec<Diagnostic> = Arena::<CallableId>::ids(&**typed)
            .into_iter()
            .flat_map(|id| typed[id].attributes().iter().map(move |a| (id, a)))
            .filter(|(_, a)| &*a.name == "testInline" && a.unrolling().is_none())
            .map(|(id, a)| {
                let path = typed.callable_path(id);
                let message = format!("`{{:testInline}}` on `{path}` has no depth to test it with");
                let help = "give one positive number, or no argument";
                let mut diagnostic =
                    Diagnostic::warning(MessageId::EntryBadDepth, a.span, message).with_help(help);
                diagnostic.severity = Severity::Error;
                diagnostic
            })
            .collect();
        is_wrong |= !wrong.is_empty();
        env.terminal.diagnostics(&wrong, &program.sources);
    }
    if is_wrong {
        return Err(ExpectedError::Programs);
    }
    for program in programs.iter_mut() {
        let here = pipeline::enter(&mut program.ir, &program.sources, included, names, inline);
        if names.is_empty() {
            env.terminal
                .diagnostics(&entries::idle_marks(&program.ir), &program.sources);
            note_left_out(program, included, env);
        }
        missing = Some(match missing {
            None => here,
            Some(before) => before.into_iter().filter(|n| here.contains(n)).collect(),
        });
    }
    let mut unknown = Vec::new();
    for name in missing.iter().flatten() {
        let message = format!(
            "`--entry {name}`: the program has no compiled method or function with a body of this name"
        );
        let mut diagnostic = Diagnostic::global(MessageId::CliUnknownEntry, message);
        let similar: Vec<String> = programs
            .iter()
            .flat_map(|p| entries::similar(&p.ir, name))
            .take(5)
            .collect();
        if !similar.is_empty() {
            diagnostic = diagnostic.with_help(format!("did you mean `{}`?", similar.join("`, `")));
        }
        unknown.push(diagnostic);
    }
    if unknown.is_empty() {
        Ok(())
    } else {
        Err(ExpectedError::Usage(unknown))
    }
}

/// Notes the units that are skipped because `{:testEntry}` marks others. Units marked
/// `{:testInline}` are part of entries, so that they are not noted.
fn note_left_out(program: &Ready, included: bool, env: &Environment) {
    let sources = &program.sources;
    let is_wanted =
        |span: Span| included || sources.file_at(span.start).is_some_and(|(_, f)| f.named);
    let left_out = units::left_out(&program.ir.typed, is_wanted);
    if left_out.is_empty() {
        return;
    }
    let names: Vec<String> = left_out
        .iter()
        .take(MAX_NAMES)
        .map(|u| format!("`{}`", u.path))
        .collect();
    let more = if left_out.len() > MAX_NAMES {
        format!(" and {} more", left_out.len() - MAX_NAMES)
    } else {
        String::new()
    };
    env.terminal.note(&format!(
        "only what `{{:testEntry}}` marks is looked at; skipped: {}{more}",
        names.join(", ")
    ));
}
