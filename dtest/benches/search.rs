//! Benchmark of the search: queries, tests and seconds; `cargo xtask bench` runs it.
//!
//! Table 1: four algorithms that cover the blocks of random programs of 2 to 9 diamonds (after
//! Christ, Hoenicke, Schäf, *Bounded Program Verification using an SMT Solver*, section 7): one
//! model per path (AlgPC), enabling clauses (AlgSC), one query per block, and the block first whose
//! paths have the most open blocks. All use the same encoding, and a separate solver each.
//!
//! Table 2: nine functions of the shapes that DTest was measured on (Fedchin et al., NFM 2023,
//! table 2), greedy and optimal.
//!
//! Table 3: call trees of growing depth, covered through their root.
//!
//! Table 4: `check` on the functions of table 2 and on the listings of Spettel's thesis on Delfy
//! (2013).

mod trees;

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dtest_encode::{self as encode, Bounds, Encoding, Mode};
use dtest_ir::{BlockId, Criteria, GoalId, Procedure, Program};
use dtest_lower as lower;
use dtest_search::check::{Verdict, check_unit};
use dtest_search::{Minimize, Options, search_unit};
use dtest_smt::{self as smt, Answer, Assignment, Budget, Evaluator, Solver, Sort, Term};
use dtest_sorted::{SortedMap, SortedSet};

/// Number of programs for each number of diamonds.
const PROGRAMS: u64 = 10;

const FUNCTIONS: &str = include_str!("programs/functions.dfy");
const DELFY: &str = include_str!("../../tests/cli/delfy.dfy");

fn main() {
    let work = std::thread::Builder::new().stack_size(1 << 29).spawn(|| {
        if std::env::args().any(|a| a == "trees") {
            return trees::trees();
        }
        algorithms();
        println!();
        suites();
        println!();
        trees::trees();
        println!();
        violations();
    });
    if let Ok(work) = work {
        let _ = work.join();
    }
}

/// Lowers a program, which must have no errors.
fn program(text: &str) -> Program {
    lower::lower_for(Arc::new(typed(text)), Criteria::default())
}

fn typed(text: &str) -> dafny_resolve::typed::Program {
    let (file, mut diagnostics) = dafny_syntax::parse(0, text);
    let (typed, more) =
        dafny_resolve::resolve(vec![file], dafny_resolve::typed::Options::default());
    diagnostics.extend(more);
    let errors: Vec<_> = diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| &d.message)
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    typed
}

/// Prints the verdicts on obligations and their cost.
fn violations() {
    println!("check: obligations, what is known of them, executions, queries and seconds");
    println!(
        "{:<12} {:>8} {:>8} {:>6} {:>7} {:>6}  {:>10} {:>8} {:>8}",
        "program",
        "obligations",
        "violated",
        "holds",
        "within",
        "open",
        "executions",
        "queries",
        "s"
    );
    for (name, text) in [("functions", FUNCTIONS), ("delfy", DELFY)] {
        let program = lower::lower_for(
            Arc::new(dtest_desugar::unghosted(typed(text))),
            Criteria::obligations(),
        );
        let start = Instant::now();
        let units = lower::units::units_with_obligations(&program.typed, |_| true);
        let results: Vec<_> = units
            .iter()
            .map(|u| check_unit(&program, u.callable, &Options::default()))
            .collect();
        let seconds = start.elapsed().as_secs_f64();
        let (mut violated, mut holds, mut within, mut open) = (0, 0, 0, 0);
        for (_, verdict) in results.iter().flat_map(|r| &r.obligations) {
            match verdict {
                Verdict::Violated(_) => violated += 1,
                Verdict::Holds | Verdict::HoldsAssuming(_) | Verdict::NotReached => holds += 1,
                Verdict::HoldsWithin { .. } => within += 1,
                Verdict::Open(_) => open += 1,
            }
        }
        let (executions, queries) = results
            .iter()
            .fold((0, 0), |(e, q), r| (e + r.executions, q + r.queries));
        let obligations = violated + holds + within + open;
        println!(
            "{name:<12} {obligations:>8} {violated:>8} {holds:>6} {within:>7} {open:>6}  {executions:>10} {queries:>8} {seconds:>8.3}"
        );
    }
}

/// A pseudo-random number generator with the same results on every machine (Knuth's linear
/// congruential generator).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

