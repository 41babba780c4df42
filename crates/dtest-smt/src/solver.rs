//! The interface to Z3: assert, check under assumptions within a budget, read a model.
//!
//! Key types: [`Solver`], [`Budget`], [`Answer`].

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use z3::ast::{Ast, BV, Bool, Dynamic, Int, Real};

use super::clock::ThreadClock;
use super::degree;
use super::eval::Assignment;
use super::pieces::pieces;
use super::print::Transcript;
use super::term::{BvOp, Const, Node, Sort, Term, Terms};

/// The budget of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The limit of Z3's resources, which is independent of the machine.
    pub rlimit: u32,
    /// A safety net: processor time, or eight times as much elapsed time.
    pub timeout: Duration,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable, with the values of the relevant variables.
    Sat(Assignment),
    /// Unsatisfiable, with the unsat core: the assumptions that the solver used.
    Unsat(Vec<Term>),
    /// Undecided within the budget, with the solver's reason.
    Unknown(String),
}

/// The statistics of a solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverStats {
    /// The number of queries.
    pub queries: u64,
    /// The number of undecided queries.
    pub unknown: u64,
    /// The time in queries.
    pub time: Duration,
    /// The resources spent by queries, as counted by Z3, independent of the machine.
    pub spent: u64,
    /// The number of queries stopped by the clock ([`Budget::timeout`]), which another machine may
    /// answer.
    pub stopped: u64,
}

/// Returns the version of the linked solver library as `major.minor.patch`.
pub fn available_version() -> String {
    z3::full_version().trim_start_matches("Z3 ").to_owned()
}

/// Limits the memory of all solvers together, in MiB. Must be called before the first solver is
/// created.
pub fn limit_memory(mebibytes: u64) {
    z3::set_global_param("memory_max_size", &mebibytes.to_string());
    MEMORY.store(mebibytes, Ordering::Relaxed);
}

/// The limit of the memory of all solvers in MiB; zero if there is none.
static MEMORY: AtomicU64 = AtomicU64::new(0);
/// Number of terms and assertions of a solver from one measurement of the memory to the next.
const MEASURED: u32 = 1_000;

/// Runs `work` in a new solver context, so that answers do not depend on earlier units.
pub fn with_fresh_context<R: Send + Sync>(work: impl FnOnce() -> R + Send + Sync) -> R {
    // Every solver would create the default pipeline of tactics for queries from scratch, which
    // takes milliseconds and is rarely needed.
    z3::set_global_param("tactic.default_tactic", "smt");
    // A panic must not leave the bindings: they would keep the new context as that of the thread,
    // with all of its memory, and terms of an outer search would meet the wrong context.
    let result = z3::with_z3_config(&z3::Config::new(), || {
        std::panic::catch_unwind(AssertUnwindSafe(work)).map_err(Mutex::new)
    });
    result.unwrap_or_else(|payload| {
        std::panic::resume_unwind(payload.into_inner().unwrap_or_else(PoisonError::into_inner))
    })
}

/// Runs optional `work` in a new solver context, as [`with_fresh_context`] does. Returns `None` if it
/// panicked: the bindings do so if the solver reaches the limit of its memory. What was found before
/// stays valid, so that the caller only lacks the answer. The shortage is counted
/// ([`dtest_limits::memory::solver_shortages`]), because other units may have taken the memory.
pub fn try_with_fresh_context<R: Send + Sync>(work: impl FnOnce() -> R + Send + Sync) -> Option<R> {
    let result = std::panic::catch_unwind(AssertUnwindSafe(|| with_fresh_context(work)));
    if result.is_err() {
        dtest_limits::memory::count_solver_shortage();
    }
    result.ok()
}

/// The degree of reals above which Z3 must not decide polynomials by their projections, which would
/// not terminate in practice. It continues with lemmas about signs and magnitudes of products.
const MAX_DEGREE: u32 = 6;

/// An incremental solver over the terms of one arena.
pub struct Solver {
    solver: z3::Solver,
    translated: FxHashMap<Term, Dynamic>,
    vars: Vec<Term>,
    asserted: Vec<Bool>,
    seed: u32,
    transcript: Option<Transcript>,
    stats: SolverStats,
    rlimit: u32,
    /// Z3's count of resources at the last reading.
    counted: u32,
    /// Number of terms and assertions since the last measurement of the memory.
    unmeasured: u32,
    /// Whether the memory is used up, so that no query is answered any more.
    is_full: bool,
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver")
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}

