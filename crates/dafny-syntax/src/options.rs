//! Options that a module sets for itself, with `{:options "…"}` or `@Options("…")`.
//!
//! Two options are known: the function syntax and the quantifier syntax (reference manual, "Module
//! Definitions" and "{:options OptionString}"). Dafny first parses the words like its command line
//! (`--function-syntax:4`, with `:`, `=` or a space). If that fails, it parses each string in the
//! older style (`-functionSyntax:4` or `/functionSyntax:4`).

use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::ast::{Attribute, ExprKind, Literal};
use super::{FunctionSyntax, QuantifierSyntax};

/// The options of a module. `None`: the value of the enclosing module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ModuleOptions {
    /// The value of `--function-syntax`.
    pub function_syntax: Option<FunctionSyntax>,
    /// The value of `--quantifier-syntax`.
    pub quantifier_syntax: Option<QuantifierSyntax>,
}

/// An option that a module may set.
#[derive(Clone, Copy)]
enum Known {
    Functions,
    Quantifiers,
}

impl Known {
    /// Splits `--function-syntax` from the text after it.
    fn new_style(word: &str) -> Option<(Known, &str)> {
        let functions = word
            .strip_prefix("--function-syntax")
            .map(|rest| (Known::Functions, rest));
        functions.or_else(|| {
            word.strip_prefix("--quantifier-syntax")
                .map(|rest| (Known::Quantifiers, rest))
        })
    }

    fn old_style(name: &str) -> Option<Known> {
        match name.strip_prefix(['-', '/'])? {
            "functionSyntax" => Some(Known::Functions),
            "quantifierSyntax" => Some(Known::Quantifiers),
            _ => None,
        }
    }

    fn allows(self, value: &str) -> bool {
        match self {
            Known::Functions => FunctionSyntax::of_value(value).is_some(),
            Known::Quantifiers => matches!(value, "3" | "4"),
        }
    }
}

impl ModuleOptions {
    fn set(&mut self, option: Known, value: &str) {
        match option {
            Known::Functions => {
                self.function_syntax = FunctionSyntax::of_value(value).or(self.function_syntax)
            }
            Known::Quantifiers if value == "3" => {
                self.quantifier_syntax = Some(QuantifierSyntax::Version3)
            }
            Known::Quantifiers => self.quantifier_syntax = Some(QuantifierSyntax::Version4),
        }
    }
}

