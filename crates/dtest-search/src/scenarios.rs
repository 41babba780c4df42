//! Scenarios: sequences of calls on one object that let its operations interact, in the way in
//! which a person tests a cache, a queue or an account.
//!
//! [`scenarios`] builds the [`Scenario`]s of a class forwards, by feedback-directed generation
//! (Pacheco, Lahiri, Ernst, Ball: *Feedback-Directed Random Test Generation*, 2007), but without
//! chance. Each step is the call with the highest gain ([`Builder::best`]). A pair of operations
//! that no scenario has in this order yet counts most. Only executions that satisfy every
//! precondition, end well and are deterministic become steps, so that the values after them can be
//! expected.
//!
//! The hard part is a step without a gain of its own: filling a buffer pays off only in the call
//! after it. [`Builder::ahead`] looks one call ahead if no single call has a gain.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::configured_inputs;
use super::constants::{Constants, Reach};
use super::seeds::{Maker, blank};
use super::{specimen, states};
use dafny_resolve::typed::{
    Attributes as _, Body, CallableId, CallableKind, FieldId, FieldKind, Program, Substitution,
    Type, TypeDeclKind, TypeId,
};
use dtest_desugar::ExternalCode as _;
use dtest_interp::{Execution, Feature, Inputs, Interp, Limits, Outcome};
use dtest_ir::{self as ir, BlockId};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Contents, Heap, ObjectId, Value, rows};

/// Maximum number of calls after the constructor.
const MAX_CALLS: usize = 8;
/// Maximum number of calls of a walk.
const MAX_WALK: usize = 24;
/// Minimum number of calls of a walk: more than other scenarios have.
const MIN_WALK: usize = 10;
/// Maximum number of ways in sequence of a feature that makes a call new.
const MAX_ORDER: u8 = 2;
/// Maximum number of argument choices that are tried for one call.
const MAX_CHOICES: usize = 8;
/// Maximum number of earlier arguments of a type that are tried again for one parameter.
const MAX_USED: usize = 3;
/// Maximum number of observations after one call.
const MAX_SEEN: usize = 4;
/// Maximum interpreter steps of one call.
const MAX_STEPS: u64 = 20_000;
/// Maximum interpreter steps for one class.
const MAX_STEPS_PER_CLASS: u64 = 2_000_000;
/// Maximum nesting of arguments.
const DEPTH: u32 = 2;

/// A sequence of calls on one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// The class.
    pub class: TypeId,
    /// The arguments of the class.
    pub type_args: Vec<Type>,
    /// The constructor with its arguments; `None` for a class without constructors.
    pub constructor: Option<(CallableId, Vec<Value>)>,
    /// The observations of the new object.
    pub seen: Vec<(Seen, Value)>,
    /// The calls.
    pub steps: Vec<Step>,
}

/// A call of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The method or function.
    pub callee: CallableId,
    /// The arguments, without the receiver.
    pub args: Vec<Value>,
    /// The results; `None` for one that a test cannot write.
    pub results: Vec<Option<Value>>,
    /// The observations that the call changed.
    pub seen: Vec<(Seen, Value)>,
}

/// A property of the object that a scenario observes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seen {
    /// A function without parameters.
    Function(CallableId),
    /// A field.
    Field(FieldId),
}