impl Solver {
    /// Creates a solver without assertions, in the thread's context.
    pub fn new(seed: u32, transcript: bool) -> Self {
        let solver = z3::Solver::new();
        let mut params = z3::Params::new();
        params.set_u32("random_seed", seed);
        solver.set_params(&params);
        // A scope keeps Z3 in its incremental core: the tactic pipeline takes hundreds of
        // milliseconds for each query.
        solver.push();
        let mut new = Self {
            solver,
            translated: FxHashMap::default(),
            vars: Vec::new(),
            asserted: Vec::new(),
            seed,
            transcript: transcript.then(Transcript::new),
            stats: SolverStats::default(),
            rlimit: 0,
            counted: 0,
            unmeasured: 0,
            is_full: false,
        };
        new.count();
        new.stats.spent = 0;
        new
    }

    /// Returns the statistics so far.
    pub fn stats(&self) -> SolverStats {
        self.stats
    }

    /// Returns the transcript so far, if one is recorded.
    pub fn transcript(&self) -> Option<&str> {
        self.transcript.as_ref().map(Transcript::text)
    }

    /// Asserts a boolean term.
    pub fn assert(&mut self, terms: &Terms, t: Term) {
        if let Some(log) = &mut self.transcript {
            log.assert(terms, t);
        }
        self.within_memory(|solver| {
            for piece in pieces(terms, t) {
                solver.name(terms, piece);
            }
            let b = solver.bool(terms, t);
            solver.add(b);
        });
    }

