//! `cargo dev resolve`: parses and resolves Dafny programs and reports those with errors.
//!
//! `cargo dev resolve [--one] [--library PATH]… [--standard-libraries DIR] [--filter TEXT] [--all]
//! DIR-OR-FILE…`
//!
//! A directory with a `manifest.json` contains the programs listed there, with their options.
//! Otherwise every `.dfy` file below is a program. `--one`: all files form one program.
//! `--library`: files that belong to every program. `--all`: print all messages of a file, not only
//! the first three.

use crate::Args;
use crate::support;
use std::path::PathBuf;

use dafny_resolve::typed::Program;
use dafny_source::SourceMap;
use dafny_source::diagnostic::Diagnostic;
use dtest::cli::args::DafnyArgs;
use dtest_sorted::SortedMap;

pub(crate) fn run(mut args: Args) {
    let (mut one, mut all, mut filter, mut paths) = (false, false, String::new(), Vec::new());
    let mut settings = DafnyArgs::default();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--one" => one = true,
            "--all" => all = true,
            "--filter" => filter = args.next().unwrap_or_default(),
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let mut jobs = support::all_jobs(&paths, &settings, one);
    jobs.retain(|j| {
        j.files
            .iter()
            .any(|f| f.to_string_lossy().contains(&filter))
    });
    let (mut ok, mut parse_failed, mut failed) = (0, 0, 0);
    let mut by_id: SortedMap<&'static str, usize> = SortedMap::new();
    let (mut parsing, mut seconds) = (0.0, 0.0);
    for job in &jobs {
        let name = job.name();
        let start = std::time::Instant::now();
        let support::Program {
            sources: map,
            trees,
            errors,
        } = job.load();
        parsing += start.elapsed().as_secs_f64();
        if !errors.is_empty() {
            parse_failed += 1;
            println!("PARSE {name}");
            show(&map, &errors, all);
            continue;
        }
        let start = std::time::Instant::now();
        let (program, diagnostics) = dafny_resolve::resolve(trees, job.settings.options());
        seconds += start.elapsed().as_secs_f64();
        let errors: Vec<Diagnostic> = diagnostics
            .into_iter()
            .filter(Diagnostic::is_error)
            .collect();
        for e in &errors {
            *by_id.entry(e.id).or_default() += 1;
        }
        if errors.is_empty() {
            ok += 1;
            if std::env::var_os("SHOW").is_some() {
                outline(&program);
            }
        } else {
            failed += 1;
            println!("FAIL {name} ({} errors)", errors.len());
            show(&map, &errors, all);
        }
    }
    println!(
        "{} programs: {ok} resolved, {failed} failed, {parse_failed} not parsed; {parsing:.2} s in reading and parsing, {seconds:.2} s in resolve",
        jobs.len()
    );
    for (id, count) in by_id {
        println!("  {count:5} {id}");
    }
}

fn show(map: &SourceMap, errors: &[Diagnostic], all: bool) {
    for e in errors.iter().take(if all { usize::MAX } else { 3 }) {
        let at = e.span.map_or_else(String::new, |s| map.locate(s));
        println!("    {at}: {} [{}]", e.message, e.id);
    }
}

/// Prints the declarations of a program.
fn outline(program: &Program) {
    use dafny_resolve::typed::Arena;
    for id in Arena::<dafny_resolve::typed::CallableId>::ids(program) {
        let c = &program[id];
        let formal = |f: &dafny_resolve::typed::Formal| {
            format!(
                "{}: {}",
                program[f.local].name,
                program.show_type(&program[f.local].ty)
            )
        };
        let list = |fs: &[dafny_resolve::typed::Formal]| {
            fs.iter().map(formal).collect::<Vec<_>>().join(", ")
        };
        println!(
            "  {}{:?} {}({}) -> ({})",
            if c.ghost { "ghost " } else { "" },
            c.kind,
            program.callable_path(id),
            list(&c.ins),
            list(&c.outs)
        );
    }
}
