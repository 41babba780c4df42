//! The programs of a campaign: files, or random programs.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::cli::args::{DafnyArgs, FuzzArgs};
use crate::cli::config::Given;
use crate::cli::{Environment, files, load};
use crate::fuzz::{annotate, options_of_random};
use crate::message::MessageId;
use dafny_random::{Profile, Shape};
use dafny_rewrite::{Dialect, Random, Subject, one_file};
use dafny_source::diagnostic::Diagnostic;

/// The programs of a campaign. Each round takes one.
pub(super) enum Seeds {
    /// Files, each a separate program, used in turn.
    Files {
        paths: Vec<PathBuf>,
        settings: Box<DafnyArgs>,
        root: PathBuf,
        dialect: Dialect,
        seed: u64,
    },
    /// Random programs, with consecutive seeds. If a verifier is configured, they have annotations.
    Random {
        first: u64,
        profile: Profile,
        annotated: bool,
    },
}

/// The program of a round.
pub(super) struct Seed {
    /// The name in results.
    pub(super) name: String,
    /// The program, printed as one file, or the reason why it is skipped.
    pub(super) subject: Result<Subject, Skipped>,
    /// Whether this round is the first that uses the program.
    pub(super) is_new: bool,
    /// The random seed of the round.
    pub(super) draw: u64,
}

impl Seeds {
    /// Reads the seeds from a command line that sets the options `given`.
    ///
    /// # Errors
    /// No program is named, or a named file does not exist.
    pub(super) fn of(
        args: &FuzzArgs,
        given: &Given,
        env: &Environment,
    ) -> Result<Self, Diagnostic> {
        let seed = args.seed.unwrap_or(0);
        if args.random {
            return Ok(Self::Random {
                first: seed,
                profile: args.profile.unwrap_or_default(),
                annotated: args.verifier.is_some(),
            });
        }
        let mut program = args.program.clone();
        // With `--from`, the files of `dtest.toml` are replaced; files on the command line are
        // added.
        if !args.from.is_empty() && !given.has("files") {
            program.files.clear();
        }
        program
            .files
            .extend(args.from.iter().map(|p| p.display().to_string()));
        if program.files.is_empty() {
            let help =
                "use `--from DIR` for the programs in a directory, or `--random` for random ones";
            return Err(Diagnostic::global(
                MessageId::FuzzNoPrograms,
                "no programs for the campaign",
            )
            .with_help(help));
        }
        // Programs of Dafny 2 and 3 have the old syntax of functions.
        if args.dialect == Some(2) {
            program
                .dafny
                .function_syntax
                .get_or_insert(dafny_syntax::FunctionSyntax::Version3);
        }
        let mut paths = load::listing(&program, &env.root)?;
        paths.retain(|p| p.extension().is_some_and(|x| x == "dfy"));
        let dialect = if args.dialect == Some(2) {
            Dialect::Two
        } else {
            Dialect::Four
        };
        Ok(Self::Files {
            paths,
            settings: Box::new(program.dafny),
            root: env.root.clone(),
            dialect,
            seed,
        })
    }

    /// Whether a random program needs options that differ from the defaults.
    pub(super) fn has_options(&self, subject: &Subject) -> bool {
        matches!(self, Self::Random { .. }) && subject.text().starts_with("// options:")
    }

