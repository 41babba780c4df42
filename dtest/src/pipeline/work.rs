//! Units on several threads, and what earlier runs know of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use dafny_resolve::typed::CallableId;
use dtest_engine::interp::Inputs;
use dtest_engine::lower::units::Unit;
use dtest_engine::portable::{self, Closures, Key};
use dtest_engine::reason::Stopped;
use dtest_engine::search::pool::Pool;
use dtest_engine::search::{self, Budget, GoalStatus, UnitResult};
use dtest_engine::value::{Construction, ObjectId};
use dtest_engine::{ir, memory};
use dtest_sorted::SortedMap;

use super::isolation::{self, Turn};

/// Bytes of virtual memory for the stack of a worker.
const WORKER_STACK: usize = 1 << 29;

/// What is found out about a unit before anything is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// What the search found.
    pub result: UnitResult,
    /// For each test, calls that make objects of its heap.
    pub constructions: Vec<SortedMap<ObjectId, Construction>>,
    /// Whether an earlier run found it.
    #[serde(skip)]
    pub cached: bool,
}

impl Solved {
    /// What belongs to a result of the search.
    pub fn new(program: &ir::Program, result: UnitResult) -> Self {
        let mut constructor = search::construct::Constructor::knowing(program, &result.made);
        let mut of_test = |inputs: &Inputs| {
            let heap = super::redefined(&program.typed, inputs).0;
            if heap.objects.is_empty() {
                SortedMap::new()
            } else {
                constructor.constructions(&Inputs {
                    heap,
                    ..inputs.clone()
                })
            }
        };
        let constructions = result.tests.iter().map(|t| of_test(&t.inputs)).collect();
        Self {
            result,
            constructions,
            cached: false,
        }
    }

    /// Whether memory was short while the unit was searched.
    fn was_short(&self) -> bool {
        self.result
            .goals
            .iter()
            .any(|(_, status)| *status == GoalStatus::OutOfBudget(Budget::Memory))
    }
}

/// Bytes that outlive a run, by key.
pub trait Memory: Sync {
    /// What was kept under the key, if it is still there.
    fn recall(&self, key: Key) -> Option<Vec<u8>>;
    /// Keeps bytes; it may fail in silence.
    fn keep(&self, key: Key, bytes: &[u8]);
}

/// Where results are looked up and kept, and the versions that they depend on.
#[derive(Clone, Copy)]
pub struct Kept<'m> {
    /// The bytes.
    pub memory: &'m dyn Memory,
    /// The versions of this program and of Z3.
    pub versions: &'m str,
    /// Whether results of units that the clock stopped are found again instead of recalled.
    pub retry: bool,
}

/// Searches all units, `jobs` at a time; results are in the order of `units` whatever the order of the work.
/// What is kept of earlier runs is not searched again, and what is found is kept as soon as its unit is done.
/// `done` is told the number of finished units after each.
pub fn search(
    program: &ir::Program,
    units: &[Unit],
    options: &search::Options,
    jobs: usize,
    kept: Option<Kept<'_>>,
    done: &(dyn Fn(usize) + Sync),
) -> Vec<Solved> {
    let pool = pool(program, options);
    let recall = kept.map(|k| {
        Recall::new(program, units, k, &context(k.versions, options))
            .with_pool(program, pool.as_ref())
    });
    let search = |unit: &Unit| solve(program, unit, options, pool.as_ref(), recall.as_ref());
    let solved = in_parallel("search", program, units, jobs, &search, done);
    solved
        .into_iter()
        .zip(units)
        .map(|(solved, unit)| solved.unwrap_or_else(|stopped| failed(program, unit, stopped)))
        .collect()
}

