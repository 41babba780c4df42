//! Which blocks a run of a translation with probes enters: `cargo dtest cover` makes such a translation and reads what is
//! noted here.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, OnceLock};
use std::thread;

use crate::Int;

/// The environment variable that names the file; without it nothing is noted.
pub const FILE: &str = "DTEST_COVER";

thread_local! {
    /// What this thread has noted.
    static SEEN: RefCell<HashSet<i64>> = RefCell::new(HashSet::new());
}

/// Notes that the block of that number was entered, and by which test: a line `number test` at the end of the file that
/// `DTEST_COVER` names, once for each thread. A test is known by the name of its thread, as the test harness sets it. Lines are
/// written whole, so that several processes can share the file, and at once, so that nothing is lost where a test ends its process.
///
/// # Panics
/// Where the file cannot be written: what is not noted would be reported as never entered.
pub fn hit(block: &Int) {
    static OUT: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    let out = OUT.get_or_init(|| {
        let path = std::env::var_os(FILE)?;
        let file = File::options().create(true).append(true).open(&path);
        Some(Mutex::new(file.unwrap_or_else(|e| {
            panic!("{FILE} names {}: {e}", path.to_string_lossy())
        })))
    });
    let (Some(out), Some(number)) = (out, block.to_i64()) else {
        return;
    };
    // While a thread ends, its variables are gone: it then notes a block again.
    if SEEN
        .try_with(|seen| !seen.borrow_mut().insert(number))
        .unwrap_or(false)
    {
        return;
    }
    let line = format!("{number} {}\n", thread::current().name().unwrap_or(""));
    let mut out = out
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Err(e) = out.write_all(line.as_bytes()) {
        panic!("{FILE}: {e}");
    }
}
