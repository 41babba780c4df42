//! `cargo xtask official DIR…`: suites against Dafny's translations of the fixtures.
//!
//! Each folder has a folder `NAME` for each translation, with `lib.rs`. A comment of the translation
//! names its source, from the root of the repository: `fixtures/shapes/src/lib.dfy(4,1)`.

use std::fs;
use std::path::{Path, PathBuf};

use super::package::{Package, write_manifest};
use super::{Row, table};
use crate::{demo, root, z3};

#[derive(clap::Args)]
pub struct Args {
    /// The folders of translations
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Test the translations with these names only
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Use this `cargo-dtest` instead of building one
    #[arg(long, value_name = "PATH")]
    tool: Option<PathBuf>,
}

/// Tests all translations and prints a table for each folder.
///
/// # Errors
/// A program cannot be run, or a file cannot be written.
pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let tool = match &args.tool {
        Some(tool) => fs::canonicalize(tool).map_err(|e| format!("{}: {e}", tool.display()))?,
        None => demo::build(false)?,
    };
    for folder in &args.folders {
        let mut names: Vec<PathBuf> = fs::read_dir(folder)
            .map_err(|e| format!("cannot read {}: {e}", folder.display()))?
            .flatten()
            .map(|e| e.path())
            .filter(|p| p.join("lib.rs").is_file())
            .collect();
        names.sort();
        let mut rows = Vec::new();
        for path in names {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !args.only.is_empty() && !args.only.contains(&name.clone().into_owned()) {
                continue;
            }
            eprintln!("{}", path.display());
            rows.push(translation(&tool, &path, &name)?);
        }
        println!("\n{}\n\n{}", folder.display(), table(&rows));
    }
    Ok(())
}

/// Tests one translation.
fn translation(tool: &Path, folder: &Path, name: &str) -> Result<Row, String> {
    let lib = folder.join("lib.rs");
    let text = fs::read_to_string(&lib).map_err(|e| format!("{}: {e}", lib.display()))?;
    let without = |reason: &str| Row {
        name: name.to_owned(),
        without_suite: Some(reason.to_owned()),
        ..Row::default()
    };
    let Some(source) = source_of(&text) else {
        return Ok(without("no comment names the source"));
    };
    let is_sync = text.contains("Sync + Send") || text.contains("::std::sync::Arc");
    let kind = if is_sync { "sync" } else { "plain" };
    let directory = root().join("target/official").join(kind).join(name);
    let error = |e: std::io::Error| format!("cannot write {}: {e}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(&directory).map_err(error)?;
    }
    fs::create_dir_all(directory.join("src")).map_err(error)?;
    fs::write(directory.join("src/lib.rs"), text.as_bytes()).map_err(error)?;
    let sources = root().join(&source);
    let sources = sources.parent().unwrap_or(&sources);
    fs::create_dir_all(directory.join("dafny")).map_err(error)?;
    for file in fs::read_dir(sources).map_err(error)?.flatten() {
        if file.path().extension().is_some_and(|e| e == "dfy") {
            let copy = directory.join("dafny").join(file.file_name());
            fs::copy(file.path(), copy).map_err(error)?;
        }
    }
    let features = if is_sync {
        ", features = [\"sync\"]"
    } else {
        ""
    };
    let runtime = format!("{{ version = \"0.3.1\"{features} }}");
    write_manifest(
        &directory,
        // Build products of different packages have different names.
        &format!("translated-{name}"),
        &[("dafny-runtime", runtime)].into(),
    )?;
    let file = Path::new(&source).file_name().unwrap_or_default();
    let mut options = vec![
        format!("dafny/{}", file.to_string_lossy()),
        "--against".to_owned(),
        "crate".to_owned(),
    ];
    // The programs of `fixtures/boogie` are in the language of Dafny 3.
    if source.starts_with("fixtures/boogie") {
        options.extend(["--function-syntax", "3"].map(str::to_owned));
    }
    let package = Package {
        name: name.to_owned(),
        root: directory,
        options,
        target: root().join("target/official").join(kind).join("target"),
    };
    Ok(Row::merged(name, package.tested(tool)?))
}

/// Returns the path of the source that the comments of a translation name.
fn source_of(text: &str) -> Option<String> {
    let places = text.lines().filter_map(|l| l.trim().strip_prefix("/// "));
    let files = places.filter_map(|p| p.split_once(".dfy(").map(|(path, _)| format!("{path}.dfy")));
    let mut files = files.filter(|path| root().join(path).is_file());
    files.next()
}

#[cfg(test)]
mod tests {
    use super::source_of;

    #[test]
    fn the_source_is_in_a_comment() {
        let text = "pub mod A {\n    /// Doc.\n    /// fixtures/shapes/src/lib.dfy(4,1)\n}\n";
        assert_eq!(
            source_of(text).as_deref(),
            Some("fixtures/shapes/src/lib.dfy")
        );
        assert_eq!(source_of("/// fixtures/none.dfy(1,1)"), None);
    }
}