    /// Runs work that creates terms of Z3. If the memory is used up, everything that this solver holds
    /// is released, and it answers no query from then on: its user goes on without answers, and with
    /// what was found before.
    fn within_memory<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.is_full {
            return None;
        }
        let result = std::panic::catch_unwind(AssertUnwindSafe(|| work(self)));
        if result.is_err() {
            self.is_full = true;
            dtest_limits::memory::count_solver_shortage();
            self.translated = FxHashMap::default();
            self.asserted = Vec::new();
            self.vars = Vec::new();
            self.solver.reset();
        }
        result.ok()
    }

    /// Counts a term or an assertion, and gives up if the solvers hold half of their memory
    /// ([`Self::within_memory`]). Its tables grow by doubling, and it must not come to its own limit: an
    /// allocation that fails is counted all the same, so that later contexts have no memory either.
    fn measure(&mut self) {
        self.unmeasured += 1;
        if self.unmeasured >= MEASURED {
            self.unmeasured = 0;
            let most = MEMORY.load(Ordering::Relaxed) as f64;
            if let Some(z3::StatisticsValue::Double(held)) =
                self.solver.get_statistics().value("memory")
                && most > 0.0
                && held > most * 0.5
            {
                // Unlike a panic, this prints nothing.
                std::panic::resume_unwind(Box::new("the memory is used up"));
            }
        }
    }

    fn add(&mut self, fact: Bool) {
        self.measure();
        self.solver.assert(&fact);
        self.asserted.push(fact);
    }

    /// Introduces a variable that represents a term from here on.
    fn name(&mut self, terms: &Terms, t: Term) {
        let whole = self.translate(terms, t);
        let name: Dynamic = match terms.sort(t) {
            Sort::Bool => Bool::fresh_const("piece").into(),
            Sort::Int => Int::fresh_const("piece").into(),
            Sort::Real => Real::fresh_const("piece").into(),
            Sort::Bv(w) => BV::fresh_const("piece", w).into(),
        };
        self.add(Ast::eq(&name, whole));
        self.translated.insert(t, name);
    }

    /// Checks the assertions together with the assumptions.
    pub fn check(&mut self, terms: &Terms, assumptions: &[Term], budget: Budget) -> Answer {
        if let Some(error) = terms.errors().first() {
            return Answer::Unknown(format!("internal error: {error}"));
        }
        // Z3 leaves a false literal out of its cores: the contradiction would seem to need no
        // assumption at all.
        if assumptions.contains(&terms.ff) {
            if let Some(log) = &mut self.transcript {
                log.check(terms, assumptions, "unsat");
            }
            return Answer::Unsat(vec![terms.ff]);
        }
        self.within_memory(|solver| solver.answer(terms, assumptions, budget))
            .unwrap_or_else(|| self.without_memory())
    }

    /// The answer to a query for which there is no memory.
    fn without_memory(&mut self) -> Answer {
        self.stats.unknown += 1;
        Answer::Unknown("the solver's memory is used up".into())
    }

    fn answer(&mut self, terms: &Terms, assumptions: &[Term], budget: Budget) -> Answer {
        let literals: Vec<Bool> = assumptions.iter().map(|t| self.bool(terms, *t)).collect();
        let start = dtest_limits::clock::now();
        // The nonlinear engine may run without an end on products of high degree, so it is switched
        // off before the first query.
        if self.stats.queries == 0 && degree::of_reals(terms) > MAX_DEGREE {
            let mut params = z3::Params::new();
            params.set_bool("arith.nl.nra", false);
            self.solver.set_params(&params);
        }
        self.limit(budget.rlimit);
        let (result, is_stopped) = check_within(&self.solver, &literals, budget.timeout);
        self.stats.queries += 1;
        self.stats.time += start.elapsed();
        self.count();
        self.charge(is_stopped, budget);
        // An unsatisfiable query yields the assumptions that were needed.
        let answer = match result {
            z3::SatResult::Sat => match self.solver.get_model() {
                Some(model) => Answer::Sat(self.read(terms, &model)),
                None => Answer::Unknown("no model".into()),
            },
            z3::SatResult::Unsat => {
                let core = self.solver.get_unsat_core();
                Answer::Unsat(
                    assumptions
                        .iter()
                        .zip(&literals)
                        .filter(|(_, l)| core.iter().any(|c| c.ast_eq((*l).clone())))
                        .map(|(t, _)| *t)
                        .collect(),
                )
            }
            z3::SatResult::Unknown => {
                Answer::Unknown(self.solver.get_reason_unknown().unwrap_or_default())
            }
        };
        if matches!(answer, Answer::Unknown(_)) {
            self.stats.unknown += 1;
        }
        if let Some(log) = &mut self.transcript {
            let word = match &answer {
                Answer::Sat(_) => "sat",
                Answer::Unsat(_) => "unsat",
                Answer::Unknown(_) => "unknown",
            };
            log.check(terms, assumptions, word);
        }
        answer
    }

    /// Checks the assertions with the assumptions from scratch. Z3 then simplifies the whole
    /// formula first, which takes hundreds of milliseconds and helps where the incremental core
    /// gave up. Unsat cores are empty.
    pub fn check_afresh(&mut self, terms: &Terms, assumptions: &[Term], budget: Budget) -> Answer {
        if degree::of_reals(terms) > MAX_DEGREE {
            return Answer::Unknown("products of reals of too high a degree".into());
        }
        self.within_memory(|solver| solver.answer_afresh(terms, assumptions, budget))
            .unwrap_or_else(|| self.without_memory())
    }

    fn answer_afresh(&mut self, terms: &Terms, assumptions: &[Term], budget: Budget) -> Answer {
        let literals: Vec<Bool> = assumptions.iter().map(|t| self.bool(terms, *t)).collect();
        // A separate solver with another strategy, without state from earlier queries.
        let solver = z3::Tactic::new("default").solver();
        let mut params = z3::Params::new();
        params.set_u32("random_seed", self.seed);
        params.set_u32("rlimit", budget.rlimit);
        solver.set_params(&params);
        self.asserted
            .iter()
            .chain(&literals)
            .for_each(|b| solver.assert(b));
        let start = dtest_limits::clock::now();
        let (result, is_stopped) = check_within(&solver, &[], budget.timeout);
        self.stats.queries += 1;
        self.stats.time += start.elapsed();
        self.count();
        self.charge(is_stopped, budget);
        match result {
            z3::SatResult::Sat => match solver.get_model() {
                Some(model) => Answer::Sat(self.read(terms, &model)),
                None => Answer::Unknown("no model".into()),
            },
            z3::SatResult::Unsat => Answer::Unsat(Vec::new()),
            z3::SatResult::Unknown => {
                self.stats.unknown += 1;
                Answer::Unknown(solver.get_reason_unknown().unwrap_or_default())
            }
        }
    }

    /// Charges a query that the clock stopped with its whole budget: Z3 did not count it, and its
    /// actual cost depends on the machine.
    fn charge(&mut self, is_stopped: bool, budget: Budget) {
        if is_stopped {
            self.stats.stopped += 1;
            self.stats.spent += u64::from(budget.rlimit);
        }
    }

    /// Adds the resources since the last call. Z3 counts for the whole context.
    fn count(&mut self) {
        if let Some(z3::StatisticsValue::UInt(now)) =
            self.solver.get_statistics().value("rlimit count")
        {
            self.stats.spent += u64::from(now.wrapping_sub(self.counted));
            self.counted = now;
        }
    }

    fn limit(&mut self, rlimit: u32) {
        if self.rlimit != rlimit {
            let mut params = z3::Params::new();
            params.set_u32("rlimit", rlimit);
            self.solver.set_params(&params);
            self.rlimit = rlimit;
        }
    }

    /// Returns the values of the variables that the model contains.
    fn read(&self, terms: &Terms, model: &z3::Model) -> Assignment {
        let mut values = Assignment::default();
        for &v in &self.vars {
            let value = self
                .translated
                .get(&v)
                .and_then(|d| read_value(terms.sort(v), d, model));
            if let Some(value) = value {
                values.insert(v, value);
            }
        }
        values
    }

    fn bool(&mut self, terms: &Terms, t: Term) -> Bool {
        self.translate(terms, t)
            .as_bool()
            .unwrap_or_else(|| Bool::from_bool(false))
    }

    fn int(&mut self, terms: &Terms, t: Term) -> Int {
        self.translate(terms, t)
            .as_int()
            .unwrap_or_else(|| Int::from_i64(0))
    }

    fn real(&mut self, terms: &Terms, t: Term) -> Real {
        self.translate(terms, t)
            .as_real()
            .unwrap_or_else(|| Real::from_int(&Int::from_i64(0)))
    }

    fn bv(&mut self, terms: &Terms, t: Term) -> BV {
        self.translate(terms, t)
            .as_bv()
            .unwrap_or_else(|| BV::from_u64(0, 1))
    }

    fn translate(&mut self, terms: &Terms, t: Term) -> Dynamic {
        if let Some(d) = self.translated.get(&t) {
            return d.clone();
        }
        self.measure();
        let d = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.translate_node(terms, t));
        self.translated.insert(t, d.clone());
        d
    }

    fn translate_node(&mut self, terms: &Terms, t: Term) -> Dynamic {
        match terms.node(t) {
            Node::Const(c) => match c {
                Const::Bool(b) => Bool::from_bool(*b).into(),
                Const::Int(n) => big_int(n).into(),
                Const::Real(r) => big_rational(r).into(),
                Const::Bv(w, bits) => BV::from_str(*w, &bits.to_string())
                    .unwrap_or_else(|| BV::from_u64(0, *w))
                    .into(),
            },
            Node::Var(v) => {
                self.vars.push(t);
                let name = terms
                    .vars
                    .get(*v as usize)
                    .map_or_else(|| format!("v{v}"), Clone::clone);
                match terms.sort(t) {
                    Sort::Bool => Bool::new_const(name).into(),
                    Sort::Int => Int::new_const(name).into(),
                    Sort::Real => Real::new_const(name).into(),
                    Sort::Bv(w) => BV::new_const(name, w).into(),
                }
            }
            Node::Not(a) => self.bool(terms, *a).not().into(),
            Node::And(..) => {
                // Chains become one conjunction.
                let (mut parts, mut at) = (Vec::new(), t);
                while let Node::And(x, y) = terms.node(at) {
                    parts.push(self.bool(terms, *y));
                    at = *x;
                    if self.translated.contains_key(&at) {
                        break;
                    }
                }
                parts.push(self.bool(terms, at));
                Bool::and(&parts).into()
            }
            Node::Or(a, b) => Bool::or(&[self.bool(terms, *a), self.bool(terms, *b)]).into(),
            Node::Eq(a, b) => {
                let (a, b) = (self.translate(terms, *a), self.translate(terms, *b));
                Ast::eq(&a, b).into()
            }
            Node::Ite(c, a, b) => {
                let c = self.bool(terms, *c);
                let (a, b) = (self.translate(terms, *a), self.translate(terms, *b));
                c.ite(&a, &b)
            }
            Node::Lin(k, ts) => {
                use num_traits::{One, Zero};
                let mut parts: Vec<Int> = Vec::with_capacity(ts.len() + 1);
                for (t, c) in ts {
                    let x = self.int(terms, *t);
                    parts.push(if c.is_one() {
                        x
                    } else {
                        Int::mul(&[big_int(c), x])
                    });
                }
                if !k.is_zero() {
                    parts.push(big_int(k));
                }
                Int::add(&parts).into()
            }
            Node::Mul(a, b) => Int::mul(&[self.int(terms, *a), self.int(terms, *b)]).into(),
            Node::Div(a, b) => self.int(terms, *a).div(self.int(terms, *b)).into(),
            Node::Mod(a, b) => self.int(terms, *a).modulo(self.int(terms, *b)).into(),
            Node::NonNeg(a) => {
                // Moving the constant to the other side saves work in Z3's simplifier.
                let a = self.int(terms, *a);
                a.ge(Int::from_i64(0)).into()
            }
            Node::RAdd(a, b) => Real::add(&[self.real(terms, *a), self.real(terms, *b)]).into(),
            Node::RMul(a, b) => Real::mul(&[self.real(terms, *a), self.real(terms, *b)]).into(),
            Node::RDiv(a, b) => self.real(terms, *a).div(self.real(terms, *b)).into(),
            Node::RLe(a, b) => self.real(terms, *a).le(self.real(terms, *b)).into(),
            Node::ToReal(a) => Real::from_int(&self.int(terms, *a)).into(),
            Node::Floor(a) => Int::from_real(&self.real(terms, *a)).into(),
            Node::Bv(op, a, b) => {
                let (a, b) = (self.bv(terms, *a), self.bv(terms, *b));
                match op {
                    BvOp::Add => a.bvadd(b),
                    BvOp::Sub => a.bvsub(b),
                    BvOp::Mul => a.bvmul(b),
                    BvOp::Div => a.bvudiv(b),
                    BvOp::Rem => a.bvurem(b),
                    BvOp::And => a.bvand(b),
                    BvOp::Or => a.bvor(b),
                    BvOp::Xor => a.bvxor(b),
                    BvOp::Shl => a.bvshl(b),
                    BvOp::Shr => a.bvlshr(b),
                    BvOp::RotateLeft => a.bvrotl(b),
                    BvOp::RotateRight => a.bvrotr(b),
                }
                .into()
            }
            Node::BvNot(a) => self.bv(terms, *a).bvnot().into(),
            Node::Ult(a, b) => {
                let (a, b) = (self.bv(terms, *a), self.bv(terms, *b));
                a.bvult(b).into()
            }
            Node::BvToInt(a) => Int::from_bv(&self.bv(terms, *a), false).into(),
            Node::IntToBv(w, a) => BV::from_int(&self.int(terms, *a), *w).into(),
        }
    }
}