/// The inputs that a program has for its own units, where tests are added for mutants.
pub(super) fn pool(program: &ir::Program, options: &search::Options) -> Option<Pool> {
    if options.strength != search::Strength::Mutants {
        return None;
    }
    let pool: Mutex<Option<Pool>> = Mutex::new(None);
    with_stack(1, &|| {
        let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Pool::of(program)));
        *pool.lock().unwrap_or_else(PoisonError::into_inner) = made.ok();
    });
    pool.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Does the work for all units, `jobs` at a time; results are in the order of `units` whatever the order of the work. The error is why
/// there is no result: the work panicked, or it ended an earlier attempt of the run ([`isolation`]). `stage` names the work.
///
/// One unit may take the memory of all. Work during which memory became short is done again, alone, so that the others' results are
/// those that they have without that unit. `done` is told the number of finished units after each.
pub(super) fn in_parallel<T: Send>(
    stage: &str,
    program: &ir::Program,
    units: &[Unit],
    jobs: usize,
    work: &(dyn Fn(&Unit) -> T + Sync),
    done: &(dyn Fn(usize) + Sync),
) -> Vec<Result<T, Stopped>> {
    let names: Vec<String> = units.iter().map(|u| isolation::name(stage, u)).collect();
    let turns: Vec<Turn> = names.iter().map(|name| isolation::turn(name)).collect();
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<Result<T, Stopped>>>> =
        Mutex::new(units.iter().map(|_| None).collect());
    let put = |i: usize, result: Option<Result<T, Stopped>>| {
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = results.get_mut(i) {
            *slot = result;
        }
    };
    // An internal error costs the unit that shows it. The other parts of the result: whether memory was short at some time, and whether
    // it became short of this unit, if no other one was at work.
    let attempt = |i: usize, unit: &Unit| {
        let name = names.get(i).map_or("", String::as_str);
        isolation::look_at_memory();
        let (was_short, shortages) = (memory::is_short(), memory::shortages());
        let result = isolation::at_work(name, || {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(unit)))
        });
        // What the unit held and the process does not get back is the unit's, not that of the next one.
        isolation::look_at_memory();
        let became_short = memory::shortages() != shortages;
        // Where memory runs out, Z3 may fail in any thread.
        let is_disturbed = was_short || became_short || result.is_err();
        // Of a unit that was begun while memory was short, that was another one's doing.
        let is_greedy = !was_short && became_short;
        (
            result.map_err(|_| Stopped::Panicked),
            is_disturbed,
            is_greedy,
        )
    };
    let starve = |i: usize| {
        let mut starved = STARVED.lock().unwrap_or_else(PoisonError::into_inner);
        starved.extend(names.get(i).cloned());
    };
    let together: Vec<usize> = order(program, units)
        .into_iter()
        .filter(|i| turns.get(*i) == Some(&Turn::Together))
        .collect();
    let jobs = jobs.clamp(1, together.len().max(1));
    let worker = || {
        while let Some((i, unit)) = together
            .get(next.fetch_add(1, Ordering::Relaxed))
            .and_then(|i| Some((*i, units.get(*i)?)))
        {
            if jobs == 1 {
                wait_for_memory(&Vec::new);
            }
            let (result, is_disturbed, is_greedy) = attempt(i, unit);
            if jobs == 1 && is_greedy {
                starve(i);
            }
            // With one job, no other unit took the memory.
            if jobs == 1 || !is_disturbed {
                put(i, Some(result));
                done(finished.fetch_add(1, Ordering::Relaxed) + 1);
            }
        }
    };
    with_stack(jobs, &worker);
    // What has no result yet was disturbed, or is to be alone.
    let is_open = |i: usize| {
        let results = results.lock().unwrap_or_else(PoisonError::into_inner);
        results.get(i).is_some_and(Option::is_none)
    };
    let rest = || {
        for (i, unit) in units.iter().enumerate() {
            if !is_open(i) {
                continue;
            }
            let result = match turns.get(i) {
                Some(Turn::GivenUp(stopped)) => Err(*stopped),
                Some(Turn::Together | Turn::Alone) | None => {
                    wait_for_memory(&|| {
                        let open = names.iter().zip(&turns).enumerate().skip(i);
                        open.filter(|(j, (_, turn))| **turn == Turn::Together && is_open(*j))
                            .map(|(_, (name, _))| name.clone())
                            .collect()
                    });
                    let (result, _, is_greedy) = attempt(i, unit);
                    if is_greedy {
                        starve(i);
                    }
                    result
                }
            };
            put(i, Some(result));
            done(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    with_stack(1, &rest);
    results
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .into_iter()
        .map(|result| result.unwrap_or(Err(Stopped::Panicked)))
        .collect()
}

/// Units that memory became short of while they were alone, in any stage: the process may not get back what one of them held before the
/// next stage.
static STARVED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Waits until there is memory for a unit. Where the process does not get back what greedy units held, another attempt of the run does
/// without these, so that the others have the memory that they have without them. Where it is not known which units these are, since
/// several were at work at once, each of those that were begun `together` and are open is alone in another attempt.
fn wait_for_memory(together: &dyn Fn() -> Vec<String>) {
    isolation::look_at_memory();
    let has_memory = memory::wait_while_short();
    let mut starved = STARVED.lock().unwrap_or_else(PoisonError::into_inner);
    if has_memory {
        // They gave it back.
        starved.clear();
    } else if !starved.is_empty() {
        isolation::start_again_without(&starved);
    } else {
        let together = together();
        if !together.is_empty() {
            isolation::start_again_apart(&together);
        }
    }
}

/// Runs so many workers, each with a stack for deep recursion.
fn with_stack(workers: usize, worker: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let spawned = std::thread::Builder::new()
                .stack_size(WORKER_STACK)
                .spawn_scoped(scope, worker);
            if spawned.is_err() {
                worker();
            }
        }
    });
}

