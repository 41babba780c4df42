//! The user's package: its `Cargo.toml`, and the dependencies that generated code needs.

use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, InlineTable, Item, Table, value};

use super::files::{self, FileError, ManifestError};
use dtest_emit::rust_source;

/// The location of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Home {
    /// The directory of the package.
    pub root: PathBuf,
    /// The name of the package if it has to be created; `None` uses the name of the directory.
    pub name: Option<String>,
}

impl Home {
    /// The package in this directory, under any name.
    pub fn at(root: PathBuf) -> Self {
        Self { root, name: None }
    }

    /// The name of the package if it has to be created.
    pub fn called(&self) -> String {
        self.name
            .clone()
            .unwrap_or_else(|| name_of(&folders(&self.root), 1))
    }
}

/// Returns the name of a package's library in Rust code. If there is no package, it is the one that
/// [`prepare`] would create.
pub fn library_of(home: &Home) -> String {
    let text =
        files::read_text(&home.root.join("Cargo.toml")).unwrap_or_else(|_| new_manifest(home));
    text.parse()
        .ok()
        .and_then(|document| library_name(&document))
        .unwrap_or_else(|| "subject".into())
}

/// The targets that need the crate `dmock`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mocks {
    /// No target.
    #[default]
    Unused,
    /// The tests, which create mocks.
    InTests,
    /// The translation, which has classes with mock builders.
    InTranslation,
}

/// The targets that need the crate `dunit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Users {
    /// The library: translated code, or hand-written code with the types of `dunit`.
    Library,
    /// The tests alone.
    Tests,
}

/// Completes the package at `root`, or creates it. Returns the changes as sentences. `runtime` is
/// the directory of `dunit`; `dmock` is next to it.
///
/// # Errors
/// The manifest cannot be read, parsed or written.
pub fn prepare(
    home: &Home,
    runtime: Option<&Path>,
    mocks: Mocks,
    users: Users,
) -> Result<Vec<String>, FileError> {
    let root = &home.root;
    let manifest = root.join("Cargo.toml");
    let fail = |source: ManifestError| FileError::Manifest {
        path: manifest.clone(),
        source,
    };
    let mut done = Vec::new();
    let is_new = !manifest.is_file();
    let text = if is_new {
        new_manifest(home)
    } else {
        files::read_text(&manifest).map_err(|e| fail(e.into()))?
    };
    let mut document: DocumentMut = text
        .parse()
        .map_err(|e: toml_edit::TomlError| fail(e.into()))?;
    // `dmock` is always next to `dunit`.
    let found = || {
        sections_with(&document, "dunit")
            .find_map(|d| Some(Path::new(d.get("path")?.as_str()?).with_file_name("dmock")))
    };
    let beside = match runtime {
        Some(path) => Some(
            std::path::absolute(path)
                .unwrap_or_else(|_| path.to_path_buf())
                .with_file_name("dmock"),
        ),
        None => found(),
    };
    let runtime =
        runtime.map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()));
    let (either, normal) = (
        &["dependencies", "dev-dependencies"][..],
        &["dependencies"][..],
    );
    let section = match users {
        Users::Library => "dependencies",
        Users::Tests => "dev-dependencies",
    };
    let mut wanted = vec![("dunit", section, either, runtime.as_deref())];
    match mocks {
        Mocks::Unused => {}
        Mocks::InTests => wanted.push(("dmock", "dev-dependencies", either, beside.as_deref())),
        Mocks::InTranslation => wanted.push(("dmock", "dependencies", normal, beside.as_deref())),
    }
    for (name, section, accepted, path) in wanted {
        if accepted
            .iter()
            .any(|t| document.get(t).is_some_and(|d| d.get(name).is_some()))
        {
            continue;
        }
        let table = document.entry(section).or_insert(Item::Table(Table::new()));
        let table = table
            .as_table_like_mut()
            .ok_or_else(|| fail(ManifestError::NoTable(section)))?;
        table.insert(name, dependency(path));
        let kind = if section == "dependencies" {
            "dependency"
        } else {
            "dev-dependency"
        };
        done.push(format!("added the {kind} `{name}` to Cargo.toml"));
    }
    if library_name(&document).is_none() {
        return Err(fail(ManifestError::NoName));
    }
    if is_new || !done.is_empty() {
        files::write_atomically(&manifest, &document.to_string()).map_err(|e| fail(e.into()))?;
    }
    if is_new {
        done.insert(0, format!("created the package {}", root.display()));
    }
    Ok(done)
}

/// Returns the entries of a dependency in all sections that have it.
fn sections_with<'a>(document: &'a DocumentMut, name: &'a str) -> impl Iterator<Item = &'a Item> {
    ["dependencies", "dev-dependencies"]
        .iter()
        .filter_map(move |s| document.get(s)?.get(name))
}

fn dependency(runtime: Option<&Path>) -> Item {
    match runtime {
        Some(path) => {
            let mut table = InlineTable::new();
            table.insert("path", path.to_string_lossy().into_owned().into());
            value(table)
        }
        None => value(env!("CARGO_PKG_VERSION")),
    }
}

/// Whether [`new_manifest`] created the manifest in a directory, and only the dependencies of
/// generated code were added.
pub fn is_as_created(root: &Path) -> bool {
    let Some(mut document) = files::read_text(&root.join("Cargo.toml"))
        .ok()
        .and_then(|text| text.parse::<DocumentMut>().ok())
    else {
        return false;
    };
    for section in ["dependencies", "dev-dependencies"] {
        let table = document.get_mut(section).and_then(Item::as_table_like_mut);
        let Some(table) = table else { continue };
        table.remove("dunit");
        table.remove("dmock");
        if section == "dev-dependencies" && table.is_empty() {
            document.remove(section);
        }
    }
    let name = document
        .get("package")
        .and_then(|p| p.get("name")?.as_str());
    let home = Home {
        root: root.to_path_buf(),
        name: name.map(str::to_owned),
    };
    document.to_string() == new_manifest(&home)
}