/// Builds at most `most` scenarios for a class. There are none for a class with fewer than two
/// operations that interact, or whose objects the interpreter cannot create.
pub fn scenarios(program: &ir::Program, class: TypeId, most: usize) -> Vec<Scenario> {
    let typed = &*program.typed;
    let decl = &typed[class];
    // The interpreter cannot create objects of a class that is linked to Rust code.
    if !matches!(decl.kind, TypeDeclKind::Class) || typed.type_link(class).is_some() {
        return Vec::new();
    }
    // Type parameters are instantiated with `int`, which satisfies no bounds.
    let is_unbounded = |p: &dafny_resolve::typed::TypeParamId| typed[*p].bounds.is_empty();
    if !decl.type_params.iter().all(is_unbounded) {
        return Vec::new();
    }
    let limits = Limits {
        steps: MAX_STEPS,
        ..Limits::default()
    };
    let members: Vec<CallableId> = decl
        .callables
        .iter()
        .copied()
        .filter(|c| is_callable(typed, *c))
        .collect();
    let of_kind = |kind: CallableKind| {
        members
            .iter()
            .copied()
            .filter(move |c| typed[*c].kind == kind)
    };
    let operations: Vec<CallableId> = members
        .iter()
        .copied()
        .filter(|c| !typed[*c].is_static && is_operation(typed, *c))
        .collect();
    let changing: SortedSet<CallableId> = operations
        .iter()
        .copied()
        .filter(|c| !typed[*c].spec.modifies.is_empty())
        .collect();
    // Without a change of state, or with one operation only, nothing interacts.
    if changing.is_empty() || operations.len() < 2 {
        return Vec::new();
    }
    let interp = Interp::new(program, limits);
    let mut builder = Builder {
        program,
        interp: &interp,
        class: Type::named(class, vec![Type::Int; decl.type_params.len()]),
        open: changing
            .iter()
            .flat_map(|a| operations.iter().map(move |b| (*a, *b)))
            .collect(),
        changing,
        constructors: of_kind(CallableKind::Constructor).collect(),
        observers: observers(typed, class, &members),
        operations,
        visited: SortedSet::new(),
        met: SortedSet::new(),
        followed: SortedSet::new(),
        until: interp.steps() + MAX_STEPS_PER_CLASS,
    };
    let mut found = Vec::new();
    for round in 0..most {
        let before = builder.open.len();
        let Some(scenario) = builder.scenario(class, round) else {
            break;
        };
        // A scenario without a new pair repeats earlier ones, and so do all later ones.
        if builder.open.len() == before {
            break;
        }
        found.push(scenario);
    }
    if found.len() < most {
        builder.until = interp.steps() + MAX_STEPS_PER_CLASS;
        found.extend(builder.walk(class, found.len()));
    }
    found
}

/// Whether tests can call a member, and the interpreter can execute it.
fn is_callable(typed: &Program, id: CallableId) -> bool {
    let c = &typed[id];
    !c.ghost
        && c.type_params.is_empty()
        && !matches!(c.body, Body::None)
        && !typed.is_linked(id)
        && c.attribute("test").is_none()
}

/// Whether a member is an operation of a scenario: a method, or a function with parameters. A
/// function without parameters is an observer.
fn is_operation(typed: &Program, id: CallableId) -> bool {
    let c = &typed[id];
    match c.kind {
        CallableKind::Method => true,
        CallableKind::Function => !c.ins.is_empty(),
        CallableKind::Constructor
        | CallableKind::Lemma
        | CallableKind::TwostateFunction
        | CallableKind::LeastPredicate
        | CallableKind::GreatestPredicate => false,
    }
}

/// The observed properties of a class: its functions without parameters, then its fields.
fn observers(typed: &Program, class: TypeId, members: &[CallableId]) -> Vec<Seen> {
    let args = vec![Type::Int; typed[class].type_params.len()];
    let map = typed.substitution(class, &args);
    let functions = members
        .iter()
        .copied()
        .filter(|c| {
            let c = &typed[*c];
            c.kind == CallableKind::Function
                && c.ins.is_empty()
                && !c.is_static
                && c.outs
                    .iter()
                    .all(|out| typed.holds_no_references(&typed[out.local].ty.subst(&map)))
        })
        .map(Seen::Function);
    let is_seen = |f: &FieldId| {
        let f = &typed[*f];
        !f.ghost
            && !f.is_static
            && matches!(f.kind, FieldKind::Mutable)
            && typed.holds_no_references(&f.ty.subst(&map))
    };
    let fields = typed[class].fields.iter().copied().filter(is_seen);
    functions.chain(fields.map(Seen::Field)).collect()
}

/// The search for the scenarios of one class.
struct Builder<'a, 'p> {
    program: &'a ir::Program,
    interp: &'a Interp<'p>,
    class: Type,
    constructors: Vec<CallableId>,
    operations: Vec<CallableId>,
    /// The operations that modify something.
    changing: SortedSet<CallableId>,
    observers: Vec<Seen>,
    /// The pairs of an operation that modifies something and its successor that no scenario has.
    open: SortedSet<(CallableId, CallableId)>,
    /// The blocks that scenarios entered.
    visited: SortedSet<(CallableId, BlockId)>,
    /// The features of the executions of a walk.
    met: SortedSet<Feature>,
    /// The ways of calls that followed each other in a walk.
    followed: SortedSet<(u64, u64)>,
    /// Interpreter steps at which the search ends.
    until: u64,
}

/// A scenario that grows.
struct Growing {
    /// The object is the only argument.
    state: Inputs,
    /// The last value of each observer.
    known: SortedMap<Seen, Value>,
    /// Earlier arguments.
    used: Vec<Value>,
    steps: Vec<Step>,
}

