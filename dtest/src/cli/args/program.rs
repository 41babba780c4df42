//! The programs that a command reads, and the options of Dafny that they need.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use dafny_syntax::FunctionSyntax;

/// The program and the options of the Dafny front end, common to all commands.
#[derive(Debug, Clone, Default, Args)]
pub struct ProgramArgs {
    /// Dafny files, directories, one `dfyconfig.toml` or globs [default: src/**/*.dfy of the
    /// package]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub files: Vec<String>,

    /// Also read a Dafny file from standard input. The files that it includes count as named: a list
    /// of `include`s names the files of a program
    #[arg(long, conflicts_with = "each", help_heading = "Program")]
    pub stdin: bool,

    /// Include units of included files
    #[arg(long, help_heading = "Program")]
    pub included: bool,

    /// Treat every file as a separate program and write one package for each below `--out DIR`
    #[arg(long, help_heading = "Program")]
    pub each: bool,

    /// The options of the Dafny front end.
    #[command(flatten)]
    pub dafny: DafnyArgs,

    /// Generate a mock builder (`dmock`) for this class, given by its Dafny path (`*`: every
    /// class), for hand-written tests with stubbed functions. Generated tests do not need it
    #[arg(long, value_name = "CLASS", help_heading = "Program")]
    pub mock: Vec<String>,
}

impl ProgramArgs {
    /// The language of the programs.
    pub fn language(&self) -> Language {
        let is_boogie = |file: &String| Path::new(file).extension().is_some_and(|x| x == "bpl");
        if self.files.iter().any(is_boogie) {
            Language::Boogie
        } else {
            Language::Dafny
        }
    }
}

/// The language of the programs of a run, which reads either Dafny or Boogie, never both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Dafny (`*.dfy`).
    Dafny,
    /// Boogie (`*.bpl`).
    Boogie,
}

/// The options of the Dafny front end. Project files can set them too.
#[derive(Debug, Clone, Default, Args)]
pub struct DafnyArgs {
    /// The version of Dafny that the program is written for. After 4.11, the new type system, general
    /// newtypes and general traits are on by default
    #[arg(long, value_name = "4.11", help_heading = "Dafny")]
    pub dafny_version: Option<DafnyVersion>,

    /// The meaning of `function`: ghost in version 3, compiled in version 4; `migration3to4` and
    /// the experimental values are those of Dafny
    #[arg(long, value_name = "3|4", value_parser = function_syntax(), env = "DTEST_FUNCTION_SYNTAX", help_heading = "Dafny")]
    pub function_syntax: Option<FunctionSyntax>,

    /// Scope of a quantifier's range: the variable that it follows (4) or all variables (3)
    /// [default: 4]
    #[arg(long, value_name = "3|4", value_parser = clap::value_parser!(u8).range(3..=4), help_heading = "Dafny")]
    pub quantifier_syntax: Option<u8>,

    /// Characters are Unicode scalar values (`true`) or UTF-16 code units (`false`)
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", env = "DTEST_UNICODE_CHAR", help_heading = "Dafny")]
    pub unicode_char: Option<bool>,

    /// Allow reading variables of auto-initialisable types before they are assigned
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub relax_definite_assignment: Option<bool>,

    /// Reject nondeterministic statements
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub enforce_determinism: Option<bool>,

    /// Allow `reads` clauses on methods
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub reads_clauses_on_methods: Option<bool>,

    /// Use Dafny's newer type inference
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub type_system_refresh: Option<bool>,

    /// Allow newtypes over every base type
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub general_newtypes: Option<bool>,

    /// Select which traits are reference types, and which types may extend them
    #[arg(long, value_name = "KIND", value_enum, help_heading = "Dafny")]
    pub general_traits: Option<GeneralTraits>,

    /// Libraries that the program uses, without tests: `.dfy` or `.doo` files, directories or
    /// project files
    #[arg(
        long,
        value_name = "FILE",
        value_delimiter = ',',
        help_heading = "Program"
    )]
    pub library: Vec<PathBuf>,

    /// Dafny's standard libraries, which are not part of this tool: the directory of their sources
    /// or a `.doo` file; `true`, the value of the option alone, takes the file of the `dafny` on the
    /// `PATH`
    #[arg(
        long,
        value_name = "PATH|BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        value_hint = ValueHint::AnyPath,
        env = "DTEST_STANDARD_LIBRARIES",
        help_heading = "Program"
    )]
    pub standard_libraries: Option<StandardLibraries>,
}

/// Returns the parser of `--function-syntax`.
fn function_syntax() -> impl TypedValueParser<Value = FunctionSyntax> {
    PossibleValuesParser::new(FunctionSyntax::ALL.map(FunctionSyntax::value))
        .map(|value| FunctionSyntax::of_value(&value).unwrap_or_default())
}

/// `--standard-libraries`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StandardLibraries {
    /// The program does not use them.
    Unused,
    /// The libraries of the installed Dafny.
    Installed,
    /// The directory of their sources, or their `.doo` file.
    At(PathBuf),
}

impl std::str::FromStr for StandardLibraries {
    type Err = std::convert::Infallible;

    fn from_str(value: &str) -> Result<Self, Self::Err> {
        Ok(match value {
            "true" => Self::Installed,
            "false" => Self::Unused,
            path => Self::At(path.into()),
        })
    }
}

/// A version of Dafny.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DafnyVersion {
    major: u32,
    minor: u32,
}

impl DafnyVersion {
    /// The version whose defaults are those of this tool.
    pub const KNOWN: Self = Self {
        major: 4,
        minor: 11,
    };
}

impl std::str::FromStr for DafnyVersion {
    type Err = NoVersion;

    fn from_str(text: &str) -> Result<Self, NoVersion> {
        let text = text.strip_prefix('v').unwrap_or(text);
        // A pre-release has what its release will have.
        let numbers = text.split(['-', '+']).next().unwrap_or(text);
        let mut parts = numbers.split('.').map(str::parse);
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Ok(major)), Some(Ok(minor)), None | Some(Ok(_)), None | Some(Ok(_))) => {
                Ok(Self { major, minor })
            }
            (_, _, _, _) => Err(NoVersion),
        }
    }
}

/// A text that is not a version.
#[derive(Debug, PartialEq, Eq)]
pub struct NoVersion;

impl std::fmt::Display for NoVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("must be a version such as 4.11.0")
    }
}

impl std::error::Error for NoVersion {}

/// `--general-traits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GeneralTraits {
    /// Every trait is a reference type; only classes and traits may extend it (Dafny's default)
    Legacy,
    /// A trait is a reference type only if it extends `object`; all types with members except
    /// newtypes may extend traits
    Datatype,
    /// As `datatype`, and newtypes may extend traits too
    Full,
}