/// Generates a method of `n` diamonds in a row, as section 7 of the paper describes its programs.
///
/// Each diamond has two levels of nested conditionals, so four paths. A block has three statements;
/// a block that a condition guards has the condition for one of them. The arithmetic is linear over
/// ten to twenty unbounded integers, all of which are modified. The paper leaves the rest open:
/// here variables start at unknown values, and one in three assignments assigns a constant.
fn diamonds(n: u64, seed: u64) -> String {
    let mut shape = Diamonds {
        random: Random(n * 1000 + seed),
        variables: 0,
        text: String::new(),
    };
    shape.variables = 10 + shape.random.below(11);
    let inputs: Vec<String> = (0..shape.variables).map(|i| format!("p{i}: int")).collect();
    let results: Vec<String> = (0..shape.variables).map(|i| format!("v{i}: int")).collect();
    let _ = writeln!(
        shape.text,
        "method M({}) returns ({}) {{",
        inputs.join(", "),
        results.join(", ")
    );
    for i in 0..shape.variables {
        let _ = writeln!(shape.text, "v{i} := p{i};");
    }
    for _ in 0..n {
        shape.block(3);
        shape.conditional(2);
        shape.block(3);
    }
    shape.text + "}\n"
}

/// A random program under construction.
struct Diamonds {
    random: Random,
    variables: u64,
    text: String,
}

impl Diamonds {
    fn variable(&mut self) -> String {
        format!("v{}", self.random.below(self.variables))
    }

    fn conditional(&mut self, levels: u64) {
        let (p, q, k) = (self.variable(), self.variable(), self.random.between(-9, 9));
        let condition = match self.random.below(3) {
            0 => format!("{p} > {k}"),
            1 => format!("{p} + {q} < {k}"),
            _ => format!("{p} <= {q}"),
        };
        let _ = writeln!(self.text, "if {condition} {{");
        self.arm(levels);
        self.text += "} else {\n";
        self.arm(levels);
        self.text += "}\n";
    }

    fn arm(&mut self, levels: u64) {
        self.block(2);
        if levels > 1 {
            self.conditional(levels - 1);
            self.block(3);
        }
    }

    fn block(&mut self, statements: u64) {
        for _ in 0..statements {
            let (to, from, other, k) = (
                self.variable(),
                self.variable(),
                self.variable(),
                self.random.between(-9, 9),
            );
            let value = match self.random.below(3) {
                0 => k.to_string(),
                1 => format!("{from} + {k}"),
                _ => format!("{from} - {other}"),
            };
            let _ = writeln!(self.text, "{to} := {value};");
        }
    }
}

/// The result of an algorithm on a program.
struct Outcome {
    infeasible: SortedSet<GoalId>,
    queries: u64,
    time: Duration,
}

type Algorithm = fn(&mut Work<'_>, &Procedure) -> SortedSet<GoalId>;

const ALGORITHMS: [(&str, Algorithm); 4] = [
    ("AlgPC", path_cover),
    ("AlgSC", statement_cover),
    ("block by block", block_by_block),
    ("best block first", best_block_first),
];

/// An encoding with its own solver.
struct Work<'p> {
    encoding: Encoding<'p>,
    solver: Solver,
    /// A literal for each block.
    reached: SortedMap<GoalId, Term>,
}

impl<'p> Work<'p> {
    fn new(program: &'p Program, procedure: &Procedure) -> Self {
        let encoding =
            match encode::encode(program, procedure.callable, &[], Bounds::START, Mode::Cut) {
                Ok(encoding) => encoding,
                Err(reason) => panic!("a program of integers can be encoded: {reason}"),
            };
        let mut work = Self {
            encoding,
            solver: Solver::new(0, false),
            reached: SortedMap::new(),
        };
        let ends = work.encoding.ends;
        for fact in work.encoding.assumptions.clone().into_iter().chain([ends]) {
            work.solver.assert(work.encoding.terms(), fact);
        }
        for (goal, cond) in work.encoding.reached.clone() {
            let literal = work.named(cond);
            work.reached.insert(goal, literal);
        }
        work
    }

    fn named(&mut self, cond: Term) -> Term {
        let literal = self.encoding.terms_mut().fresh("b", Sort::Bool);
        let same = self.encoding.terms_mut().eq(literal, cond);
        self.solver.assert(self.encoding.terms(), same);
        literal
    }

