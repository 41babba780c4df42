//! Execution of mutants, and the decision whether a test kills a mutant.
//!
//! Key types: [`Runnable`], a compiled mutant; [`Variant`], the code that replaces the program's.
//! Key functions: [`Interp::mutants`], [`Interp::kills`], [`Interp::by_contract`]. The hard
//! part is that a mutant runs as compiled code does: specifications are not evaluated while it
//! runs.

use std::cell::Cell;
use std::rc::Rc;

use super::code::{Code, CodeKey, Ins, Mode};
use super::compile;
use super::constants::Values;
use super::summary::Summaries;
use super::word::Word;
use super::{Execution, FailureKind, Inputs, Interp, Outcome};
use dafny_resolve::typed::{Body, CallableId, CallableKind, TypeDecl, TypeDeclKind};
use dtest_desugar::ExternalCode as _;
use dtest_ir::reason::{Limit, NoValue};
use dtest_ir::{AssertKind, BlockId, GoalId, Procedure};
use dtest_mutants::{self as mutants, ChangedCode, Mutant, Mutated, MutationKind};
use dtest_value::{Answer, Value};

/// A margin of steps, beyond a multiple of the program's steps, after which a mutant may be
/// nonterminating.
const SUSPICIOUS: u64 = 2_000;

/// A margin of steps after which a mutant counts as nonterminating. It is large, because a mutant
/// that only does more work must not count.
const ENDLESS: u64 = 100_000;

/// Maximum number of decisions of callees that guide the search for inputs of a unit.
const MAX_DECISIONS: usize = 24;

/// A compiled mutant.
pub struct Runnable {
    /// The mutant.
    pub mutant: Mutant,
    /// The code that it runs.
    variant: Variant,
    /// Whether it is known not to terminate on some inputs.
    is_endless: Cell<bool>,
}

/// Code that replaces code of the program. The blocks of a callable replace its expression too.
#[derive(Clone)]
pub(super) struct Variant {
    /// The changed callable.
    callable: CallableId,
    /// The replacing code, by the key of the replaced code.
    code: Rc<[(CodeKey, Rc<Code>)]>,
    /// The values of constants that depend on the changed code.
    constants: Rc<Values>,
    /// Whether the function has its changed meaning in specifications, too.
    is_specified: bool,
}

impl Variant {
    pub(super) fn callable(&self) -> CallableId {
        self.callable
    }

    pub(super) fn constants(&self) -> Rc<Values> {
        self.constants.clone()
    }

    /// Returns the code that replaces the code of `key`.
    pub(super) fn instead_of(&self, key: &CodeKey) -> Option<Rc<Code>> {
        let is_meant = |(own, _): &&(CodeKey, Rc<Code>)| match (own, key) {
            (
                CodeKey::Procedure(a),
                CodeKey::Procedure(b) | CodeKey::Function(b, Mode::Compiled),
            ) => a == b,
            (CodeKey::Procedure(a), CodeKey::Function(b, Mode::Spec)) => {
                self.is_specified && a == b
            }
            (own, key) => own == key,
        };
        let (_, code) = self.code.iter().find(is_meant)?;
        Some(code.clone())
    }
}

/// The progress of a mutant's effect on an execution towards a test that fails, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The changed place is not reached, or what the mutant does is unknown.
    Unreached,
    /// The mutant takes the same branches as the unit.
    Reached,
    /// The mutant takes other branches, and nothing that a test observes differs.
    Infected,
    /// A test fails.
    Killed,
}

/// The verdict of the unit's contract on a mutant.
pub enum ByContract {
    /// The contract is violated, or the mutant fails.
    Refused,
    /// The contract holds, and the mutant behaves differently, as in this execution.
    Allowed(Box<Execution>),
    /// The contract holds, and the mutant behaves like the unit.
    Same,
    /// It is unknown whether the contract holds.
    Unknown,
}

