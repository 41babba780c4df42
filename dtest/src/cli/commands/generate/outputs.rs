//! Writing and comparing the files of a run.

use std::path::Path;

use super::settings::Settings;
use super::{Generated, SUITE};
use crate::cli::args::{Convention, Emit};
use crate::cli::commands::translate;
use crate::cli::error::CommandResult;
use crate::cli::files::{self, FileError};
use crate::cli::layout::{self, Output};
use crate::cli::{Environment, against};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;
use dtest_sorted::SortedSet;

/// Whether hand-written code has the modules that the suite names; reports the missing ones.
pub(super) fn has_modules(generated: &Generated, settings: &Settings, env: &Environment) -> bool {
    let Some(against) = &settings.against else {
        return true;
    };
    let root = &generated.home.root;
    if settings.convention == Convention::Dafny {
        return has_official(generated, against, env);
    }
    let texts = generated.outputs.iter().map(|o| o.text.as_str());
    let missing = against::missing(root, against, texts);
    for module in &missing {
        let name = module.path.rsplit("::").next().unwrap_or_default();
        let (file, path) = (&module.file, &module.path);
        let message = if module.is_private {
            format!("the suite names the module `{path}`, which {file} declares as private")
        } else {
            format!("the suite names the module `{path}`, which {file} does not declare")
        };
        let help = format!(
            "declare `pub mod {name};` in {file}, or name the module that has the code by `--against`: each Dafny file and each Dafny module is a Rust module below it, except `src/lib.dfy`"
        );
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::CliNoModule, message).with_help(help));
    }
    missing.is_empty()
}

/// Whether the package has Dafny's translation with the modules that the suite calls, and its
/// run-time library; reports what is missing.
fn has_official(generated: &Generated, against: &str, env: &Environment) -> bool {
    let root = &generated.home.root;
    if let Some((message, help)) = against::wrong_runtime(root) {
        let diagnostic = Diagnostic::global(MessageId::CliConvention, message);
        env.terminal.diagnostic(diagnostic.with_help(help));
        return false;
    }
    let missing = against::missing_modules(root, against, &generated.official);
    for module in &missing {
        let (file, path) = (&module.file, &module.path);
        let (message, help) = if module.is_private {
            (
                format!("the suite calls the module `{path}`, which {file} declares as private"),
                format!(
                    "declare it as `pub mod` in {file}, in a copy of the crate if need be: tests are outside of the crate"
                ),
            )
        } else {
            (
                format!("the suite calls the module `{path}`, which {file} does not declare"),
                "name the module with what `dafny translate rs` wrote by `--against`: `crate::implementation_from_dafny`, or `crate` if it is src/lib.rs".to_owned(),
            )
        };
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::CliNoModule, message).with_help(help));
    }
    missing.is_empty()
}

/// The paths of generated files that may remain in a package after the run.
pub(super) fn expected(outputs: &[Output], staying: &[String]) -> SortedSet<String> {
    outputs
        .iter()
        .map(|o| o.path.clone())
        .chain(staying.iter().cloned())
        .collect()
}

pub(super) fn write(
    generated: &Generated,
    settings: &Settings,
    env: &Environment,
) -> CommandResult {
    let Generated {
        home,
        outputs,
        staying,
        links,
        official: _,
    } = generated;
    let root = home.root.as_path();
    match settings.emit {
        Emit::Rust => {}
        Emit::Dafny => return write_tests(root, outputs, files::is_ours, env),
        Emit::Vectors => return write_tests(root, outputs, is_vectors, env),
    }
    // An error is shown here, before the notes on the other files.
    let written = translate::write(env, home, settings.runtime.as_deref(), outputs, links);
    let code = env.settle(written.map(|()| ExitCode::Done));
    // With `--filter`, tests of other units stay in their files.
    if settings.is_part && !staying.is_empty() {
        let (files, stay) = if staying.len() == 1 {
            ("file", "stays")
        } else {
            ("files", "stay")
        };
        env.terminal.note(&format!(
            "{} {files} with tests outside of `--filter` {stay} unchanged",
            staying.len()
        ));
    }
    for path in layout::remove_stale(root, SUITE, &expected(outputs, staying)) {
        env.terminal
            .note(&format!("removed {path}, which is no longer generated"));
    }
    Ok(code)
}

