//! `translate`: translates Dafny to Rust, without tests.

use std::path::Path;

use super::super::args::TranslateArgs;
use super::super::error::{CommandResult, ExpectedError};
use super::super::layout::{self, LIB, Output};
use super::super::package::{self, Home};
use super::super::{Environment, files, header};
use super::Ready;
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;
use dtest_desugar::{ExternalCode as _, Links, TestOptions as _};
use dtest_emit::{EntryPoint, Placement, Translation};
use dtest_ir::Criteria;
use dtest_sorted::SortedSet;

/// Runs the command.
pub fn run(args: TranslateArgs, env: &Environment) -> CommandResult {
    let super::Programs {
        ready: programs,
        mut code,
        ..
    } = super::ready(&args.program, &Criteria::default(), env)?;
    // With `--stdout` no package is needed.
    let roots = if args.stdout {
        Ok(vec![Home::at(env.root.clone()); programs.len()])
    } else {
        super::packages(&programs, &args.program, args.out.as_ref(), env)
    }?;
    for (program, home) in programs.iter().zip(&roots) {
        let root = home.root.as_path();
        let (mut outputs, translation, _) = translate(
            program,
            root,
            &super::command_line("translate", &program.sources),
            layout::has_own_lib(root),
        );
        for left_out in &translation.unsupported {
            let message = format!(
                "`{}` was not translated: {}",
                left_out.what, left_out.reason
            );
            env.terminal.diagnostics(
                &[Diagnostic::warning(
                    MessageId::TranslateUnsupported,
                    left_out.span,
                    message,
                )],
                &program.sources,
            );
        }
        if args.stdout {
            outputs.iter().for_each(|o| env.terminal.result(&o.text));
            continue;
        }
        // The main program is a template that the user may edit; it is not overwritten then.
        if let Some(entry) = &translation.main {
            let own = root.join(layout::MAIN);
            if own.is_file() && !files::is_ours(&own) && !files::is_template(&own) {
                env.terminal.note(&format!(
                    "`{}` is hand-written, and was not changed",
                    layout::MAIN
                ));
            } else {
                outputs.push(main_program(program, entry, home));
            }
        }
        let runtime = args.runtime.as_deref();
        let written = write(env, home, runtime, &outputs, &used_links(program));
        code = super::worse(code, env.settle(written.map(|()| ExitCode::Done)));
    }
    Ok(code)
}

/// Returns the files of a program's translation for the package at `root`, including `src/lib.rs`
/// with the module declarations. If `has_own_lib`, the user wrote `src/lib.rs`, and all translated
/// code is in modules.
pub fn translate(
    program: &Ready,
    root: &Path,
    command: &str,
    has_own_lib: bool,
) -> (Vec<Output>, Translation, Placement) {
    let sources = &program.sources;
    let header = header::header(command, sources, &program.ir.typed.options, "", None);
    let placement = layout::plan(sources, &header, has_own_lib);
    let translation = dtest_emit::translate(&program.ir.typed, sources, &placement);
    let mut outputs: Vec<Output> = translation
        .files
        .iter()
        .map(|(path, text)| Output {
            path: path.clone(),
            text: text.clone(),
        })
        .collect();
    let mut modules = layout::modules(&placement, &outputs);
    modules += &layout::linked_modules(root, program.ir.typed.options.links(), &modules);
    // Cargo rejects a package without a target, so a program that consists of proofs gets an empty
    // library.
    if !modules.is_empty() || outputs.is_empty() {
        match outputs.iter_mut().find(|o| o.path == LIB) {
            Some(lib) => lib.text += &format!("\n{}", modules),
            None => outputs.push(Output {
                path: LIB.into(),
                text: format!("{header}\n{}", modules),
            }),
        }
    }
    outputs.sort_by(|a, b| a.path.cmp(&b.path));
    (outputs, translation, placement)
}

/// The links of `dtest.toml` that the program uses.
pub(super) fn used_links(program: &Ready) -> Links {
    let typed = &program.ir.typed;
    let unused: SortedSet<String> = typed
        .unused_links()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    typed
        .options
        .links()
        .iter()
        .filter(|(name, _)| !unused.contains(*name))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}

