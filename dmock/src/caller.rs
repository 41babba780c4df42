//! The location of calls of mocks.
//!
//! `#[track_caller]` reports it for direct calls of the mock. For calls through a trait object,
//! which translated code makes, it reports the mock's own declaration instead, so the stack is
//! searched.

use std::backtrace::Backtrace;
use std::panic::Location;

/// Returns the location of the call, `tests/tariff.rs:12:5`, or `tracked` if the backtrace does
/// not show it.
pub(crate) fn place(function: &str, tracked: &Location<'_>) -> String {
    from_stack(function, &Backtrace::force_capture().to_string())
        .unwrap_or_else(|| tracked.to_string())
}

/// Returns the innermost frame of a printed backtrace that belongs neither to this library nor to
/// the mock's implementation of the function.
fn from_stack(function: &str, text: &str) -> Option<String> {
    let own = format!(">::{function}");
    let mut lines = text.lines().map(str::trim);
    let mut within = false;
    while let Some(line) = lines.next() {
        let Some((number, symbol)) = line.split_once(": ") else {
            continue;
        };
        if !number.chars().all(|c| c.is_ascii_digit()) {
            continue;
        }
        let is_ours = symbol.contains("dmock::function::");
        within |= is_ours;
        if within && !is_ours && !symbol.trim_end_matches("{{reify.shim}}").ends_with(&own) {
            return lines
                .next()?
                .strip_prefix("at ")
                .map(|place| place.trim_start_matches("./").to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::from_stack;

    #[test]
    fn the_frames_of_the_mock_are_passed_over() {
        let stack = "   0: std::backtrace::Backtrace::force_capture\n             at /rustc/1/library/std/src/backtrace.rs:312:18
   1: dmock::function::Function<F,R>::refusal\n             at ./dmock/src/function.rs:83:21
   2: dmock::function::Function<F,R>::answer\n             at ./dmock/src/function.rs:69:41
   3: <post::MockTariff as post::Tariff>::price\n             at ./tests/post.rs:5:1
   4: post::total\n             at ./src/lib.rs:12:9\n   5: post::test\n             at ./tests/post.rs:40:5";
        assert_eq!(
            from_stack("price", stack).as_deref(),
            Some("src/lib.rs:12:9")
        );
        assert_eq!(from_stack("price", "   0: <unknown>\n   1: main"), None);
    }
}