/// A call that may be the next step.
struct Next {
    callee: CallableId,
    args: Vec<Value>,
    execution: Execution,
    state: Inputs,
}

/// A call that may be the next step of a walk.
struct Newest {
    next: Next,
    /// The features that no step had before.
    features: Vec<Feature>,
    way: u64,
}

/// The way of a call: the blocks that it entered.
pub(super) fn way(callee: CallableId, execution: &Execution) -> u64 {
    let mut hasher = FxHasher::default();
    callee.hash(&mut hasher);
    execution.visited.iter().for_each(|b| b.hash(&mut hasher));
    hasher.finish()
}

impl Builder<'_, '_> {
    /// Builds one scenario. `None` if no object can be created, or if fewer than two calls are
    /// useful.
    fn scenario(&mut self, class: TypeId, round: usize) -> Option<Scenario> {
        let (constructor, state) = self.constructed(round)?;
        let mut growing = Growing {
            used: constructor
                .iter()
                .flat_map(|(_, args)| args.iter().cloned())
                .collect(),
            state,
            known: SortedMap::new(),
            steps: Vec::new(),
        };
        let seen = self.observe(&mut growing);
        while growing.steps.len() < MAX_CALLS && self.interp.steps() < self.until {
            // A call ahead costs a quadratic number of executions, so it comes second.
            let next = self.best(&growing).or_else(|| self.ahead(&growing));
            let Some(next) = next else {
                break;
            };
            self.take(&mut growing, next);
        }
        (growing.steps.len() > 1).then(|| Scenario {
            class,
            type_args: self.type_args().to_vec(),
            constructor,
            seen,
            steps: growing.steps,
        })
    }

    /// Builds a long scenario that leads the object through as many behaviours as possible: each
    /// step is the call whose execution has the most features that no step before it had, or that
    /// follows another one in a new way. Errors in states that only a number of calls leads to, such
    /// as a full buffer that was emptied once, show in the results of these steps. `None` if the walk
    /// is not longer than other scenarios.
    fn walk(&mut self, class: TypeId, round: usize) -> Option<Scenario> {
        self.interp.observe(true);
        let walked = self.walked(class, round);
        self.interp.observe(false);
        walked
    }

    fn walked(&mut self, class: TypeId, round: usize) -> Option<Scenario> {
        let (constructor, state) = self.constructed(round)?;
        let mut growing = Growing {
            used: constructor
                .iter()
                .flat_map(|(_, args)| args.iter().cloned())
                .collect(),
            state,
            known: SortedMap::new(),
            steps: Vec::new(),
        };
        let seen = self.observe(&mut growing);
        let mut last = 0;
        while growing.steps.len() < MAX_WALK && self.interp.steps() < self.until {
            let Some(Newest {
                next,
                features,
                way,
            }) = self.newest(&growing, last)
            else {
                break;
            };
            self.met.extend(features);
            self.followed.insert((last, way));
            last = way;
            self.take(&mut growing, next);
        }
        (growing.steps.len() >= MIN_WALK).then(|| Scenario {
            class,
            type_args: self.type_args().to_vec(),
            constructor,
            seen,
            steps: growing.steps,
        })
    }

    /// The call whose execution has the most new features, or goes another way than those that
    /// followed the last call. `None` if there is none.
    fn newest(&self, growing: &Growing, last: u64) -> Option<Newest> {
        let mut best: Option<(usize, Newest)> = None;
        for &callee in &self.operations {
            for args in self.arguments(callee, &growing.used, growing.steps.len()) {
                let Some((execution, state)) = self.after(callee, &growing.state.heap, &args)
                else {
                    continue;
                };
                let is_new = |f: &Feature| f.order <= MAX_ORDER && !self.met.contains(f);
                let features: Vec<Feature> =
                    self.interp.behaviour().into_iter().filter(is_new).collect();
                let way = way(callee, &execution);
                let follows = !self.followed.contains(&(last, way));
                if features.is_empty() && !follows {
                    continue;
                }
                let changes = state != growing.state;
                let score =
                    4 * features.len() + 3 * usize::from(follows) + 2 * usize::from(changes);
                if best.as_ref().is_none_or(|(most, _)| score > *most) {
                    let next = Next {
                        callee,
                        args,
                        execution,
                        state,
                    };
                    let newest = Newest {
                        next,
                        features,
                        way,
                    };
                    best = Some((score, newest));
                }
            }
        }
        best.map(|(_, newest)| newest)
    }

