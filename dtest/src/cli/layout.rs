//! Where generated files go: `src/x.dfy` becomes `src/x.rs`, and a `lib.rs` that we wrote lists its modules.

use std::path::{Component, Path, PathBuf};

use super::files;
use super::package::{self, Home};
use dafny_resolve::typed::Links;
use dafny_syntax::source::{FileId, SourceMap};
use dtest_emit::{Placement, RustFile};
use dtest_sorted::{SortedMap, SortedSet};

/// Path of the file that lists the modules.
pub const LIB: &str = "src/lib.rs";
/// Path of the program that runs a translated `Main`.
pub const MAIN: &str = "src/main.rs";

/// What stands for `src/lib.dfy` where its place is taken.
const LIB_MODULE: &str = "src/dafny.dfy";

/// Plans where the translation of every file goes. Paths of Dafny files are as `sources` shows them, relative to the root. With
/// `has_lib`, `src/lib.rs` is the user's, and all of it goes into modules.
pub fn plan(sources: &SourceMap, header: &str, has_own_lib: bool) -> Placement {
    // Cargo gives these two file names a meaning of their own.
    let mut taken = SortedSet::from([vec!["lib".to_owned()], vec!["main".to_owned()]]);
    let mut placed: SortedMap<FileId, RustFile> = SortedMap::new();
    let has_lib = sources.files().any(|(_, f)| f.path == "src/lib.dfy");
    let named: Vec<FileId> = sources
        .files()
        .filter(|(_, f)| f.named)
        .map(|(id, _)| id)
        .collect();
    for (id, file) in sources.files() {
        // A program of one named file that is nobody's module is the library itself.
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

/// Whether the package at `root` has a library that somebody wrote.
pub fn has_own_lib(root: &Path) -> bool {
    let lib = root.join(LIB);
    lib.exists() && !files::is_ours(&lib) && !files::is_template(&lib)
}

/// The packages of programs of their own, below the directory they all go to: each where the first file of its program is, without the
/// folder `src` around it, and named by it. None lies within another: `x/lib.dfy` beside `x.dfy` is `x-lib`.
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

/// The folders of a program's package.
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

/// The same folders, with one beside each that another one lies in.
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

/// The first of the links into modules of the package at `root` that are not there. A library that somebody wrote may have them
/// wherever it likes.
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

/// The files that decide which modules [`linked_modules`] declares in the package at `root`.
pub fn link_candidates(root: &Path, links: &Links) -> Vec<PathBuf> {
    let of = |name: String| {
        [
            root.join(format!("src/{name}.rs")),
            root.join(format!("src/{name}/mod.rs")),
        ]
    };
    root_modules(links).into_iter().flat_map(of).collect()
}

/// The module declarations that `src/lib.rs` needs for those of the planned files that have something in them.
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

/// The declarations of hand-written modules of the package at `root` that `dtest.toml` links to; `declared` has those that are
/// there already.
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

/// Modules that `dtest.toml` links to and that the translation writes itself: a call would call itself.
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

/// The modules at the crate's root that links lead into.
fn root_modules(links: &Links) -> SortedSet<String> {
    let first = |path: &String| {
        let mut segments = path.split("::");
        (segments.next() == Some("crate"))
            .then(|| segments.next().map(str::to_owned))
            .flatten()
    };
    links.values().filter_map(first).collect()
}

/// `src/a/b.dfy` is `["a", "b"]`; a file outside `src` is known by its name alone.
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

/// A snake-case Rust identifier that is no keyword.
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
    // `gen` is a keyword since the edition of 2024; the others are crates that generated code names.
    let is_taken = ["gen", "std", "core", "alloc", "dunit", "dmock"].contains(&out.as_str())
        || syn::parse_str::<syn::Ident>(&out).is_err();
    if out.is_empty() || is_taken {
        format!("m_{out}")
    } else {
        out
    }
}

/// `pub mod a { pub mod b; }`, a module each line.
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
                // What lies below a module that is a file of its own is declared by path.
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

/// A file that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Relative to the package's root.
    pub path: String,
    /// The text, marker included.
    pub text: String,
}

impl Output {
    /// Whether nothing is left to write: the file is there as it would be written, or it is the user's `src/lib.rs`, which declares
    /// the modules.
    pub fn is_in_place(&self, root: &Path) -> bool {
        let path = root.join(&self.path);
        files::read_bytes(&path).is_ok_and(|bytes| bytes == self.text.as_bytes())
            || self.path == LIB && has_own_lib(root) && self.undeclared(root).is_empty()
    }

    /// The declarations of modules in the text that the file on disk lacks, each on a line.
    pub fn undeclared(&self, root: &Path) -> Vec<String> {
        let parsed = |text: &str| syn::parse_file(text).map(|f| f.items).unwrap_or_default();
        let there = parsed(&files::read_text(&root.join(&self.path)).unwrap_or_default());
        let missing = parsed(&self.text)
            .into_iter()
            .filter(|item| matches!(item, syn::Item::Mod(m) if !is_declared(m, &there)));
        let line = |item| {
            let file = syn::File {
                shebang: None,
                frontmatter: None,
                attrs: Vec::new(),
                items: vec![item],
            };
            prettyplease::unparse(&file)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        missing.map(line).collect()
    }
}

/// Whether a module is among items, with the modules in it. What a module in a file of its own declares is for its author to know.
fn is_declared(module: &syn::ItemMod, items: &[syn::Item]) -> bool {
    let of_that_name = items
        .iter()
        .filter_map(|i| {
            if let syn::Item::Mod(m) = i {
                Some(m)
            } else {
                None
            }
        })
        .filter(|m| m.ident == module.ident);
    of_that_name
        .into_iter()
        .any(|there| match (&module.content, &there.content) {
            (Some((_, wanted)), Some((_, items))) => wanted.iter().all(|w| {
                if let syn::Item::Mod(w) = w {
                    is_declared(w, items)
                } else {
                    true
                }
            }),
            (Some(_), None) | (None, _) => true,
        })
}

/// What writing came to.
#[derive(Debug, Default)]
pub struct Written {
    /// Files whose bytes changed.
    pub changed: Vec<String>,
    /// Those of them that Cargo had written.
    pub templates: Vec<String>,
    /// Hand-written files in the way, left alone.
    pub refused: Vec<String>,
}

/// Writes files atomically. A file without our marker is never replaced, one with the same bytes is left untouched.
///
/// # Errors
/// The message to show: a file that cannot be written.
pub fn write(root: &Path, outputs: &[Output]) -> Result<Written, String> {
    write_marked(root, outputs, |path| {
        files::is_ours(path) || files::is_template(path)
    })
}

/// [`write`] where `is_ours` knows the files that may be replaced.
///
/// # Errors
/// As there.
pub fn write_marked(
    root: &Path,
    outputs: &[Output],
    is_ours: impl Fn(&Path) -> bool,
) -> Result<Written, String> {
    let mut written = Written::default();
    for output in outputs {
        let path = root.join(&output.path);
        if let Some(link) = files::link_on_the_way(root, &output.path) {
            return Err(format!(
                "{} is a symbolic link, and would be followed out of the package",
                link.display()
            ));
        }
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
            .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        written.changed.push(output.path.clone());
    }
    Ok(written)
}

/// Removes generated files below `directory` whose paths are not among those expected: left over from an earlier run.
pub fn remove_stale(root: &Path, directory: &str, expected: &SortedSet<String>) -> Vec<String> {
    let mut removed = stale(root, directory, expected);
    removed.retain(|path| files::remove(&root.join(path)).is_ok());
    removed
}

/// Generated files below `directory` whose paths are not among those expected.
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