/// The `main.rs` that runs the translated `Main`.
fn main_program(program: &Ready, entry: &EntryPoint, home: &Home) -> Output {
    let sources = &program.sources;
    let header = header::header(
        &super::command_line("translate", sources),
        sources,
        &program.ir.typed.options,
        "",
        None,
    );
    let prelude = if entry.needs_prelude {
        "use dunit::prelude::*;\n"
    } else {
        ""
    };
    let (library, call) = (package::library_of(home), &entry.call);
    let text = format!(
        "{header}\n{prelude}use {library} as subject;\n\nfn main() -> std::process::ExitCode {{\n    dunit::harness::run_main(|| {call})\n}}\n"
    );
    Output {
        path: layout::MAIN.into(),
        text,
    }
}

/// The targets of the package that need the crate `dmock`.
pub(super) fn mocks_in(outputs: &[Output]) -> package::Mocks {
    let names = |text: &str| text.lines().any(|l| l.contains("dmock::"));
    let (tests, translation): (Vec<_>, Vec<_>) =
        outputs.iter().partition(|o| o.path.starts_with("tests/"));
    if translation.iter().any(|o| names(&o.text)) {
        package::Mocks::InTranslation
    } else if tests.iter().any(|o| names(&o.text)) {
        package::Mocks::InTests
    } else {
        package::Mocks::Unused
    }
}

/// The targets of the package that need the crate `dunit`: a suite with a translation of its own
/// needs it for the tests alone.
fn users_in(outputs: &[Output]) -> package::Users {
    let own = format!("{}/ours.rs", super::generate::SUITE);
    if outputs.iter().any(|o| o.path == own) {
        package::Users::Tests
    } else {
        package::Users::Library
    }
}

/// Writes generated files into a package, which is created or completed as needed, and reports the
/// changes. `links` are the links that the files use.
///
/// # Errors
/// A file cannot be written, a hand-written file has the path of a generated one (all other files
/// are written), a generated module has the name of a hand-written one, or a linked module does not
/// exist.
pub fn write(
    env: &Environment,
    home: &Home,
    runtime: Option<&Path>,
    outputs: &[Output],
    links: &Links,
) -> Result<(), ExpectedError> {
    // The manifest comes first: the modules of the translation need its dependencies.
    let root = home.root.as_path();
    for done in package::prepare(home, runtime, mocks_in(outputs), users_in(outputs))? {
        env.terminal.note(&done);
    }
    // Hand-written modules for `{:extern}` must exist, and must not collide with the translation.
    if let Some(module) = layout::colliding_links(&env.config.links, outputs).first() {
        let message = format!(
            "`crate::{module}` under [extern] in dtest.toml is a module of the translation itself"
        );
        let diagnostic = Diagnostic::global(MessageId::CliCollidingLink, message);
        return Err(diagnostic
            .with_help("rename the hand-written module")
            .into());
    }
    if let Some(module) = layout::missing_module(root, links) {
        let message = format!(
            "`crate::{module}` under [extern] in dtest.toml: the package has no module `{module}`"
        );
        return Err(Diagnostic::global(MessageId::CliMissingLink, message)
            .with_help(format!("create `src/{module}.rs`"))
            .into());
    }
    // Write, and report each file that was changed or left alone.
    let written = layout::write(root, outputs)?;
    for path in &written.changed {
        let is_template = written.templates.contains(path);
        env.terminal.note(&format!(
            "wrote {path}{}",
            if is_template {
                ", replacing Cargo's unchanged template"
            } else {
                ""
            }
        ));
    }
    let mut refused = Vec::new();
    for path in &written.refused {
        let modules = outputs
            .iter()
            .find(|o| o.path == *path && path == LIB)
            .map_or_else(Vec::new, |o| o.undeclared(root));
        let diagnostic = Diagnostic::global(
            MessageId::CliHandWritten,
            format!("`{path}` is hand-written, and was not changed"),
        );
        let help = if modules.is_empty() {
            "move one of the two, or test the hand-written code with `--against`".into()
        } else {
            format!(
                "add the following to it, and run the command again: {}",
                modules.join(" ")
            )
        };
        refused.push(diagnostic.with_help(help));
    }
    if refused.is_empty() {
        Ok(())
    } else {
        Err(ExpectedError::Usage(refused))
    }
}
