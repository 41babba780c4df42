//! Runs a translated `Main`.

use std::panic::catch_unwind;
use std::process::ExitCode;
use std::thread;

use super::progress::{self, SharedProgress};
use super::report::Outcome;
use super::{run, settings};
use crate::print::Character;
use crate::seq::Seq;

/// Runs the `Main` method of a translated program on a large stack (`DUNIT_STACK`). A failing
/// `expect` ends it like a Dafny program: with its message on standard output and exit code 1. A
/// panic ends it with exit code 101.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     dunit::harness::run_main(|| println!("hello"))
/// }
/// ```
pub fn run_main(body: fn()) -> ExitCode {
    let (code, message) = outcome(body);
    match message {
        Some(message) if code == 1 => println!("{message}"),
        Some(message) => eprintln!("{message}"),
        None => {}
    }
    ExitCode::from(code)
}

/// The command line of the process as Dafny's `Main(args: seq<string>)` takes it, the name of the
/// program first. Invalid Unicode becomes U+FFFD.
pub fn arguments<C: Character + 'static>() -> Seq<Seq<C>> {
    std::env::args_os()
        .map(|word| C::of_text(&word.to_string_lossy()))
        .collect()
}

fn outcome(body: fn()) -> (u8, Option<String>) {
    let stack = match settings::stack(None) {
        Ok(stack) => stack,
        Err(error) => return (101, Some(error.to_string())),
    };
    run::silence_panics_of_tests();
    let progress = SharedProgress::default();
    let theirs = SharedProgress::clone(&progress);
    let program = move || {
        progress::attach(theirs);
        catch_unwind(body)
    };
    let thread = match thread::Builder::new()
        .name("main".to_owned())
        .stack_size(stack)
        .spawn(program)
    {
        Ok(thread) => thread,
        Err(error) => {
            return (
                101,
                Some(format!(
                    "cannot start with a stack of {stack} bytes ({error}); set DUNIT_STACK"
                )),
            );
        }
    };
    let payload = match thread.join() {
        Ok(Ok(())) => return (0, None),
        Ok(Err(payload)) | Err(payload) => payload,
    };
    match Outcome::of_panic(payload) {
        Outcome::Halted(halt) => (1, Some(format!("[Program halted] {halt}"))),
        Outcome::Panicked(message) => {
            let at = progress::lock(&progress)
                .panicked_at
                .clone()
                .unwrap_or_default();
            (101, Some(format!("{at}: {message}")))
        }
        Outcome::Broken(broken) => (101, Some(broken.text)),
        Outcome::Passed | Outcome::TimedOut(_) => (101, None),
    }
}

#[cfg(test)]
mod tests {
    use super::outcome;
    use crate::{halt, int};

    #[test]
    fn a_program_that_halts_prints_the_message_of_dafny() {
        assert_eq!(outcome(|| ()), (0, None));
        let halted = outcome(|| halt("expectation violation", "src/lib.dfy(3,2)"));
        assert_eq!(
            halted,
            (
                1,
                Some("[Program halted] src/lib.dfy(3,2): expectation violation".into())
            )
        );
        let (code, message) = outcome(|| drop(int(1) / int(0)));
        assert_eq!(code, 101);
        assert!(message.is_some_and(|message| message.ends_with(": division by zero: 1 / 0")));
    }
}
