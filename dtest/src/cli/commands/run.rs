//! `run`: `Main` in the interpreter, or with `--test` the `{:test}` methods.

use super::super::Environment;
use super::super::args::RunArgs;
use super::super::error::CommandResult;
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;
use dtest_interp::{Interp, Limits, Outcome};
use dtest_ir::Criteria;
use dtest_value::LARGEST_EXTENT;

/// Default of `--fuel`: minutes of execution.
const FUEL: u64 = 20_000_000_000;

/// Runs the command. If the Dafny program ran, the exit code is the program's.
pub fn run(args: RunArgs, env: &Environment) -> CommandResult {
    // Options of Boogie programs and of replays only, then the two other modes.
    if let Some(entry) = &args.boogie.entry {
        let message = format!(
            "`--entry {entry}` applies to Boogie programs; a Dafny program starts at `Main`"
        );
        let help = "mark the main method with `{:main}`";
        return Err(Diagnostic::global(MessageId::CliUnknownEntry, message)
            .with_help(help)
            .into());
    }
    if args.trace && args.replay.is_none() {
        let message = "`--trace` requires `--replay FILE` or a Boogie program";
        return Err(Diagnostic::global(MessageId::RunTrace, message).into());
    }
    if let Some(file) = &args.replay {
        return super::replay::run(&args, file, env);
    }
    if args.test {
        return super::test_methods::run(&args, env);
    }
    let super::Programs {
        ready: programs,
        code,
        ..
    } = super::ready(&args.program, &Criteria::default(), env)?;
    let mut code = code;
    for program in &programs {
        if program.ir.typed.main.is_none() {
            let help = "declare `method Main()`, or mark a method with `{:main}`";
            env.terminal.diagnostic(
                Diagnostic::global(MessageId::RunNoMain, "the program has no `Main`")
                    .with_help(help),
            );
            code = super::worse(code, ExitCode::Findings);
            continue;
        }
        // As in compiled code, calls do not check the precondition of the callee.
        let limits = Limits {
            steps: args.fuel.unwrap_or(FUEL),
            stack: 200_000_000,
            check_calls: false,
            extent: LARGEST_EXTENT,
            ..Limits::default()
        };
        let interp = Interp::new(&program.ir, limits);
        let result = interp.run_main(&args.arguments, &mut |text| env.terminal.output(text));
        let problem = match &result.outcome {
            Outcome::Returned(_) => None,
            Outcome::Halted { span, message } => {
                env.terminal.output(&format!(
                    "[Program halted] {}: {message}\n",
                    program.sources.locate_as_dafny(*span)
                ));
                code = super::worse(code, ExitCode::Findings);
                None
            }
            Outcome::Failed(failure) => Some(Diagnostic::error(
                MessageId::RunFailed,
                failure.span,
                failure.message.clone(),
            )),
            Outcome::Infeasible(span) => Some(Diagnostic::error(
                MessageId::RunAssumption,
                *span,
                "an assumption is false",
            )),
            Outcome::OutOfFuel(limit) => Some(
                Diagnostic::global(
                    MessageId::RunOutOfFuel,
                    format!("the program reached a limit: {limit}"),
                )
                .with_help(super::advice(*limit)),
            ),
            Outcome::Unsupported(reason) => Some(Diagnostic::global(
                MessageId::RunUnsupported,
                reason.to_string(),
            )),
        };
        if let Some(problem) = problem {
            env.terminal.diagnostics(&[problem], &program.sources);
            code = super::worse(code, ExitCode::Findings);
        }
    }
    Ok(code)
}