fn new_manifest(home: &Home) -> String {
    let name = home.called();
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n"
    )
}

fn folders(path: &Path) -> Vec<String> {
    path.iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

/// Returns the locations of packages, given their path components below `out`. Names are unique as
/// long as further parent directories can distinguish them. A package that already exists keeps its
/// name.
pub fn homes(out: &Path, packages: Vec<Vec<String>>) -> Vec<Home> {
    let parts: Vec<usize> = packages
        .iter()
        .map(|folders| significant(folders).len().max(1))
        .collect();
    // Names begin with the last folder; folders are added in front until the names are unique.
    let mut used = vec![1usize; packages.len()];
    loop {
        let names: Vec<String> = packages
            .iter()
            .zip(&used)
            .map(|(folders, n)| name_of(folders, *n))
            .collect();
        let shared = |i: usize| names.iter().filter(|n| Some(*n) == names.get(i)).count() > 1;
        let longer: Vec<usize> = (0..)
            .zip(used.iter().zip(&parts))
            .filter(|(i, (n, all))| n < all && shared(*i))
            .map(|(i, _)| i)
            .collect();
        if longer.is_empty() {
            let names = numbered(names);
            let home = |(folders, name): (Vec<String>, String)| Home {
                root: out.join(folders.iter().collect::<PathBuf>()),
                name: Some(name),
            };
            return packages.into_iter().zip(names).map(home).collect();
        }
        for (i, n) in used.iter_mut().enumerate() {
            *n += usize::from(longer.contains(&i));
        }
    }
}

/// Appends numbers to repeated names, for directories that differ only in characters that names
/// cannot contain.
fn numbered(mut names: Vec<String>) -> Vec<String> {
    let mut taken = dtest_sorted::SortedSet::new();
    for name in &mut names {
        let (base, mut n) = (name.clone(), 2);
        while !taken.insert(name.clone()) {
            *name = format!("{base}-{n}");
            n += 1;
        }
    }
    names
}

/// Drops the components that are common to most programs and therefore not significant in a name.
fn significant(folders: &[String]) -> Vec<&str> {
    folders
        .iter()
        .map(String::as_str)
        .filter(|n| !["lib", "main", "src"].contains(n))
        .collect()
}

/// Builds a package name from the innermost `count` components, if Cargo allows it.
fn name_of(folders: &[String], count: usize) -> String {
    let mut names = significant(folders);
    if names.is_empty() {
        names.extend(folders.last().map(String::as_str));
    }
    let name = names.split_off(names.len().saturating_sub(count)).join("-");
    let clean: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' || c == '_' {
                c
            } else {
                '-'
            }
        })
        .collect();
    let clean = clean.trim_matches('-');
    let name = if is_crate_name(&clean.replace('-', "_")) {
        clean.to_owned()
    } else {
        format!("dafny-{clean}")
    };
    name.trim_end_matches('-').to_owned()
}

/// Whether Cargo accepts the name of a crate: not a keyword of Rust, not one of Rust's own crates,
/// and not a dependency of the package.
fn is_crate_name(name: &str) -> bool {
    let taken = [
        "alloc",
        "core",
        "proc_macro",
        "std",
        "test",
        "dunit",
        "dmock",
    ];
    rust_source::is_identifier(name) && !taken.contains(&name)
}

fn library_name(document: &DocumentMut) -> Option<String> {
    let given = document
        .get("lib")
        .and_then(|l| l.get("name"))
        .and_then(Item::as_str);
    let package = document
        .get("package")
        .and_then(|p| p.get("name"))
        .and_then(Item::as_str);
    given.or(package).map(|n| n.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Home, homes, new_manifest};

    #[test]
    fn a_package_is_called_as_its_folder_where_cargo_allows_it() {
        for (folder, name) in [
            ("/a/queue", "queue"),
            ("/a/queue/src", "queue"),
            ("/a/my queue", "my-queue"),
            ("/a/fn", "dafny-fn"),
            ("/a/test", "dafny-test"),
            ("/a/dunit", "dafny-dunit"),
            ("/a/2024", "dafny-2024"),
        ] {
            let manifest = new_manifest(&Home::at(folder.into()));
            assert!(
                manifest.contains(&format!("\nname = \"{name}\"\n")),
                "{folder}: {manifest}"
            );
        }
    }

    #[test]
    fn packages_of_one_run_are_named_after_their_folders() {
        let named = |paths: &[&str]| -> Vec<String> {
            let folders = paths
                .iter()
                .map(|p| p.split('/').map(str::to_owned).collect())
                .collect();
            homes(Path::new("/out"), folders)
                .into_iter()
                .filter_map(|home| home.name)
                .collect()
        };
        assert_eq!(named(&["x", "x-lib"]), ["x", "x-lib"]);
        assert_eq!(
            named(&["a/queue", "b/queue", "c/stack"]),
            ["a-queue", "b-queue", "stack"]
        );
        assert_eq!(
            named(&["queue", "b/queue", "a/b/queue"]),
            ["queue", "b-queue", "a-b-queue"]
        );
        assert_eq!(named(&["my queue", "my-queue"]), ["my-queue", "my-queue-2"]);
        assert_eq!(named(&["a/lib", "b/a/main"]), ["a", "b-a"]);
    }
}
