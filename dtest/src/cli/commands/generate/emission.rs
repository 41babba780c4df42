//! The suite of a program, in Rust, in Dafny or as test vectors, as files of a package.
//!
//! The hard part is partial runs: with `--filter`, `--in-diff` or `--entry`, the tests of other
//! units must stay in the suite unchanged ([`staying`]).

use std::path::{Path, PathBuf};

use super::settings::Settings;
use super::{Generated, SUITE};
use crate::cli::args::{Convention, GenArgs};
use crate::cli::commands::{Ready, translate};
use crate::cli::layout::{self, Output};
use crate::cli::package::{self, Home};
use crate::cli::{against, files, header};
use crate::pipeline;
use crate::pipeline::generate::{Emitted, Found};
use dafny_resolve::typed::CallableId;
use dafny_source::Span;
use dtest_desugar::Links;
use dtest_emit::case::{Staying, SuiteOptions};
use dtest_emit::{Placement, Translation};
use dtest_lower as lower;
use dtest_lower::units::Unit;
use dtest_sorted::SortedSet;

/// The existing parts of the suite that stay: tests of units that a change does not affect
/// (`rest`), and of units that a filter on the command line excludes.
pub(super) fn staying(program: &Ready, root: &Path, rest: &[Unit], settings: &Settings) -> Staying {
    let mut units: Vec<CallableId> = rest.iter().map(|u| u.callable).collect();
    let mut types = Vec::new();
    if settings.is_part && settings.entries.is_empty() {
        let Ready { ir, sources, .. } = program;
        let is_wanted = |span: Span| {
            settings.included || sources.file_at(span.start).is_some_and(|(_, f)| f.named)
        };
        let all = pipeline::units(ir, sources, settings.included, None);
        units.extend(
            all.iter()
                .map(|u| u.callable)
                .chain(lower::units::own_tests(&ir.typed, is_wanted)),
        );
        types = lower::units::datatypes(&ir.typed, is_wanted);
        types.extend(lower::units::classes(&ir.typed, is_wanted));
    }
    if units.is_empty() && types.is_empty() {
        return Staying::default();
    }
    // The tests that stay may need the suite's specification functions.
    let spec = root.join(SUITE).join("spec.rs");
    Staying {
        units,
        types,
        files: layout::stale(root, SUITE, &SortedSet::new())
            .into_iter()
            .collect(),
        spec: files::read_text(&spec)
            .ok()
            .filter(|_| files::is_ours(&spec)),
    }
}

/// Emits a suite in Rust, and the translation that it tests.
pub(super) fn emit_rust(
    program: &Ready,
    home: Home,
    found: &Found<'_>,
    args: &GenArgs,
    settings: &Settings,
) -> (Emitted, Generated) {
    let Ready { ir, sources, .. } = program;
    let root = home.root.as_path();
    let options = suite_options(program, &home, settings);
    let (mut outputs, translation, placement) = translated(program, root, &options, settings);
    let cases = pipeline::cases(ir, sources, found.results, args.keep_failing);
    let (datatypes, classes) = if options.official.is_some() {
        // The suite's own translation is not under test.
        (Vec::new(), Vec::new())
    } else {
        pipeline::generate::types(&program.subject(), found.units, &settings.options())
    };
    let tests = dtest_emit::case::Tests {
        cases: &cases,
        declared: if options.official.is_some() {
            &[]
        } else {
            found.own
        },
        datatypes: &datatypes,
        classes: &classes,
    };
    let suite = dtest_emit::suite_beside(
        &staying(program, root, found.rest, settings),
        &ir.typed,
        sources,
        &placement,
        &translation,
        &tests,
        &options,
    );
    let mut untranslated = Vec::new();
    if settings.against.is_none() {
        untranslated.extend(
            translation
                .unsupported
                .iter()
                .map(|u| (u.what.clone(), u.reason.to_string())),
        );
    }
    outputs.extend(suite.files.iter().map(|(path, text)| Output {
        path: path.clone(),
        text: text.clone(),
    }));
    if let Some(text) = &program.scenarios {
        let path = pipeline::scenarios::FILE.to_owned();
        let folder = root.join(path.trim_end_matches("/scenarios.dfy"));
        outputs.push(dafny_output(
            program,
            (&folder, path),
            &options.header,
            text,
        ));
    }
    let generated = Generated {
        home,
        outputs,
        staying: suite.staying.clone(),
        links: translate::used_links(program),
        official: suite.official.clone(),
    };
    let emitted = Emitted {
        suite,
        untranslated,
    };
    (emitted, generated)
}

