//! Parses and resolves Dafny programs and says which fail: a tool for developers.
//!
//! `cargo run -p dtest --example resolve_corpus -- [--one] [--with FILE]… [--filter TEXT] [--all] DIR-OR-FILE…`
//!
//! A directory with a `manifest.json` gives the programs that it lists with their options; otherwise every
//! `.dfy` file below is a program. `--one`: all of them are one. `--with`: a library that belongs to every
//! program. `--all`: print every message, not the first three of a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dtest::diagnostic::Diagnostic;
use dtest::source::SourceMap;
use dtest::typed::{GeneralTraits, Options, Program};

struct Job {
    files: Vec<PathBuf>,
    options: Options,
}

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut one, mut all, mut with, mut filter, mut paths) = (false, false, Vec::new(), String::new(), Vec::new());
    let mut options = Options::default();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--one" => one = true,
            "--all" => all = true,
            "--with" => with.extend(args.next().map(|p| dafny_files(Path::new(&p))).unwrap_or_default()),
            "--filter" => filter = args.next().unwrap_or_default(),
            "--function-syntax" => options.function_syntax = args.next().and_then(|v| v.parse().ok()).unwrap_or(4),
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let mut jobs = Vec::new();
    for path in &paths {
        match std::fs::read_to_string(path.join("manifest.json")) {
            Ok(manifest) => jobs.extend(manifest_jobs(path, &manifest)),
            Err(_) => jobs.extend(dafny_files(path).into_iter().map(|f| Job { files: vec![f], options: options.clone() })),
        }
    }
    if one {
        jobs = vec![Job { files: jobs.into_iter().flat_map(|j| j.files).collect(), options: options.clone() }];
    }
    jobs.retain(|j| j.files.iter().any(|f| f.to_string_lossy().contains(&filter)));
    let (mut ok, mut parse_failed, mut failed) = (0, 0, 0);
    let mut by_id: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut seconds = 0.0;
    for job in &jobs {
        let name = job.files.first().map_or_else(String::new, |f| f.display().to_string());
        let mut files = job.files.clone();
        files.extend(with.iter().cloned());
        let (map, trees, errors) = load(&files);
        if !errors.is_empty() {
            parse_failed += 1;
            println!("PARSE {name}");
            show(&map, &errors, all);
            continue;
        }
        let start = std::time::Instant::now();
        let (program, diagnostics) = dtest::resolve::resolve(trees, job.options.clone());
        seconds += start.elapsed().as_secs_f64();
        let errors: Vec<Diagnostic> = diagnostics.into_iter().filter(Diagnostic::is_error).collect();
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
    println!("{} programs: {ok} resolved, {failed} failed, {parse_failed} not parsed; {seconds:.2} s in resolve", jobs.len());
    for (id, count) in by_id {
        println!("  {count:5} {id}");
    }
}

fn manifest_jobs(dir: &Path, manifest: &str) -> Vec<Job> {
    let Ok(serde_json::Value::Array(entries)) = serde_json::from_str(manifest) else { return Vec::new() };
    let mut jobs = Vec::new();
    for e in entries {
        let path = |v: &serde_json::Value| v.as_str().map(|p| dir.join(p));
        let mut files: Vec<PathBuf> = path(&e["path"]).into_iter().collect();
        files.extend(e["extra"].as_array().into_iter().flatten().filter_map(path));
        let mut options = Options::default();
        if let Some(n) = e["function_syntax"].as_u64() {
            options.function_syntax = n as u8;
        }
        options.unicode_char = e["unicode_char"].as_bool().unwrap_or(true);
        let flags: Vec<&str> = e["flags"].as_array().into_iter().flatten().filter_map(|f| f.as_str()).collect();
        let split: Vec<&str> = flags.iter().flat_map(|f| f.split(['=', ':', ' '])).collect();
        for (i, flag) in split.iter().enumerate() {
            let value = split.get(i + 1).copied().unwrap_or("");
            match flag.trim_start_matches(['-', '/']) {
                "unicode-char" => options.unicode_char = value != "false",
                "function-syntax" | "functionSyntax" => options.function_syntax = value.parse().unwrap_or(4),
                "type-system-refresh" => options.type_system_refresh = value != "false",
                "general-newtypes" => options.general_newtypes = value != "false",
                "general-traits" => {
                    options.general_traits = match value {
                        "full" => GeneralTraits::Full,
                        "datatype" => GeneralTraits::Datatype,
                        _ => GeneralTraits::Legacy,
                    }
                }
                _ => {}
            }
        }
        jobs.push(Job { files, options });
    }
    jobs
}

fn dafny_files(path: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(path).sort_by_file_name();
    let files = walk.into_iter().filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    files.filter(|p| p.extension().is_some_and(|e| e == "dfy")).collect()
}

fn load(files: &[PathBuf]) -> (SourceMap, Vec<dtest::syntax::ast::File>, Vec<Diagnostic>) {
    let (mut map, mut trees, mut errors) = (SourceMap::new(), Vec::new(), Vec::new());
    let mut seen = Vec::new();
    let mut queue: Vec<PathBuf> = files.to_vec();
    let mut next = 0;
    while let Some(path) = queue.get(next).cloned() {
        next += 1;
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        if seen.contains(&real) {
            continue;
        }
        seen.push(real);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) => {
                errors.push(Diagnostic::global("load", format!("{}: {e}", path.display())));
                continue;
            }
        };
        let Some(id) = map.add(path.display().to_string(), text.as_str(), true) else { continue };
        let base = map.file(id).map_or(0, |f| f.base);
        let (tree, found) = dtest::syntax::parse(base, &text);
        errors.extend(found.into_iter().filter(Diagnostic::is_error));
        let dir = path.parent().map(Path::to_path_buf).unwrap_or_default();
        queue.extend(tree.includes.iter().map(|i| dir.join(&i.path)));
        trees.push(tree);
    }
    (map, trees, errors)
}

fn show(map: &SourceMap, errors: &[Diagnostic], all: bool) {
    for e in errors.iter().take(if all { usize::MAX } else { 3 }) {
        let at = e.span.map_or_else(String::new, |s| map.locate(s));
        println!("    {at}: {} [{}]", e.message, e.id);
    }
}

/// The declarations of a program, for looking at.
fn outline(program: &Program) {
    use dtest::typed::Arena;
    for id in Arena::<dtest::typed::CallableId>::ids(program) {
        let c = &program[id];
        let formal = |f: &dtest::typed::Formal| format!("{}: {}", program[f.local].name, program.show_type(&program[f.local].ty));
        let list = |fs: &[dtest::typed::Formal]| fs.iter().map(formal).collect::<Vec<_>>().join(", ");
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
