//! `dtest.toml`. Each key is an option of the command line with the same name; nothing about it is
//! declared a second time.
//!
//! A key is the default of its option ([`Config::complete`]), so the command line and the
//! environment take precedence. Keys at the top level are options of `gen`, and apply to every
//! command that has the same option. A table with the name of a command has options of that command
//! alone.
//!
//! [`read`] parses and checks the file; [`template`] writes the commented file of `init`. The hard
//! part is that an option is checked by clap itself: the declarations in [`super::args`] are the
//! only source of names, types and ranges.

mod allow;
mod template;
#[cfg(test)]
mod tests;

use std::any::TypeId;
use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;

use super::args::{Cli, Command, GenArgs};
use super::files;
use super::models::Model;
use crate::message::MessageId;
use crate::pipeline::configured_inputs;
pub use allow::{AllowTable, Allowance};
use clap::builder::OsStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, ValueHint};
use dafny_resolve::spelling;
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, SourceMap, Span};
use dtest_desugar::Links;
use dtest_emit::rust_source;
use dtest_sorted::{SortedMap, SortedSet};
use serde::Deserialize;
pub use template::template;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name of the file, in the directory of `Cargo.toml`.
pub const FILE: &str = "dtest.toml";

/// The command whose options are the keys at the top.
const GEN: &str = "gen";

/// Options of a single run, which cannot be keys.
const ONCE: [&str; 23] = [
    "from",
    "show-keys",
    "write-baseline",
    "fail-fast",
    "run",
    "test",
    "check",
    "retry",
    "in-diff",
    "diff",
    "shard",
    "report",
    "smt-log",
    "explain",
    "at",
    "from-dafny",
    "replay",
    "stdin",
    "resume",
    "reduce",
    "times",
    "help",
    "version",
];

/// Options whose values in the file are added to those of the command line instead of being
/// replaced.
const ADDED: [&str; 2] = ["library", "mock"];

/// Tables that are not commands.
const TABLES: [&str; 4] = ["inputs", "extern", "model", "violations"];

/// The contents of the file.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Options of `gen`, and of other commands that have the same option.
    options: Vec<Key>,
    /// Options of one command, by its name.
    of_command: SortedMap<String, Vec<Key>>,
    /// The findings that are allowed, by table.
    allowed: Vec<(AllowTable, Vec<Allowance>)>,
    /// Linked Rust code for external declarations: Dafny path to Rust path.
    pub links: Links,
    /// The Dafny paths of external declarations that no stub may stand for.
    pub unstubbed: Vec<String>,
    /// Models of external declarations.
    pub models: Vec<Model>,
    /// Inputs for types: the Dafny name of a type to expressions, `new` with arguments, or names of
    /// callables that return values.
    inputs: SortedMap<Spanned<String>, Vec<Spanned<String>>>,
    /// The text of the file, which the spans point into.
    text: String,
}

/// An option with its values, in the form of the command line.
#[derive(Debug, Clone)]
struct Key {
    name: String,
    values: Vec<String>,
}

/// An error in the file, with its text.
#[derive(Debug)]
pub struct Refused {
    /// The message with its location.
    pub diagnostic: Diagnostic,
    /// The file.
    pub sources: SourceMap,
}

impl Refused {
    /// Returns the message with the location as text, for output without source lines.
    pub fn without_place(&self) -> Diagnostic {
        let place = self
            .diagnostic
            .span
            .map(|s| format!("{}: ", self.sources.locate(s)))
            .unwrap_or_default();
        let diagnostic = Diagnostic::global(
            self.diagnostic.id,
            format!("{place}{}", self.diagnostic.message),
        );
        Diagnostic {
            help: self.diagnostic.help.clone(),
            ..diagnostic
        }
    }
}

/// A command line completed with the options of the file.
pub struct Line {
    /// The command with its options.
    pub cli: Cli,
    /// The options that the command line itself sets.
    pub given: Given,
}

/// The options that are set by the command line or the environment rather than the file.
#[derive(Debug, Clone, Default)]
pub struct Given(SortedSet<String>);

impl Given {
    /// Whether the option is set. `id` is the name of its field.
    pub fn has(&self, id: &str) -> bool {
        self.0.contains(id)
    }
}

/// The tables that are not options.
#[derive(Deserialize)]
struct Tables {
    #[serde(default)]
    inputs: SortedMap<Spanned<String>, Vec<Spanned<String>>>,
    #[serde(default, rename = "extern")]
    links: SortedMap<String, Spanned<Implementation>>,
    #[serde(default, rename = "model")]
    models: SortedMap<String, String>,
}

