//! `eval`: expressions in a program's scope, ghost functions included.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use super::super::args::{EvalArgs, ProgramArgs};
use super::super::error::{CommandResult, ExpectedError};
use super::super::load::{self, Loaded};
use super::super::{Environment, memory};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline;
use dafny_source::diagnostic::Diagnostic;
use dtest_desugar::TestOptions as _;
use dtest_interp::{Interp, Limits, Outcome};

/// Commands that end the prompt, in addition to the end of the input.
const QUIT: [&str; 3] = [":q", ":quit", "exit"];

/// Runs the command.
pub fn run(args: &EvalArgs, env: &Environment) -> CommandResult {
    memory::watch(memory::DEFAULT);
    match &args.expression {
        Some(file) if is_file(file) => {
            // `eval FILE` starts the prompt: its only argument is then a file, not an expression.
            let others = if env.given.has("files") {
                args.program.files.as_slice()
            } else {
                &[]
            };
            let files = [file.clone()]
                .into_iter()
                .chain(others.iter().cloned())
                .collect();
            ask(
                &ProgramArgs {
                    files,
                    ..args.program.clone()
                },
                args.fuel,
                env,
            )
        }
        Some(expression) => evaluate(expression, &args.program, args.fuel, env),
        None => ask(&args.program, args.fuel, env),
    }
}

/// Whether an argument names a program.
fn is_file(text: &str) -> bool {
    let path = Path::new(text);
    path.extension().is_some_and(|x| x == "dfy" || x == "toml") && path.exists()
}

/// Evaluates expressions from standard input, line by line. The program is read again each time,
/// because it may have changed.
fn ask(program: &ProgramArgs, fuel: u64, env: &Environment) -> CommandResult {
    if program.stdin {
        let message = "`--stdin` reads the program, so that the expression is an argument";
        return Err(Diagnostic::global(MessageId::EvalNoValue, message)
            .with_help("pass the expression: `cargo dtest eval EXPR --stdin`")
            .into());
    }
    let input = std::io::stdin();
    let is_typed = input.is_terminal();
    let prompt = || {
        if is_typed {
            env.terminal.result("dafny> ");
            // A prompt that cannot be shown does not prevent the input from being read.
            let _ = std::io::stdout().flush();
        }
    };
    let mut code = ExitCode::Done;
    prompt();
    for line in input.lock().lines().map_while(Result::ok) {
        let expression = line.trim();
        if QUIT.contains(&expression) {
            break;
        }
        if !expression.is_empty() {
            let done = evaluate(expression, program, fuel, env);
            code = super::worse(code, env.settle(done));
        }
        prompt();
    }
    // At an interactive prompt each error was shown when it occurred, so it does not affect the
    // exit code.
    Ok(if is_typed { ExitCode::Done } else { code })
}

/// Loads the program. Without files and without a `src` directory, the program is empty, which is
/// enough for expressions that use no declarations.
fn loaded(program: &ProgramArgs, env: &Environment) -> Result<Vec<Loaded>, Diagnostic> {
    if program.files.is_empty() && !env.root.join("src").is_dir() {
        return Ok(vec![load::load_program(&[], &program.dafny, &env.root)?]);
    }
    load::load(program, &env.root)
}

/// Prints the value of an expression.
fn evaluate(
    expression: &str,
    program: &ProgramArgs,
    fuel: u64,
    env: &Environment,
) -> CommandResult {
    let programs = loaded(program, env)?;
    let mut code = ExitCode::Done;
    for program in programs {
        let done = evaluate_in(expression, program, fuel, env);
        code = super::worse(code, env.settle(done));
    }
    Ok(code)
}

fn evaluate_in(expression: &str, program: Loaded, fuel: u64, env: &Environment) -> CommandResult {
    let Loaded {
        mut sources,
        files,
        mut options,
        diagnostics,
        ..
    } = program;
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(ExpectedError::Program {
            diagnostics,
            sources: Box::new(sources),
        });
    }
    // The expression becomes the body of a `Main` that prints its value.
    options.set_links(env.config.links.clone());
    options.set_unstubbed(&env.config.unstubbed);
    let program = match pipeline::evaluating(files, &mut sources, options, expression) {
        Ok(program) => program,
        Err(diagnostics) => {
            return Err(ExpectedError::Program {
                diagnostics,
                sources: Box::new(sources),
            });
        }
    };
    let interp = Interp::new(
        &program,
        Limits {
            steps: fuel,
            ..Limits::default()
        },
    );
    let mut text = String::new();
    let result = interp.run_main(&[], &mut |part| text.push_str(part));
    // Only a value is output; all else is a diagnostic.
    let problem = match result.outcome {
        Outcome::Returned(_) => {
            env.terminal.output(&(text + "\n"));
            return Ok(ExitCode::Done);
        }
        Outcome::Halted { span, message } => {
            Diagnostic::error(MessageId::EvalFailed, span, message)
        }
        Outcome::Failed(failure) => {
            Diagnostic::error(MessageId::EvalFailed, failure.span, failure.message)
        }
        Outcome::Infeasible(span) => {
            Diagnostic::error(MessageId::EvalFailed, span, "an assumption is false")
        }
        Outcome::OutOfFuel(limit) => Diagnostic::global(
            MessageId::EvalOutOfFuel,
            format!("a limit was reached: {limit}"),
        )
        .with_help(super::advice(limit)),
        Outcome::Unsupported(reason) => {
            Diagnostic::global(MessageId::EvalUnsupported, reason.to_string())
        }
    };
    env.terminal.diagnostics(&[problem], &sources);
    Ok(ExitCode::Findings)
}
