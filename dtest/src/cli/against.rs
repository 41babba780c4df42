//! Checks that hand-written code declares the modules that its suite names.
//!
//! With `--against`, tests name the modules that the translation would have: `src/model.dfy` with a
//! module `Steps` is `crate::model::steps`. A missing module is one error here, and a dozen errors
//! of rustc otherwise. [`missing`] reports only certain errors: a module may also come from a
//! macro, from a `use`, or from a file that is not found.

use std::path::{Path, PathBuf};

use super::files;
use super::layout::LIB;
use dtest_emit::case::OfficialCode;
use dtest_emit::rust_source::SourceFile;
use dtest_sorted::SortedSet;

/// A module that no file declares.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingModule {
    /// The path of the module: `crate::model`.
    pub path: String,
    /// The file that would have to declare it, relative to the package.
    pub file: String,
    /// Whether the file declares it as a private module.
    pub is_private: bool,
}

/// Returns the modules that the files of a suite name below `against` and that the package in
/// `root` does not have. `against` is a path in the library of the package; the suite calls it
/// `subject`.
pub fn missing<'t>(
    root: &Path,
    against: &str,
    suite: impl Iterator<Item = &'t str>,
) -> SortedSet<MissingModule> {
    let Some(below) = against.strip_prefix("crate") else {
        // The code is in another package, which is not searched.
        return SortedSet::new();
    };
    let base: Vec<String> = below
        .split("::")
        .filter(|s| !s.is_empty())
        .map(str::to_owned)
        .collect();
    let mut named = SortedSet::new();
    for file in suite.filter_map(SourceFile::parse) {
        named.extend(file.imports());
    }
    let subject = ["crate", "subject"];
    let below_subject = |path: Vec<String>| {
        path.strip_prefix(&subject.map(str::to_owned)[..])
            .map(<[String]>::to_vec)
    };
    let mut found = SortedSet::new();
    for path in named.into_iter().filter_map(below_subject) {
        let path: Vec<String> = base.iter().cloned().chain(path).collect();
        found.extend(Crate { root }.lacks(&path));
    }
    found
}

/// Returns the modules of these paths below `against` that the package in `root` does not have.
pub fn missing_modules(
    root: &Path,
    against: &str,
    modules: &[Vec<String>],
) -> SortedSet<MissingModule> {
    let Some(below) = against.strip_prefix("crate") else {
        // The code is in another package, which is not searched.
        return SortedSet::new();
    };
    let base = below.split("::").filter(|s| !s.is_empty());
    let base: Vec<String> = base.map(str::to_owned).collect();
    let path = |module: &Vec<String>| [base.as_slice(), module].concat();
    let found = modules.iter().map(path);
    found
        .filter_map(|path| Crate { root }.lacks(&path))
        .collect()
}

/// The minor version of `dafny-runtime` that the conversions are for.
const RUNTIME: &str = "0.3";

/// Returns the reason why the package in `root` does not have Dafny's run-time library, and what to
/// change. A library given by its path is taken as it is.
pub fn wrong_runtime(root: &Path) -> Option<(String, String)> {
    let document = manifest(root)?;
    let Some(found) = runtime(&document) else {
        return Some((
            "the package does not depend on `dafny-runtime`, which code of `dafny translate rs` needs".into(),
            format!("`cargo add dafny-runtime@{RUNTIME}.1`, if the package has that code"),
        ));
    };
    let version = found.as_str().or_else(|| found.get("version")?.as_str())?;
    let number = version.trim_start_matches(['=', '^', '~', '>', '<', ' ']);
    let is_known = number == RUNTIME || number.starts_with(&format!("{RUNTIME}."));
    (!is_known).then(|| {
        (
            format!("the package depends on `dafny-runtime` {version}; the suite converts to the types of {RUNTIME}"),
            format!("depend on `dafny-runtime = \"{RUNTIME}\"`"),
        )
    })
}

/// Returns the form of Dafny's Rust in the package in `root`, at the Rust path `code`; `against` is
/// the path that the user gave.
pub fn official_code(root: &Path, against: &str, code: String) -> OfficialCode {
    let asks_for_sync = |document: toml_edit::DocumentMut| {
        let features = runtime(&document)?.get("features")?.as_array()?;
        Some(features.iter().any(|f| f.as_str() == Some("sync")))
    };
    let text = module_text(root, against).unwrap_or_default();
    OfficialCode {
        path: code,
        is_sync: manifest(root).and_then(asks_for_sync) == Some(true)
            || text.contains("::std::sync::Arc")
            || text.contains("Sync + Send"),
        has_suffixes: has_suffixes(&text),
    }
}

/// Whether Dafny's Rust has modules whose names end in `_Compile`.
fn has_suffixes(text: &str) -> bool {
    let mut modules = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("pub mod _"));
    modules.any(|m| m.trim_end_matches(" {").ends_with("_Compile"))
}

/// Returns the text of a module of the package, if it is a file where Rust looks for it.
fn module_text(root: &Path, path: &str) -> Option<String> {
    let below = path.strip_prefix("crate")?.replace("::", "/");
    let below = below.trim_start_matches('/');
    let candidates = match below {
        "" => vec![LIB.to_owned()],
        below => vec![format!("src/{below}.rs"), format!("src/{below}/mod.rs")],
    };
    candidates
        .iter()
        .find_map(|file| files::read_text(&root.join(file)).ok())
}

