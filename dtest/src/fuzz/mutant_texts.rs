//! Validation of mutants as text: the replacement that is reported for a mutant must yield a
//! program that resolves and behaves like the mutant.
//!
//! The changed program is lowered from scratch. All parts of the IR that are duplicated or derived
//! from the changed text are therefore compared too.

use std::collections::BTreeMap;

use dafny_resolve::typed::Program;
use dafny_source::SourceMap;
use dtest_interp::{Inputs, Interp, Limits, Outcome, Runnable};
use dtest_ir as ir;
use dtest_lower::units::{Unit, units};
use dtest_search::describe;
use dtest_search::random::Random;
use dtest_search::{Equivalence, Options, TestCase, search_unit};

use crate::pipeline::equivalent::{Comparison, Twins};
use crate::pipeline::{edited, lower};

/// The effort for one program.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Maximum number of tests of a unit that each mutant is run on.
    pub tests: usize,
    /// Number of random inputs for each mutant that is proved equivalent.
    pub inputs: usize,
    /// Sampling rate: one mutant in this many is validated, if it is not proved equivalent.
    pub every: usize,
}

/// The result for some programs.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of programs.
    pub programs: usize,
    /// Mutants that can be expressed as text.
    pub with_text: usize,
    /// Executions of a mutant that were compared with its text.
    pub executions: usize,
    /// Executions that could not be compared, by reason.
    pub open: BTreeMap<String, usize>,
    /// Mutants that are proved equivalent.
    pub equivalent: usize,
    /// Random inputs that equivalent mutants were run on.
    pub inputs: usize,
    /// Mutants whose text does not resolve.
    pub refused: Vec<String>,
    /// Mutants whose text behaves differently.
    pub different: Vec<String>,
    /// Mutants that are proved equivalent but differ.
    pub wrong: Vec<String>,
}

impl Tally {
    /// Adds the result for other programs.
    pub fn add(&mut self, other: Tally) {
        self.programs += other.programs;
        self.with_text += other.with_text;
        self.executions += other.executions;
        for (reason, count) in other.open {
            *self.open.entry(reason).or_default() += count;
        }
        self.equivalent += other.equivalent;
        self.inputs += other.inputs;
        self.refused.extend(other.refused);
        self.different.extend(other.different);
        self.wrong.extend(other.wrong);
    }

    /// Returns all contradictions.
    pub fn faults(&self) -> impl Iterator<Item = &String> {
        self.refused
            .iter()
            .chain(&self.different)
            .chain(&self.wrong)
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let open: usize = self.open.values().sum();
        write!(
            f,
            "{} programs, {} mutants with a text, {} of them refused; {} executions compared, {} different, {open} undecided; ",
            self.programs,
            self.with_text,
            self.refused.len(),
            self.executions,
            self.different.len(),
        )?;
        write!(
            f,
            "{} equivalent mutants, {} random inputs, {} of them not equivalent",
            self.equivalent,
            self.inputs,
            self.wrong.len()
        )
    }
}

/// Validates the mutants of all units of a program. `substituted` resolves the program after the
/// text of the file at that base is replaced.
pub fn hold(
    typed: Program,
    sources: &SourceMap,
    options: &Options,
    effort: Effort,
    tally: &mut Tally,
    substituted: &mut dyn FnMut(&str, u32, &str),
) {
    tally.programs += 1;
    let criteria = ir::Criteria::new([ir::Criterion::Block]).unwrap_or_default();
    let program = lower(typed, criteria);
    let is_named =
        |span: dafny_source::Span| sources.file_at(span.start).is_some_and(|(_, f)| f.named);
    let mut number = 0;
    for unit in units(&program.typed, is_named) {
        let result = search_unit(&program, unit.callable, options);
        let limits = Limits {
            steps: options.fuel,
            ..Limits::default()
        };
        let interp = Interp::new(&program, limits);
        let mut random = Random::new(&program, &interp, unit.callable, 7);
        let mut drawn = Vec::new();
        let held = Held {
            sources,
            program: &program,
            interp: &interp,
            unit: &unit,
            limits,
        };
        // Mutants that were proved equivalent are all checked, others by sampling.
        for mutant in interp.mutants_of(unit.callable) {
            let is_equivalent = result
                .equivalent
                .iter()
                .any(|(m, how)| *m == mutant.mutation && *how == Equivalence::Proved);
            number += 1;
            if !is_equivalent && number % effort.every.max(1) != 0 {
                continue;
            }
            let Some(runnable) = interp.runnable(mutant) else {
                continue;
            };
            // Inputs are drawn only if the unit has an equivalent mutant.
            if is_equivalent && drawn.is_empty() {
                drawn = held.draw(random.as_mut(), effort.inputs);
            }
            let tests: Vec<&TestCase> = result.tests.iter().take(effort.tests).collect();
            let inputs = if is_equivalent { &drawn[..] } else { &[] };
            held.mutant(&runnable, &tests, is_equivalent, inputs, tally, substituted);
        }
    }
}

