//! `fuzz`: campaigns of differential fuzzing. Verifiers, compilers and this tool are compared on
//! programs and on equivalent rewritings of them.
//!
//! A campaign is a sequence of rounds, which several threads work on. Each round takes a program
//! ([`seeds`]), rewrites it, runs the tools on it ([`tool`]), and records the disagreements
//! ([`journal`]) when they are found ([`stored`]). Programs are reduced after the search
//! ([`reduction`]).

mod claims;
mod journal;
mod known;
mod reduction;
mod seeds;
mod stored;
mod tool;

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::cli::args::{FuzzArgs, MessageFormat};
use crate::cli::config::Given;
use crate::cli::error::{CommandResult, ExpectedError};
use crate::cli::{Environment, memory, z3};
use crate::exit_code::ExitCode;
use crate::fuzz::false_claims::Kinds as _;
use crate::fuzz::others::{Ask, Tool, Verdict};
use crate::fuzz::reduce::{is_reducible, shorten};
use crate::fuzz::round::{self, Asked, Finding, Outcome, Plan};
use crate::fuzz::{Class, Disagreement, false_claims};
use crate::message::MessageId;
use claims::{ClaimTable, Kinds, Share};
use dafny_rewrite::{Mutation, Subject};
use dafny_source::diagnostic::Diagnostic;
use dtest_sorted::SortedSet;
use journal::{Journal, Record};
use known::KnownBugs;
use seeds::{Seed, Seeds};
use tool::Tools;

/// Default duration of a campaign in seconds.
const MAX_TIME: u64 = 60;
/// Default number of rewritten programs per program.
const REWRITTEN: u32 = 2;
/// Default maximum number of mutations of a rewritten program.
const MAX_ORDER: u32 = 5;
/// Default time limit of a tool for one program, in seconds.
const TOOL_TIME: u64 = 60;
/// Default time limit for reducing a disagreement, in seconds.
const REDUCE_TIME: u64 = 120;
/// Bytes of virtual memory for the stack of a worker.
const STACK: usize = 1 << 29;

/// Runs the command.
///
/// # Errors
/// The campaign cannot begin, or its directory cannot be written.
pub(crate) fn run(args: &FuzzArgs, env: &Environment) -> CommandResult {
    if let Some(folder) = &args.report {
        return reduction::report(folder, env);
    }
    z3::check()?;
    let (args, given, journal) = match args.resume.as_ref().or(args.reduce.as_ref()) {
        Some(folder) => {
            let (before, given, journal) = Journal::resume(folder, env)?;
            let again = FuzzArgs {
                max_time: args.max_time,
                rounds: args.rounds,
                jobs: args.jobs,
                output: args.output.clone(),
                reduce: args.reduce.clone(),
                reduce_time: args.reduce_time.or(before.reduce_time),
                ..before
            };
            (again, given, journal)
        }
        None => {
            let Some(out) = &args.out else {
                let help = "pass a new or empty directory with `--out DIR`, or the directory of a campaign with `--resume DIR`";
                return Err(Diagnostic::global(
                    MessageId::FuzzNoFolder,
                    "no directory for the results",
                )
                .with_help(help)
                .into());
            };
            // Errors of the command line are found before the directory is created.
            source(args, &env.given, env, &tools(args)?)?;
            known_bugs(args)?;
            earlier(args)?;
            (
                args.clone(),
                env.given.clone(),
                Journal::begin(out, &env.arguments)?,
            )
        }
    };
    let tools = tools(&args)?;
    let source = source(&args, &given, env, &tools)?;
    let known = known_bugs(&args)?;
    let earlier = earlier(&args)?;
    memory::watch(args.max_memory.unwrap_or(memory::DEFAULT));
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let campaign = Campaign {
        source,
        known,
        kinds: Mutex::new(Kinds::known(journal.keys())),
        tools,
        earlier,
        plan: Plan {
            rewritten: args.rewritten.unwrap_or(REWRITTEN),
            max_order: args.max_order.unwrap_or(MAX_ORDER),
            mutations: if args.mutations.is_empty() {
                Mutation::ALL.to_vec()
            } else {
                args.mutations.clone()
            },
        },
        start: Instant::now(),
        // A reduction has a limit for each disagreement, so that it needs no other.
        limit: match args.max_time {
            None if args.reduce.is_some() => Duration::MAX,
            time => Duration::from_secs(time.unwrap_or(MAX_TIME)),
        },
        reduce: Duration::from_secs(args.reduce_time.unwrap_or(REDUCE_TIME)),
        begun: AtomicU64::new(0),
        rounds: args.rounds,
        next: AtomicU64::new(0),
        done: journal.done().clone(),
        journal: Mutex::new(journal),
    };
    if args.reduce.is_none() {
        campaign.work(args.jobs.map_or(processors, |n| n as usize), env)?;
    }
    campaign.reduce_all(env)?;
    Ok(campaign.finish(env))
}

