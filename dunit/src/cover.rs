//! Records the blocks that a run of an instrumented translation enters. `cargo dtest cover`
//! generates such a translation and reads the records.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, OnceLock};
use std::thread;

use crate::Int;

/// The environment variable that names the file; without it nothing is recorded.
pub const FILE: &str = "DTEST_COVER";

thread_local! {
    /// The blocks that this thread has recorded.
    static SEEN: RefCell<HashSet<i64>> = RefCell::new(HashSet::new());
}

/// Records that a test entered the block with this number: appends a line `number test` to the file
/// that `DTEST_COVER` names, once per thread. A test is identified by the name of its thread, which
/// the test harness sets. Each line is written atomically, so that several processes can share the
/// file, and immediately, so that nothing is lost if a test ends its process.
///
/// # Panics
/// The file cannot be written: an unrecorded block would be reported as never entered.
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
    // While a thread ends, its variables are gone; it may then record a block again.
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