/// A unit whose mutants are validated.
struct Held<'h> {
    sources: &'h SourceMap,
    program: &'h ir::Program,
    interp: &'h Interp<'h>,
    unit: &'h Unit,
    limits: Limits,
}

impl Held<'_> {
    /// Random inputs that satisfy the precondition.
    fn draw(&self, random: Option<&mut Random<'_, '_>>, count: usize) -> Vec<Inputs> {
        let Some(random) = random else {
            return Vec::new();
        };
        let mut drawn = Vec::new();
        for _ in 0..count {
            let Some(inputs) = random.inputs() else {
                break;
            };
            let check = self.interp.check_inputs(self.unit.callable, &inputs);
            if check.verdict().is_true() {
                // Stubs for code without a body answer the calls of the unit.
                let execution = self.interp.run(self.unit.callable, &inputs);
                drawn.push(Inputs {
                    answers: execution.answers,
                    ..inputs
                });
            }
        }
        drawn
    }

    fn mutant(
        &self,
        runnable: &Runnable,
        tests: &[&TestCase],
        is_equivalent: bool,
        inputs: &[Inputs],
        tally: &mut Tally,
        substituted: &mut dyn FnMut(&str, u32, &str),
    ) {
        let mutation = &runnable.mutant.mutation;
        let name = || {
            format!(
                "{}: {}: {}",
                self.sources.locate(mutation.span),
                self.unit.path,
                describe::mutation(mutation, self.sources)
            )
        };
        tally.equivalent += usize::from(is_equivalent);
        // First check: no input may distinguish an equivalent mutant from the program.
        for inputs in inputs {
            tally.inputs += 1;
            let execution = self.interp.run(self.unit.callable, inputs);
            let is_settled =
                execution.determined && matches!(execution.outcome, Outcome::Returned(_));
            if is_settled
                && self
                    .interp
                    .kills(self.unit.callable, runnable, inputs, &execution)
            {
                tally
                    .wrong
                    .push(format!("{}, with {:?}", name(), inputs.args));
                break;
            }
        }
        // Second check: the text of the mutant, as shown to users, behaves like the mutant.
        let Some(text) = describe::replacement(mutation, self.sources) else {
            return;
        };
        let Some((_, file)) = self.sources.file_at(mutation.span.start) else {
            return;
        };
        tally.with_text += 1;
        let at =
            (mutation.span.start - file.base) as usize..(mutation.span.end - file.base) as usize;
        let mut whole = file.text.to_string();
        if whole.get(at.clone()).is_none() {
            return;
        }
        whole.replace_range(at, &text);
        substituted(&name(), file.base, &whole);
        let Some((_, typed)) = edited(&self.program.typed, self.sources, file.base, &whole) else {
            tally.refused.push(name());
            return;
        };
        let other = lower(typed, self.program.criteria.clone());
        let twins = Twins::new(self.program, &other);
        for test in tests {
            self.compare(&twins, runnable, test, tally, &name);
        }
        // Third check: the text of an equivalent mutant behaves like the program.
        for inputs in inputs {
            let execution = self.interp.run(self.unit.callable, inputs);
            let is_settled =
                execution.determined && matches!(execution.outcome, Outcome::Returned(_));
            if !is_settled {
                continue;
            }
            let compared =
                twins.compare_compiled(self.unit.callable, inputs, &execution, self.limits);
            if let Comparison::Different(how) = compared {
                let (name, args) = (name(), &inputs.args);
                tally
                    .wrong
                    .push(format!("{name} (its text), with {args:?}: {how}"));
                break;
            }
        }
    }

    /// Compares the mutant on a test with the program of its text.
    fn compare(
        &self,
        twins: &Twins<'_>,
        runnable: &Runnable,
        test: &TestCase,
        tally: &mut Tally,
        name: &dyn Fn() -> String,
    ) {
        if !test.execution.determined || test.execution.linked {
            return;
        }
        let is_killed = self
            .interp
            .kills(test.unit, runnable, &test.inputs, &test.execution);
        let says = if is_killed { "kills" } else { "does not kill" };
        match twins.compare_compiled(test.unit, &test.inputs, &test.execution, self.limits) {
            Comparison::Open(reason) => *tally.open.entry(reason).or_default() += 1,
            Comparison::Same if !is_killed => tally.executions += 1,
            Comparison::Different(_) if is_killed => tally.executions += 1,
            Comparison::Same => tally.different.push(format!(
                "{}: the test with {:?} {says} the mutant, whose text does the same as the unit",
                name(),
                test.inputs.args
            )),
            Comparison::Different(how) => tally.different.push(format!(
                "{}: the test with {:?} {says} the mutant, whose text differs: {how}",
                name(),
                test.inputs.args
            )),
        }
    }
}
