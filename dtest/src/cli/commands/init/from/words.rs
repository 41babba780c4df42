//! The words of a command line, as a POSIX shell splits them.

/// Splits a text into words. Quotes and backslashes are removed; operators of the shell are words of
/// their own.
///
/// # Errors
/// A quote that is not closed.
pub(super) fn split(text: &str) -> Result<Vec<String>, char> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        None => return Err(c),
                        Some(end) if end == c => break,
                        Some('\\')
                            if c == '"' && chars.peek().is_some_and(|n| "\"\\$`".contains(*n)) =>
                        {
                            word.extend(chars.next());
                        }
                        Some(other) => word.push(other),
                    }
                }
            }
            '\\' => match chars.next() {
                // A line that continues.
                Some('\n') | None => {}
                Some(other) => word.get_or_insert_default().push(other),
            },
            '&' | ';' | '|' | '>' => {
                words.extend(word.take());
                let mut operator = c.to_string();
                while let Some(next) = chars.next_if_eq(&c) {
                    operator.push(next);
                }
                words.push(operator);
            }
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_backslashes_and_operators() {
        let words = split("a 'b c'd \"e\\\"f\" g\\ h \\\n i&&j;k '' >l").expect("closed");
        assert_eq!(
            words,
            [
                "a", "b cd", "e\"f", "g h", "i", "&&", "j", ";", "k", "", ">", "l"
            ]
        );
        assert_eq!(split("a \"b"), Err('"'));
        let odd = "\\'\"\\$x";
        for end in 0..odd.len() {
            let _any = split(&odd[end..]);
        }
    }
}
