//! `rewrite`: programs that are equivalent to the given one.

use std::path::Path;

use super::super::Environment;
use super::super::args::{DafnyArgs, RewriteArgs};
use super::super::error::{CommandResult, ExpectedError};
use super::super::files::{self, MARKER};
use super::super::load::{self, Loaded};

use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_rewrite::{Chain, Dialect, Mutation, Random, Rewritten, Subject, draw_order, one_file};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_syntax::FunctionSyntax;

/// Runs the command.
pub fn run(args: &RewriteArgs, env: &Environment) -> CommandResult {
    let mut program = args.program.clone();
    if args.dialect == Some(2) {
        program
            .dafny
            .function_syntax
            .get_or_insert(FunctionSyntax::Version3);
    }
    let loaded = load::load(&program, &env.root)?;
    let (mut code, mut written) = (ExitCode::Done, 0);
    for one in loaded {
        match program_of(args, one, &program.dafny, env) {
            Ok(n) => written += n,
            Err(failed) => code = super::worse(code, env.settle(Err(failed))),
        }
    }
    Ok(if code == ExitCode::Done && written == 0 {
        ExitCode::NothingGenerated
    } else {
        code
    })
}

/// Rewrites one program. Returns the number of files written.
fn program_of(
    args: &RewriteArgs,
    loaded: Loaded,
    settings: &DafnyArgs,
    env: &Environment,
) -> Result<u32, ExpectedError> {
    let Loaded {
        sources,
        files,
        options,
        mut diagnostics,
        ..
    } = loaded;
    let shown = sources
        .files()
        .next()
        .map_or_else(String::new, |(_, f)| f.path.clone());
    let one = one_file(files.clone());
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(dafny_resolve::resolve(files, options.clone()).1);
    }
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(ExpectedError::Program {
            diagnostics,
            sources: Box::new(sources),
        });
    }
    env.terminal.refusal(&diagnostics, &sources);
    let dialect = if args.dialect == Some(2) {
        Dialect::Two
    } else {
        Dialect::Four
    };
    let text = dafny_syntax::file_to_string(&one);
    let Ok(subject) = Subject::new(&text, &options, settings.syntax(), dialect) else {
        let d = Diagnostic::global(
            MessageId::RewritePrinted,
            format!("`{shown}` does not resolve after printing: internal error"),
        );
        return Err(ExpectedError::Internal(Box::new(d)));
    };
    let stem: String = shown
        .trim_end_matches(".dfy")
        .trim_start_matches("../")
        .replace(['/', '\\'], "-");
    let mut written = 0;
    for k in 0..u64::from(args.count.unwrap_or(1)) {
        let seed = args.seed.unwrap_or(0).wrapping_add(k);
        let order = match args.max_order {
            Some(max) => draw_order(max as usize, &mut Random::new(seed)),
            None => args.order.unwrap_or(1) as usize,
        };
        let mutations = if args.mutations.is_empty() {
            Mutation::ALL.to_vec()
        } else {
            args.mutations.clone()
        };
        let new = subject.chain(&Chain {
            order,
            seed,
            mutations,
        });
        for (step, why) in &new.unfit {
            let first = why.lines().next().unwrap_or_default();
            let message = format!(
                "{step} was skipped: its result does not resolve ({first}), which is an internal error"
            );
            env.terminal
                .diagnostic(warning(MessageId::RewriteUnfit, message));
        }
        let enough = if args.max_order.is_some() { 1 } else { order };
        if new.steps.len() < enough {
            let message = format!(
                "only {} of {order} mutations can be applied to `{shown}`: skipped",
                new.steps.len()
            );
            env.terminal
                .diagnostic(warning(MessageId::RewriteTooFewPlaces, message));
            // No mutation applies anywhere in the program, so other seeds find none either.
            if new.steps.is_empty() {
                break;
            }
            continue;
        }
        write(
            &args.out.join(format!("{stem}-{seed}.dfy")),
            &shown,
            &new,
            args,
            env,
        )?;
        written += 1;
    }
    Ok(written)
}

fn write(
    path: &Path,
    seed: &str,
    new: &Rewritten,
    args: &RewriteArgs,
    env: &Environment,
) -> Result<(), ExpectedError> {
    let shown = path.display();
    if path.exists() && !files::is_ours(path) {
        let d = Diagnostic::global(
            MessageId::CliHandWritten,
            format!("`{shown}` is hand-written, and was not changed"),
        );
        return Err(d.with_help("choose another directory with `--out`").into());
    }
    let mut text = format!(
        "{MARKER} {}; do not edit\n// equivalent to {seed}",
        env!("CARGO_PKG_VERSION")
    );
    text += if args.dialect == Some(2) {
        ", for Dafny 2\n"
    } else {
        "\n"
    };
    for (i, step) in new.steps.iter().enumerate() {
        text += &format!("//   {}. {step}\n", i + 1);
    }
    text += &format!("\n{}", new.text);
    files::write_atomically(path, &text).map_err(|e| {
        Diagnostic::global(
            MessageId::CliCannotWrite,
            format!("cannot write `{shown}`: {e}"),
        )
    })?;
    env.terminal.note(&format!(
        "wrote {shown}: {} mutation{}",
        new.steps.len(),
        if new.steps.len() == 1 { "" } else { "s" }
    ));
    Ok(())
}

fn warning(id: MessageId, message: String) -> Diagnostic {
    let mut diagnostic = Diagnostic::global(id, message);
    diagnostic.severity = Severity::Warning;
    diagnostic
}
