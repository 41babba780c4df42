//! `init --from`: the keys of `dtest.toml` that mean the same as a command line of Dafny.
//!
//! [`keys`] takes the command line itself, or a makefile ([`makefile`]) with a recipe that runs
//! Dafny. Options that do not change the meaning of a program are left out, and named.

mod makefile;
mod words;

use std::path::Path;

use super::super::super::args::DafnyArgs;
use super::super::super::spellings::OLD;
use super::super::super::{config, files, load, project};
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;
use dtest_sorted::SortedMap;

/// The commands of Dafny. Those that compile say the most about a program, so they come first: of
/// several recipes, that with the first of these is read.
const COMMANDS: [&str; 11] = [
    "translate",
    "build",
    "run",
    "test",
    "resolve",
    "verify",
    "audit",
    "doc",
    "measure-complexity",
    "generate-tests",
    "format",
];

/// The values that are read from a command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    /// The keys with their values, as TOML.
    pub(super) text: String,
    /// Options that have no key, and other remarks.
    pub(super) notes: Vec<String>,
}

/// Reads a command line, or the makefile with this path below `root`.
///
/// # Errors
/// It does not run Dafny, has a quote that is not closed, or has options that Dafny refuses.
pub(super) fn keys(from: &str, root: &Path) -> Result<Keys, Diagnostic> {
    let path = Path::new(from);
    if !path.is_file() {
        let line = words::split(from).map_err(|quote| wrong(unclosed(from, quote)))?;
        return read(&line, Vec::new(), root);
    }
    let text = files::read_text(path).map_err(|e| wrong(format!("cannot read `{from}`: {e}")))?;
    let makefile = makefile::Makefile::read(&text);
    let mut best: Option<(usize, Vec<String>, Vec<String>)> = None;
    for recipe in makefile.recipes() {
        let (text, notes) = makefile.expanded(recipe);
        let Ok(line) = words::split(&text) else {
            continue;
        };
        let Some(at) = line.iter().position(|w| is_dafny(w)) else {
            continue;
        };
        let command = line.get(at + 1).map_or("", String::as_str);
        let rank = COMMANDS.iter().position(|c| *c == command);
        let rank = rank.unwrap_or(COMMANDS.len());
        if best.as_ref().is_none_or(|(known, ..)| rank < *known) {
            best = Some((rank, line, notes));
        }
    }
    let Some((_, line, mut notes)) = best else {
        return Err(wrong(format!("no recipe of `{from}` runs `dafny`"))
            .with_help("pass the command line itself: `--from 'dafny translate rs …'`"));
    };
    notes.extend(makefile.notes());
    read(&line, notes, root)
}

fn wrong(message: String) -> Diagnostic {
    Diagnostic::global(MessageId::CliInitFrom, message)
}

fn unclosed(text: &str, quote: char) -> String {
    format!("the quote {quote} is not closed in `{text}`")
}

/// Whether a word is the name or path of Dafny's program.
fn is_dafny(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    ["dafny", "dafny.exe", "dafny.dll", "dafnydriver.dll"].contains(&&*name.to_ascii_lowercase())
}

/// Reads the words of a command line.
fn read(line: &[String], notes: Vec<String>, root: &Path) -> Result<Keys, Diagnostic> {
    let Some(at) = line.iter().position(|w| is_dafny(w)) else {
        let text = line.join(" ");
        return Err(wrong(format!(
            "`{text}` is neither a file nor a command line of `dafny`"
        ))
        .with_help("pass `--from 'dafny translate rs …'`, or the path of a makefile"));
    };
    let mut reader = Reader {
        words: line.get(at + 1..).unwrap_or_default(),
        notes,
        ..Reader::default()
    };
    reader.command();
    while let Some(word) = reader.next() {
        reader.word(&word)?;
    }
    load::check_combination(&reader.settings)?;
    let Reader {
        files,
        values,
        ignored,
        mut notes,
        ..
    } = reader;
    if !ignored.is_empty() {
        notes.push(format!(
            "options without a key, which change no test: {}",
            ignored.join(" ")
        ));
    }
    let mut text = String::new();
    let all = std::iter::once(("files".to_owned(), files)).chain(values);
    for (name, values) in all.filter(|(_, values)| !values.is_empty()) {
        let line = config::key(&name, &values);
        text += &line.ok_or_else(|| wrong(format!("`{name}` is not a key of dtest.toml")))?;
    }
    // The file must be one that this tool reads.
    config::check(&text).map_err(|refused| refused.without_place())?;
    let missing = |file: &&String| !root.join(file).exists() && !file.contains(['*', '?', '[']);
    if let Some(file) = reader_files(&text).iter().find(missing) {
        notes.push(format!("`{file}` does not exist here"));
    }
    Ok(Keys { text, notes })
}

/// The files of a text of keys.
fn reader_files(text: &str) -> Vec<String> {
    let table: toml::Table = toml::from_str(text).unwrap_or_default();
    let files = table.get("files").and_then(toml::Value::as_array);
    let files = files.into_iter().flatten().filter_map(toml::Value::as_str);
    files.map(str::to_owned).collect()
}

