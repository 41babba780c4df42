//! The layout of generated files: `src/x.dfy` becomes `src/x.rs`, and a generated `lib.rs` declares
//! the modules.
//!
//! [`plan`] chooses the path of every file, [`packages_of`] the packages of `--each`, [`write`]
//! replaces generated files, and [`stale`] finds obsolete ones. A hand-written file is never
//! replaced.

use std::path::{Component, Path, PathBuf};

use super::files::{self, FileError};
use super::package::{self, Home};
use dafny_source::{FileId, SourceMap};
use dtest_desugar::Links;
use dtest_emit::rust_source::{self, SourceFile};
use dtest_emit::{Placement, RustFile};
use dtest_sorted::{SortedMap, SortedSet};

/// Path of the file that lists the modules.
pub const LIB: &str = "src/lib.rs";
/// Path of the program that runs a translated `Main`.
pub const MAIN: &str = "src/main.rs";

/// The path that replaces `src/lib.dfy` if `src/lib.rs` is hand-written.
const LIB_MODULE: &str = "src/dafny.dfy";

/// Plans the path of each file's translation. Paths of Dafny files are relative to the root, as
/// `sources` shows them. If `has_own_lib`, `src/lib.rs` is hand-written, and all code goes into
/// modules.
pub fn plan(sources: &SourceMap, header: &str, has_own_lib: bool) -> Placement {
    // Cargo reserves these two file names.
    let mut taken = SortedSet::from([vec!["lib".to_owned()], vec!["main".to_owned()]]);
    let mut placed: SortedMap<FileId, RustFile> = SortedMap::new();
    let has_lib = sources.files().any(|(_, f)| f.path == "src/lib.dfy");
    let named: Vec<FileId> = sources
        .files()
        .filter(|(_, f)| f.named)
        .map(|(id, _)| id)
        .collect();
    for (id, file) in sources.files() {
        // A program that consists of one named file outside `src` is the library itself.
        let is_lib = file.path == "src/lib.dfy"
            || (!has_lib && !file.path.starts_with("src/") && named.as_slice() == [id]);
        let is_root = is_lib && !has_own_lib;
        let named = if is_lib && file.path == "src/lib.dfy" {
            LIB_MODULE
        } else {
            &file.path
        };
        let module = if is_root {
            Vec::new()
        } else {
            module_path(named, &mut taken)
        };
        let path = if is_root {
            LIB.to_owned()
        } else {
            format!("src/{}.rs", module.join("/"))
        };
        placed.insert(id, RustFile { path, module });
    }
    let first = placed.values().next().filter(|_| has_own_lib);
    let other = first.cloned().unwrap_or_else(|| RustFile {
        path: LIB.to_owned(),
        module: Vec::new(),
    });
    Placement {
        root: "crate".into(),
        files: placed,
        other,
        header: header.to_owned(),
    }
}

/// Whether the package at `root` has a hand-written library.
pub fn has_own_lib(root: &Path) -> bool {
    let lib = root.join(LIB);
    lib.exists() && !files::is_ours(&lib) && !files::is_template(&lib)
}

/// Returns the packages of separate programs below `out`: each at the path of the program's first
/// file, without the directory `src`, and named after it. No package lies within another:
/// `x/lib.dfy` beside `x.dfy` becomes `x-lib`.
pub fn packages_of<'s>(programs: impl Iterator<Item = &'s SourceMap>, out: &Path) -> Vec<Home> {
    let mut packages: Vec<Vec<String>> = Vec::new();
    let mut taken: SortedSet<Vec<String>> = SortedSet::new();
    for path in apart(programs.map(folders_of).collect()) {
        let (mut candidate, mut n) = (path.clone(), 2);
        while !taken.insert(candidate.clone()) {
            candidate.clone_from(&path);
            if let Some(last) = candidate.last_mut() {
                *last += &format!("_{n}");
            }
            n += 1;
        }
        packages.push(candidate);
    }
    package::homes(out, packages)
}

