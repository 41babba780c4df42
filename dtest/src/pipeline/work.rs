//! Units on several threads, and what earlier runs know of them.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use crate::interp::Inputs;
use crate::ir;
use crate::lower::units::Unit;
use crate::portable::{self, Closure, Closures, Key};
use crate::search::{self, UnitResult};
use crate::value::{Construction, ObjectId};

/// Bytes of virtual memory for the stack of a worker.
const WORKER_STACK: usize = 1 << 29;

/// What is found out about a unit before anything is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// What the search found.
    pub result: UnitResult,
    /// For each test, calls that make objects of its heap.
    pub constructions: Vec<BTreeMap<ObjectId, Construction>>,
    /// Whether an earlier run found it.
    #[serde(skip)]
    pub cached: bool,
}

impl Solved {
    /// What belongs to a result of the search.
    pub fn new(program: &ir::Program, result: UnitResult) -> Self {
        let of_test = |inputs: &Inputs| search::construct::constructions(program, &super::redefined(&program.typed, inputs).0);
        let constructions = result.tests.iter().map(|t| of_test(&t.inputs)).collect();
        Self { result, constructions, cached: false }
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
    // A transcript is of the run that asked for it.
    let kept = kept.filter(|_| !options.transcript);
    let closures = kept.map(|k| Closures::new(program, units.iter().map(|u| u.callable), &context(k.versions, options)));
    let memory = kept.zip(closures.as_ref()).map(|(k, closures)| Recall { memory: k.memory, closures });
    let solved = in_parallel(program, units, jobs, &|unit| solve(program, unit, options, memory.as_ref()), done);
    solved.into_iter().zip(units).map(|(s, unit)| s.unwrap_or_else(|| failed(program, unit))).collect()
}

/// Does the work for all units, `jobs` at a time; results are in the order of `units` whatever the order of the work. `None`: the
/// work panicked. `done` is told the number of finished units after each.
pub(super) fn in_parallel<T: Send>(
    program: &ir::Program,
    units: &[Unit],
    jobs: usize,
    work: &(dyn Fn(&Unit) -> T + Sync),
    done: &(dyn Fn(usize) + Sync),
) -> Vec<Option<T>> {
    let order = order(program, units);
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<T>>> = Mutex::new(units.iter().map(|_| None).collect());
    let worker = || {
        while let Some((i, unit)) = order.get(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((*i, units.get(*i)?))) {
            // A bug of ours costs the unit that shows it.
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(unit))).ok();
            if let Ok(mut results) = results.lock()
                && let Some(slot) = results.get_mut(i)
            {
                *slot = result;
            }
            done(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, units.len().max(1)) {
            let spawned = std::thread::Builder::new().stack_size(WORKER_STACK).spawn_scoped(scope, worker);
            if spawned.is_err() {
                worker();
            }
        }
    });
    results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// What results depend on apart from the program.
pub(super) fn context(versions: &str, options: &search::Options) -> String {
    format!("{versions} {options:?}")
}

/// The units' indices, those that are likely to take long first, so that none of them is started when all else is done.
pub(super) fn order(program: &ir::Program, units: &[Unit]) -> Vec<usize> {
    let cost = |unit: &Unit| {
        let Some(procedure) = program.procedures.get(&unit.callable) else { return 0 };
        let loops = procedure.blocks.iter().filter(|b| b.loop_head.is_some()).count();
        let statements: usize = procedure.blocks.iter().map(|b| 1 + b.stmts.len()).sum();
        statements * (1 + 3 * loops) + 5 * procedure.params.len()
    };
    let mut order: Vec<(usize, usize)> = units.iter().map(cost).zip(0..).collect();
    order.sort_by_key(|(cost, i)| (std::cmp::Reverse(*cost), *i));
    order.into_iter().map(|(_, i)| i).collect()
}

/// Memory with the keys of a program's units.
struct Recall<'m> {
    memory: &'m dyn Memory,
    closures: &'m Closures,
}

fn solve(program: &ir::Program, unit: &Unit, options: &search::Options, memory: Option<&Recall<'_>>) -> Solved {
    let closure = memory.and_then(|m| m.closures.of(unit.callable));
    let at = memory.zip(closure.as_ref());
    if let Some(solved) = at.and_then(|(m, closure)| recall(program, unit, m, closure)) {
        return solved;
    }
    let solved = Solved::new(program, search::search_unit(program, unit.callable, options));
    // What the clock cut short may come out better another time.
    if let Some((m, closure)) = at.filter(|_| !is_cut_short(&solved.result, options))
        && let Ok(bytes) = portable::to_bytes(&solved, closure)
    {
        m.memory.keep(closure.key(), &bytes);
    }
    solved
}

fn recall(program: &ir::Program, unit: &Unit, memory: &Recall<'_>, closure: &Closure<'_>) -> Option<Solved> {
    let bytes = memory.memory.recall(closure.key())?;
    let mut solved: Solved = portable::from_bytes(&bytes, closure).ok()?;
    let result = &solved.result;
    let is_whole = result.unit == unit.callable
        && solved.constructions.len() == result.tests.len()
        && program.goals(unit.callable).iter().all(|(id, _)| result.goals.iter().any(|(g, _)| g == id));
    solved.cached = true;
    solved.result.times = search::Times::default();
    is_whole.then_some(solved)
}

/// Whether the wall clock may have had a say in the result.
pub fn is_cut_short(result: &UnitResult, options: &search::Options) -> bool {
    result.times.total >= options.timeout
}

/// The result where the search panicked, which is said.
fn failed(program: &ir::Program, unit: &Unit) -> Solved {
    let result = UnitResult::unsupported(program, unit.callable, "a bug of cargo dtest: the search panicked");
    Solved { result, constructions: Vec::new(), cached: false }
}
