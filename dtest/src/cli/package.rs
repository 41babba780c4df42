//! The user's package: its `Cargo.toml`, and the dependencies that generated code needs.

use std::path::Path;

use toml_edit::{DocumentMut, InlineTable, Item, Table, value};

use super::files;

/// The name of the library of the package at `root` as Rust code writes it; where there is no package, of the one
/// that [`prepare`] would make.
pub fn library_of(root: &Path) -> String {
    let text = files::read_text(&root.join("Cargo.toml")).unwrap_or_else(|_| new_manifest(root));
    text.parse().ok().and_then(|document| library_name(&document)).unwrap_or_else(|| "subject".into())
}

/// What generated code needs of the crate `dmock`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mocks {
    /// Nothing.
    #[default]
    Unused,
    /// The tests make mocks.
    InTests,
    /// The translation has classes with builders.
    InTranslation,
}

/// Completes the package at `root`; makes one where there is none. Returns what was done, in sentences. `runtime` is the
/// directory of `dunit`; `dmock` is beside it.
///
/// # Errors
/// The message to show: a manifest that cannot be read, parsed or written.
pub fn prepare(root: &Path, runtime: Option<&Path>, mocks: Mocks) -> Result<Vec<String>, String> {
    let manifest = root.join("Cargo.toml");
    let fail = |e: &dyn std::fmt::Display| format!("{}: {e}", manifest.display());
    let mut done = Vec::new();
    let is_new = !manifest.is_file();
    let text = if is_new { new_manifest(root) } else { files::read_text(&manifest).map_err(|e| fail(&e))? };
    let mut document: DocumentMut = text.parse().map_err(|e| fail(&e))?;
    // Where `dunit` is, there is `dmock`.
    let found = || sections_with(&document, "dunit").find_map(|d| Some(Path::new(d.get("path")?.as_str()?).with_file_name("dmock")));
    let beside = match runtime {
        Some(path) => Some(std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).with_file_name("dmock")),
        None => found(),
    };
    let runtime = runtime.map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()));
    let (either, normal) = (&["dependencies", "dev-dependencies"][..], &["dependencies"][..]);
    let mut wanted = vec![("dunit", "dependencies", either, runtime.as_deref())];
    match mocks {
        Mocks::Unused => {}
        Mocks::InTests => wanted.push(("dmock", "dev-dependencies", either, beside.as_deref())),
        Mocks::InTranslation => wanted.push(("dmock", "dependencies", normal, beside.as_deref())),
    }
    for (name, section, accepted, path) in wanted {
        if accepted.iter().any(|t| document.get(t).is_some_and(|d| d.get(name).is_some())) {
            continue;
        }
        let table = document.entry(section).or_insert(Item::Table(Table::new()));
        let table = table.as_table_like_mut().ok_or_else(|| fail(&format!("`{section}` is no table")))?;
        table.insert(name, dependency(path));
        let kind = if section == "dependencies" { "dependency" } else { "dev-dependency" };
        done.push(format!("added the {kind} `{name}` to Cargo.toml"));
    }
    if library_name(&document).is_none() {
        return Err(fail(&"no `package.name`; name a package's directory with --out"));
    }
    if is_new || !done.is_empty() {
        files::write_atomically(&manifest, &document.to_string()).map_err(|e| fail(&e))?;
    }
    if is_new {
        done.insert(0, format!("made the package {}", root.display()));
    }
    Ok(done)
}

/// What the manifest says of a dependency, in the sections that have it.
fn sections_with<'a>(document: &'a DocumentMut, name: &'a str) -> impl Iterator<Item = &'a Item> {
    ["dependencies", "dev-dependencies"].iter().filter_map(move |s| document.get(s)?.get(name))
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

fn new_manifest(root: &Path) -> String {
    // A program is seldom called by what all of them have.
    let of_all = |n: &&std::ffi::OsStr| ["lib", "main", "src"].iter().any(|c| n == c);
    let names = root.iter().rev();
    let name = names.clone().find(|n| !of_all(n)).or_else(|| names.clone().next()).unwrap_or_default().to_string_lossy();
    let clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect();
    let clean = clean.trim_matches('-');
    let name = if is_crate_name(&clean.replace('-', "_")) { clean.to_owned() } else { format!("dafny-{clean}") };
    format!(
        "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n",
        name.trim_end_matches('-')
    )
}

/// Whether a crate may be called so: as Cargo has it, keywords of Rust and the names of its own crates are no names; nor are those of
/// what the package depends on.
fn is_crate_name(name: &str) -> bool {
    let taken = ["alloc", "core", "proc_macro", "std", "test", "dunit", "dmock"];
    syn::parse_str::<syn::Ident>(name).is_ok() && !taken.contains(&name)
}

fn library_name(document: &DocumentMut) -> Option<String> {
    let given = document.get("lib").and_then(|l| l.get("name")).and_then(Item::as_str);
    let package = document.get("package").and_then(|p| p.get("name")).and_then(Item::as_str);
    given.or(package).map(|n| n.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::new_manifest;

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
            let manifest = new_manifest(Path::new(folder));
            assert!(manifest.contains(&format!("\nname = \"{name}\"\n")), "{folder}: {manifest}");
        }
    }
}