    /// The type arguments of the class.
    fn type_args(&self) -> &[Type] {
        if let Type::Named { args, .. } = &self.class {
            args
        } else {
            &[]
        }
    }

    /// A new object with its constructor call. Each round begins with the next constructor and the
    /// next arguments. `None` if no constructor ends well.
    fn constructed(&self, round: usize) -> Option<Constructed> {
        let mut heap = Heap::default();
        // The constructor is executed on an object whose fields have no values yet.
        blank(&self.class, &mut heap);
        if self.constructors.is_empty() {
            let object = configured_inputs::alone(&Value::Ref(ObjectId(0)), &heap);
            return Some((None, object));
        }
        for turn in 0..self.constructors.len() {
            let all = self.constructors.len();
            let ctor = *self.constructors.get((round + turn) % all)?;
            // Arguments with small parts come first: small objects reach their limits after few
            // calls.
            let mut choices = self.arguments(ctor, &[], 0);
            choices.sort_by_key(|args| args.iter().map(magnitude).max());
            let first = round / all % choices.len().max(1);
            choices.rotate_left(first);
            for args in choices {
                if let Some((_, state)) = self.after(ctor, &heap, &args) {
                    return Some((Some((ctor, args)), state));
                }
            }
        }
        None
    }

    /// The execution of a call on the first object of a heap, and the state after it. `None` if the
    /// call does not end well or is not deterministic, or if its precondition is not known to hold.
    fn after(
        &self,
        callee: CallableId,
        heap: &Heap,
        args: &[Value],
    ) -> Option<(Execution, Inputs)> {
        let all = std::iter::once(Value::Ref(ObjectId(0)))
            .chain(args.iter().cloned())
            .collect();
        let inputs = Inputs {
            type_args: self.type_args().to_vec(),
            args: all,
            heap: heap.clone(),
            answers: Vec::new(),
        };
        let checked = self.interp.check_inputs(callee, &inputs);
        if self.interp.steps() >= self.until || !checked.requires.iter().all(|c| c.truth.is_true())
        {
            return None;
        }
        let execution = self.interp.run(callee, &inputs);
        if !states::is_plain(&execution) {
            return None;
        }
        let state = configured_inputs::alone(&Value::Ref(ObjectId(0)), &execution.heap);
        Some((execution, state))
    }

    /// The call with the highest score. The score is a weighted sum: a new pair, new blocks, an
    /// operation that the scenario does not have yet, a change of the object, and an argument that
    /// occurred before. `None` if no call has a new pair, block or operation.
    fn best(&self, growing: &Growing) -> Option<Next> {
        let last = growing.steps.last().map(|s| s.callee);
        let mut best: Option<(usize, Next)> = None;
        for &callee in &self.operations {
            let occurs = growing.steps.iter().any(|s| s.callee == callee);
            let is_pair = last.is_some_and(|last| self.open.contains(&(last, callee)));
            for args in self.arguments(callee, &growing.used, growing.steps.len()) {
                let is_repeated = growing
                    .steps
                    .iter()
                    .any(|s| s.callee == callee && s.args == args);
                let Some((execution, state)) = self.after(callee, &growing.state.heap, &args)
                else {
                    continue;
                };
                let blocks = execution
                    .visited
                    .iter()
                    .filter(|b| !self.visited.contains(&(callee, **b)))
                    .count();
                let changes = state != growing.state;
                // A repeated call without any effect shows nothing new.
                if is_repeated && !changes && blocks == 0 {
                    continue;
                }
                let is_reused = args.iter().any(|a| growing.used.contains(a));
                // The number of blocks is limited, so that long operations do not win every time.
                let gain = 16 * usize::from(is_pair) + 8 * blocks.min(3) + 6 * usize::from(!occurs);
                let score =
                    gain + 3 * usize::from(changes) + 2 * usize::from(is_reused && !is_repeated);
                // The first operation has to change the new object: otherwise the pair after it
                // shows no interaction.
                let is_useful = gain > 0 && (last.is_some() || changes);
                // Of equal scores, the first one wins, so that the result does not depend on
                // chance.
                if is_useful && best.as_ref().is_none_or(|(most, _)| score > *most) {
                    best = Some((
                        score,
                        Next {
                            callee,
                            args,
                            execution,
                            state,
                        },
                    ));
                }
            }
        }
        best.map(|(_, next)| next)
    }

