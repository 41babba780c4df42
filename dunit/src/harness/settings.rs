//! Stack size and time limit: environment, then attribute, then default.

use std::fmt;
use std::time::Duration;

/// 512 MB of address space; memory is committed only as the stack grows.
const DEFAULT_STACK: usize = 512 << 20;
const DEFAULT_TIMEOUT: u64 = 60;

/// An environment variable with a value that it cannot have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SettingError {
    /// `DUNIT_STACK`.
    Stack(String),
    /// `DUNIT_TIMEOUT`.
    Timeout(String),
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stack(text) => write!(
                f,
                "DUNIT_STACK is `{text}`, not a size such as `512M` or `65536`"
            ),
            Self::Timeout(text) => {
                write!(f, "DUNIT_TIMEOUT is `{text}`, not a number of seconds")
            }
        }
    }
}

impl std::error::Error for SettingError {}

/// The stack of a test, in bytes.
pub(super) fn stack(attribute: Option<usize>) -> Result<usize, SettingError> {
    match std::env::var("DUNIT_STACK") {
        Ok(text) => parse_size(&text).ok_or(SettingError::Stack(text)),
        Err(_) => Ok(attribute.unwrap_or(DEFAULT_STACK)),
    }
}

/// The time limit of a test; `None` if there is none.
pub(super) fn timeout(attribute: Option<u64>) -> Result<Option<Duration>, SettingError> {
    let seconds = match std::env::var("DUNIT_TIMEOUT") {
        Ok(text) => text
            .trim()
            .parse()
            .map_err(|_| SettingError::Timeout(text))?,
        Err(_) => attribute.unwrap_or(DEFAULT_TIMEOUT),
    };
    Ok((seconds > 0).then(|| Duration::from_secs(seconds)))
}

/// Parses a number of bytes, with an optional suffix `K`, `M` or `G` (powers of 1,024).
fn parse_size(text: &str) -> Option<usize> {
    let text = text.trim();
    let (digits, shift) = match text.char_indices().next_back()? {
        (at, 'K' | 'k') => (text.get(..at)?, 10),
        (at, 'M' | 'm') => (text.get(..at)?, 20),
        (at, 'G' | 'g') => (text.get(..at)?, 30),
        _ => (text, 0),
    };
    digits.trim().parse::<usize>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::parse_size;

    #[test]
    fn sizes_have_an_optional_unit() {
        assert_eq!(parse_size("65536"), Some(65_536));
        assert_eq!(parse_size("64 K"), Some(65_536));
        assert_eq!(parse_size("512M"), Some(512 << 20));
        assert_eq!(parse_size("1g"), Some(1 << 30));
        assert_eq!(parse_size(""), None);
        assert_eq!(parse_size("M"), None);
        assert_eq!(parse_size("-1"), None);
    }
}