/// The directories that lead to a program's package.
fn folders_of(sources: &SourceMap) -> Vec<String> {
    let first = sources
        .files()
        .next()
        .map_or_else(PathBuf::new, |(_, f)| Path::new(&f.path).with_extension(""));
    let names = first.components().filter_map(|c| match c {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        Component::CurDir | Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
            None
        }
    });
    names
        .enumerate()
        .filter(|(i, name)| *i > 0 || name != "src")
        .map(|(_, name)| name)
        .collect()
}

/// Renames paths so that no package lies within another.
fn apart(mut paths: Vec<Vec<String>>) -> Vec<Vec<String>> {
    loop {
        let all: SortedSet<Vec<String>> = paths.iter().cloned().collect();
        let around = |path: &[String]| {
            (1..path.len()).find(|n| path.get(..*n).is_some_and(|p| all.contains(p)))
        };
        let Some((i, at)) = (0..)
            .zip(&paths)
            .find_map(|(i, path)| Some((i, around(path)?)))
        else {
            return paths;
        };
        if let Some(path) = paths.get_mut(i) {
            let rest = path.split_off(at - 1).join("-");
            path.push(rest);
        }
    }
}

/// Returns the first linked module of the package at `root` that does not exist. A hand-written
/// library may declare modules anywhere, so it is not checked.
pub fn missing_module(root: &Path, links: &Links) -> Option<String> {
    let is_there = |name: &String| {
        [format!("src/{name}.rs"), format!("src/{name}/mod.rs")]
            .iter()
            .any(|f| root.join(f).is_file())
    };
    root_modules(links)
        .into_iter()
        .filter(|_| !has_own_lib(root))
        .find(|name| !is_there(name))
}

/// The files whose existence determines which modules [`linked_modules`] declares in the package at
/// `root`.
pub fn link_candidates(root: &Path, links: &Links) -> Vec<PathBuf> {
    let of = |name: String| {
        [
            root.join(format!("src/{name}.rs")),
            root.join(format!("src/{name}/mod.rs")),
        ]
    };
    root_modules(links).into_iter().flat_map(of).collect()
}

/// Returns the module declarations that `src/lib.rs` needs for the planned files that are not
/// empty.
pub fn modules(placement: &Placement, written: &[Output]) -> String {
    let is_written =
        |file: &&RustFile| !file.module.is_empty() && written.iter().any(|o| o.path == file.path);
    declarations(
        placement
            .files
            .values()
            .filter(is_written)
            .map(|f| f.module.as_slice()),
    )
}

/// Returns the declarations of the hand-written modules that `dtest.toml` links to, for the package
/// at `root`; `declared` has the existing declarations.
pub fn linked_modules(root: &Path, links: &Links, declared: &str) -> String {
    let mut out = String::new();
    for name in root_modules(links) {
        let files = [format!("src/{name}.rs"), format!("src/{name}/mod.rs")];
        let is_theirs = |f: &String| root.join(f).is_file() && !files::is_ours(&root.join(f));
        let line = format!("pub mod {name};\n");
        if files.iter().any(is_theirs) && !declared.contains(&line) {
            out += &line;
        }
    }
    out
}

/// Returns the modules that `dtest.toml` links to and that the translation itself generates: a
/// linked call would call itself.
pub fn colliding_links(links: &Links, outputs: &[Output]) -> Vec<String> {
    let lib = outputs
        .iter()
        .find(|o| o.path == LIB)
        .map_or("", |o| o.text.as_str());
    let is_inline = |name: &String| lib.lines().any(|l| l == format!("pub mod {name} {{"));
    let is_file = |name: &String| outputs.iter().any(|o| o.path == format!("src/{name}.rs"));
    root_modules(links)
        .into_iter()
        .filter(|n| is_inline(n) || is_file(n))
        .collect()
}

