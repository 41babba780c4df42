//! A run as a sequence of attempts, so that the death of the engine's process costs the units at
//! work rather than the whole run.
//!
//! The budgets of units are enforced within the process. Some failures cannot be caught there:
//! memory that is allocated faster than it is measured, a stack overflow, a crash of a library. The
//! engine therefore records in a file which units it begins and ends ([`Attempt`]). If the process
//! dies, the launcher starts it again with that file ([`Plan::after`]):
//!
//! - A unit that was at work alone is abandoned.
//! - If several units were at work, each of them is searched alone, after all others.
//! - If the engine cannot free memory, it ends the attempt itself. The next attempt abandons the
//!   units that took the memory, if they are known, and otherwise searches the open units alone.
//!
//! Every further attempt adds a unit to one of the two sets, so there are at most about twice as
//! many attempts as units. Completed units come from the cache.
//!
//! The launcher and the engine both use this file; the launcher does not link Z3.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The environment variable with the path of the file.
pub const VARIABLE: &str = "DTEST_ATTEMPTS";

/// The environment variable that lets the launcher end with the process that started it.
pub const ENDS_WITH_PARENT: &str = "DTEST_ENDS_WITH_PARENT";

/// The reason why the process of an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The process needed too much memory.
    Memory,
    /// A unit was at work for too long.
    Time,
    /// The process crashed: a stack overflow, or a failure of a library.
    Crash,
    /// The user ended the process.
    Ended,
}

const CAUSES: [(Cause, &str); 4] = [
    (Cause::Memory, "memory"),
    (Cause::Time, "time"),
    (Cause::Crash, "crash"),
    (Cause::Ended, "ended"),
];

impl Cause {
    fn word(self) -> &'static str {
        CAUSES
            .iter()
            .find(|(cause, _)| *cause == self)
            .map_or("", |(_, word)| word)
    }

    fn of(word: &str) -> Option<Self> {
        CAUSES
            .iter()
            .find(|(_, w)| *w == word)
            .map(|(cause, _)| *cause)
    }
}

/// The treatment of units in an attempt, as a consequence of the ends of earlier attempts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Units that are abandoned, each with the cause.
    pub given_up: BTreeMap<String, String>,
    /// Units that are searched alone, after all others.
    pub alone: BTreeSet<String>,
    /// Hashes of the texts that were printed, each with the number of times.
    pub printed: BTreeMap<u64, usize>,
}

/// The end of an attempt, as its file tells it.
struct End {
    at_work: BTreeSet<String>,
    starved: BTreeSet<String>,
    apart: BTreeSet<String>,
    cause: Option<Cause>,
}

impl Plan {
    /// Reads the plan of a file. An incomplete line is ignored: the process ended while it was
    /// written.
    pub fn of(text: &str) -> Self {
        Self::read(text).0
    }

    /// Returns the plan of the attempt after the one that wrote the file, or `None` if another
    /// attempt would have the same outcome. `cause` is the reason that the exit status suggests; a
    /// cause that the engine recorded takes precedence.
    pub fn after(text: &str, cause: Cause) -> Option<Self> {
        let (mut plan, end) = Self::read(text);
        let cause = end.cause.unwrap_or(cause);
        if cause == Cause::Ended {
            return None;
        }
        // The engine knows the units that took the memory: they are abandoned.
        if !end.starved.is_empty() {
            let memory = Cause::Memory.word();
            let starved = end.starved.into_iter();
            plan.given_up
                .extend(starved.map(|unit| (unit, memory.to_owned())));
            return Some(plan);
        }
        // The engine asked for units to be searched alone. A plan that gains no unit would repeat
        // the attempt, so the rules below apply.
        let before = plan.alone.len();
        plan.alone.extend(end.apart);
        if plan.alone.len() > before {
            return Some(plan);
        }
        // The process died without a record: any unit at work may have been the cause.
        let mut at_work = end.at_work.into_iter();
        match (at_work.next(), at_work.next()) {
            (None, _) => return None,
            // No other unit was at work, so this one is the cause.
            (Some(unit), None) => {
                plan.alone.remove(&unit);
                plan.given_up.insert(unit, cause.word().to_owned());
            }
            (Some(first), Some(second)) => {
                let before = plan.alone.len();
                plan.alone
                    .extend([first, second].into_iter().chain(at_work));
                // Units of `alone` are never at work together, so this file is inconsistent.
                if plan.alone.len() == before {
                    return None;
                }
            }
        }
        Some(plan)
    }