/// Returns the files of the translation, the translation, and its placement. Hand-written code is
/// tested in place of the translation, which is then not written. What Dafny translated is tested
/// beside a translation that is part of the suite.
fn translated(
    program: &Ready,
    root: &Path,
    options: &SuiteOptions,
    settings: &Settings,
) -> (Vec<Output>, Translation, Placement) {
    let Ready { ir, sources, .. } = program;
    if options.official.is_some() {
        let path = format!("{SUITE}/ours.rs");
        let placement = Placement::single(path, "crate::ours", options.header.as_str());
        let translation = dtest_emit::translate_erased(&ir.typed, sources, &placement);
        let files = translation.files.iter();
        let outputs = files.map(|(path, text)| Output {
            path: path.clone(),
            text: text.clone(),
        });
        return (outputs.collect(), translation, placement);
    }
    let has_own_lib = settings.against.is_none() && layout::has_own_lib(root);
    let (outputs, translation, placement) = translate::translate(
        program,
        root,
        &super::super::command_line("translate", sources),
        has_own_lib,
    );
    if settings.against.is_none() {
        return (outputs, translation, placement);
    }
    let erased = dtest_emit::translate_erased(&ir.typed, sources, &placement);
    (Vec::new(), erased, placement)
}

/// Emits a suite in Dafny. It has its own form of tests; the report counts them as it counts tests
/// in Rust.
pub(super) fn emit_dafny(
    program: &Ready,
    home: Home,
    found: &Found<'_>,
    settings: &Settings,
) -> (Emitted, Generated) {
    let Ready { ir, sources, .. } = program;
    let cases = pipeline::cases(ir, sources, found.results, false);
    let written = pipeline::dafny_suite::write(ir, sources, &cases, &settings.targets);
    let suite = pipeline::dafny_suite::as_suite(&ir.typed, &cases, &written);
    let header = suite_options(program, &home, settings).header;
    let scenarios = program.scenarios.as_deref().unwrap_or_default();
    let text = [written.text.as_str(), scenarios.trim_start()].join("\n");
    let outputs = if text.trim().is_empty() {
        Vec::new()
    } else {
        let path = format!("{}.tests.dfy", dafny_stem(program));
        vec![dafny_output(
            program,
            (&home.root, path),
            &header,
            text.trim_end_matches('\n'),
        )]
    };
    let generated = Generated {
        home,
        outputs,
        staying: Vec::new(),
        links: Links::new(),
        official: Vec::new(),
    };
    let emitted = Emitted {
        suite,
        untranslated: Vec::new(),
    };
    (emitted, generated)
}

/// Emits test vectors.
pub(super) fn emit_vectors(
    program: &Ready,
    home: Home,
    found: &Found<'_>,
    settings: &Settings,
) -> (Emitted, Generated) {
    let Ready { ir, sources, .. } = program;
    let cases = pipeline::cases(ir, sources, found.results, false);
    let (lines, suite) = pipeline::vectors::write(ir, sources, &cases, found.results);
    let mut outputs = Vec::new();
    if !lines.is_empty() {
        let header = header::vectors(
            &super::super::command_line("gen", sources),
            &ir.typed,
            sources,
            &described(settings),
            &settings.solver,
        );
        outputs.push(Output {
            path: format!("{}.vectors.jsonl", dafny_stem(program)),
            text: header + &lines,
        });
    }
    let generated = Generated {
        home,
        outputs,
        staying: Vec::new(),
        links: Links::new(),
        official: Vec::new(),
    };
    let emitted = Emitted {
        suite,
        untranslated: Vec::new(),
    };
    (emitted, generated)
}