    fn check(&mut self, assumptions: &[Term]) -> Option<Assignment> {
        let budget = Budget {
            rlimit: 100_000_000,
            timeout: Duration::from_secs(60),
        };
        match self
            .solver
            .check(self.encoding.terms(), assumptions, budget)
        {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) => None,
            Answer::Unknown(reason) => panic!("linear arithmetic is decided: {reason}"),
        }
    }

    /// Returns the blocks that the execution of a model reaches.
    fn visited(&self, model: &Assignment) -> SortedSet<GoalId> {
        let mut eval = Evaluator::new(self.encoding.terms(), model);
        self.encoding
            .reached
            .iter()
            .filter(|(_, t)| eval.holds(**t))
            .map(|(g, _)| *g)
            .collect()
    }

    fn literal(&self, goal: GoalId) -> Term {
        self.reached
            .get(&goal)
            .copied()
            .unwrap_or(self.encoding.terms().ff)
    }

    fn goals(&self) -> SortedSet<GoalId> {
        self.encoding.reached.keys().copied().collect()
    }
}

/// AlgPC: excludes the path of each model by a clause, until there is no model.
fn path_cover(work: &mut Work<'_>, _: &Procedure) -> SortedSet<GoalId> {
    let mut open = work.goals();
    while let Some(model) = work.check(&[]) {
        open.retain(|g| !work.visited(&model).contains(g));
        let taken: Vec<Term> = {
            let mut eval = Evaluator::new(work.encoding.terms(), &model);
            work.encoding
                .edges
                .iter()
                .copied()
                .filter(|t| eval.holds(*t))
                .collect()
        };
        let path = work.encoding.terms_mut().all(taken);
        let other = work.encoding.terms_mut().not(path);
        work.solver.assert(work.encoding.terms(), other);
    }
    open
}

/// AlgSC: asks for any open block by an enabling clause, until there is no model.
fn statement_cover(work: &mut Work<'_>, _: &Procedure) -> SortedSet<GoalId> {
    let mut open = work.goals();
    loop {
        let literals: Vec<Term> = open.iter().map(|g| work.literal(*g)).collect();
        let any = work.encoding.terms_mut().any(literals);
        let enabled = work.named(any);
        let Some(model) = work.check(&[enabled]) else {
            return open;
        };
        let visited = work.visited(&model);
        open.retain(|g| !visited.contains(g));
        if open.is_empty() {
            return open;
        }
    }
}

/// One query per block, regardless of the blocks that earlier models reached.
fn block_by_block(work: &mut Work<'_>, _: &Procedure) -> SortedSet<GoalId> {
    let all = work.goals();
    all.into_iter()
        .filter(|g| work.check(&[work.literal(*g)]).is_none())
        .collect()
}

/// Queries the block first whose paths have the most open blocks. Blocks that its model reaches are
/// not queried.
fn best_block_first(work: &mut Work<'_>, procedure: &Procedure) -> SortedSet<GoalId> {
    let (mut open, mut infeasible) = (work.goals(), SortedSet::new());
    while let Some(best) = open
        .iter()
        .copied()
        .max_by_key(|g| (open_on_the_way(procedure, *g, &open), std::cmp::Reverse(*g)))
    {
        match work.check(&[work.literal(best)]) {
            Some(model) => {
                let visited = work.visited(&model);
                open.retain(|g| !visited.contains(g));
            }
            None => {
                infeasible.insert(best);
                open.remove(&best);
            }
        }
    }
    infeasible
}

/// Returns the largest number of open blocks on a path through a block.
fn open_on_the_way(procedure: &Procedure, through: GoalId, open: &SortedSet<GoalId>) -> usize {
    let n = procedure.blocks.len();
    let worth = |b: usize| usize::from(open.contains(&GoalId::Block(BlockId(b as u32))));
    // Blocks are numbered in topological order.
    let (mut before, mut after) = (vec![0; n], vec![0; n]);
    for b in 0..n {
        before[b] += worth(b);
        for s in procedure.blocks[b].terminator.successors() {
            let s = s.0 as usize;
            before[s] = before[s].max(before[b]);
        }
    }
    for b in (0..n).rev() {
        let next = procedure.blocks[b].terminator.successors();
        after[b] = worth(b) + next.iter().map(|s| after[s.0 as usize]).max().unwrap_or(0);
    }
    match through {
        GoalId::Block(b) => before[b.0 as usize] + after[b.0 as usize],
        GoalId::Probe(_)
        | GoalId::Way(_)
        | GoalId::Path(_)
        | GoalId::BlockIn(..)
        | GoalId::ProbeIn(..)
        | GoalId::BlockBy(..) => 0,
    }
}

/// The results of the paper's table 1 for 80 programs, in the order of [`ALGORITHMS`]: queries,
/// seconds, and the name of the paper's algorithm if it is a different one with the same purpose.
const PAPER: [(u64, f64, &str); 4] = [
    (69_777, 13.12, ""),
    (854, 11.81, ""),
    (1_760, 145.45, "AlgFM"),
    (512, 615.51, "AlgVSTTE"),
];