/// What the units of a program may cost together: as much as so many of them may cost alone.
const WHOLE: u64 = 3;
/// Parts of what a unit may cost by itself that it may cost at first, where there are more: so many at least and at most.
const PARTS: (u64, u64) = (8, 64);

/// What the work for a unit cost.
pub(super) struct Cost {
    /// In points.
    pub(super) points: u64,
    /// Whether it was as much as it may.
    pub(super) is_cut: bool,
}

/// Work on a unit that may cost one in so many parts of what it may cost by itself.
type PartOfUnit<'w, T> = dyn Fn(&Unit, u32) -> T + Sync + 'w;

/// Does the work for all units like [`in_parallel`], so that they do not cost more than a program may. Every unit gets a part of what it may
/// cost by itself, as large as the number of units allows; what is left after that is shared by those to which it was not enough, in further
/// rounds, as long as their parts get larger. Parts depend on no clock and no order.
///
/// `work` is told which part the unit may cost (one in so many), `most` is what a unit may cost by itself.
#[allow(
    clippy::too_many_arguments,
    reason = "those of `in_parallel` and costs"
)]
pub(super) fn within_whole<T: Send>(
    stage: &str,
    program: &ir::Program,
    units: &[Unit],
    jobs: usize,
    most: u64,
    work: &PartOfUnit<'_, T>,
    cost: &dyn Fn(&T) -> Cost,
    done: &(dyn Fn(usize) + Sync),
) -> Vec<Result<T, Stopped>> {
    let mut part = first_part(units.len() as u64);
    let mut results = in_parallel(
        stage,
        program,
        units,
        jobs,
        &|unit| work(unit, part as u32),
        done,
    );
    let mut spent: u64 = results.iter().flatten().map(|r| cost(r).points).sum();
    loop {
        let is_cut = |r: &Result<T, Stopped>| r.as_ref().is_ok_and(|r| cost(r).is_cut);
        let cut: Vec<usize> = (0..units.len())
            .filter(|i| results.get(*i).is_some_and(is_cut))
            .collect();
        let Some(next) = next_part(
            part,
            cut.len() as u64,
            (WHOLE * most).saturating_sub(spent),
            most,
        ) else {
            break;
        };
        part = next;
        let again: Vec<Unit> = cut.iter().filter_map(|i| units.get(*i).cloned()).collect();
        let better = in_parallel(
            stage,
            program,
            &again,
            jobs,
            &|unit| work(unit, part as u32),
            &|_| {},
        );
        spent += better.iter().flatten().map(|r| cost(r).points).sum::<u64>();
        for (i, result) in cut.into_iter().zip(better) {
            if let Some(slot) = results.get_mut(i).filter(|_| result.is_ok()) {
                *slot = result;
            }
        }
    }
    results
}

