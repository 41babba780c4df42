//! Printing of literals.

use num_bigint::BigInt;
use num_traits::Zero;

use super::super::ast::Literal;
use super::{Layout, Printer};

/// The maximum number of digits after the decimal point. Longer fractions are printed with an
/// exponent.
const MAX_FRACTION: usize = 64;

impl Printer {
    pub(super) fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Bool(value) => self.text(if *value { "true" } else { "false" }),
            Literal::Null => self.text("null"),
            Literal::Int(value) => self.text(&value.to_string()),
            Literal::Real { digits, exponent } => self.text(&real(digits, *exponent)),
            Literal::Char(unit) => {
                self.text("'");
                self.unit(*unit, '\'');
                self.text("'");
            }
            Literal::String { units, verbatim } => {
                let text: Option<String> = units.iter().map(|&u| char::from_u32(u)).collect();
                let one_line = self.layout == Layout::OneLine;
                match text.filter(|t| *verbatim && !(one_line && t.contains(['\n', '\r']))) {
                    Some(text) => {
                        self.text("@\"");
                        self.text(&text.replace('"', "\"\""));
                    }
                    None => {
                        self.text("\"");
                        for &unit in units {
                            self.unit(unit, '"');
                        }
                    }
                }
                self.text("\"");
            }
        }
    }

    /// Prints a code point or code unit inside quotes of the given kind.
    fn unit(&mut self, unit: u32, quote: char) {
        match char::from_u32(unit) {
            Some('\\') => self.text("\\\\"),
            Some('\n') => self.text("\\n"),
            Some('\r') => self.text("\\r"),
            Some('\t') => self.text("\\t"),
            Some('\0') => self.text("\\0"),
            Some(c) if c == quote => {
                self.text("\\");
                self.out.push(c);
            }
            Some(c)
                if c.is_control() || ('\u{200b}'..='\u{200f}').contains(&c) || c == '\u{feff}' =>
            {
                self.text(&format!("\\U{{{unit:x}}}"))
            }
            Some(c) => self.out.push(c),
            None => self.text(&format!("\\u{unit:04x}")),
        }
    }
}

/// Formats `digits · 10^exponent` such that parsing it returns the same two numbers.
fn real(digits: &BigInt, exponent: i64) -> String {
    let fraction = usize::try_from(exponent.saturating_neg()).unwrap_or(0);
    if exponent >= 0 || fraction > MAX_FRACTION {
        return format!("{digits}e{exponent}");
    }
    let text = digits.to_string();
    let width = fraction + 1;
    let padded = if digits.is_zero() {
        "0".repeat(width)
    } else {
        format!("{text:0>width$}")
    };
    let (whole, fraction) = padded.split_at(padded.len() - fraction);
    format!("{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_keep_digits_and_exponent() {
        for (digits, exponent, text) in [
            (150, -2, "1.50"),
            (5, -1, "0.5"),
            (1, 3, "1e3"),
            (5, 0, "5e0"),
            (0, -2, "0.00"),
            (15, -70, "15e-70"),
        ] {
            assert_eq!(real(&BigInt::from(digits), exponent), text);
        }
    }
}