fn algorithms() {
    let mut sums = [(0, Duration::ZERO); ALGORITHMS.len()];
    let (mut disagreements, mut infeasible) = (0, 0);
    println!(
        "Random programs of 2 to 9 diamonds, {PROGRAMS} of each: queries and milliseconds a program (figures 4 to 6)"
    );
    print!("{:<9}", "diamonds");
    ALGORITHMS
        .iter()
        .for_each(|(name, _)| print!("  {name:>18}"));
    println!();
    for n in 2..=9 {
        let mut row = [(0, Duration::ZERO); ALGORITHMS.len()];
        for seed in 0..PROGRAMS {
            let program = program(&diamonds(n, seed));
            let Some(procedure) = program.procedures.values().next() else {
                continue;
            };
            let outcomes = ALGORITHMS.map(|(_, algorithm)| {
                smt::with_fresh_context(|| measured(&program, procedure, algorithm))
            });
            disagreements += outcomes
                .iter()
                .filter(|o| o.infeasible != outcomes[0].infeasible)
                .count();
            infeasible += outcomes[0].infeasible.len();
            for (cell, o) in row
                .iter_mut()
                .chain(&mut sums)
                .zip(outcomes.iter().chain(&outcomes))
            {
                *cell = (cell.0 + o.queries, cell.1 + o.time);
            }
        }
        print!("{n:<9}");
        row.iter()
            .for_each(|total| print!("  {}", cell(*total, PROGRAMS)));
        println!();
    }
    println!(
        "{:<18} {:>9} {:>9}  in the paper",
        "all 80 (table 1)", "queries", "seconds"
    );
    for (((name, _), (queries, time)), (paper, seconds, other)) in
        ALGORITHMS.iter().zip(sums).zip(PAPER)
    {
        println!(
            "{name:<18} {queries:>9} {:>9.2}  {paper:>9} {seconds:>9.2}  {other}",
            time.as_secs_f64()
        );
    }
    println!(
        "{infeasible} infeasible blocks; algorithms that find others than AlgPC: {disagreements}"
    );
}

fn measured(program: &Program, procedure: &Procedure, algorithm: Algorithm) -> Outcome {
    let start = Instant::now();
    let mut work = Work::new(program, procedure);
    let infeasible = algorithm(&mut work, procedure);
    Outcome {
        infeasible,
        queries: work.solver.stats().queries,
        time: start.elapsed(),
    }
}

fn cell((queries, time): (u64, Duration), programs: u64) -> String {
    let each = programs as f64;
    format!(
        "{:>8.1} {:>9.2}",
        queries as f64 / each,
        time.as_secs_f64() * 1e3 / each
    )
}

fn suites() {
    let program = program(FUNCTIONS);
    println!("Functions shaped like table 2 of DTest: tests and seconds");
    println!(
        "{:<16} {:>6}  {:>6} {:>8}  {:>7} {:>8}  {:<8}",
        "function", "blocks", "greedy", "s", "optimal", "s", "proof"
    );
    let named = |name: &str| {
        program
            .typed
            .callables
            .iter()
            .position(|c| &*c.name == name)
    };
    for name in [
        "ThreeBytes",
        "FourBytes",
        "ValidRange",
        "IndexToChar",
        "CharToIndex",
        "OnePadding",
        "TwoPadding",
        "ValidResource",
        "LexLeq",
    ] {
        let Some(unit) = named(name).map(|i| dafny_resolve::typed::CallableId(i as u32)) else {
            continue;
        };
        let run = |minimize: Minimize| {
            let start = Instant::now();
            let result = search_unit(
                &program,
                unit,
                &Options {
                    minimize,
                    ..Options::default()
                },
            );
            (result, start.elapsed().as_secs_f64())
        };
        let ((greedy, greedy_time), (optimal, optimal_time)) =
            (run(Minimize::Greedy), run(Minimize::Optimal));
        let open = optimal.goals.iter().filter(|(_, s)| s.is_open()).count();
        let proof = match (optimal.least == Some(optimal.tests.len()), open) {
            (true, 0) => "minimal".to_owned(),
            (true, n) => format!("minimal, {n} blocks open"),
            (false, _) => format!("at least {}", optimal.least.unwrap_or(1)),
        };
        let blocks = greedy.goals.len();
        println!(
            "{name:<16} {blocks:>6}  {:>6} {greedy_time:>8.3}  {:>7} {optimal_time:>8.3}  {proof:<8}",
            greedy.tests.len(),
            optimal.tests.len()
        );
    }
}