/// The modules at the root of the crate that contain linked code.
fn root_modules(links: &Links) -> SortedSet<String> {
    let first = |path: &String| {
        let mut segments = path.split("::");
        (segments.next() == Some("crate"))
            .then(|| segments.next().map(str::to_owned))
            .flatten()
    };
    links.values().filter_map(first).collect()
}

/// The module path of a file: `src/a/b.dfy` is `["a", "b"]`; for a file outside `src` only its name
/// counts.
fn module_path(path: &str, taken: &mut SortedSet<Vec<String>>) -> Vec<String> {
    let path = Path::new(path).with_extension("");
    let inside = path
        .strip_prefix("src")
        .ok()
        .filter(|p| !p.as_os_str().is_empty())
        .map(Path::to_path_buf);
    let relative =
        inside.unwrap_or_else(|| path.file_name().map(PathBuf::from).unwrap_or_default());
    let mut module: Vec<String> = relative
        .components()
        .map(|c| identifier(&c.as_os_str().to_string_lossy()))
        .collect();
    let mut n = 2;
    let stem = module.pop().unwrap_or_default();
    let mut candidate = stem.clone();
    loop {
        let full: Vec<String> = module.iter().cloned().chain([candidate.clone()]).collect();
        if taken.insert(full.clone()) {
            return full;
        }
        candidate = format!("{stem}_{n}");
        n += 1;
    }
}

/// Converts a text to a snake-case Rust identifier that is not a keyword.
fn identifier(text: &str) -> String {
    let mut out = String::new();
    let mut after_lower = false;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && after_lower {
                out.push('_');
            }
            after_lower = !c.is_ascii_uppercase();
            out.push(c.to_ascii_lowercase());
        } else {
            out.push('_');
            after_lower = false;
        }
    }
    // `gen` is a keyword since the 2024 edition; the other names are crates that generated code
    // uses.
    let is_taken = ["gen", "std", "core", "alloc", "dunit", "dmock"].contains(&out.as_str())
        || !rust_source::is_identifier(&out);
    if out.is_empty() || is_taken {
        format!("m_{out}")
    } else {
        out
    }
}

/// Formats module declarations as `pub mod a { pub mod b; }`, one module per line.
fn declarations<'a>(modules: impl Iterator<Item = &'a [String]>) -> String {
    #[derive(Default)]
    struct Tree {
        is_file: bool,
        children: SortedMap<String, Tree>,
    }
    fn write(tree: &Tree, depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        for (name, child) in &tree.children {
            if child.is_file {
                // Submodules of a module with a file of its own are declared with a path.
                *out += &format!("{indent}pub mod {name};\n");
            }
            if !child.children.is_empty() {
                let name = if child.is_file {
                    format!("{name}_files")
                } else {
                    name.clone()
                };
                *out += &format!("{indent}pub mod {name} {{\n");
                write(child, depth + 1, out);
                *out += &format!("{indent}}}\n");
            }
        }
    }
    let mut root = Tree::default();
    for module in modules {
        let mut tree = &mut root;
        for segment in module {
            tree = tree.children.entry(segment.clone()).or_default();
        }
        tree.is_file = true;
    }
    let mut out = String::new();
    write(&root, 0, &mut out);
    out
}

/// A generated file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The path relative to the root of the package.
    pub path: String,
    /// The text, including the marker.
    pub text: String,
}

impl Output {
    /// Whether the file needs no change: it has this text, or it is a hand-written `src/lib.rs`
    /// that declares the modules.
    pub fn is_in_place(&self, root: &Path) -> bool {
        let path = root.join(&self.path);
        files::read_bytes(&path).is_ok_and(|bytes| bytes == self.text.as_bytes())
            || self.path == LIB && has_own_lib(root) && self.undeclared(root).is_empty()
    }

    /// Returns the module declarations of the text that the file on disk lacks, one per line.
    pub fn undeclared(&self, root: &Path) -> Vec<String> {
        let parsed = |text: &str| SourceFile::parse(text).unwrap_or_default();
        let there = parsed(&files::read_text(&root.join(&self.path)).unwrap_or_default());
        parsed(&self.text).modules_missing_in(&there)
    }
}