/// The code behind an external declaration.
#[derive(Deserialize)]
#[serde(untagged)]
enum Implementation {
    /// A Rust path.
    Linked(String),
    /// `false`: no stub may stand for it.
    Stub(bool),
}

impl Config {
    /// Returns the configured inputs for types, as texts with their locations.
    pub fn inputs(&self) -> configured_inputs::Inputs {
        let text = |s: &Spanned<String>| configured_inputs::Text {
            text: s.get_ref().clone(),
            at: s.span(),
        };
        let of_type =
            |(ty, values): (&Spanned<String>, &Vec<Spanned<String>>)| configured_inputs::Named {
                ty: text(ty),
                values: values.iter().map(text).collect(),
            };
        let types = self.inputs.iter().map(of_type).collect();
        configured_inputs::Inputs {
            path: FILE.into(),
            text: self.text.clone(),
            types,
        }
    }

    /// Returns the entries of the list `allow` of a table.
    pub fn allowed(&self, table: AllowTable) -> &[Allowance] {
        let mut lists = self.allowed.iter();
        lists
            .find(|(t, _)| *t == table)
            .map_or(&[], |(_, entries)| entries)
    }

    /// Returns the values of an option of `gen`, given its name on the command line.
    pub fn values(&self, name: &str) -> &[String] {
        self.options
            .iter()
            .find(|k| k.name == name)
            .map_or(&[], |k| &k.values)
    }

    /// Parses a command line that starts with the name of the program. Options that neither the
    /// command line nor the environment sets get the values of the file; paths in the file are
    /// relative to `root`, its directory.
    ///
    /// # Errors
    /// Errors of the command line, and requests for help and version.
    pub fn complete(
        &self,
        line: impl IntoIterator<Item = impl Into<OsString>>,
        root: &Path,
    ) -> Result<Line, clap::Error> {
        let mut line: Vec<OsString> = line.into_iter().map(Into::into).collect();
        let command = Cli::command();
        // The first pass finds the command and the options that are set, which the file must not
        // override.
        let mut matches = command.clone().try_get_matches_from(&line)?;
        let Some((name, of_command)) = matches.subcommand() else {
            return Ok(Line {
                cli: Cli::from_arg_matches_mut(&mut matches)?,
                given: Given::default(),
            });
        };
        let is_given = |id: &&str| {
            matches!(
                of_command.value_source(id),
                Some(ValueSource::CommandLine | ValueSource::EnvVariable)
            )
        };
        let ids = of_command.ids().map(clap::Id::as_str);
        let given: SortedSet<String> = ids.filter(is_given).map(str::to_owned).collect();
        let name = name.to_owned();
        let mut defaults: SortedMap<&str, Vec<OsString>> = SortedMap::new();
        let mut added: Vec<OsString> = Vec::new();
        if let (Some(options), Some(of_command)) =
            (command.find_subcommand(GEN), command.find_subcommand(&name))
        {
            // A key of `gen` applies to another command only if both mean the same option, which
            // its id tells.
            let shared = |key: &&Key| {
                let meant = argument(options, &key.name).map(Arg::get_id);
                meant.is_some() && argument(of_command, &key.name).map(Arg::get_id) == meant
            };
            let own = self.of_command.get(&name).into_iter().flatten();
            for key in self.options.iter().filter(shared).chain(own) {
                let Some(argument) = argument(of_command, &key.name) else {
                    continue;
                };
                let values: Vec<OsString> = key
                    .values
                    .iter()
                    .map(|v| rooted(argument, v, root))
                    .collect();
                let id = argument.get_id().as_str();
                if ADDED.contains(&&*key.name) && given.contains(id) {
                    added.extend(
                        values
                            .iter()
                            .flat_map(|v| [OsString::from(format!("--{}", key.name)), v.clone()]),
                    );
                } else {
                    defaults.insert(id, values);
                }
            }
        }
        // The second pass parses the same command line with the file's values as clap's defaults.
        let with_defaults = |mut sub: clap::Command| {
            for (id, values) in &defaults {
                sub = sub.mut_arg(id, |a| {
                    a.default_values(values.iter().map(|v| OsStr::from(v.clone())))
                });
            }
            sub
        };
        // Directly after the name of the command: arguments after a `--` may belong to another
        // program.
        let at = line.len().min(2);
        line.splice(at..at, added);
        let mut command = command.clone().mut_subcommand(&name, with_defaults);
        let parse = |command: &mut clap::Command| {
            Cli::from_arg_matches_mut(&mut command.try_get_matches_from_mut(line)?)
        };
        let cli = parse(&mut command).map_err(|e| e.format(&mut command))?;
        Ok(Line {
            cli,
            given: Given(given),
        })
    }
}