/// Which part each of so many units may cost at first.
fn first_part(units: u64) -> u64 {
    if units <= WHOLE {
        1
    } else {
        units
            .div_ceil(WHOLE)
            .next_power_of_two()
            .clamp(PARTS.0, PARTS.1)
    }
}

/// Which part each of `cut` units may cost next, of what is `left` of the whole; `None`: no larger one than before.
fn next_part(part: u64, cut: u64, left: u64, most: u64) -> Option<u64> {
    let next = (cut * most).div_ceil(left.max(1)).next_power_of_two();
    (cut > 0 && left > 0 && next < part).then_some(next)
}

/// What results depend on apart from the program.
pub(super) fn context(versions: &str, options: &search::Options) -> String {
    format!("{versions} {}", options.identity())
}

/// The units' indices, those that are likely to take long first, so that none of them is started when all else is done.
pub(super) fn order(program: &ir::Program, units: &[Unit]) -> Vec<usize> {
    let cost = |unit: &Unit| {
        let Some(procedure) = program.procedures.get(&unit.callable) else {
            return 0;
        };
        let loops = procedure
            .blocks
            .iter()
            .filter(|b| b.loop_head.is_some())
            .count();
        let statements: usize = procedure.blocks.iter().map(|b| 1 + b.stmts.len()).sum();
        statements * (1 + 3 * loops) + 5 * procedure.params.len()
    };
    let mut order: Vec<(usize, usize)> = units.iter().map(cost).zip(0..).collect();
    order.sort_by_key(|(cost, i)| (std::cmp::Reverse(*cost), *i));
    order.into_iter().map(|(_, i)| i).collect()
}

/// What earlier runs know of a program's units.
pub(super) struct Recall<'m> {
    kept: Kept<'m>,
    closures: Closures,
}

impl<'m> Recall<'m> {
    /// `context`: what results depend on apart from the program.
    pub(super) fn new(
        program: &ir::Program,
        units: &[Unit],
        kept: Kept<'m>,
        context: &str,
    ) -> Self {
        Self {
            kept,
            closures: Closures::new(program, units.iter().map(|u| u.callable), context),
        }
    }

    /// The same where results also depend on the inputs that a pool has.
    fn with_pool(mut self, program: &ir::Program, pool: Option<&Pool>) -> Self {
        self.closures = self.closures.with_pool(program, pool);
        self
    }

    /// What is known of the unit if `is_good`; else what `find` finds, which is kept.
    pub(super) fn or_find<T: Serialize + DeserializeOwned>(
        &self,
        unit: CallableId,
        is_good: impl FnOnce(&T, bool) -> bool,
        find: impl FnOnce() -> T,
        is_kept: impl FnOnce(&T) -> bool,
    ) -> (T, bool) {
        let Some(closure) = self.closures.of(unit) else {
            return (find(), false);
        };
        if let Some(known) = self
            .known(closure.key(), &closure)
            .filter(|known| is_good(known, self.kept.retry))
        {
            return (known, true);
        }
        let found = find();
        if is_kept(&found) {
            self.keep(closure.key(), &closure, &found);
        }
        (found, false)
    }

