//! stub
use super::super::Environment;
use super::super::args::TranslateArgs;
use crate::exit_code::ExitCode;
/// x
pub fn run(_args: TranslateArgs, _env: &Environment) -> ExitCode { ExitCode::Bug }