impl Config {
    /// Returns the options of `gen` as the file alone sets them.
    pub fn generation(&self, root: &Path) -> GenArgs {
        match self
            .complete(["cargo-dtest", GEN], root)
            .map(|line| line.cli.command)
        {
            Ok(Command::Gen(args)) => *args,
            Ok(_) | Err(_) => GenArgs::default(),
        }
    }
}

/// Finds the option of a command that a key names, or the positional argument for files.
fn argument<'c>(command: &'c clap::Command, key: &str) -> Option<&'c Arg> {
    let is_meant = |a: &&Arg| {
        a.get_long() == Some(key) || a.is_positional() && a.get_id() == FILES && key == FILES
    };
    command
        .get_arguments()
        .find(is_meant)
        .filter(|_| !ONCE.contains(&key))
}

/// The key of the positional argument for files.
const FILES: &str = "files";

/// Returns a value of an option; a path relative to `root` becomes one relative to the current
/// directory.
fn rooted(argument: &Arg, value: &str, root: &Path) -> OsString {
    let is_path = matches!(
        argument.get_value_hint(),
        ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath
    );
    let is_here = std::env::current_dir().is_ok_and(|here| here == root);
    // An option may take a path or a truth value.
    if is_path && !is_here && !["true", "false"].contains(&value) {
        root.join(value).into()
    } else {
        value.into()
    }
}

/// Reads the file in `directory`; a missing file is the empty configuration.
///
/// # Errors
/// The file cannot be read, is not TOML, has an unknown key, or a value that its option does not
/// take.
pub fn read(directory: &Path) -> Result<Config, Box<Refused>> {
    let path = directory.join(FILE);
    match files::read_text(&path) {
        Ok(text) => parse(&text),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
        Err(e) => {
            let diagnostic = Diagnostic::global(ID, format!("cannot read {}: {e}", path.display()));
            Err(Box::new(Refused {
                diagnostic,
                sources: SourceMap::new(),
            }))
        }
    }
}

/// The message id of all errors in the file.
const ID: MessageId = MessageId::CliBadConfig;

/// An error with its location in the text.
struct Wrong {
    at: Option<Range<usize>>,
    message: String,
    help: Option<String>,
}

impl Wrong {
    fn at(at: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            at: Some(at),
            message: message.into(),
            help: None,
        }
    }

    fn with_help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }
}

impl From<toml::de::Error> for Wrong {
    fn from(e: toml::de::Error) -> Self {
        Self {
            at: e.span(),
            message: e.message().to_owned(),
            help: None,
        }
    }
}

fn parse(text: &str) -> Result<Config, Box<Refused>> {
    parsed(text).map_err(|wrong| {
        let mut sources = SourceMap::new();
        let start = sources
            .add(FILE, text, true)
            .and_then(|id| sources.file(id))
            .map(|f| f.span().start);
        let place = |offset: usize| {
            u32::try_from(offset)
                .ok()
                .and_then(|o| start?.checked_add(o))
        };
        let span = wrong
            .at
            .and_then(|at| Some(Span::new(place(at.start)?, place(at.end)?)));
        let mut diagnostic = Diagnostic {
            span,
            ..Diagnostic::global(ID, wrong.message)
        };
        diagnostic.help = wrong.help;
        Box::new(Refused {
            diagnostic,
            sources,
        })
    })
}

