//! Runs `Main` of Dafny programs in the interpreter and compares what they print: a tool for developers.
//!
//! `cargo run -p dtest --example run_corpus -- [--show PATH-PART] [--steps N] MANIFEST.json`
//!
//! The manifest lists programs as `{"path", "expect", "flags"}`, paths relative to its folder. `--show` prints
//! both outputs of the programs whose path contains the part.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use dtest::interp::{Interp, Limits, Outcome};
use dtest::source::SourceMap;
use dtest::typed::{GeneralTraits, Options};

#[derive(serde::Deserialize)]
struct Entry {
    path: String,
    expect: String,
    flags: Vec<String>,
}

enum Verdict {
    Same,
    Different(String, String),
    Refused(String),
    Stopped(String, String, String),
}

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut show, mut steps, mut manifest) = (None, 200_000_000, PathBuf::from("manifest.json"));
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--show" => show = args.next(),
            "--steps" => steps = args.next().and_then(|n| n.parse().ok()).unwrap_or(steps),
            _ => manifest = PathBuf::from(arg),
        }
    }
    let text = std::fs::read_to_string(&manifest).unwrap_or_default();
    let entries: Vec<Entry> = serde_json::from_str(&text).unwrap_or_default();
    let root = manifest.parent().unwrap_or(Path::new("."));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries.iter().filter(|e| show.as_ref().is_none_or(|s| e.path.contains(s.as_str()))) {
        let started = Instant::now();
        let verdict = run(root, entry, steps);
        let seconds = started.elapsed().as_secs_f64();
        let (kind, detail) = match &verdict {
            Verdict::Same => ("same", String::new()),
            Verdict::Different(want, got) => ("different", difference(want, got)),
            Verdict::Refused(why) => ("refused", why.clone()),
            Verdict::Stopped(why, ..) => ("stopped", why.clone()),
        };
        *counts.entry(kind).or_default() += 1;
        println!("{kind:9} {seconds:6.2} s  {}  {detail}", entry.path);
        if let (Some(_), Verdict::Different(want, got) | Verdict::Stopped(_, want, got)) = (&show, &verdict) {
            println!("--- expected\n{want}\n--- printed\n{got}\n---");
        }
    }
    println!("{counts:?} of {}", entries.len());
}

fn run(root: &Path, entry: &Entry, steps: u64) -> Verdict {
    let (options, syntax) = options(&entry.flags);
    let (map, trees, errors) = load(&root.join(&entry.path), syntax);
    if let Some(e) = errors.first() {
        return Verdict::Refused(e.clone());
    }
    let (typed, diagnostics) = dtest::resolve::resolve(trees, options);
    if let Some(d) = diagnostics.iter().find(|d| d.is_error()) {
        return Verdict::Refused(format!("{}: {}", d.span.map_or_else(String::new, |s| map.locate(s)), d.message));
    }
    let program = dtest::lower::lower(Arc::new(typed));
    let limits = Limits { steps, check_calls: false, ..Limits::default() };
    let interp = Interp::new(&program, limits);
    let mut printed = String::new();
    let result = interp.run_main(&[], &mut |text| printed.push_str(text));
    let want = normal(&std::fs::read_to_string(root.join(&entry.expect)).unwrap_or_default());
    let stopped = match result.outcome {
        Outcome::Returned(_) => None,
        Outcome::Halted { span, message } => {
            let at = map.line_column(span.start).map_or_else(String::new, |at| format!("({},{})", at.line, at.column - 1));
            let file = Path::new(&entry.path).file_name().map_or_else(String::new, |f| f.to_string_lossy().into_owned());
            printed.push_str(&format!("[Program halted] {file}{at}: {message}\n"));
            None
        }
        Outcome::Failed(f) => Some(format!("{}: {}", map.locate(f.span), f.message)),
        Outcome::OutOfFuel(which) => Some(format!("out of {which}")),
        Outcome::Infeasible(span) => Some(format!("{}: infeasible", map.locate(span))),
        Outcome::Unsupported(why) => Some(why),
    };
    let got = normal(&printed);
    match stopped {
        Some(why) => Verdict::Stopped(why, want, got),
        None if want == got => Verdict::Same,
        None => Verdict::Different(want, got),
    }
}

/// Without what the verifier says and without blank ends.
fn normal(text: &str) -> String {
    let lines = text.lines().filter(|l| !l.starts_with("Dafny program verifier"));
    lines.map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn difference(want: &str, got: &str) -> String {
    let pair = want.lines().zip(got.lines()).find(|(a, b)| a != b);
    let short = |s: &str| s.chars().take(70).collect::<String>();
    match pair {
        Some((a, b)) => format!("expected `{}`, printed `{}`", short(a), short(b)),
        None => format!("{} lines expected, {} printed", want.lines().count(), got.lines().count()),
    }
}

fn options(flags: &[String]) -> (Options, dtest::syntax::Options) {
    let mut options = Options::default();
    let mut syntax = dtest::syntax::Options::default();
    let joined = flags.join(" ").replace([':', '='], " ");
    let mut words = joined.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let value = words.peek().filter(|w| !w.starts_with("--")).copied();
        let on = value != Some("false");
        match word {
            "--relax-definite-assignment" => options.relax_definite_assignment = on,
            "--unicode-char" => options.unicode_char = on,
            "--general-newtypes" => options.general_newtypes = on,
            "--type-system-refresh" => options.type_system_refresh = on,
            "--function-syntax" if value == Some("3") => options.function_syntax = 3,
            "--quantifier-syntax" if value == Some("3") => {
                syntax.quantifier_syntax = dtest::syntax::QuantifierSyntax::Version3;
            }
            "--general-traits" => {
                options.general_traits = match value {
                    Some("full") => GeneralTraits::Full,
                    Some("datatype") => GeneralTraits::Datatype,
                    _ => GeneralTraits::Legacy,
                }
            }
            _ => {}
        }
    }
    (options, syntax)
}

/// The file and what it includes, parsed, with what is wrong.
fn load(file: &Path, syntax: dtest::syntax::Options) -> (SourceMap, Vec<dtest::syntax::ast::File>, Vec<String>) {
    let (mut map, mut trees, mut errors) = (SourceMap::new(), Vec::new(), Vec::new());
    let mut seen: Vec<PathBuf> = Vec::new();
    let mut queue = vec![file.to_path_buf()];
    let mut next = 0;
    while let Some(path) = queue.get(next).cloned() {
        next += 1;
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        if seen.contains(&real) {
            continue;
        }
        seen.push(real);
        let Ok(text) = std::fs::read_to_string(&path) else {
            errors.push(format!("{} cannot be read", path.display()));
            continue;
        };
        let Some(id) = map.add(path.display().to_string(), text.as_str(), next == 1) else { continue };
        let (tree, found) = dtest::syntax::parse_with(map.file(id).map_or(0, |f| f.base), &text, syntax);
        errors.extend(found.iter().filter(|d| d.is_error()).map(|d| d.message.clone()));
        let folder = path.parent().unwrap_or(Path::new("."));
        queue.extend(tree.includes.iter().map(|i| folder.join(&*i.path)));
        trees.push(tree);
    }
    (map, trees, errors)
}
