//! The options that a module sets for itself, in `{:options "…"}` or `@Options("…")`.
//!
//! Two are known: how functions and how quantifiers are written (reference manual, "Module Definitions" and "{:options OptionString}"). Dafny reads the words first as its
//! commands do (`--function-syntax:4`, with `:`, `=` or a space), and, where that fails, string by string in the older
//! way (`-functionSyntax:4` or `/functionSyntax:4`).

use crate::diagnostic::Diagnostic;
use crate::source::Span;

use super::ast::{Attribute, ExprKind, Literal};
use super::{FunctionSyntax, QuantifierSyntax};

/// What a module sets for itself; `None` is what surrounds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ModuleOptions {
    /// `--function-syntax`.
    pub function_syntax: Option<FunctionSyntax>,
    /// `--quantifier-syntax`.
    pub quantifier_syntax: Option<QuantifierSyntax>,
}

/// An option that a module may set.
#[derive(Clone, Copy)]
enum Known {
    Functions,
    Quantifiers,
}

impl Known {
    /// Takes `--function-syntax` apart from what follows it.
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

/// The options that these attributes of a module set, and what is wrong with those that are no options.
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

/// Reads all words as Dafny's commands do; whether that is what they are. An option that is not given has its default then.
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

/// Reads string by string in the way of Dafny 3.
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

    /// What the attributes of a module set, and how much is wrong with them.
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
    fn what_is_no_option_is_told() {
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