    /// Returns the reason why a unit is abandoned, if it is.
    pub fn cause(&self, unit: &str) -> Option<Cause> {
        self.given_up.get(unit).and_then(|word| Cause::of(word))
    }

    fn read(text: &str) -> (Self, End) {
        let mut plan = Self::default();
        let mut end = End {
            at_work: BTreeSet::new(),
            starved: BTreeSet::new(),
            apart: BTreeSet::new(),
            cause: None,
        };
        for line in text.split_inclusive('\n') {
            let Some((word, rest)) = line.strip_suffix('\n').and_then(|l| l.split_once('\t'))
            else {
                continue;
            };
            match word {
                "begin" => {
                    end.at_work.insert(rest.to_owned());
                }
                "end" => {
                    end.at_work.remove(rest);
                }
                "starved" => {
                    end.starved.insert(rest.to_owned());
                }
                "apart" => {
                    end.apart.insert(rest.to_owned());
                }
                "cause" => end.cause = Cause::of(rest),
                "alone" => {
                    plan.alone.insert(rest.to_owned());
                }
                "given-up" => {
                    if let Some((cause, unit)) = rest.split_once('\t') {
                        plan.given_up.insert(unit.to_owned(), cause.to_owned());
                    }
                }
                "printed" => {
                    if let Ok(hash) = rest.parse() {
                        *plan.printed.entry(hash).or_default() += 1;
                    }
                }
                _unknown => {}
            }
        }
        (plan, end)
    }

    /// Formats the plan as a file.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for unit in &self.alone {
            let _ = writeln!(text, "alone\t{unit}");
        }
        for (unit, cause) in &self.given_up {
            let _ = writeln!(text, "given-up\t{cause}\t{unit}");
        }
        for (hash, times) in &self.printed {
            for _ in 0..*times {
                let _ = writeln!(text, "printed\t{hash}");
            }
        }
        text
    }
}

/// Returns the file for the text on standard input, which only one attempt can read. `path` is the file
/// of the attempts.
pub fn standard_input(path: &Path) -> PathBuf {
    path.with_extension("stdin")
}

/// The file of an attempt, written by the engine. Write errors are ignored: the death of the
/// process then ends the run, as it would without the file.
pub struct Attempt {
    plan: Plan,
    file: Mutex<Option<std::fs::File>>,
    path: PathBuf,
    /// Texts that earlier attempts printed and this one has not reached yet.
    left: Mutex<BTreeMap<u64, usize>>,
}

impl Attempt {
    /// Reads the attempt whose plan is in a file, which may not exist yet.
    pub fn of(path: &Path) -> Self {
        let plan = std::fs::read_to_string(path).map_or_else(|_| Plan::default(), |t| Plan::of(&t));
        Self {
            left: Mutex::new(plan.printed.clone()),
            plan,
            file: Mutex::new(None),
            path: path.to_owned(),
        }
    }

    /// Returns the file for the text on standard input, and whether an earlier attempt of this run
    /// may have written it.
    pub fn standard_input(&self) -> (PathBuf, bool) {
        let is_later = self.plan != Plan::default();
        (standard_input(&self.path), is_later)
    }

    /// Returns the plan of this attempt.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Records that a unit is begun.
    pub fn begin(&self, unit: &str) {
        self.write("begin", unit);
    }

    /// Records that a unit is done.
    pub fn end(&self, unit: &str) {
        self.write("end", unit);
    }

    /// Records that a unit needs more memory than there is.
    pub fn give_up(&self, unit: &str) {
        self.write("starved", unit);
    }

