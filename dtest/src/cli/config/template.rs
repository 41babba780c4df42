//! The commented `dtest.toml` that `init` writes.

use super::{GEN, Kind, ONCE, key_of, options};
use crate::cli::args::Cli;
use clap::{Arg, ArgAction, CommandFactory};

/// Returns the file that `init` writes: every option of `gen` with its meaning, and the other
/// tables, commented out.
pub fn template() -> String {
    let commands = Cli::command();
    let once = commands
        .find_subcommand(GEN)
        .into_iter()
        .flat_map(clap::Command::get_arguments)
        .map(key_of)
        .filter(|k| ONCE.contains(k));
    let once: Vec<String> = once.map(|k| format!("--{k}")).collect();
    let mut text = comment(&format!(
        "Options of `cargo dtest`, as on the command line, which takes precedence over this file. Options of one command are in a table with \
         its name. On the command line only: {}.",
        once.join(", ")
    ));
    let all: Vec<&Arg> = commands
        .find_subcommand(GEN)
        .into_iter()
        .flat_map(options)
        .collect();
    let mut headings: Vec<Option<&str>> = Vec::new();
    all.iter().map(|a| a.get_help_heading()).for_each(|h| {
        if !headings.contains(&h) {
            headings.push(h)
        }
    });
    for heading in headings {
        for option in all.iter().filter(|a| a.get_help_heading() == heading) {
            text.push('\n');
            text.push_str(&comment(
                &option
                    .get_help()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
            ));
            text.push_str(&format!("# {} = {}\n", key_of(option), example(option)));
        }
    }
    text + TABLES_OF_TEMPLATE
}

/// An example value of an option: its first possible value, or its value name.
fn example(argument: &Arg) -> String {
    let name = || {
        argument
            .get_value_names()
            .and_then(|n| n.first())
            .map_or_else(|| "PATH".to_owned(), |n| n.as_str().to_owned())
    };
    let choices: Vec<String> = argument
        .get_possible_values()
        .iter()
        .map(|v| format!("{:?}", v.get_name()))
        .collect();
    match (Kind::of(argument), argument.get_action()) {
        (Kind::Truth, _) => "true".into(),
        (Kind::Number, _) => name(),
        (Kind::Text, ArgAction::Append) => format!(
            "[{}]",
            choices
                .first()
                .cloned()
                .unwrap_or_else(|| format!("{:?}", name()))
        ),
        (Kind::Text, _) => match choices.split_first() {
            Some((first, others)) => format!("{first} # or {}", others.join(", ")),
            None => format!("{:?}", name()),
        },
    }
}

/// Formats text as lines of a comment.
fn comment(text: &str) -> String {
    const WIDTH: usize = 120;
    let mut lines = vec![String::from("#")];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.extend([" ", word])
            }
            Some(_) | None => lines.push(format!("# {word}")),
        }
    }
    lines.join("\n") + "\n"
}

const TABLES_OF_TEMPLATE: &str = r#"
# Intended dead code: units, or single blocks as `cargo dtest dead` names them; and what `dead` fails on, unless it is allowed.
# [dead]
# allow = ["Stack.Pop", "Parser.Next: case `Eof`"]
# fail-on = "proved"

# Accepted findings, with their keys (`--show-keys` prints them) and reasons: violations, and mutants that may survive.
# [violations]
# allow = [{ key = "Half: postcondition `h < n`", reason = "issue 12" }]
# [mutants]
# allow = [{ key = "Prime: statement: `break;` is removed", reason = "only slower" }]

# What `check` fails on: "violated", "not-decided" (also undecided obligations), "none".
# [check]
# fail-on = "violated"

# Inputs for types, tried before all others: expressions, `new` with arguments, and names of methods, functions and constructors whose
# arguments are searched for.
# [inputs]
# "Shop.Amount" = ["5", "Max()"]
# "Shop.Account" = ["new Shop.Account(3)", "Shop.Opened"]

# Rust implementations of code without a Dafny body: a function or method, a class or abstract type, or a module with all
# its external members. They have the names and types that the translation would have.
# With `false`, no stub may stand for the declaration.
# [extern]
# "Clock.Now" = "crate::clock::now"
# "Random.Seed" = false

# Code in Dafny for external classes, methods and functions, and for ghost functions without a body: files that declare them again,
# with bodies.
# [model]
# "ByteSlice.Bytes" = "models/bytes.dfy"
"#;