/// The result of writing files.
#[derive(Debug, Default)]
pub struct Written {
    /// Files whose bytes changed.
    pub changed: Vec<String>,
    /// The changed files that were unmodified templates of Cargo.
    pub templates: Vec<String>,
    /// Hand-written files at the path of a generated file; they were not replaced.
    pub refused: Vec<String>,
}

/// Writes files atomically. A file without our marker is never replaced, and an unchanged file is
/// not touched.
///
/// # Errors
/// A file cannot be written.
pub fn write(root: &Path, outputs: &[Output]) -> Result<Written, FileError> {
    write_marked(root, outputs, |path| {
        files::is_ours(path) || files::is_template(path)
    })
}

/// [`write`] with a predicate `is_ours` that tells which files may be replaced.
///
/// # Errors
/// See [`write`].
pub fn write_marked(
    root: &Path,
    outputs: &[Output],
    is_ours: impl Fn(&Path) -> bool,
) -> Result<Written, FileError> {
    let mut written = Written::default();
    for output in outputs {
        let path = root.join(&output.path);
        // A symbolic link could lead out of the package.
        if let Some(link) = files::link_on_the_way(root, &output.path) {
            return Err(FileError::Link(link));
        }
        // Unchanged files are not touched, so that cargo does not rebuild them.
        if output.is_in_place(root) {
            continue;
        }
        match files::read_bytes(&path) {
            Ok(_) if !is_ours(&path) => {
                written.refused.push(output.path.clone());
                continue;
            }
            Ok(_) if files::is_template(&path) => written.templates.push(output.path.clone()),
            Ok(_) | Err(_) => {}
        }
        files::write_atomically(&path, &output.text)
            .map_err(|source| FileError::Write { path, source })?;
        written.changed.push(output.path.clone());
    }
    Ok(written)
}

/// Removes generated files below `directory` whose paths are not expected: leftovers of an earlier
/// run. Returns the removed paths.
pub fn remove_stale(root: &Path, directory: &str, expected: &SortedSet<String>) -> Vec<String> {
    let mut removed = stale(root, directory, expected);
    removed.retain(|path| files::remove(&root.join(path)).is_ok());
    removed
}

/// Returns the generated files below `directory` whose paths are not expected.
pub fn stale(root: &Path, directory: &str, expected: &SortedSet<String>) -> Vec<String> {
    if files::link_on_the_way(root, &format!("{directory}/.")).is_some() {
        return Vec::new();
    }
    let walk = walkdir::WalkDir::new(root.join(directory))
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok);
    let rust = walk
        .map(walkdir::DirEntry::into_path)
        .filter(|p| p.extension().is_some_and(|x| x == "rs"));
    rust.filter_map(|p| {
        p.strip_prefix(root)
            .ok()
            .map(|r| r.to_string_lossy().replace('\\', "/"))
    })
    .filter(|p| !expected.contains(p) && files::is_ours(&root.join(p)))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dafny_files_become_modules_of_the_same_names() {
        let mut taken = SortedSet::new();
        let mut path = |p: &str| module_path(p, &mut taken).join("::");
        assert_eq!(path("src/a/MyFile.dfy"), "a::my_file");
        assert_eq!(path("../lib/BoundedInts.dfy"), "bounded_ints");
        assert_eq!(path("other/BoundedInts.dfy"), "bounded_ints_2");
        assert_eq!(path("src/match.dfy"), "m_match");
        assert_eq!(path("src.dfy"), "src");
        assert_eq!(path("lib/Std.dfy"), "m_std");
    }

    #[test]
    fn nested_modules_are_declared_inside_each_other() {
        let modules = [vec!["a".to_owned(), "b".to_owned()], vec!["c".to_owned()]];
        assert_eq!(
            declarations(modules.iter().map(Vec::as_slice)),
            "pub mod a {\n    pub mod b;\n}\npub mod c;\n"
        );
    }
}
