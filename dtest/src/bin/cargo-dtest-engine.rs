//! The engine of `cargo dtest`: the whole tool, except for the check that Z3's library can be
//! loaded.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Programs are trees of many small boxes that are freed by other threads than the ones that
/// allocated them, which mimalloc handles well.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Stack size of the main thread, in bytes of virtual memory; pages are committed only when
/// touched.
const STACK: usize = 1 << 30;

fn main() -> ExitCode {
    dtest::cli::interrupt::watch();
    let work = || dtest::cli::main(std::env::args_os().collect());
    let thread = std::thread::Builder::new()
        .name("dtest".into())
        .stack_size(STACK)
        .spawn(work);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code.into(),
        Ok(Err(_)) => {
            eprintln!(
                "note: this is an internal error; please report the message above together with the program"
            );
            dtest::exit_code::ExitCode::Bug.into()
        }
        Err(e) => {
            eprintln!("error: cannot start a thread: {e}");
            dtest::exit_code::ExitCode::Bug.into()
        }
    }
}
