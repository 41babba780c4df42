//! stub
use super::super::Environment;
use super::super::args::GenArgs;
use crate::exit_code::ExitCode;
/// x
pub fn run(_args: GenArgs, _env: &Environment) -> ExitCode { ExitCode::Bug }
