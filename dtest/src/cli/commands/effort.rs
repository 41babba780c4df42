//! The common part of `check`, `dead` and `mutants`: loading programs and deriving the options of
//! the search.

use super::super::args::{KeptArgs, LimitArgs, ProgramArgs};
use super::super::cache::{self, Cache};
use super::super::error::ExpectedError;
use super::super::{Environment, isolate, memory, z3};
use super::{Ready, generate};
use crate::exit_code::ExitCode;
use crate::pipeline::{self, Kept};
use dtest_ir::{Criteria, Criterion};
use dtest_search as search;

/// The number of units searched in parallel.
pub(super) fn jobs(limits: &LimitArgs) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    limits.jobs.map_or(processors, |n| n as usize)
}

/// Loaded programs and the options of their search.
pub(super) struct Work {
    pub(super) programs: Vec<Ready>,
    /// The exit code of loading: nonzero if a program has errors.
    pub(super) code: ExitCode,
    /// The filter for paths of units.
    pub(super) filter: Option<regex_lite::Regex>,
    pub(super) included: bool,
    pub(super) effort: Effort,
}

impl Work {
    /// Loads the programs and lowers them with the goals of `criteria`. Errors of programs are
    /// shown and become the exit code.
    ///
    /// # Errors
    /// An option cannot be used, or no program is without errors.
    pub(super) fn begin(
        program: &ProgramArgs,
        filter: Option<&String>,
        (limits, kept): (&LimitArgs, &KeptArgs),
        criteria: &Criteria,
        env: &Environment,
    ) -> Result<Self, ExpectedError> {
        let solver = z3::check()?;
        let filter = super::filter(filter)?;
        let super::Programs {
            ready: programs,
            code,
            ..
        } = super::ready(program, criteria, env)?;
        if programs.is_empty() {
            return Err(ExpectedError::Programs);
        }
        let included = program.included;
        let units = if criteria.has(Criterion::Obligation) {
            pipeline::check::units
        } else {
            pipeline::units
        };
        super::require_unit(filter.as_ref(), &programs, (units, included), env)?;
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

/// The options of the search, the number of threads and the cache.
pub(super) struct Effort {
    pub(super) options: search::Options,
    pub(super) jobs: usize,
    cache: Option<Cache>,
    versions: String,
    retry: bool,
}

impl Effort {
    /// Combines the arguments with the configuration. Starts the watchdog that limits the memory of
    /// the process.
    pub(super) fn new(
        limits: &LimitArgs,
        kept: &KeptArgs,
        solver: &str,
        env: &Environment,
    ) -> Result<Self, ExpectedError> {
        let cache = super::kept(&env.root, kept)?;
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

    /// The cached results of earlier runs.
    pub(super) fn kept(&self) -> Option<Kept<'_>> {
        self.cache.as_ref().map(|memory| Kept {
            memory,
            versions: &self.versions,
            retry: self.retry,
        })
    }

    /// Closes the cache.
    pub(super) fn close(&self) {
        if let Some(cache) = &self.cache {
            cache.close();
        }
    }
}
