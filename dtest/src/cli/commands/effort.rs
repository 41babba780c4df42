//! How the commands that search units without writing anything do it: `check` and `dead`.

use super::super::args::{KeptArgs, LimitArgs, ProgramArgs};
use super::super::cache::{self, Cache};
use super::super::{Environment, isolate, memory, z3};
use super::{Ready, generate};
use crate::exit_code::ExitCode;
use crate::pipeline::Kept;
use dtest_engine::ir::Criteria;
use dtest_engine::search;

/// The version of Z3; where there is none that will do, the error is shown.
pub(super) fn solver(env: &Environment) -> Result<String, ExitCode> {
    z3::check().map_err(|diagnostic| {
        env.terminal.diagnostic(diagnostic);
        ExitCode::Z3
    })
}

/// Units worked on at the same time.
pub(super) fn jobs(limits: &LimitArgs) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    limits.jobs.map_or(processors, |n| n as usize)
}

/// What is searched, and how.
pub(super) struct Work {
    pub(super) programs: Vec<Ready>,
    /// What loading the programs came to.
    pub(super) code: ExitCode,
    /// Which units are meant.
    pub(super) filter: Option<regex_lite::Regex>,
    pub(super) included: bool,
    pub(super) effort: Effort,
}

impl Work {
    /// Loads the programs and lowers them with the goals of `criteria`. What goes wrong is shown, and is the exit code; so is what there is
    /// to say where no program is left.
    pub(super) fn begin(
        program: &ProgramArgs,
        filter: Option<&String>,
        (limits, kept): (&LimitArgs, &KeptArgs),
        criteria: &Criteria,
        env: &Environment,
    ) -> Result<Self, ExitCode> {
        let solver = solver(env)?;
        let filter = super::filter(filter, env)?;
        let super::Programs {
            ready: programs,
            code,
            ..
        } = super::ready(program, criteria, env)?;
        if programs.is_empty() {
            return Err(code);
        }
        super::warn_of_filter(filter.as_ref(), &programs, env);
        let included = program.included;
        let effort = Effort::new(limits, kept, &solver, env)?;
        Ok(Self {
            programs,
            code,
            filter,
            included,
            effort,
        })
    }
}

/// What is done for each unit, how many at a time, and what is known of them.
pub(super) struct Effort {
    pub(super) options: search::Options,
    pub(super) jobs: usize,
    cache: Option<Cache>,
    versions: String,
    retry: bool,
}

impl Effort {
    /// What the arguments and the configuration ask for; from here on the process watches its memory.
    pub(super) fn new(
        limits: &LimitArgs,
        kept: &KeptArgs,
        solver: &str,
        env: &Environment,
    ) -> Result<Self, ExitCode> {
        let cache = super::kept(&env.root, kept, env)?;
        let options = generate::limited(limits);
        isolate::limit_time(options.timeout);
        memory::watch(limits.max_memory.unwrap_or(memory::DEFAULT));
        Ok(Self {
            options,
            jobs: jobs(limits),
            cache,
            versions: cache::versions(solver),
            retry: kept.retry,
        })
    }

    /// What earlier runs found.
    pub(super) fn kept(&self) -> Option<Kept<'_>> {
        self.cache.as_ref().map(|memory| Kept {
            memory,
            versions: &self.versions,
            retry: self.retry,
        })
    }

    /// Ends what is kept for later runs.
    pub(super) fn close(&self) {
        if let Some(cache) = &self.cache {
            cache.close();
        }
    }
}
