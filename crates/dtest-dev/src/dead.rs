//! `cargo dev dead`: validates unreachability verdicts by random executions.
//!
//! `cargo dev dead [--executions N] [--seconds S] [--unit TEXT] [--timeout S] [--all] DIR-OR-FILE…`
//!
//! For every unit with a block that is *proved* unreachable, or unreachable *given assertions*, the
//! task draws random well-typed inputs and mutates the inputs of the unit's own tests. It stops
//! after N executions (10,000) from inputs that satisfy the precondition, after S seconds (120), or
//! after 20 times as many inputs. A unit without inputs is executed once.
//!
//! An execution that reaches such a block is a bug: it is printed, and the exit code is 1. With
//! `--all`, units without verdicts are executed too, and every block is counted that the search
//! left open and an execution reaches. A folder with a project file is one program.

use crate::Args;
use crate::support;
use dtest_sorted::SortedSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dafny_resolve::typed::CallableId;
use dtest::cli::args::DafnyArgs;
use dtest_interp::{Inputs, Interp, Limits, Outcome, Truth};
use dtest_ir::{Criteria, Criterion, GoalId, Program};
use dtest_search::dead::{Strength, Verdict};
use dtest_search::random::Random;
use dtest_search::{Options, search_unit};

struct Settled {
    executions: usize,
    seconds: f64,
}

#[derive(Default)]
struct Totals {
    programs: usize,
    /// The number of programs with errors.
    refused: usize,
    searched: usize,
    units: usize,
    full: usize,
    /// The number of units without inputs, which have a single execution.
    single: usize,
    blocks: [usize; 3],
    executions: usize,
    drawn: usize,
    errors: usize,
}

