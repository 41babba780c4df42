//! Parallel work on units, and the cache of results.
//!
//! [`in_parallel`] runs work on all units, [`within_whole`] does so within the shared budget of a
//! program, and [`Recall`] looks up and stores results. The hard part is memory: a unit that
//! exhausts it disturbs the others, so their results must not depend on it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use dafny_resolve::typed::CallableId;
use dtest_interp::Inputs;
use dtest_ir as ir;
use dtest_ir::reason::Stopped;
use dtest_limits::memory;
use dtest_lower::units::Unit;
use dtest_search::pool::Pool;
use dtest_search::portable::{self, Closures, Key};
use dtest_search::{self as search, Budget, GoalStatus, UnitResult};
use dtest_sorted::SortedMap;
use dtest_value::{Construction, ObjectId};

use super::isolation::{self, Turn};

/// Stack size of a worker, in bytes of virtual memory.
const WORKER_STACK: usize = 1 << 29;

/// The result of a unit before anything is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// The result of the search.
    pub result: UnitResult,
    /// For each test, the calls that construct the objects of its heap.
    pub constructions: Vec<SortedMap<ObjectId, Construction>>,
    /// Whether the result comes from the cache.
    #[serde(skip)]
    pub cached: bool,
}

impl Solved {
    /// Completes a result of the search.
    pub fn new(program: &ir::Program, result: UnitResult) -> Self {
        let mut constructor = search::construct::Constructor::knowing(program, &result.made);
        let mut of_test = |inputs: &Inputs| {
            let heap = super::cases::redefined(&program.typed, inputs).0;
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

/// A persistent store of bytes by key.
pub trait Memory: Sync {
    /// Returns the bytes stored under the key, if they are still there.
    fn recall(&self, key: Key) -> Option<Vec<u8>>;
    /// Stores bytes. Errors are ignored.
    fn keep(&self, key: Key, bytes: &[u8]);
}

/// The cache and the versions that results depend on.
#[derive(Clone, Copy)]
pub struct Kept<'m> {
    /// The store.
    pub memory: &'m dyn Memory,
    /// The versions of this program and of Z3.
    pub versions: &'m str,
    /// Whether units that the clock stopped are searched again.
    pub retry: bool,
}

/// Searches all units on `jobs` threads. Results are in the order of `units`. Cached results are
/// reused, and each new result is cached as soon as its unit is done. `done` is called with the
/// number of finished units after each unit.
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
    // Units that did not start yet share the time that is left, if it is limited.
    let left = AtomicUsize::new(units.len());
    let search = |unit: &Unit| {
        let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        let options = options.with_share(before.unwrap_or(1), jobs);
        solve(program, unit, &options, pool.as_ref(), recall.as_ref())
    };
    let solved = in_parallel("search", program, units, jobs, &search, done);
    solved
        .into_iter()
        .zip(units)
        .map(|(solved, unit)| solved.unwrap_or_else(|stopped| failed(program, unit, stopped)))
        .collect()
}

/// The inputs that a program has for its own units, where tests are added for mutants.
pub(super) fn pool(program: &ir::Program, options: &search::Options) -> Option<Pool> {
    match options.strength {
        search::Strength::Mutants => pool_of(program),
        search::Strength::Coverage => None,
    }
}

/// The inputs that a program has for its own units. `None` if they could not be made.
pub(super) fn pool_of(program: &ir::Program) -> Option<Pool> {
    let pool: Mutex<Option<Pool>> = Mutex::new(None);
    with_stack(1, &|| {
        let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Pool::of(program)));
        *pool.lock().unwrap_or_else(PoisonError::into_inner) = made.ok();
    });
    pool.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on all units on `jobs` threads; results are in the order of `units`. The error case
/// is the reason for a missing result: the work panicked, or it ended an earlier attempt of the run
/// ([`isolation`]). `stage` names the work.
///
/// One unit may take the memory of all. Work during which memory became short is repeated alone, so
/// that the results of other units are independent of that unit. `done` is called with the number
/// of finished units after each unit.
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
    let attempt = |i: usize, unit: &Unit| {
        let name = names.get(i).map_or("", String::as_str);
        attempt(name, &|| work(unit))
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
            // With one job, no other unit took the memory, so the result is final.
            if jobs == 1 || !is_disturbed {
                put(i, Some(result));
                done(finished.fetch_add(1, Ordering::Relaxed) + 1);
            }
        }
    };
    with_stack(jobs, &worker);
    // The remaining units were disturbed, or must run alone.
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

/// Works on one unit. A panic costs only its unit. The other two results are whether the work was
/// disturbed by a shortage of memory, and whether this unit caused it if it was alone.
fn attempt<T>(name: &str, work: &dyn Fn() -> T) -> (Result<T, Stopped>, bool, bool) {
    isolation::look_at_memory();
    let (was_short, shortages) = (memory::is_short(), memory::shortages());
    let solver_shortages = memory::solver_shortages();
    let result = isolation::at_work(name, || {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
    });
    // Memory that the process does not return counts for this unit, not for the next one.
    isolation::look_at_memory();
    let became_short = memory::shortages() != shortages;
    // If memory runs out, Z3 may fail in any thread.
    let is_disturbed = was_short
        || became_short
        || result.is_err()
        || memory::solver_shortages() != solver_shortages;
    // If memory was short before the unit began, another unit caused the shortage.
    let is_greedy = !was_short && became_short;
    (
        result.map_err(|_| Stopped::Panicked),
        is_disturbed,
        is_greedy,
    )
}