    /// The same for a unit that may cost one in so many parts. What was cut is kept for that part alone; the rest is the same in all.
    pub(super) fn or_find_in_part<T: Serialize + DeserializeOwned>(
        &self,
        unit: CallableId,
        part: u32,
        is_good: impl Fn(&T, bool) -> bool,
        find: impl FnOnce() -> T,
        is_cut: impl Fn(&T) -> bool,
    ) -> T {
        let Some(closure) = self.closures.of(unit) else {
            return find();
        };
        let of_part = Key::of([&closure.key().0, part.to_le_bytes().as_slice()]);
        let known = [closure.key(), of_part]
            .into_iter()
            .filter_map(|key| self.known(key, &closure));
        if let Some(known) = known
            .into_iter()
            .find(|known| is_good(known, self.kept.retry))
        {
            return known;
        }
        let found = find();
        if !memory::is_short() {
            self.keep(
                if is_cut(&found) {
                    of_part
                } else {
                    closure.key()
                },
                &closure,
                &found,
            );
        }
        found
    }

    fn known<T: DeserializeOwned>(&self, key: Key, closure: &portable::Closure<'_>) -> Option<T> {
        self.kept
            .memory
            .recall(key)
            .and_then(|bytes| portable::from_bytes(&bytes, closure).ok())
    }

    fn keep<T: Serialize>(&self, key: Key, closure: &portable::Closure<'_>, found: &T) {
        if let Ok(bytes) = portable::to_bytes(found, closure) {
            self.kept.memory.keep(key, &bytes);
        }
    }
}

fn solve(
    program: &ir::Program,
    unit: &Unit,
    options: &search::Options,
    pool: Option<&Pool>,
    recall: Option<&Recall<'_>>,
) -> Solved {
    let find = || {
        Solved::new(
            program,
            search::search_unit_with(program, unit.callable, options, pool),
        )
    };
    // A transcript is of the run that asked for it.
    let Some(recall) = recall.filter(|_| !options.transcript) else {
        return find();
    };
    let is_good = |known: &Solved, retry: bool| {
        let result = &known.result;
        result.unit == unit.callable
            && known.constructions.len() == result.tests.len()
            && program
                .goals(unit.callable)
                .iter()
                .all(|(id, _)| result.goals.iter().any(|(g, _)| g == id))
            && !(retry && result.timed_out)
    };
    // What memory was too short for may have been another unit's doing, or that of a limit that is not part of the key.
    let (mut solved, cached) =
        recall.or_find(unit.callable, is_good, find, |found| !found.was_short());
    if cached {
        solved.cached = true;
        solved.result.times = search::Times::default();
    }
    solved
}

/// The result of a unit that has none.
fn failed(program: &ir::Program, unit: &Unit, stopped: Stopped) -> Solved {
    let mut result = UnitResult::unsupported(program, unit.callable, &stopped.into());
    let budget = if stopped == Stopped::Memory {
        Some(Budget::Memory)
    } else if stopped == Stopped::TooLong {
        Some(Budget::Clock)
    } else {
        None
    };
    if let Some(budget) = budget {
        for (_, status) in &mut result.goals {
            *status = GoalStatus::OutOfBudget(budget);
        }
    }
    Solved {
        result,
        constructions: Vec::new(),
        cached: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_share_what_a_program_may_cost() {
        assert_eq!(
            [1, 3, 4, 24, 60, 1000].map(first_part),
            [1, 1, 8, 8, 32, 64]
        );
        // Two units to which an eighth was not enough may cost all that they may.
        assert_eq!(next_part(8, 2, 250, 100), Some(1));
        assert_eq!(next_part(64, 10, 200, 100), Some(8));
        assert_eq!(next_part(8, 10, 100, 100), None);
        assert_eq!(next_part(8, 0, 300, 100), None);
        assert_eq!(next_part(8, 1, 0, 100), None);
        assert_eq!(next_part(1, 1, 300, 100), None);
    }
}
