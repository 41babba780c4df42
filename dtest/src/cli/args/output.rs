//! The form of the output.

use clap::{Args, ValueEnum};

/// Output options, common to all commands.
#[derive(Debug, Clone, Default, Args)]
pub struct OutputArgs {
    /// Explain the messages at the end, as `explain ID` does
    #[arg(long, help_heading = "Output")]
    pub explain: bool,

    /// The format of messages and of the report
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        env = "DTEST_MESSAGE_FORMAT",
        help_heading = "Output"
    )]
    pub message_format: Option<MessageFormat>,

    /// When to use colours
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        env = "CARGO_TERM_COLOR",
        help_heading = "Output"
    )]
    pub color: Option<Color>,

    /// Do not show progress and the summary
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// The format of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum MessageFormat {
    /// With source lines
    #[default]
    Human,
    /// One line per message
    Short,
    /// One JSON object per line
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// One SARIF 2.1.0 log, on standard output
    Sarif,
    /// One JUnit XML report, on standard output: a test case for each finding
    Junit,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