fn big_int(n: &BigInt) -> Int {
    match i64::try_from(n) {
        Ok(n) => Int::from_i64(n),
        Err(_) => n.to_string().parse().unwrap_or_else(|()| Int::from_i64(0)),
    }
}

fn big_rational(r: &BigRational) -> Real {
    Real::from_rational_str(&r.numer().to_string(), &r.denom().to_string())
        .unwrap_or_else(|| Real::from_int(&Int::from_i64(0)))
}

/// Checks with a second thread that interrupts after `timeout` of processor time, because Z3's own
/// timeout overshoots in old versions and counts elapsed time. Also returns whether it was
/// interrupted.
pub(super) fn check_within(
    solver: &z3::Solver,
    literals: &[Bool],
    timeout: Duration,
) -> (z3::SatResult, bool) {
    let is_stopped = AtomicBool::new(false);
    let context = z3::Context::thread_local();
    let handle = context.handle();
    let (done, wake) = (Mutex::new(false), Condvar::new());
    let clock = ThreadClock::start();
    let result = std::thread::scope(|scope| {
        // The watchdog measures the processor time of the solving thread, so a loaded machine does
        // not shorten the budget.
        scope.spawn(|| {
            let mut is_done = done.lock().unwrap_or_else(PoisonError::into_inner);
            while let Some(left) = clock.left(timeout) {
                is_done = wake
                    .wait_timeout_while(is_done, left, |done| !*done)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
                if *is_done {
                    return;
                }
            }
            drop(is_done);
            is_stopped.store(true, Ordering::Relaxed);
            handle.interrupt();
        });
        // A panic inside the solver counts as an unknown answer.
        let result =
            std::panic::catch_unwind(AssertUnwindSafe(|| solver.check_assumptions(literals)));
        *done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        wake.notify_all();
        result.unwrap_or(z3::SatResult::Unknown)
    });
    (result, is_stopped.into_inner())
}