/// The state of reading a command line.
#[derive(Default)]
struct Reader<'l> {
    /// The words that are left.
    words: &'l [String],
    /// Whether it is the old command line, whose options begin with `/`.
    is_old: bool,
    files: Vec<String>,
    /// The values of the options that are keys.
    values: SortedMap<String, Vec<String>>,
    /// The options, to check their values and combinations.
    settings: DafnyArgs,
    /// Options of Dafny that are no keys.
    ignored: Vec<String>,
    notes: Vec<String>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<String> {
        let (first, rest) = self.words.split_first()?;
        // Another command of the shell begins, or the arguments of the program.
        if ["&&", "||", ";", "|", ">", ">>", "2>", "2>&1", "--"].contains(&first.as_str()) {
            self.words = &[];
            return None;
        }
        self.words = rest;
        Some(first.clone())
    }

    /// Reads the command, and the target of `translate`.
    fn command(&mut self) {
        let command = self.words.first().map_or("", String::as_str);
        if !COMMANDS.contains(&command) {
            self.is_old = true;
            return;
        }
        self.next();
        let is_target = |w: &&String| !w.starts_with('-') && !w.contains(['.', '/']);
        if command == "translate" && self.words.first().as_ref().is_some_and(is_target) {
            self.next();
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Diagnostic> {
        if let Some(option) = word.strip_prefix("--").filter(|o| !o.is_empty()) {
            let (name, value) = split(option);
            return self.option(name, value.map(str::to_owned));
        }
        let old = match word.strip_prefix('/') {
            Some(option) if self.is_old => Some(option),
            Some(_) | None => word.strip_prefix('-'),
        };
        let Some(option) = old.filter(|o| !o.is_empty()) else {
            self.files.push(word.to_owned());
            return Ok(());
        };
        let (name, value) = split(option);
        match OLD.iter().find(|(old, _)| *old == name) {
            Some((_, new)) => {
                let value = match value {
                    Some("0") if is_truth_option(new) => Some("false"),
                    Some("1") | None if is_truth_option(new) => Some("true"),
                    value => value,
                };
                self.option(new, value.map(str::to_owned))
            }
            None => {
                // `-o FILE`, `-t TARGET`.
                if ["o", "t"].contains(&name) && value.is_none() {
                    self.next();
                }
                self.ignored.push(word.to_owned());
                Ok(())
            }
        }
    }

    /// Reads an option of the present command line.
    fn option(&mut self, name: &str, value: Option<String>) -> Result<(), Diagnostic> {
        if !project::is_option(name) {
            self.notes
                .push(format!("`--{name}` is not an option of Dafny 4.11"));
            return Ok(());
        }
        let takes_truth = is_truth_option(name);
        let value = value.or_else(|| {
            let next = self.words.first()?;
            let is_value = if takes_truth {
                ["true", "false"].contains(&&*next.to_ascii_lowercase())
            } else {
                !next.starts_with('-')
            };
            is_value.then(|| self.next()).flatten()
        });
        let value = value.unwrap_or_else(|| "true".to_owned());
        let value = if takes_truth {
            value.to_ascii_lowercase()
        } else {
            value
        };
        let refused = |wanted: &str| wrong(format!("`--{name}` takes {wanted}, not `{value}`"));
        let typed = match value.as_str() {
            "true" | "false" if takes_truth => toml::Value::Boolean(value == "true"),
            text => toml::Value::String(text.to_owned()),
        };
        project::option(&mut self.settings, name, &typed, Path::new("")).map_err(refused)?;
        if name == "stdin" {
            self.notes
                .push("`--stdin` has no key: pass it to each command".to_owned());
        } else if config::is_key(name) {
            let list = self.values.entry(name.to_owned()).or_default();
            if name == "library" {
                list.extend(value.split(',').map(str::to_owned));
            } else {
                *list = vec![value];
            }
        } else {
            self.ignored.push(format!("--{name}"));
        }
        Ok(())
    }
}

/// Whether the value of an option is a truth value, which may be left out.
fn is_truth_option(name: &str) -> bool {
    project::is_flag(name) || config::takes_truth(name)
}

/// Splits an option into its name and its value.
fn split(option: &str) -> (&str, Option<&str>) {
    option
        .split_once(['=', ':'])
        .map_or((option, None), |(name, value)| (name, Some(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Keys {
        keys(line, Path::new("/")).unwrap_or_else(|d| panic!("{}", d.message))
    }

    #[test]
    fn every_spelling_is_read() {
        let expected = "files = [\"src/a b.dfy\"]\nfunction-syntax = \"3\"\nlibrary = [\"x.doo\", \"y.dfy\"]\nunicode-char = false\n";
        for line in [
            "dafny translate rs --unicode-char:false 'src/a b.dfy' --function-syntax 3 --library x.doo,y.dfy",
            "/opt/dafny/dafny verify \"src/a b.dfy\" --unicode-char False --function-syntax=3 --library=x.doo --library y.dfy",
            "dotnet Dafny.dll /unicodeChar:0 /functionSyntax:3 /compile:0 src/a\\ b.dfy /library:x.doo,y.dfy",
            "FOO=1 dafny run --no-verify --unicode-char=false src/a\\ b.dfy --function-syntax:3 --library x.doo --library y.dfy -- --unicode-char true",
        ] {
            assert_eq!(read(line).text, expected, "{line}");
        }
    }

    #[test]
    fn options_without_a_key_are_named() {
        let keys = read(
            "dafny translate rs --output out --cores 4 --no-verify --made-up a.dfy -o x && rm a.dfy",
        );
        assert_eq!(keys.text, "files = [\"a.dfy\"]\n");
        assert_eq!(
            keys.notes,
            [
                "`--made-up` is not an option of Dafny 4.11",
                "options without a key, which change no test: --output --cores --no-verify -o",
                "`a.dfy` does not exist here",
            ]
        );
    }

    #[test]
    fn what_is_no_command_line_or_refused_is_an_error() {
        for (line, said) in [
            ("make all", "is neither a file nor a command line"),
            ("dafny verify 'a.dfy", "the quote ' is not closed"),
            ("dafny verify --function-syntax 5 a.dfy", "takes 3, 4"),
            ("dafny verify --general-newtypes a.dfy", "requires"),
        ] {
            let message = keys(line, Path::new("/")).expect_err("refused").message;
            assert!(message.contains(said), "{message}");
        }
    }
}