impl Interp<'_> {
    /// Returns the mutants of a unit's own code and, for an entry, of its counted callees, in code
    /// order.
    pub fn mutants(&self, unit: CallableId) -> Vec<Mutant> {
        let callables = self.counted(unit);
        callables.flat_map(|c| self.mutants_of(c)).collect()
    }

    /// Returns further changes that are no mutants of the unit but guide the search for inputs:
    /// other changes of the same code ([`mutants::hints`]), and decisions of the callables that the
    /// unit calls, which have to matter to their caller.
    pub fn hints(&self, unit: CallableId) -> Vec<Mutant> {
        let counted: Vec<CallableId> = self.counted(unit).collect();
        let own = counted
            .iter()
            .flat_map(|c| mutants::hints(self.program, *c));
        let callees = self.program.direct_callees(unit).into_iter();
        let called = callees.filter(|c| !counted.contains(c) && !self.program.typed[*c].ghost);
        let decisions: Vec<Mutant> = called
            .flat_map(|c| mutants::of(self.program, c))
            .filter(|m| m.mutation.kind == MutationKind::Decision)
            .collect();
        // Of too many decisions, every n-th one is kept, so that all callees are represented.
        let parts = decisions.len().div_ceil(MAX_DECISIONS).max(1);
        own.chain(decisions.into_iter().step_by(parts)).collect()
    }

    /// The unit and, for an entry, its counted callees.
    fn counted(&self, unit: CallableId) -> impl Iterator<Item = CallableId> {
        let callees = self
            .program
            .systems
            .get(&unit)
            .map_or(&[][..], |s| s.callees.as_slice());
        std::iter::once(unit).chain(callees.iter().copied())
    }

    /// Returns the mutants of a callable's code in code order, after those that return default
    /// results.
    pub fn mutants_of(&self, callable: CallableId) -> Vec<Mutant> {
        let Some(procedure) = self.program.procedures.get(&callable) else {
            return Vec::new();
        };
        // If a call has no visible effect, replacing the body by default results changes nothing.
        let is_seen = mutants::is_visible(self.program, procedure);
        let rows = if is_seen {
            self.default_results(procedure)
        } else {
            Vec::new()
        };
        let defaults = mutants::with_results(procedure, self.program.typed[callable].span, rows);
        defaults
            .chain(mutants::of(self.program, callable))
            .collect()
    }

    /// Compiles a mutant; `None` if it changes no existing code.
    pub fn runnable(&self, mutant: Mutant) -> Option<Runnable> {
        let variant = Variant {
            callable: mutant.callable,
            code: self.mutated(&mutant)?.into(),
            constants: Rc::default(),
            is_specified: false,
        };
        Some(Runnable {
            mutant,
            variant,
            is_endless: Cell::new(false),
        })
    }

    /// Returns combinations of default results; empty if some type has no known default, or for
    /// constructors, whose result is the new object.
    fn default_results(&self, procedure: &Procedure) -> Vec<Vec<Option<Value>>> {
        if self.program.typed[procedure.callable].kind == CallableKind::Constructor {
            return Vec::new();
        }
        let mut rows = vec![Vec::new()];
        for out in &procedure.outs {
            let Some(info) = procedure.vars.get(out.0 as usize) else {
                return Vec::new();
            };
            let values = match self.default_value(&info.ty) {
                _ if info.ghost => vec![None],
                Some(Value::Bool(_)) => vec![Some(Value::Bool(false)), Some(Value::Bool(true))],
                Some(value) => vec![Some(value)],
                None => return Vec::new(),
            };
            rows = rows
                .iter()
                .flat_map(|row| {
                    values
                        .iter()
                        .map(move |v| row.iter().chain([v]).cloned().collect())
                })
                .collect();
            // More combinations than these rarely kill anything else.
            if rows.len() > 4 {
                return Vec::new();
            }
        }
        rows
    }

    /// Whether a mutant, run on `inputs`, certainly behaves differently from the unit, so that a
    /// test observes it: other results, other objects, other output, other calls of external code,
    /// a failure of compiled code, or nontermination.
    pub fn kills(
        &self,
        unit: CallableId,
        runnable: &Runnable,
        inputs: &Inputs,
        execution: &Execution,
    ) -> bool {
        // Most executions do not reach the mutated code, which is decided without running the
        // mutant.
        if !self.may_reach(unit, runnable, execution) {
            return false;
        }
        // Delayed results are computed before they are compared.
        self.look_at(execution);
        let Some(other) = self.run_mutant(unit, runnable, inputs, execution.steps) else {
            return false;
        };
        self.differs((unit, runnable), inputs, execution, &other)
    }

    /// Whether a test observes that `other`, the execution of a mutant, is not that of the unit.
    fn differs(
        &self,
        (unit, runnable): (CallableId, &Runnable),
        inputs: &Inputs,
        execution: &Execution,
        other: &Execution,
    ) -> bool {
        match &other.outcome {
            Outcome::Returned(_) => match &execution.outcome {
                // Different calls of external code are visible to a test.
                Outcome::Returned(_) => {
                    let calls = self.described_calls(execution) != self.described_calls(other);
                    calls
                        || !self.may_end_alike(unit, inputs, execution, other)
                        || self.answer_differently(unit, runnable, inputs, (execution, other))
                }
                Outcome::Halted { .. } => true,
                Outcome::Failed(_)
                | Outcome::OutOfFuel(_)
                | Outcome::Infeasible(_)
                | Outcome::Unsupported(_) => false,
            },
            Outcome::Halted { .. } => matches!(execution.outcome, Outcome::Returned(_)),
            // A failure that compiled code also notices distinguishes the mutant.
            Outcome::Failed(failure) => failure.kind.is_compiled(),
            // A mutant that does not terminate is detected by the time limit of a test.
            Outcome::OutOfFuel(limit) => matches!(limit, Limit::Steps | Limit::Recursion),
            Outcome::Infeasible(_) | Outcome::Unsupported(_) => false,
        }
    }

    /// The effect of a mutant on an execution of the unit.
    pub fn effect(
        &self,
        unit: CallableId,
        runnable: &Runnable,
        inputs: &Inputs,
        execution: &Execution,
    ) -> Effect {
        if !self.may_reach(unit, runnable, execution) {
            return Effect::Unreached;
        }
        self.look_at(execution);
        let Some(other) = self.run_mutant(unit, runnable, inputs, execution.steps) else {
            return Effect::Unreached;
        };
        if self.differs((unit, runnable), inputs, execution, &other) {
            Effect::Killed
        } else if other.trace != execution.trace || other.inner != execution.inner {
            Effect::Infected
        } else {
            Effect::Reached
        }
    }

    /// Whether a test with these inputs kills a mutant: by the expected results if they are
    /// determined, otherwise by the contract.
    pub fn is_noticed(
        &self,
        unit: CallableId,
        runnable: &Runnable,
        inputs: &Inputs,
        execution: &Execution,
    ) -> bool {
        if execution.determined {
            return self.kills(unit, runnable, inputs, execution);
        }
        let Some(other) = self.run_mutant(unit, runnable, inputs, execution.steps) else {
            return false;
        };
        match &other.outcome {
            // The clauses of a test are compiled: a function in them is the mutant's.
            Outcome::Returned(_) => self
                .specified_by(runnable, || self.check_ensures(unit, inputs, &other))
                .iter()
                .any(|c| c.truth.is_false()),
            Outcome::Failed(failure) => failure.kind.is_compiled(),
            Outcome::OutOfFuel(Limit::Steps | Limit::Recursion) => true,
            Outcome::Halted { .. }
            | Outcome::OutOfFuel(_)
            | Outcome::Infeasible(_)
            | Outcome::Unsupported(_) => false,
        }
    }

    /// Whether a mutant, run on `inputs`, certainly has the same observable behaviour as the unit.
    pub fn does_the_same(
        &self,
        unit: CallableId,
        runnable: &Runnable,
        inputs: &Inputs,
        execution: &Execution,
    ) -> bool {
        // Equality can only be claimed if nothing in the executions is unknown or arbitrary.
        let is_plain = |e: &Execution| {
            let known = e.unknown.is_empty() && e.unknown_contents.is_empty();
            matches!(e.outcome, Outcome::Returned(_))
                && known
                && e.determined
                && !e.guessed
                && !e.linked
                && e.answers.is_empty()
        };
        self.look_at(execution);
        let Some(other) = self
            .run_mutant(unit, runnable, inputs, execution.steps)
            .filter(|_| is_plain(execution))
        else {
            return false;
        };
        is_plain(&other) && self.end_alike(unit, inputs, execution, &other)
    }

    /// Evaluates the contract of the unit on a mutant, run on `inputs`. `execution` is that of the
    /// unit itself.
    pub fn by_contract(
        &self,
        unit: CallableId,
        runnable: &Runnable,
        inputs: &Inputs,
        execution: &Execution,
    ) -> ByContract {
        let Some(other) = self.run_mutant(unit, runnable, inputs, execution.steps) else {
            return ByContract::Unknown;
        };
        match &other.outcome {
            Outcome::Failed(failure) if failure.kind.is_compiled() => return ByContract::Refused,
            Outcome::Returned(_) => {}
            Outcome::Halted { .. }
            | Outcome::Failed(_)
            | Outcome::OutOfFuel(_)
            | Outcome::Infeasible(_)
            | Outcome::Unsupported(_) => {
                return ByContract::Unknown;
            }
        }
        // The expression of a function with a `by method` body specifies the body. Other functions
        // have their own, changed value in clauses.
        let is_by_method = matches!(self.program.typed[unit].body, Body::ByMethod(..));
        let check = || self.check_ensures(unit, inputs, &other);
        let ensures = if is_by_method {
            check()
        } else {
            self.specified_by(runnable, check)
        };
        if ensures.iter().any(|c| c.truth.is_false())
            || self.check_frame(unit, inputs, &other).is_err()
            || is_by_method && self.kills(unit, runnable, inputs, execution)
        {
            ByContract::Refused
        } else if ensures.iter().any(|c| !c.truth.is_true()) {
            ByContract::Unknown
        } else if self.kills(unit, runnable, inputs, execution) {
            ByContract::Allowed(Box::new(other))
        } else {
            ByContract::Same
        }
    }

    /// Evaluates clauses in which the changed function has the value of the mutant.
    fn specified_by<T>(&self, runnable: &Runnable, evaluate: impl FnOnce() -> T) -> T {
        let variant = Variant {
            is_specified: true,
            ..runnable.variant.clone()
        };
        // Results of the unchanged program do not hold for the mutant.
        let summaries = self.summaries.exchange(Summaries::default());
        let outer = self.variant.replace(Some(variant));
        let value = evaluate();
        self.variant.replace(outer);
        self.summaries.exchange(summaries);
        value
    }

    /// Computes the parts of codatatypes that a test inspects at the end of an execution.
    fn look_at(&self, execution: &Execution) {
        let Outcome::Returned(results) = &execution.outcome else {
            return;
        };
        // Without codatatypes, no value is delayed.
        let is_co = |t: &TypeDecl| matches!(t.kind, TypeDeclKind::Datatype { co: true, .. });
        if !*self
            .has_codatatypes
            .get_or_init(|| self.program.typed.types.iter().any(is_co))
        {
            return;
        }
        let all = results.iter().flatten().chain(execution.heap.contents());
        all.filter(|v| v.holds_lazy())
            .for_each(|value| self.look_into(value, &execution.heap));
    }

    /// Returns the calls of external methods that a test describes, in order. The test fails unless
    /// all of them are made.
    fn described_calls<'e>(
        &self,
        execution: &'e Execution,
    ) -> Vec<(CallableId, &'e [Option<Value>])> {
        let typed = &self.program.typed;
        let is_described =
            |a: &&Answer| !typed[a.callee].kind.is_function() && !typed.is_mocked(a.callee);
        execution
            .answers
            .iter()
            .filter(is_described)
            .map(|a| (a.callee, &a.args[..]))
            .collect()
    }

    /// Whether an execution of the unit may reach the mutated place.
    pub fn may_reach(&self, unit: CallableId, runnable: &Runnable, execution: &Execution) -> bool {
        let mutant = &runnable.mutant;
        !mutant
            .block()
            .is_some_and(|block| self.passes_by(unit, mutant.callable, block, execution))
    }

    /// Whether an execution certainly does not reach a block. This requires that it records all
    /// blocks: for an entry, or a unit that is not called recursively. The computation of constants
    /// is not recorded.
    fn passes_by(
        &self,
        unit: CallableId,
        callable: CallableId,
        block: BlockId,
        execution: &Execution,
    ) -> bool {
        let is_outermost = callable == unit && execution.visited.contains(&block);
        let goal = GoalId::block_of(unit, callable, block);
        let is_recorded = self.program.systems.contains_key(&unit)
            || callable == unit && self.is_outermost_alone(unit);
        let is_recorded = is_recorded && !self.origins.include(self.program, callable);
        is_recorded && !is_outermost && execution.inner.iter().all(|(_, g)| *g != goal)
    }

    /// Whether no call within an execution of a callable runs the callable itself.
    fn is_outermost_alone(&self, callable: CallableId) -> bool {
        *self
            .alone
            .borrow_mut()
            .entry(callable)
            .or_insert_with(|| !self.program.runs(callable).contains(&callable))
    }

    /// Runs a mutant on inputs on which the unit takes `steps`; `None` if its behaviour is unknown.
    /// A mutant that runs out of steps does not terminate.
    fn run_mutant(
        &self,
        unit: CallableId,
        runnable: &Runnable,
        inputs: &Inputs,
        steps: u64,
    ) -> Option<Execution> {
        let is_cut = |e: &Execution| matches!(e.outcome, Outcome::OutOfFuel(Limit::Steps));
        let (suspicious, endless) = (
            steps.saturating_mul(4).saturating_add(SUSPICIOUS),
            steps.saturating_mul(8).saturating_add(ENDLESS),
        );
        let execution =
            self.run_variant(unit, runnable, inputs, suspicious.min(self.limits.steps))?;
        if !is_cut(&execution) || runnable.is_endless.get() {
            return Some(execution);
        }
        // With summaries, the number of steps is not comparable.
        if self.summarises.get() || endless > self.limits.steps {
            return None;
        }
        let execution = self.run_variant(unit, runnable, inputs, endless)?;
        runnable.is_endless.set(is_cut(&execution));
        Some(execution)
    }

    /// Runs a unit as compiled code, without specifications. For a mutant that is a program of its
    /// own, this is what [`Self::kills`] runs. `steps` are those of the unmutated unit.
    /// `None` if the behaviour is unknown.
    pub fn run_compiled(&self, unit: CallableId, inputs: &Inputs, steps: u64) -> Option<Execution> {
        let procedure = self.program.procedures.get(&unit)?;
        // The unit runs as its own mutant without a change, which removes the checks that compiled
        // code does not have.
        let unchanged = ChangedCode {
            procedure: Procedure::clone(procedure),
            lambdas: Vec::new(),
        };
        let runnable = Runnable {
            mutant: mutants::unchanged(unit),
            variant: Variant {
                callable: unit,
                code: self
                    .changed_code(CodeKey::Procedure(unit), &unchanged)
                    .into(),
                constants: Rc::default(),
                is_specified: false,
            },
            is_endless: Cell::new(false),
        };
        self.run_mutant(unit, &runnable, inputs, steps)
    }

    fn run_variant(
        &self,
        unit: CallableId,
        runnable: &Runnable,
        inputs: &Inputs,
        steps: u64,
    ) -> Option<Execution> {
        self.with_variant(runnable, || {
            let execution = self
                .code(&CodeKey::Procedure(unit))
                .map(|code| self.run_code(unit, code, inputs, steps, &super::Resolution::Rule));
            // Values that are computed later belong to the mutant too.
            execution.iter().for_each(|e| self.look_at(e));
            execution
        })
    }

    /// Executes with the code of a mutant.
    pub(super) fn with_variant<T>(&self, runnable: &Runnable, execute: impl FnOnce() -> T) -> T {
        // Summaries of the program's own calls do not hold for the mutant.
        let summaries = self.summaries.exchange(Summaries::default());
        self.variant.replace(Some(runnable.variant.clone()));
        let result = execute();
        self.variant.replace(None);
        self.summaries.exchange(summaries);
        result
    }

    /// Returns the code of a mutant with the keys of the code that it replaces; `None` if it
    /// changes no existing code.
    fn mutated(&self, mutant: &Mutant) -> Option<Vec<(CodeKey, Rc<Code>)>> {
        let key = CodeKey::Procedure(mutant.callable);
        match mutant.applied(self.program)? {
            // A mutant is either changed code or constant results.
            Mutated::Code(changed) => Some(self.changed_code(key, &changed)),
            Mutated::Results(results) => {
                let mut code = Code::clone(&*self.code(&key)?);
                let first = code.consts.len() as u32;
                let word = |v: &Option<Value>| {
                    v.as_ref().map_or_else(
                        || Word::unknown(NoValue::GhostResult),
                        |v| Word::of(v.clone()),
                    )
                };
                code.consts.extend(results.iter().map(word));
                // The code pushes the results and returns.
                code.ins = (first..code.consts.len() as u32)
                    .map(Ins::Push)
                    .chain([Ins::Return(results.len() as u32)])
                    .collect();
                Some(vec![(key, Rc::new(code))])
            }
        }
    }

    /// Compiles changed blocks. They always replace the expression of a function as well, because
    /// its lambdas differ from those of the blocks.
    fn changed_code(&self, key: CodeKey, changed: &ChangedCode) -> Vec<(CodeKey, Rc<Code>)> {
        let checks = self.limits.check_calls;
        let blocks = compile::of_procedure(self.program, &changed.procedure, checks);
        let lambdas = changed.lambdas.iter().map(|(index, lambda)| {
            let code = compile::of_lambda(self.program, lambda, Mode::Compiled, checks);
            (CodeKey::Lambda(*index, Mode::Compiled), code)
        });
        [(key, blocks)]
            .into_iter()
            .chain(lambdas)
            .map(|(key, code)| (key, Rc::new(unchecked(code))))
            .collect()
    }
}

