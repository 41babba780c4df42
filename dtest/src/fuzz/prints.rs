//! Comparison of the output of compiled programs with that of the interpreter.
//!
//! Differences between backends are normalized first: the order of sets, multisets and maps, the
//! location of a halt, messages of the tool before the program's output, and the notation of reals.

use super::others::{Answer, fall};
use super::own::{End, Run};

/// The result of compiling and running a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrintStatus {
    /// The output is that of the interpreter.
    Same,
    /// The program was not run: it took too long, or its verification failed.
    NotRun,
    /// The front end rejected it, with this first error.
    Refused(String),
    /// The compiler crashed.
    Crashed(String),
    /// The output of the compiler does not compile.
    NotCompiled(String),
    /// The output differs. The first line that differs: the interpreter's and the compiled
    /// program's.
    Printed(String, String),
}

impl PrintStatus {
    /// Returns the name of the status, in results.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::NotRun => "not-run",
            Self::Refused(_) => "refused",
            Self::Crashed(_) => "crashed",
            Self::NotCompiled(_) => "not-compiled",
            Self::Printed(..) => "printed",
        }
    }

    /// Interprets an answer, given the interpreter's run of the program.
    pub fn of(answer: &Answer, run: &Run) -> Self {
        if answer.stopped {
            return Self::NotRun;
        }
        // The expected output is that of the interpreter, in the form of the compiled program.
        let mut expected = run.printed.clone();
        if let End::Halted(message) = &run.end {
            expected += &format!("[Program halted] {message}\n");
        }
        let (expected, printed) = (canonical(&expected), canonical(&output(&answer.stdout)));
        if expected.trim_end() == printed.trim_end() {
            return Self::Same;
        }
        // The order matters: a crash of Dafny may print errors, and a refused program prints
        // nothing.
        let said = answer.said();
        let line = |wanted: &dyn Fn(&str) -> bool| {
            said.lines()
                .find(|l| wanted(l))
                .map(|l| l.trim().to_owned())
        };
        if let Some(fall) = fall(&said) {
            return Self::Crashed(fall);
        }
        if said.contains(" parse errors detected")
            || said.contains(" resolution/type errors detected")
        {
            let error = line(&|l| l.contains("): Error"));
            return Self::Refused(
                error
                    .and_then(|e| {
                        Some(
                            e.split_once("): Error")?
                                .1
                                .trim_start_matches(':')
                                .trim()
                                .to_owned(),
                        )
                    })
                    .unwrap_or_default(),
            );
        }
        // A program that does not verify is not run.
        let is_wrong = |l: &str| {
            l.starts_with("Dafny program verifier finished with ") && !l.contains(" 0 errors")
        };
        if line(&is_wrong).is_some() {
            return Self::NotRun;
        }
        let refuses = |l: &str| {
            [
                "error CS",
                "error: ",
                "SyntaxError",
                "error[E",
                "Errors compiling program",
                "Unable to compile",
                "declared but not used",
                "constant overflow",
            ]
            .iter()
            .any(|sign| l.contains(sign))
        };
        if let Some(error) = line(&refuses).filter(|_| answer.code != Some(0)) {
            return Self::NotCompiled(error);
        }
        // The first line that differs is the evidence.
        let (a, b): (Vec<&str>, Vec<&str>) =
            (expected.lines().collect(), printed.lines().collect());
        let at = (0..a.len().max(b.len()))
            .find(|i| a.get(*i) != b.get(*i))
            .unwrap_or_default();
        let of = |lines: &[&str]| {
            lines
                .get(at)
                .map_or_else(|| "(nothing)".to_owned(), |l| (*l).to_owned())
        };
        let ended = b.get(at).is_none() && answer.code != Some(0);
        let last = answer.stderr.lines().rev().find(|l| !l.trim().is_empty());
        match last.filter(|_| ended) {
            // A compiled program that crashed is known by its last words.
            Some(last) => Self::Printed(of(&a), last.trim().to_owned()),
            None => Self::Printed(of(&a), of(&b)),
        }
    }
}

/// Returns the output of the program, without the messages of the tool before it.
fn output(stdout: &str) -> String {
    let lines: Vec<&str> = stdout.split_inclusive('\n').collect();
    let verified = lines
        .iter()
        .position(|l| l.starts_with("Dafny program verifier "));
    let mut from = match verified {
        Some(at) => at + 1,
        None => lines.iter().take_while(|l| is_warning(l)).count(),
    };
    if verified.is_some() && lines.get(from).is_some_and(|l| l.starts_with("Running...")) {
        from += 2;
    }
    lines.get(from..).unwrap_or_default().concat()
}