pub(crate) fn run(mut args: Args) {
    let (mut paths, mut settings, mut unit_filter) =
        (Vec::new(), DafnyArgs::default(), String::new());
    let mut limits = Settled {
        executions: 10_000,
        seconds: 120.0,
    };
    let mut options = Options {
        timeout: Duration::from_secs(10),
        ..Options::default()
    };
    let mut all = false;
    while let Some(arg) = args.next() {
        let mut number = || {
            args.next()
                .and_then(|v| v.parse::<f64>().ok())
                .unwrap_or(1.0)
        };
        match arg.as_str() {
            "--executions" => limits.executions = number() as usize,
            "--seconds" => limits.seconds = number(),
            "--timeout" => options.timeout = Duration::from_secs_f64(number()),
            "--all" => all = true,
            "--unit" => unit_filter = args.next().unwrap_or_default(),
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let mut totals = Totals::default();
    let task = Task {
        limits,
        options,
        unit_filter,
        all,
    };
    for job in support::all_jobs(&paths, &settings, false) {
        task.validate(&job, &mut totals);
    }
    totals.print(&task.limits);
    if totals.errors > 0 {
        std::process::exit(1);
    }
}

/// The options of the task.
struct Task {
    limits: Settled,
    options: Options,
    /// A part of the names of the units that are searched.
    unit_filter: String,
    /// Whether units without verdicts are executed, too.
    all: bool,
}

impl Task {
    /// Searches the units of a program, and attacks the verdicts by random executions.
    /// Unreachability within bounds may be refuted by larger inputs, so only stronger verdicts are
    /// validated.
    fn validate(&self, job: &support::Job, totals: &mut Totals) {
        totals.programs += 1;
        let Some((sources, typed)) = job.resolve() else {
            totals.refused += 1;
            return;
        };
        let criteria = Criteria::new([Criterion::Flow]).unwrap_or_default();
        let program = dtest_lower::lower_for(Arc::new(typed), criteria);
        let is_named =
            |s: dafny_source::Span| sources.file_at(s.start).is_some_and(|(_, f)| f.named);
        let mut units = dtest_lower::units::units(&program.typed, is_named);
        units.retain(|unit| unit.path.contains(&self.unit_filter));
        totals.searched += units.len();
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let results =
            dtest::pipeline::dead::search(&program, &units, &self.options, jobs, None, &|_| ());
        for (unit, result) in units.iter().zip(results) {
            let claims: Vec<(GoalId, usize)> = result
                .goals
                .iter()
                .filter_map(|(g, v)| Some((*g, sureness(v)?)))
                .collect();
            for (_, s) in &claims {
                totals.blocks[*s] += 1;
            }
            let sure: SortedSet<GoalId> = claims
                .iter()
                .filter(|(_, s)| *s < 2)
                .map(|(g, _)| *g)
                .collect();
            if sure.is_empty() && !self.all {
                continue;
            }
            let tried = attack(&program, unit.callable, &sure, &self.limits, &self.options);
            let name = format!("{}: {}", job.name(), unit.path);
            if !sure.is_empty() {
                tried.print(&name, sure.len());
            }
            totals.add(&tried);
            for (goal, inputs) in tried.reached {
                let place = program
                    .goal(unit.callable, goal)
                    .map_or_else(String::new, |g| sources.locate(g.span));
                println!(
                    "ERROR {name}: {place} is reached with {:?} {:?}",
                    inputs.args, inputs.heap
                );
            }
        }
    }
}

impl Totals {
    /// Adds the executions of a unit.
    fn add(&mut self, tried: &Tried) {
        self.units += 1;
        self.executions += tried.executions;
        self.drawn += tried.drawn;
        self.full += usize::from(tried.end == End::Full);
        self.single += usize::from(tried.end == End::Single);
        self.errors += tried.reached.len();
    }

    fn print(&self, limits: &Settled) {
        println!("----");
        println!(
            "dead blocks: {} proved, {} given assertions, {} within bounds",
            self.blocks[0], self.blocks[1], self.blocks[2]
        );
        println!(
            "{} programs, {} of them with errors; {} units",
            self.programs, self.refused, self.searched
        );
        println!(
            "{} units with sure claims: {} with all {} executions, {} without inputs, {} with fewer; {} executions, {} inputs drawn, {} errors",
            self.units,
            self.full,
            limits.executions,
            self.single,
            self.units - self.full - self.single,
            self.executions,
            self.drawn,
            self.errors
        );
    }
}

/// The strength of a verdict: 0 is proved, 1 is given assertions or assumptions, 2 is within
/// bounds.
fn sureness(verdict: &Verdict) -> Option<usize> {
    match verdict {
        Verdict::Dead {
            strength: Strength::Proved,
            ..
        } => Some(0),
        Verdict::Dead {
            strength: Strength::GivenAssertions | Strength::GivenAssumptions,
            ..
        } => Some(1),
        Verdict::Dead {
            strength: Strength::WithinBounds { .. },
            ..
        } => Some(2),
        Verdict::Reached
        | Verdict::OnlyByChoice
        | Verdict::AlwaysFails { .. }
        | Verdict::OnlyByFinding { .. }
        | Verdict::Open(_) => None,
    }
}

/// The reason why the executions ended.
#[derive(Clone, Copy, PartialEq, Default)]
enum End {
    /// The requested number of executions was reached.
    Full,
    /// The unit has no inputs.
    Single,
    /// The time was over.
    Late,
    /// The maximum number of inputs was drawn: too few satisfied the precondition or could be
    /// executed.
    Drawn,
    /// No input could be drawn.
    #[default]
    None,
}

impl End {
    fn text(self) -> &'static str {
        match self {
            Self::Full => "all",
            Self::Single => "there are no inputs, and no other execution",
            Self::Late => "no time for more",
            Self::Drawn => "the other inputs break the precondition or cannot be executed",
            Self::None => "no input could be drawn",
        }
    }
}

#[derive(Default)]
struct Tried {
    executions: usize,
    drawn: usize,
    end: End,
    unknown: usize,
    /// Blocks with an unreachability verdict, and the inputs that reach them.
    reached: Vec<(GoalId, Inputs)>,
}

impl Tried {
    /// Prints the number of executions of a unit, with the reason why they ended.
    fn print(&self, name: &str, sure: usize) {
        let unknown = if self.unknown > 0 {
            format!(", {} with an unknown precondition", self.unknown)
        } else {
            String::new()
        };
        println!(
            "{name}: {sure} sure blocks, {} executions of {} inputs: {}{unknown}",
            self.executions,
            self.drawn,
            self.end.text()
        );
    }
}

/// Executes the unit on random inputs.
fn attack(
    program: &Program,
    unit: CallableId,
    dead: &SortedSet<GoalId>,
    limits: &Settled,
    options: &Options,
) -> Tried {
    let interp = Interp::new(
        program,
        Limits {
            steps: 100_000,
            ..Limits::default()
        },
    );
    let mut tried = Tried::default();
    let Some(mut random) = Random::new(program, &interp, unit, 1) else {
        return tried;
    };
    let quick = Options {
        timeout: Duration::from_secs(3),
        prove: false,
        ..options.clone()
    };
    let mut pool: Vec<Inputs> = search_unit(program, unit, &quick)
        .tests
        .into_iter()
        .map(|t| t.inputs)
        .collect();
    let start = Instant::now();
    let mut turn = 0usize;
    // Without parameters, there is only one execution.
    let has_inputs = program
        .procedures
        .get(&unit)
        .is_some_and(|p| !p.params.is_empty());
    let wanted = if has_inputs { limits.executions } else { 1 };
    while tried.executions < wanted
        && tried.drawn < limits.executions * 20
        && start.elapsed().as_secs_f64() < limits.seconds
    {
        turn += 1;
        tried.drawn += 1;
        let inputs = match pool.get(turn / 2 % pool.len().max(1)) {
            Some(known) if !turn.is_multiple_of(3) => random.mutated(known),
            Some(_) | None => match random.inputs() {
                Some(inputs) => inputs,
                None if pool.is_empty() => return tried,
                None => continue,
            },
        };
        match interp.check_inputs(unit, &inputs).verdict() {
            Truth::True => {}
            Truth::False => continue,
            Truth::Unknown(_) => {
                tried.unknown += 1;
                continue;
            }
        }
        let execution = interp.run(unit, &inputs);
        if matches!(execution.outcome, Outcome::Unsupported(_)) {
            continue;
        }
        tried.executions += 1;
        // Conditions that could not be decided are assumed to hold, so an execution with any may be
        // infeasible.
        let certain = execution.unknown.is_empty();
        let blocks = execution
            .visited
            .iter()
            .map(|b| GoalId::Block(*b))
            .chain(execution.shown.iter().map(|i| GoalId::Probe(*i)));
        if let Some(goal) = blocks.into_iter().find(|g| certain && dead.contains(g)) {
            tried.reached.push((goal, inputs));
            return tried;
        }
        if pool.len() < 200 && turn.is_multiple_of(7) {
            pool.push(inputs);
        }
    }
    tried.end = if !has_inputs {
        End::Single
    } else if tried.executions >= wanted {
        End::Full
    } else if tried.drawn >= limits.executions * 20 {
        End::Drawn
    } else {
        End::Late
    };
    tried
}