    /// Records that a unit must be searched alone.
    pub fn set_apart(&self, unit: &str) {
        self.write("apart", unit);
    }

    /// Records why the process is about to end.
    pub fn cause(&self, cause: Cause) {
        self.write("cause", cause.word());
    }

    /// Whether an earlier attempt printed the text. If not, records that this one does.
    pub fn is_printed(&self, text: &str) -> bool {
        let hash = hash(text);
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(times) = left.get_mut(&hash).filter(|times| **times > 0) {
            *times -= 1;
            return true;
        }
        self.write("printed", &hash.to_string());
        false
    }

    fn write(&self, word: &str, rest: &str) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.is_none() {
            *file = std::fs::File::options()
                .append(true)
                .create(true)
                .open(&self.path)
                .ok();
        }
        if let Some(file) = &mut *file {
            // A single write, so that a line is complete even if the process dies.
            let _ = file.write_all(format!("{word}\t{rest}\n").as_bytes());
        }
    }
}

/// FNV-1a hash (Fowler, Noll and Vo).
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{Cause, Plan};

    fn after(text: &str) -> Option<Plan> {
        Plan::after(text, Cause::Crash)
    }

    #[test]
    fn a_unit_that_was_alone_at_work_is_given_up() {
        let plan = after("begin\tA\nbegin\tB\nend\tA\n").unwrap();
        assert_eq!(plan.cause("B"), Some(Cause::Crash));
        assert_eq!(plan.cause("A"), None);
    }

    #[test]
    fn of_several_units_at_work_each_is_searched_alone_first() {
        let plan = after("begin\tA\nbegin\tB\n").unwrap();
        assert!(plan.given_up.is_empty());
        assert_eq!(plan.alone.iter().collect::<Vec<_>>(), ["A", "B"]);
        let next = after(&(plan.text() + "begin\tC\nend\tC\nbegin\tA\nend\tA\nbegin\tB\n"));
        let next = next.unwrap();
        assert_eq!(next.cause("B"), Some(Cause::Crash));
        assert_eq!(next.alone.iter().collect::<Vec<_>>(), ["A"]);
    }

    #[test]
    fn the_end_that_the_engine_reports_takes_precedence() {
        let plan = after("begin\tA\ncause\tmemory\n").unwrap();
        assert_eq!(plan.cause("A"), Some(Cause::Memory));
        assert_eq!(after("begin\tA\ncause\tended\n"), None);
    }

    #[test]
    fn units_that_left_no_memory_to_others_are_given_up() {
        let plan = after("begin\tA\nend\tA\nstarved\tA\ncause\tmemory\n").unwrap();
        assert_eq!(plan.cause("A"), Some(Cause::Memory));
    }

    #[test]
    fn units_that_no_single_one_left_memory_to_are_searched_alone() {
        let plan = after("begin\tA\nend\tA\napart\tA\napart\tB\ncause\tmemory\n").unwrap();
        assert!(plan.given_up.is_empty());
        assert_eq!(plan.alone.iter().collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!(after(&(plan.text() + "apart\tA\n")), None);
    }

    #[test]
    fn without_a_unit_at_work_there_is_no_further_attempt() {
        assert_eq!(after(""), None);
        assert_eq!(after("begin\tA\nend\tA\nprinted\t7\n"), None);
    }

    #[test]
    fn every_attempt_adds_to_the_plan_or_is_the_last() {
        // Two units that are searched alone are never at work together.
        assert_eq!(after("alone\tA\nalone\tB\nbegin\tA\nbegin\tB\n"), None);
    }

    #[test]
    fn a_plan_is_read_as_it_was_written_and_a_torn_line_is_left_out() {
        let plan = after("printed\t7\nprinted\t7\nbegin\tA\tb c\nend\tno\nbegi").unwrap();
        assert_eq!(Plan::of(&plan.text()), plan);
        assert_eq!(plan.printed.get(&7), Some(&2));
    }
}
