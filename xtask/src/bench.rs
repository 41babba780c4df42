//! `cargo xtask bench`: how long parsing and resolving real programs take.

use std::path::PathBuf;

use crate::process::{cargo, run};
use crate::{root, z3};

#[derive(clap::Args)]
pub struct Args {
    /// Folders of Dafny programs, each file or entry of its manifest.json a program
    directories: Vec<PathBuf>,
    /// A folder whose files are one program
    #[arg(long)]
    one: Vec<PathBuf>,
    /// The source of Dafny's standard libraries, for the programs of `--one`
    #[arg(long)]
    standard_libraries: Option<PathBuf>,
}

pub fn bench(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let mut command = cargo(&root(), &["bench", "-p", "dtest", "--bench", "frontend", "--"]);
    let absolute = |p: &PathBuf| std::path::absolute(p).unwrap_or_else(|_| p.clone());
    if let Some(library) = &args.standard_libraries {
        command.arg("--standard-libraries").arg(absolute(library));
    }
    for directory in &args.one {
        command.arg("--one").arg(absolute(directory));
    }
    command.args(args.directories.iter().map(absolute));
    run(&mut command)
}
