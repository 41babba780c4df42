//! A copy of the user's package for instrumented runs. It compiles as the package does, and the
//! user's files are never changed.

use std::path::Path;

use toml_edit::{DocumentMut, Item, TableLike, Value};

use super::files::{self, FileError, ManifestError};

/// Copies the package at `root` to `scratch`. The sources of an earlier copy are removed; its build
/// products stay. Paths in the manifest become absolute, and the copy is a workspace of its own
/// with the settings that it inherits.
///
/// # Errors
/// A file cannot be read, parsed or written.
pub fn copy(root: &Path, scratch: &Path) -> Result<(), FileError> {
    for part in ["src", "tests", "benches", "examples"] {
        files::remove_tree(&scratch.join(part)).map_err(|source| FileError::Empty {
            path: scratch.into(),
            source,
        })?;
        copy_tree(&root.join(part), &scratch.join(part))?;
    }
    for file in ["Cargo.lock", "build.rs"] {
        copy_file(&root.join(file), &scratch.join(file))?;
    }
    let manifest = root.join("Cargo.toml");
    if let Ok(text) = files::read_text(&manifest) {
        let around = workspace_around(root);
        let text =
            standalone(&text, root, around.as_ref()).map_err(|source| FileError::Manifest {
                path: manifest,
                source,
            })?;
        files::write_atomically(&scratch.join("Cargo.toml"), &text).map_err(|source| {
            FileError::WriteInto {
                path: scratch.into(),
                source,
            }
        })?;
    }
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> Result<(), FileError> {
    for (path, relative) in files::tree(from) {
        copy_file(&path, &to.join(relative))?;
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), FileError> {
    match files::read_bytes(from) {
        Ok(bytes) => files::write_bytes(to, &bytes).map_err(|source| FileError::Write {
            path: to.into(),
            source,
        }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(FileError::Read {
            path: from.into(),
            source,
        }),
    }
}

/// Returns the manifest of the enclosing workspace, with its directory.
fn workspace_around(root: &Path) -> Option<(std::path::PathBuf, DocumentMut)> {
    let read = |folder: &Path| {
        files::read_text(&folder.join("Cargo.toml"))
            .ok()?
            .parse::<DocumentMut>()
            .ok()
    };
    root.ancestors().skip(1).find_map(|f| {
        Some((
            f.to_path_buf(),
            read(f).filter(|d| d.get("workspace").is_some())?,
        ))
    })
}

/// Rewrites a manifest so that it has the same meaning in another directory, as a workspace of its
/// own.
fn standalone(
    text: &str,
    root: &Path,
    around: Option<&(std::path::PathBuf, DocumentMut)>,
) -> Result<String, ManifestError> {
    let mut document: DocumentMut = text.parse()?;
    // The copy is elsewhere, so that relative paths become absolute.
    absolute(document.as_table_mut(), root);
    let mut workspace = toml_edit::Table::new();
    let own = document.get("workspace").and_then(Item::as_table_like);
    let outer = around.map(|(folder, d)| (folder.as_path(), d));
    // A workspace of its own keeps cargo from looking for one above the copy; inherited keys are
    // copied from the original workspace.
    let inherited = match (own, outer) {
        (Some(_), _) => None,
        (None, outer) => {
            outer.and_then(|(folder, d)| Some((folder, d.get("workspace")?.as_table_like()?)))
        }
    };
    for key in ["package", "dependencies", "lints"] {
        let here = own.and_then(|w| w.get(key)).map(|item| (root, item));
        if let Some((folder, item)) =
            here.or_else(|| inherited.and_then(|(f, w)| Some((f, w.get(key)?))))
        {
            let mut item = item.clone();
            if let Some(table) = item.as_table_like_mut() {
                absolute(table, folder);
            }
            workspace.insert(key, item);
        }
    }
    document.insert("workspace", Item::Table(workspace));
    Ok(document.to_string())
}

/// Makes every dependency `path` in a table absolute, recursively. Paths of targets stay relative.
fn absolute(table: &mut dyn TableLike, folder: &Path) {
    const TARGETS: [&str; 5] = ["lib", "bin", "test", "example", "bench"];
    for (key, item) in table.iter_mut() {
        if TARGETS.contains(&key.get()) {
            continue;
        }
        if key.get() == "path"
            && let Some(path) = item.as_str()
        {
            let path = files::normalize(&folder.join(path))
                .to_string_lossy()
                .into_owned();
            *item = Item::Value(Value::from(path));
        } else if let Some(inner) = item.as_table_like_mut() {
            absolute(inner, folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_means_the_same_elsewhere() {
        let outer = "[workspace]\nmembers = [\"a\"]\n[workspace.dependencies]\ndunit = { path = \"lib/dunit\" }\n";
        let around = (std::path::PathBuf::from("/w"), outer.parse().unwrap());
        let text = "[package]\nname = \"a\"\n[lib]\npath = \"src/x.rs\"\n[dependencies]\ndunit.workspace = true\nb = { path = \"../b\" }\n";
        let out: DocumentMut = standalone(text, Path::new("/w/a"), Some(&around))
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(out["dependencies"]["b"]["path"].as_str(), Some("/w/b"));
        assert_eq!(out["lib"]["path"].as_str(), Some("src/x.rs"));
        assert_eq!(
            out["workspace"]["dependencies"]["dunit"]["path"].as_str(),
            Some("/w/lib/dunit")
        );
        assert!(out["workspace"].get("members").is_none());
    }
}
