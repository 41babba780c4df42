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
    let (mut refused, mut translated, mut callables, mut clauses, mut all_clauses) =
        (0, 0, 0, 0, 0);
    let mut why: SortedMap<String, (usize, String)> = SortedMap::new();
    let mut mains = String::new();
    let mut lib = String::from("#![allow(warnings)]\n");
    for (i, job) in jobs.iter().enumerate() {
        let support::Program {
            sources: map,
            trees,
            errors,
        } = job.load();
        let (typed, diagnostics) = dafny_resolve::resolve(trees, job.settings.options());
        if !errors.is_empty() || diagnostics.iter().any(|d| d.is_error()) {
            refused += 1;
            continue;
        }
        translated += 1;
        let name = format!("p{i}");
        let placement = Placement::single(
            format!("src/{name}.rs"),
            format!("crate::{name}"),
            format!("// {}", job.name()),
        );
        let result = translate(&typed, &map, &placement);
        callables += result.callables.len();
        clauses += result.clauses.len();
        let compiled = result
            .callables
            .iter()
            .map(|c| &typed[*c])
            .filter(|c| !c.ghost);
        all_clauses += compiled
            .map(|c| c.spec.requires.len() + c.spec.ensures.len())
            .sum::<usize>();
        if reasons {
            for (span, reason) in &result.clauses {
                println!("clause {}: {reason}", map.locate(*span));
            }
        }
        // Count the reasons, and keep the first example of each.
        for u in &result.unsupported {
            let short = u.reason.root().to_string();
            let entry = why
                .entry(short)
                .or_insert_with(|| (0, format!("{} {} {}", map.locate(u.span), u.what, u.reason)));
            entry.0 += 1;
        }
        // Programs with a `Main` are also executed, for the output that the translation has to
        // print.
        if let Some(main) = &result.main {
            let ir = dtest_lower::lower(std::sync::Arc::new(typed));
            let limits = dtest_interp::Limits {
                steps: 20_000_000,
                ..dtest_interp::Limits::default()
            };
            let mut printed = String::new();
            let ended =
                dtest_interp::Interp::new(&ir, limits).run_main(&[], &mut |s| printed.push_str(s));
            let _ = std::fs::create_dir_all(out.join("expected"));
            let _ = std::fs::write(out.join(format!("expected/{name}.txt")), printed);
            let _ = std::fs::write(
                out.join(format!("expected/{name}.end")),
                format!("{ended:?}\n{}\n", job.name()),
            );
            let _ = std::fmt::Write::write_fmt(
                &mut mains,
                format_args!(
                    "        \"{name}\" => || {{ use translated::{name} as subject; {}; }},\n",
                    main.call
                ),
            );
        }
        for (path, text) in &result.files {
            let _ = std::fs::write(out.join(path), text);
        }
        if !result.files.is_empty() {
            lib.push_str(&format!("pub mod {name};\n"));
        }
    }
    // The crate of all translated programs, with a binary that runs one of them by name.
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
    println!(
        "{translated} programs translated, {refused} refused before; {callables} callables, {clauses} of {all_clauses} clauses not executable"
    );
    for (reason, (count, first)) in &why {
        println!(
            "  {count:5} {reason}{}",
            if reasons {
                format!("  ({first})")
            } else {
                String::new()
            }
        );
    }
}