fn manifest(root: &Path) -> Option<toml_edit::DocumentMut> {
    let text = files::read_text(&root.join("Cargo.toml")).unwrap_or_default();
    text.parse().ok()
}

/// Returns the dependency on Dafny's run-time library.
fn runtime(document: &toml_edit::DocumentMut) -> Option<&toml_edit::Item> {
    let sections = ["dependencies", "dev-dependencies"];
    sections.iter().find_map(|s| {
        let section = document.get(s)?;
        section
            .get("dafny-runtime")
            .or_else(|| section.get("dafny_runtime"))
    })
}

/// The library of a package.
struct Crate<'r> {
    root: &'r Path,
}

impl Crate<'_> {
    /// Returns the first module on a path that is not declared.
    fn lacks(&self, path: &[String]) -> Option<MissingModule> {
        let mut file = PathBuf::from(LIB);
        let mut source = self.parsed(&file)?;
        // The directory that contains the files of the submodules.
        let mut directory = PathBuf::from("src");
        for (i, name) in path.iter().enumerate() {
            let missing = |is_private: bool| MissingModule {
                path: format!("crate::{}", path.get(..=i).unwrap_or_default().join("::")),
                file: file.to_string_lossy().into_owned(),
                is_private,
            };
            let Some(module) = source.module(name) else {
                return (!source.may_declare(name)).then(|| missing(false));
            };
            if module.is_private() && !module.has_attributes() {
                return Some(missing(true));
            }
            directory.push(name);
            match module.content() {
                Some(inner) => source = inner,
                None if module.has_attributes() => return None,
                None => {
                    let beside = directory.with_extension("rs");
                    file = if self.root.join(&beside).exists() {
                        beside
                    } else {
                        directory.join("mod.rs")
                    };
                    source = self.parsed(&file)?;
                }
            }
        }
        None
    }

    fn parsed(&self, file: &Path) -> Option<SourceFile> {
        let text = files::read_text(&self.root.join(file)).ok()?;
        SourceFile::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::{MissingModule, missing, official_code};

    /// The module that is missing for a suite that names `crate::subject::model::steps`, in a
    /// package with these files.
    fn lacks(files: &[(&str, &str)]) -> Option<(String, String, bool)> {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let suite = "use dunit::prelude::*; use crate::subject::model::steps; fn t() {}";
        let found = missing(folder.path(), "crate", [suite].into_iter());
        found.into_iter().next().map(
            |MissingModule {
                 path,
                 file,
                 is_private,
             }| (path, file, is_private),
        )
    }

    #[test]
    fn the_form_of_dafnys_rust_is_seen_in_its_text() {
        let form = |manifest: &str, text: &str| {
            let folder = tempfile::tempdir().expect("a folder");
            std::fs::create_dir(folder.path().join("src")).expect("a folder");
            std::fs::write(folder.path().join("Cargo.toml"), manifest).expect("a file");
            std::fs::write(folder.path().join("src/model.rs"), text).expect("a file");
            let found = official_code(folder.path(), "crate::model", "c::model".into());
            (found.is_sync, found.has_suffixes)
        };
        let sync = "[dependencies]\ndafny-runtime = { version = \"0.3\", features = [\"sync\"] }\n";
        assert_eq!(
            form("", "pub mod Model {\n    pub mod _In_k {\n"),
            (false, false)
        );
        assert_eq!(form(sync, ""), (true, false));
        let text = "pub mod _A__b_Compile {\n    pub use ::std::sync::Arc;\n";
        assert_eq!(form("", text), (true, true));
    }

    fn is(path: &str, file: &str, is_private: bool) -> Option<(String, String, bool)> {
        Some((path.to_owned(), file.to_owned(), is_private))
    }

    #[test]
    fn a_module_that_no_file_declares_is_missing_in_the_file_that_would_have_to() {
        let lib = ("src/lib.rs", "pub mod model;");
        assert_eq!(
            lacks(&[("src/lib.rs", "pub mod steps;")]),
            is("crate::model", "src/lib.rs", false)
        );
        assert_eq!(
            lacks(&[lib, ("src/model.rs", "pub fn raise() {}")]),
            is("crate::model::steps", "src/model.rs", false)
        );
        assert_eq!(
            lacks(&[lib, ("src/model/mod.rs", "mod steps {}")]),
            is("crate::model::steps", "src/model/mod.rs", true)
        );
        assert_eq!(lacks(&[lib, ("src/model.rs", "pub mod steps { }")]), None);
        assert_eq!(
            lacks(&[
                ("src/lib.rs", "pub mod model { pub mod steps; }"),
                ("src/model/steps.rs", "")
            ]),
            None
        );
    }

    #[test]
    fn private_imports_are_not_available_to_tests() {
        let lib = ("src/lib.rs", "use dunit::prelude::*;");
        assert_eq!(lacks(&[lib]), is("crate::model", "src/lib.rs", false));
    }

    #[test]
    fn names_that_may_come_from_elsewhere_are_no_error() {
        for lib in [
            "pub use other::model;",
            "pub use other::*;",
            "pub use other::model::{self};",
            "make_modules!();",
            "pub(crate) use other::*;",
            "#[path = \"x.rs\"] pub mod model;",
            "pub use elsewhere as model;",
            "not Rust",
        ] {
            assert_eq!(lacks(&[("src/lib.rs", lib)]), None, "{lib}");
        }
    }
}
