//! Dafny's library archives, `.doo` files: a zip of the program's text and of a manifest with the
//! options that it was verified with.
//!
//! [`read`] extracts the text; [`installed_standard_libraries`] finds the archive that comes with
//! Dafny.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::files;
use dafny_syntax::{FunctionSyntax, QuantifierSyntax};

/// The limit of an entry of an archive, in bytes: an archive may claim to be much larger than it is.
const MAX_ENTRY: u64 = 256 << 20;
/// The name of the archive with the standard libraries, beside Dafny's programs.
const STANDARD_LIBRARIES: &str = "DafnyStandardLibraries.doo";

/// A library archive.
#[derive(Debug)]
pub struct Archive {
    /// The text of the program.
    pub text: String,
    /// Whether characters are Unicode scalar values, if the manifest says so.
    pub unicode_char: Option<bool>,
    /// The syntax of functions in the text.
    pub function_syntax: FunctionSyntax,
    /// The syntax of quantifiers in the text.
    pub quantifier_syntax: QuantifierSyntax,
}

/// The part of the manifest that affects how the text is read.
#[derive(Debug, Default, Deserialize)]
struct Manifest {
    #[serde(default)]
    options: toml::Table,
}

/// Whether a path names a library archive.
pub fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|x| x == "doo")
}

/// Reads an archive.
///
/// # Errors
///
/// A description of what is wrong with the file: it cannot be read, is not a zip, lacks an entry,
/// has one that is too large or not UTF-8, or has a manifest that is not TOML.
pub fn read(path: &Path) -> std::io::Result<Archive> {
    let wrong = |message: String| std::io::Error::new(std::io::ErrorKind::InvalidData, message);
    let mut zip = zip::ZipArchive::new(Cursor::new(files::read_regular(path)?))
        .map_err(|e| wrong(format!("it is not a library archive of Dafny: {e}")))?;
    let mut entry = |name: &str| -> std::io::Result<String> {
        let file = zip
            .by_name(name)
            .map_err(|e| wrong(format!("its entry `{name}`: {e}")))?;
        let mut bytes = Vec::new();
        file.take(MAX_ENTRY + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_ENTRY {
            return Err(wrong(format!("its entry `{name}` is too large")));
        }
        String::from_utf8(bytes).map_err(|_| wrong(format!("its entry `{name}` is not UTF-8")))
    };
    let manifest = entry("manifest.toml")?;
    let text = entry("program")?;
    let manifest: Manifest =
        toml::from_str(&manifest).map_err(|e| wrong(format!("its manifest: {e}")))?;
    let version = |name: &str| match manifest.options.get(name) {
        Some(toml::Value::Integer(n)) => Some(n.to_string()),
        Some(value) => value.as_str().map(str::to_owned),
        None => None,
    };
    Ok(Archive {
        text,
        unicode_char: manifest
            .options
            .get("unicode-char")
            .and_then(toml::Value::as_bool),
        function_syntax: version("function-syntax")
            .and_then(|v| FunctionSyntax::of_value(&v))
            .unwrap_or_default(),
        quantifier_syntax: match version("quantifier-syntax").as_deref() {
            Some("3") => QuantifierSyntax::Version3,
            Some(_) | None => QuantifierSyntax::Version4,
        },
    })
}

/// Returns the archive beside an archive of the standard libraries that has what is different for
/// each target of compilation, here for none; `None` if there is no such file.
pub fn without_target(libraries: &Path) -> Option<PathBuf> {
    if libraries.file_name()? != STANDARD_LIBRARIES {
        return None;
    }
    let path = libraries.with_file_name("DafnyStandardLibraries-notarget.doo");
    path.is_file().then_some(path)
}

/// Returns the archive of the standard libraries of the Dafny that `search_path`, the value of
/// `PATH`, has; `None` if there is none.
pub fn installed_standard_libraries(search_path: &std::ffi::OsStr) -> Option<PathBuf> {
    std::env::split_paths(search_path)
        .flat_map(|directory| ["dafny", "dafny.exe", "Dafny"].map(|name| directory.join(name)))
        .filter(|program| program.is_file())
        .find_map(|program| {
            // The program may be a link into the installation.
            let program = std::fs::canonicalize(&program).unwrap_or(program);
            let beside = program.parent()?.join(STANDARD_LIBRARIES);
            beside.is_file().then_some(beside)
        })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Writes an archive with these entries.
    fn archive(directory: &Path, entries: &[(&str, &str)]) -> PathBuf {
        let path = directory.join("library.doo");
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in entries {
            zip.start_file(*name, zip::write::SimpleFileOptions::default())
                .expect("an entry");
            zip.write_all(text.as_bytes()).expect("written");
        }
        let bytes = zip.finish().expect("finished").into_inner();
        std::fs::write(&path, bytes).expect("written");
        path
    }

    #[test]
    fn the_text_comes_with_the_options_that_it_was_written_for() {
        let directory = tempfile::tempdir().expect("a directory");
        let manifest = "doo_file_version = \"1.0\"\n[options]\nunicode-char = false\n\
                        function-syntax = \"3\"\nquantifier-syntax = 3";
        let path = archive(
            directory.path(),
            &[("manifest.toml", manifest), ("program", "module M {}")],
        );
        let read = read(&path).expect("an archive");
        assert_eq!(read.text, "module M {}");
        assert_eq!(read.unicode_char, Some(false));
        assert_eq!(read.function_syntax, FunctionSyntax::Version3);
        assert_eq!(read.quantifier_syntax, QuantifierSyntax::Version3);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let directory = tempfile::tempdir().expect("a directory");
        let text = |path: &Path| read(path).expect_err("refused").to_string();
        let path = archive(directory.path(), &[("manifest.toml", "[options]")]);
        assert!(text(&path).contains("its entry `program`"));
        let path = archive(
            directory.path(),
            &[("manifest.toml", "options"), ("program", "")],
        );
        assert!(text(&path).starts_with("its manifest: "));
        std::fs::write(&path, "module M {}").expect("written");
        assert!(text(&path).starts_with("it is not a library archive of Dafny: "));
    }

    #[test]
    fn the_standard_libraries_are_beside_dafny() {
        let directory = tempfile::tempdir().expect("a directory");
        let (bin, tool) = (directory.path().join("bin"), directory.path().join("tool"));
        for path in [&bin, &tool] {
            std::fs::create_dir(path).expect("a directory");
        }
        let search_path = std::env::join_paths([&bin, &tool]).expect("a path");
        assert_eq!(installed_standard_libraries(&search_path), None);
        std::fs::write(tool.join("dafny"), "").expect("written");
        assert_eq!(installed_standard_libraries(&search_path), None);
        let archive = tool.join(STANDARD_LIBRARIES);
        std::fs::write(&archive, "").expect("written");
        let found = installed_standard_libraries(&search_path).expect("found");
        assert_eq!(found, archive.canonicalize().expect("exists"));
    }
}