/// Whether a line is a warning, or the source line that it shows.
fn is_warning(line: &str) -> bool {
    let is_shown = line
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start()
        .starts_with('|');
    line.contains("): Warning") || line.contains("): Info") || is_shown || line.trim().is_empty()
}

/// Maximum nesting depth of values that are normalized.
const DEPTH: usize = 100;

/// Normalizes the notations of backends.
fn canonical(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = match line.split_once("[Program halted] ") {
            Some((before, halt)) => format!("{before}[Program halted] {}", without_place(halt)),
            None => line.to_owned(),
        };
        let chars: Vec<char> = line.chars().collect();
        out += &reals(&ordered(&chars).unwrap_or(line));
        out.push('\n');
    }
    out
}

/// Removes the prefix `path(1,2): ` of a message.
fn without_place(message: &str) -> &str {
    match message.split_once("): ") {
        Some((place, rest))
            if place
                .rsplit_once('(')
                .is_some_and(|(_, at)| at.chars().all(|c| c.is_ascii_digit() || c == ',')) =>
        {
            rest
        }
        Some(_) | None => message,
    }
}

/// Sorts the elements of sets, multisets and maps in a line; `None` if its brackets do not match.
fn ordered(chars: &[char]) -> Option<String> {
    let mut at = 0;
    let mut items = Vec::new();
    let rest = parts(chars, &mut at, None, 0, &mut items)?;
    (rest && at == chars.len()).then(|| items.join(", "))
}

/// Parses the parts of a list up to its end, separated by `, `.
fn parts(
    chars: &[char],
    at: &mut usize,
    close: Option<char>,
    depth: usize,
    items: &mut Vec<String>,
) -> Option<bool> {
    if depth > DEPTH {
        return None;
    }
    let mut item = String::new();
    loop {
        let Some(&c) = chars.get(*at) else {
            items.push(item);
            return Some(close.is_none());
        };
        *at += 1;
        if Some(c) == close {
            items.push(item);
            return Some(true);
        }
        // Items of sets, multisets and maps have no order, so they are sorted; other brackets keep
        // theirs.
        match c {
            '{' | '[' | '(' => {
                let end = match c {
                    '{' => '}',
                    '[' => ']',
                    _ => ')',
                };
                let mut inner = Vec::new();
                if !parts(chars, at, Some(end), depth + 1, &mut inner)? {
                    return None;
                }
                if c == '{' || c == '[' && item.ends_with("map") {
                    inner.sort();
                }
                item.push(c);
                item += &inner.join(", ");
                item.push(end);
            }
            '}' | ']' | ')' => return None,
            ',' if chars.get(*at) == Some(&' ') => {
                *at += 1;
                items.push(std::mem::take(&mut item));
            }
            _ => item.push(c),
        }
    }
}

/// Rewrites the reals in a line as decimals if possible, and otherwise as fractions in lowest
/// terms.
fn reals(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(open) = rest.find('(') {
        let (before, behind) = rest.split_at(open);
        out += &decimals(before);
        match fraction(behind) {
            Some((value, length)) => {
                out += &value;
                rest = behind.get(length..).unwrap_or_default();
            }
            None => {
                out.push('(');
                rest = behind.get(1..).unwrap_or_default();
            }
        }
    }
    out + &decimals(rest)
}

/// Parses the fraction `(1.0 / 3.0)` at the start of a text. Returns it in lowest terms, with its
/// length in bytes.
fn fraction(text: &str) -> Option<(String, usize)> {
    let end = text.find(')')?;
    let (above, below) = text.get(1..end)?.split_once(" / ")?;
    let whole = |t: &str| t.strip_suffix(".0").and_then(|t| t.parse::<i128>().ok());
    let (mut above, mut below) = (whole(above)?, whole(below)?);
    if below <= 0 {
        return None;
    }
    let shared = gcd(above.unsigned_abs(), below.unsigned_abs()).max(1);
    above /= i128::try_from(shared).ok()?;
    below /= i128::try_from(shared).ok()?;
    Some((
        decimal(above, below).unwrap_or_else(|| format!("({above}.0 / {below}.0)")),
        end + 1,
    ))
}