    /// A call that enables another one to enter new blocks, such as the call that fills a buffer.
    /// It only follows an earlier step.
    fn ahead(&self, growing: &Growing) -> Option<Next> {
        for &callee in growing
            .steps
            .last()
            .map(|_| &self.changing)
            .into_iter()
            .flatten()
        {
            for args in self.arguments(callee, &growing.used, growing.steps.len()) {
                let Some((execution, state)) = self.after(callee, &growing.state.heap, &args)
                else {
                    continue;
                };
                // A call that leaves the state as it is enables nothing.
                if state == growing.state {
                    continue;
                }
                for &second in &self.operations {
                    for more in self.arguments(second, &growing.used, growing.steps.len() + 1) {
                        let is_new =
                            self.after(second, &state.heap, &more)
                                .is_some_and(|(e, _)| {
                                    let is_new =
                                        |b: &BlockId| !self.visited.contains(&(second, *b));
                                    e.visited.iter().any(is_new)
                                });
                        if is_new {
                            return Some(Next {
                                callee,
                                args,
                                execution,
                                state,
                            });
                        }
                    }
                }
            }
        }
        None
    }

    /// Appends a call to the scenario: its pair and blocks count as seen, and the values after it
    /// become expected values.
    fn take(&mut self, growing: &mut Growing, next: Next) {
        if let Some(last) = growing.steps.last() {
            self.open.remove(&(last.callee, next.callee));
        }
        let Next {
            callee,
            args,
            execution,
            state,
        } = next;
        self.visited
            .extend(execution.visited.iter().map(|b| (callee, *b)));
        let typed = &self.program.typed;
        let results = match execution.outcome {
            Outcome::Returned(values) => typed[callee]
                .outs
                .iter()
                .zip(values)
                // Ghost results do not exist at run time.
                .map(|(out, value)| {
                    let out = &typed[out.local];
                    value.filter(|v| !out.ghost && is_written(v))
                })
                .collect(),
            Outcome::Halted { .. }
            | Outcome::Failed(_)
            | Outcome::Infeasible(_)
            | Outcome::OutOfFuel(_)
            | Outcome::Unsupported(_) => Vec::new(),
        };
        for arg in &args {
            if !growing.used.contains(arg) {
                growing.used.push(arg.clone());
            }
        }
        growing.state = state;
        // Other operations leave the observed values as they are.
        let seen = if self.changing.contains(&callee) {
            self.observe(growing)
        } else {
            Vec::new()
        };
        growing.steps.push(Step {
            callee,
            args,
            results,
            seen,
        });
    }

    /// The observations that differ from the known ones. The known ones are updated.
    fn observe(&self, growing: &mut Growing) -> Vec<(Seen, Value)> {
        let mut seen = Vec::new();
        for observer in &self.observers {
            let value = match observer {
                Seen::Function(function) => self
                    .after(*function, &growing.state.heap, &[])
                    .and_then(|(execution, _)| match execution.outcome {
                        Outcome::Returned(values) => values.into_iter().next().flatten(),
                        Outcome::Halted { .. }
                        | Outcome::Failed(_)
                        | Outcome::Infeasible(_)
                        | Outcome::OutOfFuel(_)
                        | Outcome::Unsupported(_) => None,
                    }),
                Seen::Field(field) => match growing.state.heap.objects.first() {
                    Some(object) => match &object.contents {
                        Contents::Fields(fields) => fields.get(field).cloned(),
                        Contents::Elements(_) => None,
                    },
                    None => None,
                },
            };
            let Some(value) = value.filter(is_written) else {
                continue;
            };
            // A field with the value of a known function adds nothing.
            let is_returned = matches!(observer, Seen::Field(_))
                && growing
                    .known
                    .iter()
                    .any(|(s, v)| matches!(s, Seen::Function(_)) && *v == value);
            let is_new = growing.known.insert(*observer, value.clone()).as_ref() != Some(&value);
            if is_new && !is_returned && seen.len() < MAX_SEEN {
                seen.push((*observer, value));
            }
        }
        seen
    }