fn parsed(text: &str) -> Result<Config, Wrong> {
    let commands = Cli::command();
    // The text is parsed twice: into types for the tables of data, and into a tree with positions
    // for the options.
    let top = DeTable::parse(text)?;
    let Tables {
        inputs,
        links,
        models,
    } = toml::from_str(text)?;
    let mut config = Config {
        allowed: allow::lists(top.get_ref())?,
        inputs,
        models: models
            .into_iter()
            .map(|(declaration, file)| Model { declaration, file })
            .collect(),
        text: text.to_owned(),
        ..Config::default()
    };
    // The path becomes code of the translation, so it must be Rust.
    for (dafny, code) in links {
        let span = code.span();
        let rust = match code.into_inner() {
            Implementation::Linked(rust) => rust,
            Implementation::Stub(false) => {
                config.unstubbed.push(dafny);
                continue;
            }
            Implementation::Stub(true) => "true".to_owned(),
        };
        if !rust_source::is_path(&rust) {
            let message = format!(
                "under [extern], {dafny:?} is linked to `{rust}`, which is not a Rust path"
            );
            return Err(Wrong::at(span, message).with_help("`false` forbids a stub"));
        }
        config.links.insert(dafny, rust);
    }
    // Every other key is an option: in a table, of that command; at the top, of `gen` and the
    // commands that share the option.
    for (name, value) in top.get_ref() {
        match value.get_ref() {
            DeValue::Table(table) if name.get_ref() == AllowTable::Violations.name() => {
                if let Some((key, _)) = table.iter().find(|(k, _)| k.get_ref() != allow::ALLOW) {
                    let message = format!("unknown key `{}`", key.get_ref());
                    let help = "the table has the list `allow`";
                    return Err(Wrong::at(key.span(), message).with_help(help));
                }
            }
            DeValue::Table(_) if TABLES.contains(&&**name.get_ref()) => {}
            DeValue::Table(table) => {
                let command = commands
                    .find_subcommand(&**name.get_ref())
                    .ok_or_else(|| unknown(name, None, &commands))?;
                let has_list = AllowTable::ALL
                    .iter()
                    .any(|t| t.name() == command.get_name());
                let is_option = |key: &Word<'_>| !(has_list && key.get_ref() == allow::ALLOW);
                let keys = table
                    .iter()
                    .filter(|(key, _)| is_option(key))
                    .map(|(key, value)| option(key, value, command, &commands));
                config
                    .of_command
                    .insert(name.get_ref().to_string(), keys.collect::<Result<_, _>>()?);
            }
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_) => {
                let command = commands.find_subcommand(GEN).unwrap_or(&commands);
                config
                    .options
                    .push(option(name, value, command, &commands)?);
            }
        }
    }
    Ok(config)
}

type Word<'t> = Spanned<std::borrow::Cow<'t, str>>;

/// Parses a key of the file as an option of a command.
fn option(
    key: &Word<'_>,
    value: &Spanned<DeValue<'_>>,
    command: &clap::Command,
    commands: &clap::Command,
) -> Result<Key, Wrong> {
    let name = key.get_ref().as_ref();
    let argument = argument(command, name).ok_or_else(|| unknown(key, Some(command), commands))?;
    let listed: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
        DeValue::Array(all) if matches!(argument.get_action(), ArgAction::Append) => {
            all.iter().collect()
        }
        DeValue::Array(_)
        | DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Table(_) => vec![value],
    };
    if listed.is_empty() {
        return Err(Wrong::at(
            value.span(),
            format!("`{name}` must list at least one value"),
        ));
    }
    let mut values = Vec::new();
    for value in listed {
        let text = text_of(argument, value.get_ref()).ok_or_else(|| {
            Wrong::at(
                value.span(),
                format!(
                    "`{name}` must be {}, not {}",
                    kind_of(argument),
                    value.get_ref().type_str()
                ),
            )
        })?;
        if matches!(argument.get_action(), ArgAction::SetTrue) && text == "false" {
            continue;
        }
        // clap checks the value, so that the file and the command line accept the same values.
        if !argument.is_positional() && !matches!(argument.get_action(), ArgAction::SetTrue) {
            let words = [command.get_name().to_owned(), format!("--{name}={text}")];
            if let Some(why) = command
                .clone()
                .try_get_matches_from(words)
                .err()
                .as_ref()
                .and_then(refusal)
            {
                return Err(Wrong::at(value.span(), format!("`{name}`: {why}")));
            }
        }
        values.push(text);
    }
    Ok(Key {
        name: name.to_owned(),
        values,
    })
}

/// Returns the reason why an option rejects its value, if the error is about a value.
fn refusal(error: &clap::Error) -> Option<String> {
    if error.kind() == ErrorKind::ValueValidation {
        return std::error::Error::source(error).map(ToString::to_string);
    }
    let valid = error
        .get(ContextKind::ValidValue)
        .filter(|_| error.kind() == ErrorKind::InvalidValue)?;
    let ContextValue::Strings(valid) = valid else {
        return Some(format!("must be {valid}"));
    };
    Some(format!(
        "must be one of {}",
        valid
            .iter()
            .map(|v| format!("{v:?}"))
            .collect::<Vec<_>>()
            .join(", ")
    ))
}

