//! `cargo dev TASK …`: developer tasks that run single stages of the tool on folders of programs,
//! and compare the results with other tools. The header of each module describes its task.

// The output is the purpose of this program, and its inputs are the developer's own files.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]
#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

mod check;
mod dead;
mod differential;
mod execute;
mod execute_boogie;
mod judge_boogie;
mod judge_executions;
mod judge_resolver;
mod judge_spec;
mod judge_verdicts;
mod judge_verifier;
mod lower;
mod mutants;
mod parse;
mod plant_mistakes;
mod prove_boogie;
mod resolve;
mod rewrite;
mod run;
mod search;
mod support;
mod translate;

use std::process::ExitCode;

/// The arguments after the name of a task.
type Args = std::iter::Skip<std::env::Args>;

/// A task: its name, description and function.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(Args) -> Result<(), String>,
}

const TASKS: &[Task] = &[
    Task {
        name: "parse",
        about: "parse every file, print its tree, and parse that again",
        run: |args| parse::run(args).map_err(|e| e.to_string()),
    },
    Task {
        name: "resolve",
        about: "resolve programs",
        run: |args| {
            resolve::run(args);
            Ok(())
        },
    },
    Task {
        name: "judge-resolver",
        about: "compare the front end's errors with those that Dafny's own tests expect",
        run: |args| {
            judge_resolver::run(args);
            Ok(())
        },
    },
    Task {
        name: "judge-verdicts",
        about: "compare verdicts and first error lines with the official Dafny's, on programs and their mutants",
        run: |args| judge_verdicts::run(args),
    },
    Task {
        name: "lower",
        about: "lower programs to blocks; count units, goals and unsupported constructs",
        run: |args| {
            lower::run(args);
            Ok(())
        },
    },
    Task {
        name: "run",
        about: "run `Main` in the interpreter, and compare the output",
        run: |args| {
            run::run(args);
            Ok(())
        },
    },
    Task {
        name: "execute",
        about: "execute every unit on random inputs: verified programs must not fail",
        run: |args| {
            execute::run(args);
            Ok(())
        },
    },
    Task {
        name: "search",
        about: "search for tests, with times and reasons",
        run: |args| {
            search::run(args);
            Ok(())
        },
    },
    Task {
        name: "dead",
        about: "validate unreachability verdicts by random executions",
        run: |args| {
            dead::run(args);
            Ok(())
        },
    },
    Task {
        name: "check",
        about: "search for violations, and compare them with the verifier's errors",
        run: |args| {
            check::run(args);
            Ok(())
        },
    },
    Task {
        name: "judge-spec",
        about: "let Dafny's verifier judge the claims of `spec` on contracts",
        run: judge_spec::run,
    },
    Task {
        name: "judge-verifier",
        about: "compare verdicts with those of Dafny's verifier, also on changed programs",
        run: judge_verifier::run,
    },
    Task {
        name: "plant-mistakes",
        about: "create programs with one error each, for `check`",
        run: |args| plant_mistakes::run(args),
    },
    Task {
        name: "translate",
        about: "translate programs into one crate, to be compiled",
        run: |args| {
            translate::run(args);
            Ok(())
        },
    },
    Task {
        name: "differential",
        about: "compare the translation with the interpreter, by a test suite",
        run: |args| {
            differential::run(args);
            Ok(())
        },
    },
    Task {
        name: "rewrite",
        about: "rewrite programs, and compare units and verdicts with the originals",
        run: |args| {
            rewrite::run(args);
            Ok(())
        },
    },
    Task {
        name: "mutants",
        about: "compare mutants with their reported texts, and validate equivalent ones by random executions",
        run: mutants::run,
    },
    Task {
        name: "judge-boogie",
        about: "compare the Boogie front end's errors with those that Boogie's own tests expect",
        run: |args| {
            judge_boogie::run(args);
            Ok(())
        },
    },
    Task {
        name: "execute-boogie",
        about: "execute a Boogie procedure, and print times",
        run: |args| {
            execute_boogie::run(args);
            Ok(())
        },
    },
    Task {
        name: "judge-executions",
        about: "compare executions with the errors that Boogie's own tests expect",
        run: |args| {
            judge_executions::run(args);
            Ok(())
        },
    },
    Task {
        name: "prove-boogie",
        about: "prove obligations of Boogie programs without executions",
        run: |args| {
            prove_boogie::run(args);
            Ok(())
        },
    },
];

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(task) = TASKS.iter().find(|t| t.name == name) else {
        eprintln!("usage: cargo dev TASK …");
        TASKS
            .iter()
            .for_each(|t| eprintln!("  {:17} {}", t.name, t.about));
        return ExitCode::from(2);
    };
    // Trees of large programs are deep.
    let worker = std::thread::Builder::new()
        .stack_size(1 << 29)
        .spawn(|| (task.run)(std::env::args().skip(2)));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(message))) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
        Ok(Err(_)) | Err(_) => ExitCode::FAILURE,
    }
}