fn tools(args: &FuzzArgs) -> Result<Tools, Diagnostic> {
    Tools::new(
        ("--verifier", args.verifier.as_ref()),
        &args.compiler,
        Duration::from_secs(args.tool_time.unwrap_or(TOOL_TIME)),
    )
}

/// Returns the earlier version of the verifier.
fn earlier(args: &FuzzArgs) -> Result<Option<Tools>, Diagnostic> {
    let Some(command) = &args.compare else {
        return Ok(None);
    };
    let limit = Duration::from_secs(args.tool_time.unwrap_or(TOOL_TIME));
    Tools::new(("--compare", Some(command)), &[], limit).map(Some)
}

/// The programs of a campaign.
enum Source {
    /// Programs, which are rewritten.
    Programs(Seeds),
    /// Programs with a false claim.
    Claims(ClaimTable),
}

fn source(
    args: &FuzzArgs,
    given: &Given,
    env: &Environment,
    tools: &Tools,
) -> Result<Source, Diagnostic> {
    if args.claims {
        let table = ClaimTable::new(args.seed.unwrap_or(0), tools.take_options());
        return Ok(Source::Claims(table));
    }
    Seeds::of(args, given, env).map(Source::Programs)
}

fn known_bugs(args: &FuzzArgs) -> Result<KnownBugs, Diagnostic> {
    args.known
        .as_deref()
        .map_or_else(|| Ok(KnownBugs::default()), KnownBugs::read)
}

struct Campaign {
    source: Source,
    known: KnownBugs,
    /// The kinds of accepted claims.
    kinds: Mutex<Kinds>,
    tools: Tools,
    /// An earlier version of the verifier, with which regressions are found.
    earlier: Option<Tools>,
    plan: Plan,
    start: Instant,
    limit: Duration,
    /// Time limit for reducing a disagreement.
    reduce: Duration,
    /// The number of rounds that this run has started.
    begun: AtomicU64,
    rounds: Option<u64>,
    /// The number of the next candidate round.
    next: AtomicU64,
    /// Rounds that earlier runs completed.
    done: SortedSet<u64>,
    journal: Mutex<Journal>,
}

/// The kinds of a campaign, for the claims of a round.
struct FoundKinds<'c> {
    campaign: &'c Campaign,
    table: &'c ClaimTable,
    round: &'c false_claims::Round<'c>,
}

impl false_claims::Kinds for FoundKinds<'_> {
    fn covers(&self, claim: &dafny_claims::Claim) -> bool {
        let name = format!("{}: {}", claim.family, claim.name);
        let kinds = self.campaign.kinds.lock();
        kinds
            .unwrap_or_else(PoisonError::into_inner)
            .of(&name)
            .is_some()
    }

    fn name(&self, accepted: &mut Disagreement) {
        (accepted.class, accepted.key) =
            self.campaign
                .kind(self.table, self.round, accepted.class, &accepted.key);
    }
}

impl Campaign {
    fn is_over(&self) -> bool {
        self.start.elapsed() >= self.limit
    }

