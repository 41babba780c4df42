//! `--coverage-report DIR`: writes the HTML pages and the LCOV file.

use std::path::{Path, PathBuf};

use super::error::CommandResult;
use super::layout::{self, Output};
use super::{Environment, files, package};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::report::{Report, annotate, html, lcov, listing};
use dafny_resolve::typed::Program;
use dafny_source::SourceMap;
use dafny_source::diagnostic::{Diagnostic, Severity};

/// The name of the LCOV file.
const LCOV: &str = "lcov.info";
/// Directory of the suite, relative to the root of the package.
const SUITE: &str = "tests/dtest";

/// Writes the report into `directory`. Hand-written files stay; generated pages whose source no
/// longer exists are removed. `root` is the package of the suite; `setting` describes how goals
/// were chosen.
pub fn write(
    directory: &Path,
    root: &Path,
    report: &Report,
    programs: &[(&Program, &SourceMap)],
    setting: &str,
    command: &str,
    env: &Environment,
) -> CommandResult {
    let directory = files::normalize(
        &std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf()),
    );
    let listings: Vec<_> = programs
        .iter()
        .flat_map(|(typed, sources)| listing::listings(typed, sources))
        .collect();
    let sources = annotate::annotate(report, &listings);
    let options = html::Options {
        title: package::library_of(&package::Home::at(root.to_path_buf())),
        setting: setting.to_owned(),
        suite: Some(url(&format!(
            "{}/",
            files::relative(&root.join(SUITE), &directory)
        ))),
        command: command.to_owned(),
    };
    let mut outputs: Vec<Output> = html::render(report, &sources, &options)
        .into_iter()
        .map(|(path, text)| Output { path, text })
        .collect();
    outputs.push(Output {
        path: LCOV.to_owned(),
        text: lcov::render(&sources),
    });
    let written = layout::write_marked(&directory, &outputs, is_ours)?;
    for path in files::files_in(&directory, "html") {
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        if is_ours(&path) && outputs.iter().all(|o| o.path != name) {
            // A page that cannot be removed is harmless: no other page links to it.
            let _ = files::remove(&path);
        }
    }
    for path in &written.refused {
        let path = directory.join(path);
        let message = format!(
            "`{}` was not written by cargo dtest, and was not changed",
            path.display()
        );
        let mut diagnostic = Diagnostic::global(MessageId::CliHandWritten, message);
        diagnostic.severity = Severity::Warning;
        env.terminal
            .diagnostic(diagnostic.with_help("choose another directory with --coverage-report"));
    }
    let index = directory.join("index.html");
    env.terminal.note(&format!(
        "wrote the coverage report to {}",
        files::relative(&index, &env.root)
    ));
    Ok(ExitCode::Done)
}

/// Returns the files of a report that was written into `directory`.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    let directory = files::normalize(
        &std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf()),
    );
    let pages = files::files_in(&directory, "html")
        .into_iter()
        .filter(|p| is_ours(p));
    pages.chain([directory.join(LCOV)]).collect()
}

/// Whether a file is a generated page or tracefile.
fn is_ours(path: &Path) -> bool {
    files::read_text(path)
        .is_ok_and(|t| t.starts_with(html::FIRST_LINE) || t.starts_with(lcov::TEST_NAME))
}

/// Encodes a path as a relative URL; reserved characters are percent-encoded.
fn url(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    path.bytes()
        .map(|b| {
            if plain(b) {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn special_characters_of_addresses_are_encoded() {
        assert_eq!(super::url("../a b/c#d/"), "../a%20b/c%23d/");
    }
}