/// The options set by the attributes of a module, with errors for unknown options.
pub fn module_options(attributes: &[Attribute]) -> (ModuleOptions, Vec<Diagnostic>) {
    let mut options = ModuleOptions::default();
    let mut wrong = Vec::new();
    let name = |a: &Attribute| if a.at { "Options" } else { "options" };
    for attribute in attributes.iter().filter(|a| &*a.name.name == name(a)) {
        let mut strings: Vec<(String, Span)> = Vec::new();
        for arg in &attribute.args {
            if let ExprKind::Literal(Literal::String { units, .. }) = &arg.value.kind {
                let text = units
                    .iter()
                    .map(|u| char::from_u32(*u).unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect();
                strings.push((text, arg.value.span));
            } else {
                wrong.push(Diagnostic::error(
                    "syntax/options",
                    arg.value.span,
                    "an argument of `{:options}` must be a literal string",
                ));
            }
        }
        if !new_style(&strings, &mut options) {
            old_style(&strings, attribute.span, &mut options, &mut wrong);
        }
    }
    (options, wrong)
}

/// Parses all words like Dafny's command line. Returns false if they do not have that form. Options
/// that are not set then have their defaults.
fn new_style(strings: &[(String, Span)], options: &mut ModuleOptions) -> bool {
    if strings.is_empty() {
        return true;
    }
    let mut read = ModuleOptions {
        function_syntax: Some(FunctionSyntax::Version4),
        quantifier_syntax: Some(QuantifierSyntax::Version4),
    };
    let mut words = strings.iter().flat_map(|(text, _)| text.split_whitespace());
    while let Some(word) = words.next() {
        let Some((option, rest)) = Known::new_style(word) else {
            return false;
        };
        let value = match rest.strip_prefix([':', '=']) {
            Some(value) => Some(value),
            None if rest.is_empty() => words.next(),
            None => None,
        };
        match value {
            Some(value) if option.allows(value) => read.set(option, value),
            Some(_) | None => return false,
        }
    }
    *options = read;
    true
}

/// Parses each string in the style of Dafny 3.
fn old_style(
    strings: &[(String, Span)],
    attribute: Span,
    options: &mut ModuleOptions,
    wrong: &mut Vec<Diagnostic>,
) {
    let mut strings = strings.iter();
    while let Some((text, span)) = strings.next() {
        let (name, given) = match text.trim().split_once(':') {
            Some((name, value)) => (name.to_owned(), Some(value)),
            None => (text.trim().to_owned(), None),
        };
        let Some(option) = Known::old_style(&name) else {
            let message = format!("`{name}` is not an option that a module can set");
            let help = "supported options are `--function-syntax:3` or `4` and `--quantifier-syntax:3` or `4`";
            wrong.push(
                Diagnostic::error("syntax/options", attribute, message)
                    .with_secondary(*span, "here")
                    .with_help(help),
            );
            continue;
        };
        match given.or_else(|| strings.next().map(|(next, _)| next.as_str())) {
            Some(value) if option.allows(value) => options.set(option, value),
            Some(value) => {
                let message = format!("`{value}` is not a value of the option `{name}`");
                wrong.push(
                    Diagnostic::error("syntax/options", attribute, message)
                        .with_help("give 3 or 4"),
                );
            }
            None => wrong.push(Diagnostic::error(
                "syntax/options",
                attribute,
                format!("the option `{name}` requires a value, 3 or 4"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ast::TopDecl;
    use super::{ModuleOptions, module_options};
    use crate::{FunctionSyntax, QuantifierSyntax, parse};

    /// The options set by the attributes of a module, and the number of errors.
    fn read(attributes: &str) -> (ModuleOptions, usize) {
        let (file, _) = parse(0, &format!("module {attributes} M {{}}"));
        match file.decls.first() {
            Some(TopDecl::Module(m)) => {
                let (options, wrong) = module_options(&m.modifiers.attributes);
                (options, wrong.len())
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_ways_to_write_options_are_read() {
        let functions = |syntax| ModuleOptions {
            function_syntax: Some(syntax),
            quantifier_syntax: None,
        };
        let both = |f, q| ModuleOptions {
            function_syntax: Some(f),
            quantifier_syntax: Some(q),
        };
        assert_eq!(
            read("{:options \"--function-syntax:3\"}"),
            (
                both(FunctionSyntax::Version3, QuantifierSyntax::Version4),
                0
            )
        );
        assert_eq!(
            read("{:options \"--function-syntax=3 --quantifier-syntax 3\"}"),
            (
                both(FunctionSyntax::Version3, QuantifierSyntax::Version3),
                0
            )
        );
        assert_eq!(
            read("{:options \"-functionSyntax:3\"}"),
            (functions(FunctionSyntax::Version3), 0)
        );
        assert_eq!(
            read("{:options \"/functionSyntax\", \"4\"}"),
            (functions(FunctionSyntax::Version4), 0)
        );
        assert_eq!(read("{:options}"), (ModuleOptions::default(), 0));
        assert_eq!(read(""), (ModuleOptions::default(), 0));
    }

    #[test]
    fn unknown_options_are_reported() {
        for text in [
            "--nothing",
            "--functionSyntax:4",
            "-functionSyntax:5",
            "-functionSyntax",
            "functionSyntax:4",
            "-functionSyntax:3 -quantifierSyntax:3",
        ] {
            let (options, wrong) = read(&format!("{{:options \"{text}\"}}"));
            assert_eq!((options, wrong), (ModuleOptions::default(), 1), "{text}");
        }
    }
}
