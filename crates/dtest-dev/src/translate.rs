//! `cargo dev translate`: translates Dafny programs into one crate, with a module for each program,
//! to be compiled.
//!
//! `cargo dev translate --out DIR [--function-syntax N] [--no-unicode-char] [--each] [--reasons]
//! DIR-OR-FILE…`
//!
//! All files form one program. With `--each`, every file with its includes is a program. Then run
//! `cargo check` in DIR.

use crate::Args;
use crate::support;
use dtest_sorted::SortedMap;
use std::path::{Path, PathBuf};

use dafny_resolve::typed::Program;
use dafny_source::SourceMap;
use dtest::cli::args::DafnyArgs;
use dtest_emit::{Placement, translate};

pub(crate) fn run(mut args: Args) {
    let (mut each, mut reasons, mut out, mut paths) =
        (false, false, PathBuf::from("/tmp/translated"), Vec::new());
    let mut settings = DafnyArgs::default();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--each" => each = true,
            "--reasons" => reasons = true,
            "--out" => out = args.next().map(PathBuf::from).unwrap_or(out),
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let jobs = support::all_jobs(&paths, &settings, !each);
    let _ = std::fs::create_dir_all(out.join("src"));
    let mut written = Written {
        out,
        reasons,
        ..Written::default()
    };
    let (mut refused, mut translated) = (0, 0);
    for (i, job) in jobs.iter().enumerate() {
        match job.resolve() {
            Some((sources, typed)) => {
                translated += 1;
                written.program(&format!("p{i}"), &job.name(), &sources, typed);
            }
            None => refused += 1,
        }
    }
    written.finish();
    println!(
        "{translated} programs translated, {refused} refused before; {} callables, {} of {} clauses not executable",
        written.callables, written.clauses, written.all_clauses
    );
    for (reason, (count, first)) in &written.why {
        let example = if reasons {
            format!("  ({first})")
        } else {
            String::new()
        };
        println!("  {count:5} {reason}{example}");
    }
}

/// The crate of all translated programs.
#[derive(Default)]
struct Written {
    /// The folder of the crate.
    out: PathBuf,
    /// Whether the reason of each clause that is not executable is printed.
    reasons: bool,
    callables: usize,
    /// The number of clauses that are not executable.
    clauses: usize,
    all_clauses: usize,
    /// Reasons why code is not translated, each with its number and its first example.
    why: SortedMap<String, (usize, String)>,
    /// The modules of `lib.rs`.
    modules: String,
    /// The arms of `main.rs`, one for each program with a `Main`.
    mains: String,
}

impl Written {
    /// Translates a program to the module `name`.
    fn program(&mut self, name: &str, title: &str, sources: &SourceMap, typed: Program) {
        let placement = Placement::single(
            format!("src/{name}.rs"),
            format!("crate::{name}"),
            format!("// {title}"),
        );
        let result = translate(&typed, sources, &placement);
        self.callables += result.callables.len();
        self.clauses += result.clauses.len();
        let compiled = result
            .callables
            .iter()
            .map(|c| &typed[*c])
            .filter(|c| !c.ghost);
        self.all_clauses += compiled
            .map(|c| c.spec.requires.len() + c.spec.ensures.len())
            .sum::<usize>();
        if self.reasons {
            for (span, reason) in &result.clauses {
                println!("clause {}: {reason}", sources.locate(*span));
            }
        }
        for u in &result.unsupported {
            let short = u.reason.root().to_string();
            let example = || format!("{} {} {}", sources.locate(u.span), u.what, u.reason);
            self.why.entry(short).or_insert_with(|| (0, example())).0 += 1;
        }
        if let Some(main) = &result.main {
            self.expect_output(name, title, typed);
            self.mains.push_str(&format!(
                "        \"{name}\" => || {{ use translated::{name} as subject; {}; }},\n",
                main.call
            ));
        }
        for (path, text) in &result.files {
            let _ = std::fs::write(self.out.join(path), text);
        }
        if !result.files.is_empty() {
            self.modules.push_str(&format!("pub mod {name};\n"));
        }
    }

    /// Executes a program with a `Main`, and writes the output that the translation has to print.
    fn expect_output(&self, name: &str, title: &str, typed: Program) {
        let ir = dtest_lower::lower(std::sync::Arc::new(typed));
        let limits = dtest_interp::Limits {
            steps: 20_000_000,
            ..dtest_interp::Limits::default()
        };
        let mut printed = String::new();
        let ended =
            dtest_interp::Interp::new(&ir, limits).run_main(&[], &mut |s| printed.push_str(s));
        let expected = self.out.join("expected");
        let _ = std::fs::create_dir_all(&expected);
        let _ = std::fs::write(expected.join(format!("{name}.txt")), printed);
        let _ = std::fs::write(
            expected.join(format!("{name}.end")),
            format!("{ended:?}\n{title}\n"),
        );
    }

    /// Writes the files of the crate beside the modules, with a binary that runs one of the programs
    /// by name.
    fn finish(&self) {
        let (out, mains) = (&self.out, &self.mains);
        let lib = format!("#![allow(warnings)]\n{}", self.modules);
        let _ = std::fs::write(out.join("src/lib.rs"), lib);
        let main = format!(
            "use dunit::prelude::*;\nfn main() -> std::process::ExitCode {{\n    let which = std::env::args().nth(1).unwrap_or_default();\n    let main: fn() = match which.as_str() {{\n{mains}        _ => panic!(\"no such program\"),\n    }};\n    dunit::harness::run_main(main)\n}}\n"
        );
        let _ = std::fs::write(out.join("src/main.rs"), main);
        let dunit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dunit");
        let manifest = format!(
            "[package]\nname = \"translated\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\ndunit = {{ path = \"{}\" }}\n\n[workspace]\n",
            dunit.display()
        );
        let _ = std::fs::write(out.join("Cargo.toml"), manifest);
        let _ = std::fs::copy(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock"),
            out.join("Cargo.lock"),
        );
    }
}