/// Whether a file has test vectors that this tool generated.
fn is_vectors(path: &Path) -> bool {
    files::read_text(path).is_ok_and(|t| t.starts_with(dtest_emit::vectors::MARKER))
}

/// Writes files of tests that are not Rust; other files of the directory stay.
pub(super) fn write_tests(
    root: &Path,
    outputs: &[Output],
    is_ours: impl Fn(&Path) -> bool,
    env: &Environment,
) -> CommandResult {
    let written = layout::write_marked(root, outputs, is_ours)?;
    for path in &written.changed {
        env.terminal.note(&format!("wrote {path}"));
    }
    match written.refused.first() {
        Some(path) => Err(FileError::Foreign {
            path: path.clone(),
            root: root.into(),
        }
        .into()),
        None => Ok(ExitCode::Done),
    }
}

/// Compares the generated files with those on disk, and prints the differences.
pub(super) fn check(generated: &Generated, emit: Emit, env: &Environment) -> ExitCode {
    let Generated {
        home,
        outputs,
        staying,
        ..
    } = generated;
    let root = home.root.as_path();
    let mut code = ExitCode::Done;
    // Nothing is written: the difference to the files on disk is shown as a patch.
    for output in outputs {
        if output.is_in_place(root) {
            continue;
        }
        code = ExitCode::Stale;
        let old = files::read_text(&root.join(&output.path)).unwrap_or_default();
        let path = &output.path;
        let mut options = diffy::DiffOptions::new();
        options
            .set_original_filename(format!("{path} (on disk)"))
            .set_modified_filename(format!("{path} (as it would be written)"));
        env.terminal.note(
            options
                .create_patch(&old, &output.text)
                .to_string()
                .trim_end(),
        );
    }
    // Files that would be removed make a suite stale, too.
    let stale = match emit {
        Emit::Rust => layout::stale(root, SUITE, &expected(outputs, staying)),
        Emit::Dafny | Emit::Vectors => Vec::new(),
    };
    for path in stale {
        env.terminal.note(&format!("{path} would be removed"));
        code = ExitCode::Stale;
    }
    if code == ExitCode::Stale {
        let diagnostic =
            Diagnostic::global(MessageId::CliStale, "the files on disk are out of date");
        env.terminal.diagnostic(
            diagnostic.with_help("run `cargo dtest gen` with the same options, without --check"),
        );
    }
    code
}

/// The first line of a transcript; identifies generated files.
const SMT_MARKER: &str = "; generated by cargo dtest";

/// Writes the transcripts of the solver, each under the path of its unit.
pub(super) fn write_transcripts(
    directory: &Path,
    transcripts: &[(String, String)],
    env: &Environment,
) {
    for (unit, transcript) in transcripts {
        // Paths of units may contain characters that file names must not.
        let name: String = unit
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '.' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let output = Output {
            path: format!("{name}.smt2"),
            text: format!("{SMT_MARKER}\n{transcript}"),
        };
        let is_ours = |path: &Path| files::read_text(path).is_ok_and(|t| t.starts_with(SMT_MARKER));
        let written = layout::write_marked(directory, &[output], is_ours);
        let refused = |w: layout::Written| {
            w.refused.first().map(|path| FileError::Foreign {
                path: path.clone(),
                root: directory.into(),
            })
        };
        // The transcript is an extra: the run continues without it.
        if let Some(error) = written.map_or_else(Some, refused) {
            env.settle(Err(error.into()));
            return;
        }
    }
}
