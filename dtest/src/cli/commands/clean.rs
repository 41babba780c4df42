//! `clean`: removes generated files (those with our marker), directories that become empty, a
//! manifest that was generated and not changed, and the cache.

use super::super::args::CleanArgs;
use super::super::error::CommandResult;
use super::super::{Environment, files, package};
use crate::exit_code::ExitCode;

/// Runs the command.
pub fn run(args: &CleanArgs, env: &Environment) -> CommandResult {
    let root = args
        .out
        .as_ref()
        .map_or_else(|| env.root.clone(), |o| env.root.join(o));
    let mut count = 0;
    for directory in ["src", "tests/dtest"] {
        let walk = walkdir::WalkDir::new(root.join(directory))
            .min_depth(usize::from(directory == "src"))
            .contents_first(true)
            .into_iter()
            .filter_map(Result::ok);
        for entry in walk {
            if entry.file_type().is_dir() {
                files::remove_empty_directory(entry.path());
            } else if entry.path().extension().is_some_and(|x| x == "rs")
                && files::is_ours(entry.path())
                && files::remove(entry.path()).is_ok()
            {
                count += 1;
            }
        }
    }
    // Cargo rejects a package without a target.
    let is_rust = |entry: walkdir::DirEntry| entry.path().extension().is_some_and(|x| x == "rs");
    let has_targets = ["src", "tests", "benches", "examples"]
        .iter()
        .flat_map(|directory| walkdir::WalkDir::new(root.join(directory)))
        .filter_map(Result::ok)
        .any(is_rust);
    if count > 0
        && !has_targets
        && package::is_as_created(&root)
        && files::remove(&root.join("Cargo.toml")).is_ok()
    {
        count += 1;
        for directory in ["src", "tests"] {
            files::remove_empty_directory(&root.join(directory));
        }
    }
    super::cache(&root, &args.cache).clear();
    env.terminal
        .note(&format!("removed {count} generated files"));
    Ok(ExitCode::Done)
}
