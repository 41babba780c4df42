//! The spellings of options on the command lines of Dafny, turned into those of this tool.
//!
//! Dafny accepts `--name=value`, `--name:value` and `--name value`, also for truth values; its old
//! command line has `/name:value`. [`unified`] rewrites only what names an option of the given
//! command: paths that look like options stay as they are.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;

use super::args::Cli;

/// The options of Dafny's old command line that affect the meaning of a program, with the names
/// that they have now.
pub(super) const OLD: [(&str, &str); 9] = [
    ("functionSyntax", "function-syntax"),
    ("quantifierSyntax", "quantifier-syntax"),
    ("unicodeChar", "unicode-char"),
    ("readsClausesOnMethods", "reads-clauses-on-methods"),
    ("typeSystemRefresh", "type-system-refresh"),
    ("generalNewtypes", "general-newtypes"),
    ("generalTraits", "general-traits"),
    ("library", "library"),
    ("standardLibraries", "standard-libraries"),
];

/// Returns the arguments of the process with Dafny's spellings of options replaced by `--name` and
/// `--name=value`. The program comes first, the command second; nothing after `--` changes.
pub fn unified(arguments: Vec<OsString>) -> Vec<OsString> {
    let cli = Cli::command();
    let named = arguments.get(1).and_then(|name| name.to_str());
    let Some(command) = named.and_then(|name| cli.find_subcommand(name)) else {
        return arguments;
    };
    let options = Options::of(command);
    let mut rest = arguments.into_iter();
    let mut unified: Vec<OsString> = rest.by_ref().take(2).collect();
    let mut rest = rest.peekable();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            unified.push(argument);
            unified.extend(rest);
            break;
        }
        let Some(option) = argument.to_str().and_then(|text| options.read(text)) else {
            unified.push(argument);
            continue;
        };
        // A truth value may stand after a space.
        let value = option.value.or_else(|| {
            let next = rest.next_if(|next| {
                options.takes_truth(&option.name) && next.to_str().is_some_and(is_truth)
            });
            next.and_then(|next| next.into_string().ok())
        });
        unified.push(options.written(&option.name, value).into());
    }
    unified
}

/// An option in one of the spellings.
struct Spelled {
    /// The name, without `--`.
    name: String,
    /// The value, if it is part of the argument.
    value: Option<String>,
}

/// The options of a command that take values.
struct Options {
    /// The names of all options with values.
    names: Vec<String>,
    /// The names of those whose value may be left out: `true` and `false` are values.
    truths: Vec<String>,
}

impl Options {
    fn of(command: &clap::Command) -> Self {
        let with_value = |a: &&clap::Arg| a.get_action().takes_values();
        let long = |a: &clap::Arg| a.get_long().map(str::to_owned);
        let options: Vec<_> = command.get_arguments().filter(with_value).collect();
        Self {
            names: options.iter().filter_map(|a| long(a)).collect(),
            truths: options
                .iter()
                .filter(|a| a.is_require_equals_set())
                .filter_map(|a| long(a))
                .collect(),
        }
    }

    fn takes_truth(&self, name: &str) -> bool {
        self.truths.iter().any(|n| n == name)
    }

    /// Reads an argument as an option with a value.
    fn read(&self, argument: &str) -> Option<Spelled> {
        if let Some(option) = argument.strip_prefix("--") {
            let (name, value) = split(option);
            return self.names.iter().any(|n| n == name).then(|| Spelled {
                name: name.to_owned(),
                value: value.map(str::to_owned),
            });
        }
        // `/library:x` may also be a path.
        let option = argument.strip_prefix('/')?;
        let (old, value) = split(option);
        let (_, name) = OLD.iter().find(|(o, _)| *o == old)?;
        if !self.names.iter().any(|n| n == name) || Path::new(argument).exists() {
            return None;
        }
        let value = match value {
            Some("0") if self.takes_truth(name) => Some("false"),
            Some("1") | None if self.takes_truth(name) => Some("true"),
            value => value,
        };
        Some(Spelled {
            name: (*name).to_owned(),
            value: value.map(str::to_owned),
        })
    }

    /// Writes an option as clap reads it.
    fn written(&self, name: &str, value: Option<String>) -> String {
        match value {
            Some(value) if self.takes_truth(name) && is_truth(&value) => {
                format!("--{name}={}", value.to_ascii_lowercase())
            }
            Some(value) => format!("--{name}={value}"),
            None => format!("--{name}"),
        }
    }
}

/// Splits an option into its name and its value.
fn split(option: &str) -> (&str, Option<&str>) {
    option
        .split_once(['=', ':'])
        .map_or((option, None), |(name, value)| (name, Some(value)))
}

/// Whether a text is a truth value; the case does not matter to Dafny.
fn is_truth(text: &str) -> bool {
    ["true", "false"]
        .iter()
        .any(|t| t.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> String {
        let arguments = text.split(' ').map(OsString::from).collect();
        let unified = unified(arguments);
        let texts: Vec<_> = unified.iter().map(|a| a.to_string_lossy()).collect();
        texts.join(" ")
    }

    #[test]
    fn values_follow_an_equals_sign_a_colon_or_a_space() {
        for spelled in ["=3", ":3", " 3"] {
            let read = line(&format!("cargo-dtest gen --function-syntax{spelled} a.dfy"));
            let expected = if spelled == " 3" {
                "cargo-dtest gen --function-syntax 3 a.dfy"
            } else {
                "cargo-dtest gen --function-syntax=3 a.dfy"
            };
            assert_eq!(read, expected);
        }
        for spelled in ["=false", ":false", " false", " False", ":FALSE"] {
            assert_eq!(
                line(&format!("cargo-dtest gen --unicode-char{spelled} a.dfy")),
                "cargo-dtest gen --unicode-char=false a.dfy"
            );
        }
    }

    #[test]
    fn an_option_without_a_value_is_not_a_reason_to_take_a_file() {
        let text = "cargo-dtest gen --unicode-char a.dfy --standard-libraries b.dfy";
        assert_eq!(line(text), text);
    }

    #[test]
    fn the_old_command_line_has_other_names() {
        assert_eq!(
            line("cargo-dtest check /functionSyntax:3 /unicodeChar:0 /typeSystemRefresh:1 a.dfy"),
            "cargo-dtest check --function-syntax=3 --unicode-char=false --type-system-refresh=true a.dfy"
        );
    }

    #[test]
    fn paths_and_what_the_command_does_not_have_stay() {
        for text in [
            "cargo-dtest gen /home/a.dfy c:x --filter a:b",
            "cargo-dtest gen -- --unicode-char false",
            "cargo-dtest explain --unicode-char:false",
            "cargo-dtest --version",
        ] {
            assert_eq!(line(text), text);
        }
    }
}