/// The paths of the named files.
pub(super) fn named(program: &Ready) -> Vec<&PathBuf> {
    program
        .sources
        .files()
        .zip(&program.paths)
        .filter(|((_, file), _)| file.named)
        .map(|(_, path)| path)
        .collect()
}

/// The name of the file of a program's tests, without its extension: that of the first named file.
pub(super) fn dafny_stem(program: &Ready) -> String {
    let named = named(program);
    named.first().and_then(|p| p.file_stem()).map_or_else(
        || "program".to_owned(),
        |s| s.to_string_lossy().into_owned(),
    )
}

/// Returns a file of tests in Dafny in the directory `folder`, which includes all named files.
pub(super) fn dafny_output(
    program: &Ready,
    (folder, path): (&Path, String),
    header: &str,
    text: &str,
) -> Output {
    let named = named(program);
    let includes: String = named
        .iter()
        .map(|p| format!("include \"{}\"\n", files::relative(p, folder)))
        .collect();
    let options = dafny_options(&program.ir.typed.options);
    let run = format!(
        "// dafny test {path} --target cs --no-verify --allow-warnings{options} --methods-to-test 'TestsOf.*'\n"
    );
    Output {
        text: format!("{header}{run}{includes}\n{}", text.trim_start_matches('\n')),
        path,
    }
}

/// The options of Dafny's command line under which the program was read, if they differ from the
/// defaults.
pub(super) fn dafny_options(options: &dafny_resolve::typed::Options) -> String {
    use dafny_resolve::typed::GeneralTraits;
    let mut out = String::new();
    if options.function_syntax == 3 {
        out.push_str(" --function-syntax 3");
    }
    if !options.unicode_char {
        out.push_str(" --unicode-char false");
    }
    for (is_on, name) in [
        (
            options.relax_definite_assignment,
            "relax-definite-assignment",
        ),
        (options.enforce_determinism, "enforce-determinism"),
        (options.reads_clauses_on_methods, "reads-clauses-on-methods"),
        (options.type_system_refresh, "type-system-refresh"),
        (options.general_newtypes, "general-newtypes"),
    ] {
        if is_on {
            out.push_str(&format!(" --{name}"));
        }
    }
    match options.general_traits {
        GeneralTraits::Legacy => {}
        GeneralTraits::Datatype => out.push_str(" --general-traits datatype"),
        GeneralTraits::Full => out.push_str(" --general-traits full"),
    }
    out
}

/// The settings that the tests depend on, as text.
fn described(settings: &Settings) -> String {
    let entries: String = settings.entries.iter().map(|e| format!(" {e}")).collect();
    format!(
        "{}{:?}{}{entries}{}",
        settings.search.identity(),
        settings.against,
        settings.criteria,
        match settings.convention {
            Convention::Dtest => "",
            Convention::Dafny => " dafny",
        }
    )
}

pub(super) fn suite_options(program: &Ready, home: &Home, settings: &Settings) -> SuiteOptions {
    let command = super::super::command_line("gen", &program.sources);
    let described = described(settings);
    let library = package::library_of(home);
    let subject = match &settings.against {
        None => library,
        Some(path) if path == "crate" => library,
        Some(path) => path
            .strip_prefix("crate::")
            .map_or_else(|| path.clone(), |rest| format!("{library}::{rest}")),
    };
    let is_official = settings.convention == Convention::Dafny;
    let (subject, official) = if is_official {
        let against = settings.against.as_deref().unwrap_or_default();
        let code = against::official_code(&home.root, against, subject);
        ("crate::ours".to_owned(), Some(code))
    } else {
        (subject, None)
    };
    SuiteOptions {
        header: header::header(
            &command,
            &program.sources,
            &program.ir.typed.options,
            &described,
            Some(&settings.solver),
        ),
        subject,
        is_translation: settings.against.is_none() || is_official,
        official,
        directory: SUITE.into(),
    }
}