    /// Runs rounds on `jobs` threads until the campaign is over.
    fn work(&self, jobs: usize, env: &Environment) -> Result<(), ExpectedError> {
        let progress = env.terminal.progress("", 0);
        let failed: Mutex<Option<Diagnostic>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                let worker = || {
                    while let Some(round) = self.take() {
                        match self.round(round) {
                            Ok(new) => new.iter().for_each(|line| {
                                progress.finish();
                                env.terminal.note(line);
                            }),
                            Err(diagnostic) => {
                                *failed.lock().unwrap_or_else(PoisonError::into_inner) =
                                    Some(diagnostic);
                                return;
                            }
                        }
                        progress.show(|| self.status());
                    }
                };
                let started = std::thread::Builder::new()
                    .name("fuzz".into())
                    .stack_size(STACK)
                    .spawn_scoped(scope, worker);
                if let Err(e) = started {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(
                        Diagnostic::global(
                            MessageId::FuzzThreads,
                            format!("cannot start a thread: {e}"),
                        )
                        .with_help("lower --jobs"),
                    );
                }
            }
        });
        progress.finish();
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(diagnostic) => Err(diagnostic.into()),
            None => Ok(()),
        }
    }

    /// Returns the number of the next round, or `None` if the campaign is over.
    fn take(&self) -> Option<u64> {
        if self.is_over() {
            return None;
        }
        let begun = self.begun.fetch_add(1, Ordering::Relaxed);
        if self.rounds.is_some_and(|most| begun >= most) {
            return None;
        }
        loop {
            let round = self.next.fetch_add(1, Ordering::Relaxed);
            if let Source::Claims(table) = &self.source
                && table.round(round).is_none()
            {
                return None;
            }
            if !self.done.contains(&round) {
                return Some(round);
            }
        }
    }

    /// Runs a round. Returns a line for each new kind of disagreement.
    fn round(&self, round: u64) -> Result<Vec<String>, Diagnostic> {
        match &self.source {
            Source::Programs(seeds) => self.round_of_programs(seeds, round),
            Source::Claims(table) => self.round_of_claims(table, round),
        }
    }

    /// Verifies a pack of claims.
    fn round_of_claims(&self, table: &ClaimTable, round: u64) -> Result<Vec<String>, Diagnostic> {
        let start = Instant::now();
        let Some(pack) = table.round(round) else {
            return Ok(Vec::new());
        };
        let family = pack.claims.first().map_or("", |c| c.family);
        let options = if pack.is_general {
            reduction::GENERAL
        } else {
            ""
        };
        let name = format!("{family}, {}{options}", pack.wrapping.name());
        let mut record = Record::new(round, name);
        record.claims = pack.claims.len() as u64;
        let kinds = FoundKinds {
            campaign: self,
            table,
            round: &pack,
        };
        // A claim of a known kind shows nothing new.
        let mut new = pack.clone();
        new.claims.retain(|claim| !kinds.covers(claim));
        let skipped = (pack.claims.len() - new.claims.len()) as u64;
        let is_over = || self.is_over();
        let work = || false_claims::verified(&new, &self.tools, &kinds, &is_over);
        let (outcome, more) =
            std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
                let found = vec![round::panicked("", &said(payload.as_ref()))];
                let outcome = Outcome {
                    found,
                    ..Outcome::default()
                };
                (outcome, 0)
            });
        record.covered = skipped + more;
        self.record(record, &outcome, start)
    }

    /// Returns the class and the key of the kind of an accepted claim. A new kind is named by the
    /// part of the claim with which the verifier accepts most other claims.
    fn kind(
        &self,
        table: &ClaimTable,
        round: &false_claims::Round,
        class: Class,
        claim: &str,
    ) -> (Class, String) {
        let kinds = || self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kind) = kinds().of(claim) {
            return kind;
        }
        // Other threads go on meanwhile, and may find the same kind.
        let is_over = || self.is_over();
        let [with_first, with_second] = [0, 1].map(|place| {
            let siblings = table.siblings(round, claim, place);
            Share {
                accepted: false_claims::accepted(&siblings, &self.tools, &is_over),
                verified: siblings.claims.len(),
            }
        });
        let mut kinds = kinds();
        if let Some(kind) = kinds.of(claim) {
            return kind;
        }
        let key = claims::key(claim, with_first, with_second);
        kinds.add(class, key.clone());
        (class, key)
    }

    /// Rewrites a program, and compares the tools.
    fn round_of_programs(&self, seeds: &Seeds, round: u64) -> Result<Vec<String>, Diagnostic> {
        let start = Instant::now();
        let fruitful = self
            .journal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .fruitful
            .clone();
        let seed = seeds.get(round, &fruitful.programs);
        let mut plan = self.plan.clone();
        // Fruitful mutations are listed twice, so that they are drawn twice as often.
        plan.mutations.extend(
            self.plan
                .mutations
                .iter()
                .filter(|m| fruitful.mutations.contains(m.name())),
        );
        let mut record = Record::new(round, seed.name.clone());
        let outcome = match &seed.subject {
            Err(why) => {
                record.skipped = Some(why.to_string());
                Outcome::default()
            }
            Ok(subject) => {
                let work = || self.shortened(subject, self.hold(seeds, subject, &seed, &plan));
                std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Outcome {
                    found: vec![round::panicked(subject.text(), &said(payload.as_ref()))],
                    ..Outcome::default()
                })
            }
        };
        self.record(record, &outcome, start)
    }

    /// Writes the outcome of a round.
    fn record(
        &self,
        mut record: Record,
        outcome: &Outcome,
        start: Instant,
    ) -> Result<Vec<String>, Diagnostic> {
        record.verdicts = outcome.verdicts.iter().map(|v| (*v).to_owned()).collect();
        record.prints = outcome.prints.iter().map(|v| (*v).to_owned()).collect();
        record.skipped = record.skipped.or_else(|| outcome.skipped.clone());
        record.chains = outcome
            .chains
            .iter()
            .map(|c| c.iter().map(ToString::to_string).collect())
            .collect();
        record.seconds = start.elapsed().as_secs_f64();
        // Known bugs leave no more than the address of their issue, those of the earlier version
        // their number.
        let (mut new, mut known) = (Vec::new(), Vec::new());
        for finding in &outcome.found {
            match self.known.issue(&finding.what) {
                Some(issue) => known.push(issue.to_owned()),
                None if !self.is_regression(finding, &record) => record.unchanged += 1,
                None => new.push(finding.clone()),
            }
        }
        record.known = known;
        self.journal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(record, &new, &|finding, record| {
                self.stored(finding, record)
            })
    }

    /// Whether the earlier version of the verifier has another verdict on a program of a finding.
    /// Without such a version, or an answer of the verifier, there is nothing to compare with.
    fn is_regression(&self, finding: &Finding, record: &Record) -> bool {
        let Some(earlier) = &self.earlier else {
            return true;
        };
        let options = self.options(&finding.program, &record.program);
        let is_of_verifier = |asked: &&Asked| asked.tool == Tool::Verifier;
        let mut asked = finding.asked.iter().filter(is_of_verifier).peekable();
        asked.peek().is_none()
            || asked.any(|asked| {
                let text = match &finding.rewritten {
                    Some((text, _)) if asked.rewritten => text,
                    Some(_) | None => &finding.program,
                };
                let before = Verdict::of(&earlier.ask(Tool::Verifier, text, &options, false));
                // A version that gave up shows no difference.
                !matches!(before, Verdict::TimedOut | Verdict::GaveUp)
                    && before.name() != Verdict::of(&asked.answer).name()
            })
    }

    /// Runs all tools on a program and its rewritings, and compares the results.
    fn hold(&self, seeds: &Seeds, subject: &Subject, seed: &Seed, plan: &Plan) -> Outcome {
        let is_over = || self.is_over();
        let has_options = seeds.has_options(subject);
        if has_options && !self.tools.take_options() {
            let skipped = Some(
                "it requires options, but a command has no placeholder for them: `{options}`"
                    .to_owned(),
            );
            return Outcome {
                skipped,
                ..Outcome::default()
            };
        }
        let others = self.tools.verifier.is_some() || !self.tools.compilers.is_empty();
        if !others {
            return round::own(subject, seed.draw, plan, &is_over);
        }
        let verified =
            self.tools.verifier.as_ref().map(|_| {
                round::verified(subject, seed.draw, plan, seed.is_new, &self.tools, &is_over)
            });
        let compilers: (&dyn Ask, usize) = (&self.tools, self.tools.compilers.len());
        let compiled = (compilers.1 > 0)
            .then(|| round::compiled(subject, seed.draw, plan, seed.is_new, compilers, &is_over));
        verified
            .into_iter()
            .chain(compiled)
            .reduce(Outcome::and)
            .unwrap_or_default()
    }

    /// Shortens the chains of the disagreements of an outcome. Their programs are reduced after the
    /// search.
    fn shortened(&self, subject: &Subject, mut outcome: Outcome) -> Outcome {
        if self.reduce.is_zero() {
            return outcome;
        }
        let is_known = |what: &Disagreement| {
            self.known.issue(what).is_some()
                || self
                    .journal
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .knows(what)
        };
        let short = |finding: Finding| {
            let start = Instant::now();
            if is_known(&finding.what) || !is_reducible(finding.what.class) {
                return finding;
            }
            shorten(finding, subject, &self.tools, &|| {
                start.elapsed() >= self.reduce || self.is_over()
            })
        };
        outcome.found = outcome.found.into_iter().map(short).collect();
        outcome
    }

    fn status(&self) -> String {
        let journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        format!(
            "fuzzing: {}, {:.0} s of {} s",
            journal.totals,
            self.start.elapsed().as_secs_f64(),
            self.limit.as_secs()
        )
    }

    fn finish(self, env: &Environment) -> ExitCode {
        let seconds = self.start.elapsed().as_secs_f64();
        let journal = self
            .journal
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if env.terminal.format == MessageFormat::Json {
            env.terminal.result(&journal.json());
        } else if env.terminal.wants_summary() {
            env.terminal.result(&format!(
                "{}, {seconds:.1} s\n{}",
                journal.totals,
                journal.table()
            ));
        }
        if journal.is_empty() {
            ExitCode::Done
        } else {
            ExitCode::Findings
        }
    }
}

/// Returns the message of a panic.
fn said(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("without a message").to_owned()
}
