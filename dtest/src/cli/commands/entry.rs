//! `--entry`: the methods and functions that system tests call.

use super::super::Environment;
use super::Ready;
use crate::exit_code::ExitCode;
use crate::pipeline;
use dafny_syntax::diagnostic::Diagnostic;
use dtest_engine::lower::entries;

/// Makes the named callables the entries of the programs. If there are several programs, a name may
/// belong to any of them. `inline` is the value of `--inline`.
pub fn enter(
    programs: &mut [Ready],
    names: &[String],
    included: bool,
    inline: Option<u32>,
    env: &Environment,
) -> Result<(), ExitCode> {
    let mut missing: Option<Vec<String>> = None;
    for program in programs.iter_mut() {
        let here = pipeline::enter(&mut program.ir, &program.sources, included, names, inline);
        if names.is_empty() {
            env.terminal
                .diagnostics(&entries::idle_marks(&program.ir), &program.sources);
        }
        missing = Some(match missing {
            None => here,
            Some(before) => before.into_iter().filter(|n| here.contains(n)).collect(),
        });
    }
    for name in missing.iter().flatten() {
        let message = format!(
            "`--entry {name}`: the program has no compiled method or function with a body of this name"
        );
        let mut diagnostic = Diagnostic::global("cli/unknown-entry", message);
        let similar: Vec<String> = programs
            .iter()
            .flat_map(|p| entries::similar(&p.ir, name))
            .take(5)
            .collect();
        if !similar.is_empty() {
            diagnostic = diagnostic.with_help(format!("did you mean `{}`?", similar.join("`, `")));
        }
        env.terminal.diagnostic(diagnostic);
    }
    if missing.is_some_and(|m| !m.is_empty()) {
        Err(ExitCode::Usage)
    } else {
        Ok(())
    }
}