/// Reads the value of a variable from its text, since values may be of any size. `None` if the
/// model leaves it open, or if it is irrational.
fn read_value(sort: Sort, var: &Dynamic, model: &z3::Model) -> Option<Const> {
    let value = model.get_const_interp(var)?;
    match sort {
        Sort::Bool => value.as_bool()?.as_bool().map(Const::Bool),
        Sort::Int => parse_number(&value.to_string())
            .filter(BigRational::is_integer)
            .map(|r| Const::Int(r.to_integer())),
        Sort::Real => parse_number(&value.to_string()).map(Const::Real),
        Sort::Bv(w) => {
            let text = value.to_string();
            let bits = if let Some(hex) = text.strip_prefix("#x") {
                BigUint::parse_bytes(hex.as_bytes(), 16)
            } else {
                text.strip_prefix("#b")
                    .and_then(|b| BigUint::parse_bytes(b.as_bytes(), 2))
            };
            bits.map(|b| Const::Bv(w, b))
        }
    }
}

/// Parses `5`, `5.0`, `(- 5)`, `(/ 1.0 3.0)`, or `(- (/ 1.0 3.0))`.
fn parse_number(text: &str) -> Option<BigRational> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix("(-").and_then(|t| t.strip_suffix(')')) {
        return parse_number(inner).map(|r| -r);
    }
    if let Some(inner) = text.strip_prefix("(/").and_then(|t| t.strip_suffix(')')) {
        let inner = inner.trim();
        let split = if inner.starts_with('(') {
            inner.find(')').map(|i| i + 1)
        } else {
            inner.find(' ')
        }?;
        let (n, d) = inner.split_at_checked(split)?;
        return Some(parse_number(n)? / parse_number(d)?);
    }
    let digits = text.strip_suffix(".0").unwrap_or(text);
    digits.parse::<BigInt>().ok().map(BigRational::from_integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Budget = Budget {
        rlimit: 1_000_000,
        timeout: Duration::from_secs(5),
    };

    #[test]
    fn models_hold_integers_beyond_machine_words() {
        let mut t = Terms::new();
        let x = t.fresh("x", Sort::Int);
        let big: BigInt = "-123456789012345678901234567890".parse().unwrap();
        let k = t.int(big.clone());
        let c = t.eq(x, k);
        let mut solver = Solver::new(0, false);
        solver.assert(&t, c);
        let Answer::Sat(model) = solver.check(&t, &[], BUDGET) else {
            panic!("expected a model")
        };
        assert_eq!(model.get(&x), Some(&Const::Int(big)));
    }

    #[test]
    fn cores_name_the_assumptions_used() {
        let mut t = Terms::new();
        let (a, b, c) = (
            t.fresh("a", Sort::Bool),
            t.fresh("b", Sort::Bool),
            t.fresh("c", Sort::Bool),
        );
        let not_b = t.not(b);
        let rule = t.implies(a, not_b);
        let mut solver = Solver::new(0, false);
        solver.assert(&t, rule);
        assert_eq!(
            solver.check(&t, &[a, b, c], BUDGET),
            Answer::Unsat(vec![a, b])
        );
        assert!(matches!(solver.check(&t, &[a, c], BUDGET), Answer::Sat(_)));
    }

    #[test]
    fn numbers_of_models_are_read() {
        for (text, n, d) in [
            ("5", 5, 1),
            ("5.0", 5, 1),
            ("(- 5)", -5, 1),
            ("(/ 1.0 3.0)", 1, 3),
            ("(- (/ 1.0 3.0))", -1, 3),
            ("(/ (- 1.0) 3.0)", -1, 3),
        ] {
            assert_eq!(
                parse_number(text),
                Some(BigRational::new(n.into(), d.into())),
                "{text}"
            );
        }
        assert_eq!(parse_number("(root-obj (+ (^ x 2) (- 2)) 1)"), None);
    }
}