/// Returns a value in the form of the command line; `None` if it has the wrong type for the option.
fn text_of(argument: &Arg, value: &DeValue<'_>) -> Option<String> {
    match (Kind::of(argument), value) {
        (Kind::Truth, DeValue::Boolean(b)) => Some(b.to_string()),
        (Kind::Number, DeValue::Integer(n)) => i128::from_str_radix(n.as_str(), n.radix())
            .ok()
            .map(|n| n.to_string()),
        (Kind::Number, DeValue::Float(n)) => Some(n.as_str().to_owned()),
        (Kind::Text, DeValue::String(text)) => Some(text.to_string()),
        (Kind::Truth | Kind::Number | Kind::Text, _) => None,
    }
}

/// The type of an option's values.
#[derive(Clone, Copy)]
enum Kind {
    Truth,
    Number,
    Text,
}

impl Kind {
    fn of(argument: &Arg) -> Self {
        let ty = argument.get_value_parser().type_id();
        let numbers = [
            TypeId::of::<u8>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<f64>(),
        ];
        if matches!(argument.get_action(), ArgAction::SetTrue) || ty == TypeId::of::<bool>() {
            Self::Truth
        } else if numbers.iter().any(|n| ty == *n) {
            Self::Number
        } else {
            Self::Text
        }
    }
}

fn kind_of(argument: &Arg) -> &'static str {
    match (Kind::of(argument), argument.get_action()) {
        (Kind::Truth, _) => "true or false",
        (Kind::Number, _) => "a number",
        (Kind::Text, ArgAction::Append) => "a string or a list of strings",
        (Kind::Text, _) => "a string",
    }
}

/// The error for an unknown key at the top level or in the table of a command.
fn unknown(key: &Word<'_>, command: Option<&clap::Command>, commands: &clap::Command) -> Wrong {
    let name = key.get_ref().as_ref();
    if ONCE.contains(&name) {
        return Wrong::at(
            key.span(),
            format!("`{name}` is an option of a single run, and not a key"),
        )
        .with_help("use it on the command line");
    }
    let wrong = Wrong::at(key.span(), format!("unknown key `{name}`"));
    let with_it = commands
        .get_subcommands()
        .filter(|c| argument(c, name).is_some())
        .map(|c| format!("`[{}]`", c.get_name()));
    let tables: Vec<String> = with_it.collect();
    let is_table = command.is_none();
    let known: Vec<Name> = match command {
        Some(command) => options(command).map(|a| Name::from(key_of(a))).collect(),
        None => commands
            .get_subcommands()
            .map(|c| Name::from(c.get_name()))
            .chain(TABLES.map(Name::from))
            .collect(),
    };
    if !is_table && !tables.is_empty() {
        return wrong.with_help(format!(
            "it is an option of other commands: put it in the table {}",
            tables.join(" or ")
        ));
    }
    match spelling::closest(name, known.iter()) {
        Some(close) => wrong.with_help(format!("did you mean `{close}`?")),
        None => wrong.with_help("`cargo dtest gen --help` lists the options, which are the keys"),
    }
}

/// Whether an option of `gen` can be a key.
pub(super) fn is_key(name: &str) -> bool {
    let commands = Cli::command();
    let command = commands.find_subcommand(GEN);
    command.is_some_and(|c| argument(c, name).is_some())
}

/// Whether an option of `gen` has a truth value, which may be left out.
pub(super) fn takes_truth(name: &str) -> bool {
    let commands = Cli::command();
    let command = commands.find_subcommand(GEN);
    let argument = command.and_then(|c| argument(c, name));
    argument.is_some_and(Arg::is_require_equals_set)
}

/// Returns the line that sets an option of `gen` in the file, given its values on the command line;
/// `None` if it cannot be a key.
pub(super) fn key(name: &str, values: &[String]) -> Option<String> {
    let commands = Cli::command();
    let argument = argument(commands.find_subcommand(GEN)?, name)?;
    let quoted = |text: &String| toml::Value::String(text.clone()).to_string();
    let value = match (Kind::of(argument), argument.get_action()) {
        (Kind::Text, ArgAction::Append) => {
            let all: Vec<String> = values.iter().map(quoted).collect();
            format!("[{}]", all.join(", "))
        }
        (Kind::Text, _) => quoted(values.first()?),
        (Kind::Truth | Kind::Number, _) => values.first()?.clone(),
    };
    Some(format!("{name} = {value}\n"))
}

/// Checks a text as [`read`] checks the file.
///
/// # Errors
/// See [`read`].
pub(super) fn check(text: &str) -> Result<(), Box<Refused>> {
    parse(text).map(|_| ())
}

/// The options of a command that can be keys.
fn options(command: &clap::Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|a| argument(command, key_of(a)).is_some())
}

fn key_of(argument: &Arg) -> &str {
    argument.get_long().unwrap_or(argument.get_id().as_str())
}