    /// Returns the program of a round. Once all files had their turn, every third round takes a
    /// file that led to a new disagreement (`fruitful`, by name).
    pub(super) fn get(&self, round: u64, fruitful: &[String]) -> Seed {
        match self {
            Self::Random {
                first,
                profile,
                annotated,
            } => {
                let seed = first.wrapping_add(round);
                let text = dafny_random::program(
                    seed,
                    Shape {
                        profile: *profile,
                        ..Shape::of(seed)
                    },
                );
                let options = options_of_random(&text);
                let drawn =
                    Subject::new(&text, &options, Subject::syntax_of(&options), Dialect::Four);
                let with_facts = |s: Subject| {
                    annotate::annotated(&s, seed)
                        .and_then(|new| s.same_options(&new.text).ok())
                        .unwrap_or(s)
                };
                let subject = drawn.map(|s| if *annotated { with_facts(s) } else { s });
                let wrong = |dafny_rewrite::Error::Wrong(why)| Skipped::unresolved(&why);
                Seed {
                    name: format!("random {seed}"),
                    subject: subject.map_err(wrong),
                    is_new: true,
                    draw: seed,
                }
            }
            // Random programs with facts (invariants, assertions) give a verifier more to do.
            Self::Files {
                paths,
                settings,
                root,
                dialect,
                seed,
            } => {
                let count = paths.len().max(1) as u64;
                // After one pass over all files, every third round takes a program that led to a
                // finding.
                let again = fruitful
                    .get(((round / 3) % fruitful.len().max(1) as u64) as usize)
                    .filter(|_| round >= count && round % 3 == 2);
                let again =
                    again.and_then(|name| paths.iter().find(|p| files::relative(p, root) == *name));
                let path = again.or(paths.get((round % count) as usize));
                let draw = Random::new(seed.wrapping_add(round)).draw();
                let name = path.map_or_else(String::new, |p| files::relative(p, root));
                let subject =
                    path.map_or(Err(Skipped::NoFile), |p| read(p, settings, root, *dialect));
                Seed {
                    name,
                    subject,
                    is_new: round < count,
                    draw,
                }
            }
        }
    }
}

impl Seeds {
    /// Reads the program of a stored disagreement, with the options of the campaign.
    ///
    /// # Errors
    /// The program cannot be read or does not resolve.
    pub(super) fn stored(&self, path: &Path) -> Result<Subject, Skipped> {
        match self {
            Self::Files {
                settings,
                root,
                dialect,
                ..
            } => read(&path.to_owned(), settings, root, *dialect),
            Self::Random { .. } => {
                let text = files::read_text(path).map_err(|e| Skipped::Unread(e.to_string()))?;
                let options = options_of_random(&text);
                Subject::new(&text, &options, Subject::syntax_of(&options), Dialect::Four)
                    .map_err(|dafny_rewrite::Error::Wrong(why)| Skipped::unresolved(&why))
            }
        }
    }
}

/// Reads a program from a file, with its includes.
fn read(
    path: &PathBuf,
    settings: &DafnyArgs,
    root: &Path,
    dialect: Dialect,
) -> Result<Subject, Skipped> {
    let loaded = load::load_program(std::slice::from_ref(path), settings, root)
        .map_err(|d| Skipped::Unread(d.message))?;
    if let Some(error) = loaded.diagnostics.iter().find(|d| d.is_error()) {
        return Err(Skipped::Unparsed(error.message.clone()));
    }
    let text = dafny_syntax::file_to_string(&one_file(loaded.files));
    Subject::new(&text, &loaded.options, settings.syntax(), dialect)
        .map_err(|dafny_rewrite::Error::Wrong(why)| Skipped::unresolved(&why))
}

/// The reason why a program is skipped, with the message of its first error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Skipped {
    /// The campaign has no files.
    NoFile,
    /// It cannot be read.
    Unread(String),
    /// It has syntax errors.
    Unparsed(String),
    /// It has other errors.
    Unresolved(String),
}

impl Skipped {
    pub(super) fn unresolved(why: &[Diagnostic]) -> Self {
        Self::Unresolved(why.first().map_or_else(String::new, |d| d.message.clone()))
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFile => Ok(()),
            Self::Unread(message) => f.write_str(message),
            Self::Unparsed(message) => write!(f, "it does not parse: {message}"),
            Self::Unresolved(message) => write!(f, "it does not resolve: {message}"),
        }
    }
}

impl std::error::Error for Skipped {}
