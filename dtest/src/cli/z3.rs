//! Checks that the loaded Z3 library has a supported version.

use std::fmt;

use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;
use dtest_smt as smt;

/// The oldest supported version: the oldest that the tests run on.
const OLDEST: [u32; 3] = [4, 8, 12];

/// Returns the version of the loaded library.
///
/// # Errors
/// The version is too old or unknown.
pub fn check() -> Result<String, UnsupportedVersion> {
    let shown = smt::available_version();
    match parse(&shown) {
        Some(version) if version >= OLDEST => {
            Ok(format!("{}.{}.{}", version[0], version[1], version[2]))
        }
        Some(_) | None => Err(UnsupportedVersion(shown)),
    }
}

/// A version of Z3 that is too old or unknown, as the library shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsupportedVersion(String);

impl UnsupportedVersion {
    /// The message, with advice.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::global(MessageId::CliZ3Unsupported, self.to_string())
            .with_note("version 4.8.12 or newer is required")
            .with_help("install a newer libz3 (`apt-get install libz3-4`, `brew install z3`), or build with `--features vendored`")
    }
}

impl fmt::Display for UnsupportedVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.trim_start_matches("Z3 ");
        match parse(&self.0) {
            Some([major, minor, patch]) => write!(f, "Z3 {major}.{minor}.{patch} is too old"),
            None => write!(f, "Z3 `{shown}` has no known version"),
        }
    }
}

impl std::error::Error for UnsupportedVersion {}

/// Parses the first three numbers of a text such as `Z3 4.8.12.0`.
fn parse(shown: &str) -> Option<[u32; 3]> {
    let digits = shown.trim_start_matches(|c: char| !c.is_ascii_digit());
    // The 3 of the name `Z3` is not part of the version.
    let digits = if shown.starts_with("Z3 ") {
        shown.get(3..)?
    } else {
        digits
    };
    let mut numbers = digits
        .split(|c: char| !c.is_ascii_digit())
        .map(str::parse::<u32>);
    Some([
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
    ])
}

#[cfg(test)]
mod tests {
    use super::{UnsupportedVersion, parse};

    #[test]
    fn the_message_says_what_is_wrong_with_the_version() {
        let message = |shown: &str| UnsupportedVersion(shown.to_owned()).to_string();
        assert_eq!(message("Z3 4.8.10.0"), "Z3 4.8.10 is too old");
        assert_eq!(message("Z3 main"), "Z3 `main` has no known version");
    }

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(parse("Z3 4.8.12.0"), Some([4, 8, 12]));
        assert_eq!(parse("5.4.0"), Some([5, 4, 0]));
        assert_eq!(parse("unknown"), None);
        assert!(parse("4.12.1") > parse("4.8.12"));
    }
}