/// Removes the evaluation of specifications from code. Otherwise a mutant would violate invariants
/// before it has an observable effect.
fn unchecked(mut code: Code) -> Code {
    for at in 0..code.ins.len() {
        // Assertions are skipped together with their conditions; preconditions count as true.
        let other = match code.ins.get(at) {
            Some(Ins::Budget(end)) => match code.ins.get(*end as usize) {
                Some(Ins::Assert(kind)) if *kind != AssertKind::MissingCase => {
                    Some(Ins::Jump(end + 1))
                }
                Some(_) | None => None,
            },
            Some(Ins::CallPre { .. } | Ins::ApplyPre(_)) => Some(Ins::PushBool(true)),
            Some(_) | None => None,
        };
        if let (Some(other), Some(ins)) = (other, code.ins.get_mut(at)) {
            *ins = other;
        }
    }
    code
}

impl FailureKind {
    /// Whether compiled code fails, too. The other kinds are violations of specifications.
    pub fn is_compiled(&self) -> bool {
        match self {
            FailureKind::MissingCase
            | FailureKind::Index
            | FailureKind::Key
            | FailureKind::Division
            | FailureKind::Destructor
            | FailureKind::Null
            | FailureKind::Domain
            | FailureKind::NoCandidate => true,
            // A variable of a type without a default value: such a mutant does not compile.
            FailureKind::Unassigned
            | FailureKind::Assert
            | FailureKind::Invariant
            | FailureKind::InvariantKept
            | FailureKind::Decreases
            | FailureKind::Reads
            | FailureKind::Precondition
            | FailureKind::Postcondition
            | FailureKind::Modifies
            | FailureKind::LoopRange
            | FailureKind::Termination
            | FailureKind::TypeConstraint
            | FailureKind::Aliasing
            | FailureKind::NotUnique
            | FailureKind::Application
            | FailureKind::Allocated
            | FailureKind::Override
            | FailureKind::Witness
            | FailureKind::Inhabited => false,
        }
    }
}