/// Units that exhausted the memory while they were alone, in any stage. The process may not return
/// their memory before the next stage.
static STARVED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Waits until there is memory for a unit. If the process does not return the memory of greedy
/// units, starts another attempt of the run without them, so that the other units have as much
/// memory as they would have otherwise. If the greedy units are unknown, because several were at
/// work, starts an attempt in which each open unit of `together` runs alone.
fn wait_for_memory(together: &dyn Fn() -> Vec<String>) {
    isolation::look_at_memory();
    let has_memory = memory::wait_while_short();
    let mut starved = STARVED.lock().unwrap_or_else(PoisonError::into_inner);
    if has_memory {
        // The memory was returned.
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

/// Runs `workers` threads, each with a stack for deep recursion.
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

/// Budget of all units of a program, as a multiple of the budget of one unit.
const WHOLE: u64 = 3;
/// The first part of a unit's budget, if there are many units: minimum and maximum divisor.
const PARTS: (u64, u64) = (8, 64);

/// The cost of the work on a unit.
pub(super) struct Cost {
    /// The cost in points.
    pub(super) points: u64,
    /// Whether the budget was exhausted.
    pub(super) is_cut: bool,
}

/// Work on a unit with a fraction of its budget; the second argument is the divisor.
type PartOfUnit<'w, T> = dyn Fn(&Unit, u32) -> T + Sync + 'w;

/// Runs `work` on all units like [`in_parallel`], within the budget of a program. Every unit first
/// gets a part of its own budget that depends on the number of units. The rest is divided among the
/// units that exhausted their part, in further rounds, as long as the parts grow. Parts depend
/// neither on the clock nor on the order of work.
///
/// `work` gets the divisor of the unit's budget; `most` is the budget of one unit.
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
    // Each round repeats the units that were cut with a larger part. The divisor at least halves,
    // so the loop ends.
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

/// Returns the divisor of the budget in the first round, given the number of units.
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

/// Returns the divisor of the budget in the next round for `cut` units, of which `left` of the
/// whole budget remains; `None` if their parts would not grow.
fn next_part(part: u64, cut: u64, left: u64, most: u64) -> Option<u64> {
    let next = (cut * most).div_ceil(left.max(1)).next_power_of_two();
    (cut > 0 && left > 0 && next < part).then_some(next)
}

/// Returns the inputs of results other than the program: versions and options.
pub(super) fn context(versions: &str, options: &search::Options) -> String {
    format!("{versions} {}", options.identity())
}

/// Returns the indices of the units, expensive ones first, so that none of them starts last.
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

/// The cached results of a program's units.
pub(super) struct Recall<'m> {
    kept: Kept<'m>,
    closures: Closures,
}

impl<'m> Recall<'m> {
    /// Looks up the keys of units. `context` has the inputs of results other than the program.
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
    pub(super) fn with_pool(mut self, program: &ir::Program, pool: Option<&Pool>) -> Self {
        self.closures = self.closures.with_pool(program, pool);
        self
    }

    /// Returns the cached result of the unit if `is_good`, or else the result of `find`, which is
    /// cached.
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

    /// [`Self::or_find`] for a unit with a part of its budget. A result that was cut is cached for
    /// that part alone; a complete result is valid for all parts.
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
    // A transcript requires that the queries are executed in this run.
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
    // A result that the limit of the run cut is not cached either: the next run may have more time.
    let is_kept =
        |found: &Solved| !(found.was_short() || options.until.is_some() && found.result.timed_out);
    // A result with a shortage of memory is not cached: another unit, or a limit that is not part
    // of the key, may have caused it.
    let (mut solved, cached) = recall.or_find(unit.callable, is_good, find, is_kept);
    if cached {
        solved.cached = true;
        solved.result.times = search::Times::default();
    }
    solved
}

/// Returns the result of a unit whose work was stopped.
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
    fn units_share_the_budget_of_the_program() {
        assert_eq!(
            [1, 3, 4, 24, 60, 1000].map(first_part),
            [1, 1, 8, 8, 32, 64]
        );
        // Two units that exhausted an eighth may use their whole budget.
        assert_eq!(next_part(8, 2, 250, 100), Some(1));
        assert_eq!(next_part(64, 10, 200, 100), Some(8));
        assert_eq!(next_part(8, 10, 100, 100), None);
        assert_eq!(next_part(8, 0, 300, 100), None);
        assert_eq!(next_part(8, 1, 0, 100), None);
        assert_eq!(next_part(1, 1, 300, 100), None);
    }
}
