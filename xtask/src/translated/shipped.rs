//! `cargo xtask shipped`: suites against the Rust that a published crate ships.
//!
//! The crate `aws-mpl-legacy` is written by `dafny translate rs`, and names the commit of its Dafny
//! sources. The suites are for its modules that need neither a network nor keys, in a copy of the
//! crate in which the module with Dafny's code is public. Nothing of it is kept in this repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::package::{Package, write_manifest};
use super::table;
use crate::process::{cargo, run as run_command};
use crate::{demo, root, z3};

/// The crate and its version.
const CRATE: (&str, &str) = ("aws-mpl-legacy", "0.2.0");
/// The directories of its repository that have the sources.
const SOURCES: [&str; 5] = [
    "StandardLibrary/src",
    "AwsCryptographyPrimitives",
    "AwsCryptographicMaterialProviders/dafny",
    "ComAmazonawsDynamodb",
    "ComAmazonawsKms",
];
/// The files with the modules under test.
const FILES: [&str; 16] = [
    "StandardLibrary/src/Base64.dfy",
    "StandardLibrary/src/FloatCompare.dfy",
    "StandardLibrary/src/GetOpt.dfy",
    "StandardLibrary/src/HexStrings.dfy",
    "StandardLibrary/src/MemoryMath.dfy",
    "StandardLibrary/src/Sequence.dfy",
    "StandardLibrary/src/Sorting.dfy",
    "StandardLibrary/src/StandardLibrary.dfy",
    "StandardLibrary/src/String.dfy",
    "StandardLibrary/src/UInt.dfy",
    "StandardLibrary/src/UTF8.dfy",
    "StandardLibrary/src/UUID.dfy",
    "libraries/src/Collections/Sequences/Seq.dfy",
    "libraries/src/JSON/Utils/Str.dfy",
    "AwsCryptographicMaterialProviders/dafny/AwsCryptographicMaterialProviders/src/AwsArnParsing.dfy",
    "AwsCryptographicMaterialProviders/dafny/AwsCryptographicMaterialProviders/src/CanonicalEncryptionContext.dfy",
];
/// The options of Dafny with which the crate was translated.
const OPTIONS: [&str; 6] = [
    "--function-syntax",
    "3",
    "--quantifier-syntax",
    "3",
    "--unicode-char",
    "false",
];

#[derive(clap::Args)]
pub struct Args {
    /// A clone of github.com/aws/aws-cryptographic-material-providers-library
    #[arg(long, value_name = "DIR")]
    repository: PathBuf,
    /// A checkout of its submodule `libraries`
    #[arg(long, value_name = "DIR")]
    libraries: PathBuf,
    /// Test these files only
    #[arg(long, value_name = "FILE")]
    only: Vec<String>,
    /// Use this `cargo-dtest` instead of building one
    #[arg(long, value_name = "PATH")]
    tool: Option<PathBuf>,
}

/// Generates and runs the suites, and prints a table of the modules.
///
/// # Errors
/// The crate or its sources cannot be had, or a program cannot be run.
pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let tool = match &args.tool {
        Some(tool) => fs::canonicalize(tool).map_err(|e| format!("{}: {e}", tool.display()))?,
        None => demo::build(false)?,
    };
    let home = root().join("target/shipped");
    let copy = home.join(CRATE.0);
    let error = |e: std::io::Error| format!("cannot write {}: {e}", copy.display());
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(error)?;
    }
    let published = published(&home)?;
    copy_folder(&published, &copy).map_err(error)?;
    let lib = copy.join("src/lib.rs");
    let text = fs::read_to_string(&lib).map_err(error)?;
    let private = "pub(crate) mod implementation_from_dafny;";
    let public = "pub mod implementation_from_dafny;";
    fs::write(&lib, text.replace(private, public)).map_err(error)?;
    let manifest = copy.join("Cargo.toml");
    let mut text = fs::read_to_string(&manifest).map_err(error)?;
    for name in ["dunit", "dmock"] {
        let path = root().join(name).display().to_string();
        text.push_str(&format!("\n[dev-dependencies.{name}]\npath = {path:?}\n"));
    }
    // The crate names its tests.
    text.push_str("\n[[test]]\nname = \"dtest\"\npath = \"tests/dtest/main.rs\"\n");
    text.push_str("\n[workspace]\n");
    fs::write(&manifest, text).map_err(error)?;
    sources(args, &copy)?;

    let files = FILES
        .iter()
        .filter(|f| args.only.is_empty() || args.only.iter().any(|o| o == *f));
    let mut options: Vec<String> = files.map(|f| format!("dafny/{f}")).collect();
    options.extend(OPTIONS.map(str::to_owned));
    options.extend(["--against", "crate::implementation_from_dafny"].map(str::to_owned));
    let package = Package {
        name: CRATE.0.to_owned(),
        root: copy,
        options,
        target: home.join("target"),
    };
    println!("{}", table(&package.tested(&tool)?));
    Ok(())
}

/// Returns the folder of the published crate, which cargo fetches.
fn published(home: &Path) -> Result<PathBuf, String> {
    let (name, version) = CRATE;
    let asking = home.join("fetch");
    let error = |e: std::io::Error| format!("cannot write {}: {e}", asking.display());
    fs::create_dir_all(asking.join("src")).map_err(error)?;
    fs::write(asking.join("src/lib.rs"), "").map_err(error)?;
    let dependency = format!("\"={version}\"");
    write_manifest(&asking, "fetch", &[(name, dependency)].into())?;
    let output = cargo(&asking, &["metadata", "--format-version", "1"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let found = packages.iter().find(|p| p["name"] == name);
    let manifest = found.and_then(|p| p["manifest_path"].as_str());
    let folder = manifest.and_then(|m| Path::new(m).parent());
    folder
        .map(PathBuf::from)
        .ok_or_else(|| format!("cargo does not find {name} {version}"))
}

/// Puts the Dafny sources into the copy, in `dafny`.
fn sources(args: &Args, copy: &Path) -> Result<(), String> {
    let info = copy.join(".cargo_vcs_info.json");
    let text = fs::read_to_string(&info).map_err(|e| format!("{}: {e}", info.display()))?;
    let info: Value =
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", info.display()))?;
    let commit = info["git"]["sha1"]
        .as_str()
        .ok_or("the crate names no commit")?;
    eprintln!("sources of commit {commit}");
    let dafny = copy.join("dafny");
    let error = |e: std::io::Error| format!("cannot write {}: {e}", dafny.display());
    fs::create_dir_all(&dafny).map_err(error)?;
    let archive = dafny.join("sources.tar");
    let mut command = Command::new("git");
    command.arg("-C").arg(&args.repository);
    command
        .args(["archive", "--output"])
        .arg(&archive)
        .arg(commit)
        .args(SOURCES);
    run_command(&mut command)?;
    let mut command = Command::new("tar");
    run_command(command.arg("xf").arg(&archive).arg("-C").arg(&dafny))?;
    fs::remove_file(&archive).map_err(error)?;
    copy_folder(&args.libraries.join("src"), &dafny.join("libraries/src")).map_err(error)
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry?;
        let path = to.join(entry.path().strip_prefix(from).unwrap_or(entry.path()));
        if entry.file_type().is_dir() {
            fs::create_dir_all(&path)?;
        } else {
            fs::copy(entry.path(), &path)?;
        }
    }
    Ok(())
}