    /// The arguments of a call: values that change with the number of earlier calls, combinations
    /// of values that occurred before, and combinations of small values. There are none if a
    /// parameter has no values that a test can write.
    fn arguments(&self, callee: CallableId, used: &[Value], calls: usize) -> Vec<Vec<Value>> {
        let Some(procedure) = self.program.procedures.get(&callee) else {
            return Vec::new();
        };
        let typed = &self.program.typed;
        // The receiver's type arguments replace the type parameters of its class.
        let subst: Substitution = procedure
            .type_params
            .iter()
            .copied()
            .zip(self.type_args().iter().cloned())
            .collect();
        let constants = Constants::of(self.program, procedure, Reach::OWN);
        let mut maker = Maker::new(self.program, self.interp, &constants);
        let (mut columns, mut again) = (Vec::new(), Vec::new());
        for param in procedure.params.iter().skip(1) {
            let Some(info) = procedure.vars.get(param.0 as usize) else {
                return Vec::new();
            };
            let ty = info.ty.subst(&subst);
            // Arguments with references would need objects of their own.
            if !typed.holds_no_references(&ty) {
                return Vec::new();
            }
            let mut values = maker.values(&ty, DEPTH, &mut Heap::default());
            values.retain(is_written);
            if values.is_empty() {
                return Vec::new();
            }
            let is_one = |v: &&Value| {
                let heap = Heap::default();
                self.interp.value_has_type(v, &ty, &heap).is_true()
            };
            // The last used values come first: interactions are most likely with them.
            let mut earlier: Vec<Value> = used
                .iter()
                .rev()
                .filter(is_one)
                .take(MAX_USED)
                .cloned()
                .collect();
            // Without earlier values, the first value takes part in the combinations.
            if earlier.is_empty() {
                earlier.extend(values.first().cloned());
            }
            again.push(earlier);
            columns.push(values);
        }
        if columns.is_empty() {
            return vec![Vec::new()];
        }
        // Combinations are taken from three sources, in this order, and repetitions are dropped.
        let mut all: Vec<Vec<Value>> = specimen::rows(&columns, calls + 2).skip(calls).collect();
        all.extend(rows(&again).into_iter().take(MAX_CHOICES / 2));
        all.extend(rows(&columns).into_iter().take(MAX_CHOICES));
        let mut seen: Vec<Vec<Value>> = Vec::new();
        all.retain(|row| {
            !seen.contains(row) && {
                seen.push(row.clone());
                true
            }
        });
        all.truncate(MAX_CHOICES);
        all
    }
}

/// A constructor call with its arguments, if the class has constructors, and the new object.
type Constructed = (Option<(CallableId, Vec<Value>)>, Inputs);

/// A measure of an argument: the absolute value of an integer, or the number of its parts.
fn magnitude(value: &Value) -> num_bigint::BigUint {
    if let Value::Int(n) = value {
        n.magnitude().clone()
    } else {
        value.within().count().into()
    }
}

/// Whether an expression can be written for a value without further declarations.
fn is_written(value: &Value) -> bool {
    !value.within().any(|v| {
        matches!(
            v,
            Value::Ref(_) | Value::Function(_) | Value::Lazy(_) | Value::Ordinal(_)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{MAX_CALLS, MAX_WALK, MIN_WALK, scenarios};
    use dafny_resolve::typed::{Arena, TypeId};
    use dtest_ir::Criteria;
    use dtest_lower::testing::lowered;

    #[test]
    fn the_last_scenario_of_a_class_is_a_walk_through_its_behaviours() {
        let ring = "class Ring { const capacity: nat var items: seq<int> var lost: nat\n\
            constructor (capacity: nat) requires capacity > 0 { this.capacity, items, lost := capacity, [], 0; }\n\
            method Add(x: int) modifies this { if |items| == capacity { items, lost := items[1..], lost + 1; } items := items + [x]; }\n\
            method Take() returns (x: int) modifies this { if items == [] { x := -1; } else { x, items := items[0], items[1..]; } }\n\
            method Clear() returns (n: nat) modifies this { n, items := |items|, []; if lost > 0 { lost := 0; } } }";
        let program = lowered(ring, Criteria::default()).1;
        let class = Arena::<TypeId>::ids(&*program.typed)
            .into_iter()
            .find(|id| &*program.typed[*id].name == "Ring")
            .expect("declared");
        let all = scenarios(&program, class, 9);
        let (last, others) = all.split_last().expect("scenarios");
        assert!(others.iter().all(|s| s.steps.len() <= MAX_CALLS));
        assert!(
            (MIN_WALK..=MAX_WALK).contains(&last.steps.len()),
            "{last:?}"
        );
        // It is one of those that are asked for.
        assert_eq!(scenarios(&program, class, 1).len(), 1);
    }
}