/// Converts a fraction to a decimal, if it is finite.
fn decimal(above: i128, below: i128) -> Option<String> {
    let mut power = 1i128;
    for digits in 0..20 {
        if power % below == 0 {
            let scaled = above.checked_mul(power / below)?;
            let (sign, scaled) = (if scaled < 0 { "-" } else { "" }, scaled.unsigned_abs());
            let power = power.unsigned_abs();
            return Some(match digits {
                0 => format!("{sign}{scaled}.0"),
                _ => format!(
                    "{sign}{}.{:0width$}",
                    scaled / power,
                    scaled % power,
                    width = digits
                ),
            });
        }
        power *= 10;
    }
    None
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Removes trailing zeros of decimals.
fn decimals(text: &str) -> String {
    let mut out = String::new();
    let mut number = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() || c == '.' {
            number.push(c);
            continue;
        }
        if number.matches('.').count() == 1 && !number.starts_with('.') && !number.ends_with('.') {
            let short = number.trim_end_matches('0');
            out += short;
            out += if short.ends_with('.') { "0" } else { "" };
        } else {
            out += &number;
        }
        number.clear();
        out.push(c);
    }
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(stdout: &str, code: i32, printed: &str) -> PrintStatus {
        let answer = Answer {
            stdout: stdout.into(),
            code: Some(code),
            ..Answer::default()
        };
        PrintStatus::of(
            &answer,
            &Run {
                printed: printed.into(),
                end: End::Returned,
            },
        )
    }

    #[test]
    fn different_spellings_of_backends_are_equal() {
        assert_eq!(
            status(
                "{3, {1, 2}} map[2 := {}, 1 := [3, 1]]\n",
                0,
                "{{2, 1}, 3} map[1 := [3, 1], 2 := {}]\n"
            ),
            PrintStatus::Same
        );
        assert_eq!(
            status(
                "(2.0 / 6.0) (3.0 / 2.0) -1.50\n",
                0,
                "(1.0 / 3.0) 1.5 -1.5\n"
            ),
            PrintStatus::Same
        );
        let before = "a.dfy(1,2): Warning: x\n  |\n1 | y\n\nDafny program verifier finished with 2 verified, 0 errors\nRunning...\n\nhi\n";
        assert_eq!(status(before, 0, "hi\n"), PrintStatus::Same);
        let halted = Run {
            printed: "a\n".into(),
            end: End::Halted("expectation violation".into()),
        };
        let answer = Answer {
            stdout: "a\n[Program halted] /tmp/x.dfy(3,4): expectation violation\n".into(),
            code: Some(1),
            ..Answer::default()
        };
        assert_eq!(PrintStatus::of(&answer, &halted), PrintStatus::Same);
    }

    #[test]
    fn the_order_of_sequences_and_the_values_of_reals_matter() {
        assert_eq!(
            status("[1, 2]\n", 0, "[2, 1]\n"),
            PrintStatus::Printed("[2, 1]".into(), "[1, 2]".into())
        );
        assert_eq!(
            status("1.05\n", 0, "1.5\n"),
            PrintStatus::Printed("1.5".into(), "1.05".into())
        );
        assert_eq!(
            status("a\n", 0, "a\nb\n"),
            PrintStatus::Printed("b".into(), "(nothing)".into())
        );
    }

    #[test]
    fn refused_crashed_and_not_compiled_are_distinguished() {
        assert_eq!(
            status(
                "a.dfy(1,2): Error: no\n1 resolution/type errors detected in a.dfy\n",
                2,
                "x"
            )
            .name(),
            "refused"
        );
        assert_eq!(
            status("Unhandled exception. System.X\n", 134, "x").name(),
            "crashed"
        );
        assert_eq!(
            status("p.cs(1,2): error CS1628: no ref\n", 3, "x").name(),
            "not-compiled"
        );
        assert_eq!(
            status(
                "Dafny program verifier finished with 0 verified, 1 error\n",
                4,
                "x"
            )
            .name(),
            "not-run"
        );
    }

    #[test]
    fn brackets_that_do_not_match_are_left_as_they_are() {
        assert_eq!(canonical("a ) {b, a\n"), "a ) {b, a\n");
        let deep = "[".repeat(100_000);
        assert_eq!(canonical(&deep), format!("{deep}\n"));
    }
}
