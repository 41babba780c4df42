//! External code and mocks: finds results that satisfy the contract.
//!
//! A given result is validated first. Otherwise candidates are enumerated, starting with the values
//! that the postconditions define by equations.

use std::rc::Rc;
use std::sync::Arc;

use super::facts::take_marks;
use super::{Machine, States, Step, bug, substitute, unsupported};
use crate::answers::{Footprint, Known, candidates, is_constructor};
use crate::api::{Answer, Outcome, Place, Truth};
use crate::code::{Code, CodeKey};
use crate::comparisons::NotedCode;
use crate::compile::updates;
use crate::facts::Side;
use crate::heap::Words;
use crate::heap::{State, bear, cell_mut};
use crate::word::{Condition, Word};
use dafny_resolve::typed::{CallableId, CallableKind, FieldId, FieldKind, Program, Type};
use dafny_source::Span;
use dtest_desugar::ExternalCode as _;
use dtest_ir::Criterion;
use dtest_ir::reason::{NoValue, Reason, Unanswered};
use dtest_sorted::SortedSet;
use dtest_value::{ObjectId, Value};

/// The limit of stubs whose contracts call each other.
const MAX_NESTING: u32 = 8;
/// The limit of steps of the contract of one result.
const MAX_STEPS: u64 = 200_000;

/// The verdict of a contract on a result.
enum Verdict {
    /// The result violates the contract.
    Broken,
    /// The result violates no clause of the contract. The undecided clauses.
    Met(Vec<Span>),
}

impl Machine<'_, '_, '_> {
    /// Records a call of linked Rust code, whose result is not known here.
    pub(super) fn record_linked_call(&mut self, callee: CallableId) {
        if self.interp.program.typed.is_linked(callee) {
            self.linked = true;
            self.deterministic = false;
        }
    }

    /// Finds the result of a call of external code, whose arguments are on the stack.
    pub(super) fn answer(&mut self, callee: CallableId, code: &Code) -> Step<()> {
        let typed = &self.interp.program.typed;
        let c = &typed[callee];
        let args = self.pop_many(code.params)?;
        self.record_linked_call(callee);
        // A constant's value is cached for later executions, whose tests would not have the stub.
        let is_obliged = self
            .interp
            .program
            .criteria
            .has(dtest_ir::Criterion::Obligation);
        if self.is_in_constant() && c.spec.ensures.is_empty() && !is_obliged {
            return Err(unsupported(Reason::NoBody(
                typed.callable_path(callee).into(),
            )));
        }
        if typed.is_mocked(callee) && !self.is_mock(args.first().ok_or_else(bug)?) {
            return Err(unsupported(Reason::NoBody(
                typed.callable_path(callee).into(),
            )));
        }
        let receivers = usize::from(code.params as usize > c.ins.len());
        let told: Vec<bool> = std::iter::repeat_n(true, receivers)
            .chain(c.ins.iter().map(|f| typed.mock_has_value(callee, f.local)))
            .collect();
        // A result cannot depend on an unknown argument, so that it is unknown too.
        if let Some((unknown, _)) = args
            .iter()
            .zip(&told)
            .find(|(a, told)| matches!(a, Word::Unknown(_)) && **told)
        {
            let unknown = unknown.clone();
            self.deterministic = false;
            self.stack.extend(c.outs.iter().map(|_| unknown.clone()));
            return Ok(());
        }
        let frame = self.frames.last().ok_or_else(bug)?;
        let asked = Answer {
            callee,
            type_args: frame.type_args.to_vec(),
            args: args
                .iter()
                .zip(&told)
                .map(|(a, told)| if *told { a.clone().value() } else { None })
                .collect(),
            results: Vec::new(),
            changes: Vec::new(),
            undecided: Vec::new(),
        };
        let answer = self.find_answer(&asked, args)?;
        take_effect(&mut self.heap, &answer);
        if let Some(after) = self.accepted.take() {
            take_marks(&after, &mut self.heap);
        }
        self.stack.extend(answer.results.iter().map(|r| {
            r.as_ref()
                .map_or_else(|| Word::unknown(NoValue::GhostResult), Word::of_ref)
        }));
        Ok(())
    }

    /// Whether a receiver is a mock: an object of a trait without a class. An unknown receiver may
    /// be one.
    pub(super) fn is_mock(&self, receiver: &Word) -> bool {
        match receiver {
            Word::Unknown(_) => true,
            Word::Ref(id) => match self
                .view()
                .get(id.0 as usize)
                .or_else(|| self.heap.get(id.0 as usize))
                .map(|c| &c.ty)
            {
                Some(Type::Named { decl, .. }) => self.interp.program.typed.is_trait(*decl),
                Some(_) | None => false,
            },
            Word::Unset
            | Word::Bool(_)
            | Word::Char(_)
            | Word::Int(_)
            | Word::Seq(_)
            | Word::Set(_)
            | Word::Multiset(_) => false,
            Word::Map(_)
            | Word::Tuple(_)
            | Word::Datatype(_)
            | Word::Null
            | Word::Function(_)
            | Word::Boxed(_) => false,
        }
    }

    fn find_answer(&mut self, asked: &Answer, args: Vec<Word>) -> Step<Answer> {
        let typed = &self.interp.program.typed;
        let callee = asked.callee;
        let is_function = typed[callee].kind.is_function();
        // A function must give the same result for equal arguments in an equal heap.
        if is_function && let Some(known) = self.script.settled(asked, self.view()) {
            return Ok(known);
        }
        let at = self.script.len();
        let answer = self.new_answer(asked, args.clone())?;
        // The footprint tells in which heaps the result may be used again.
        if let Some(read) = self.footprint(asked, args)? {
            self.script.note_read(at, read);
        }
        Ok(answer)
    }

    /// Returns the locations that a function reads; `None` where obligations are not goals.
    fn footprint(&mut self, asked: &Answer, args: Vec<Word>) -> Step<Option<Footprint>> {
        let program = self.interp.program;
        let reads = program
            .contracts
            .get(&asked.callee)
            .map_or(&[][..], |c| &c.reads);
        // Functions without a `reads` clause do not depend on the heap.
        if reads.is_empty()
            || !program.typed[asked.callee].kind.is_function()
            || !program.criteria.has(Criterion::Obligation)
        {
            return Ok(None);
        }
        let heap = self.view().clone();
        let everything = || (0..heap.len() as u32).map(ObjectId).collect();
        // A frame of everything makes every object a part of the footprint.
        let objects = match reads.iter().any(|part| part.object.is_none()) {
            true => Some(everything()),
            false => {
                if let Word::Set(all) = self.value_aside(
                    &CodeKey::Reads(asked.callee),
                    args,
                    &asked.type_args,
                    heap.clone(),
                    States::since(heap.clone()),
                )? {
                    Some(
                        all.iter()
                            .filter_map(|v| {
                                if let Value::Ref(id) = v {
                                    Some(*id)
                                } else {
                                    None
                                }
                            })
                            .collect(),
                    )
                } else {
                    None
                }
            }
        };
        Ok(objects.map(|objects| Footprint { objects, heap }))
    }

    fn new_answer(&mut self, asked: &Answer, args: Vec<Word>) -> Step<Answer> {
        let typed = &self.interp.program.typed;
        let callee = asked.callee;
        let outs: Vec<(Type, bool)> = typed[callee]
            .outs
            .iter()
            .map(|f| {
                Ok((
                    substitute(self.frames.last().ok_or_else(bug)?, &typed[f.local].ty),
                    typed.mock_has_value(callee, f.local),
                ))
            })
            .collect::<Step<_>>()?;
        if self.interp.nesting.get() >= MAX_NESTING {
            return Err(unsupported(Unanswered::Nested));
        }
        // In a mutant, a stub has results only for the calls that the unmutated unit makes.
        let given = self.script.given(typed, asked);
        if self.interp.runs_variant() && given.as_ref().is_none_or(|g| g.args != asked.args) {
            let message =
                "a test's stub receives the calls that the unit makes, and of no others".into();
            return Err(Box::new(Outcome::Halted {
                span: typed[callee].span,
                message,
            }));
        }
        // The values that the contract defines for fields.
        let defined = self.updated_fields(asked, &args)?;
        if let Some(given) = given {
            // A proposed result has no changes: they are those that the contract defines.
            let is_proposed = given.changes.is_empty();
            let mut answer = Answer {
                args: asked.args.clone(),
                undecided: Vec::new(),
                ..given
            };
            // An object that the unit creates has another number in each execution.
            for (object, _, _) in &mut answer.changes {
                if let Some(position) = object.as_argument()
                    && let Some(Some(Value::Ref(id))) = asked.args.get(position)
                {
                    *object = *id;
                }
            }
            // Ghost contents are not given where they cannot be written.
            let by_results = self.fields_of_results(asked, &answer.results, &args)?;
            for (object, place, value) in defined.iter().chain(&by_results) {
                let is_given = |(o, p, _): &(ObjectId, Place, Value)| o == object && p == place;
                let is_open = is_ghost(typed, *place) || is_proposed;
                if is_open && !answer.changes.iter().any(is_given) {
                    answer.changes.push((*object, *place, value.clone()));
                }
            }
            if self.is_in_frame(&answer, &args)?
                && let Some(answer) = self.accept(answer, &args, &outs)?
            {
                return Ok(answer);
            }
        }
        // Without a usable given result, search for one.
        let mut changes = self.initial_fields(asked, &args)?;
        changes.extend(defined);
        let mut known = Vec::new();
        let lengths = self.stated_lengths(asked, &args, &changes)?;
        for (i, (ty, _)) in outs.iter().enumerate().filter(|(_, (_, told))| *told) {
            let length = lengths.iter().find(|(out, _)| *out == i);
            let of_result = match (self.defined(callee, i, &args)?, length) {
                (Some(value), _) => Known::Value(value),
                (None, Some((_, length))) => Known::Length(*length),
                (None, None) => Known::Nothing,
            };
            known.push((ty.clone(), of_result));
        }
        // Objects that nothing refers to come first: they may be new.
        let (view, named) = (self.view().clone(), self.script.objects());
        let objects = |ty: &Type| -> Vec<Value> {
            let ids = (0..named as u32).map(ObjectId);
            let (new, old): (Vec<_>, Vec<_>) = ids.partition(|id| {
                let cell = view.get(id.0 as usize);
                cell.is_some_and(|cell| cell.is_unborn)
            });
            new.into_iter()
                .chain(old)
                .map(Value::Ref)
                .filter(|v| self.interp.has_type(v, ty, &view).is_true())
                .collect()
        };
        for row in candidates(typed, self.interp, &objects, &known) {
            let mut row = row.into_iter();
            let results: Vec<Option<Value>> = outs
                .iter()
                .map(|(_, told)| if *told { row.next() } else { None })
                .collect();
            let mut changes = changes.clone();
            changes.extend(self.result_fields(asked, &results, &args)?);
            changes.extend(self.fields_of_results(asked, &results, &args)?);
            let answer = Answer {
                results,
                changes,
                ..asked.clone()
            };
            if let Some(answer) = self.accept(answer, &args, &outs)? {
                return Ok(answer);
            }
        }
        let path = typed.callable_path(callee).into();
        let reason = if typed.is_mocked(callee) {
            Reason::Mock(path)
        } else {
            Unanswered::NoneFound(path).into()
        };
        if !typed.is_linked(callee) {
            self.script.note_unanswered(&reason);
        }
        Err(unsupported(reason))
    }

    /// Returns the lengths of results that the contract states, by the position of the result.
    fn stated_lengths(
        &mut self,
        asked: &Answer,
        args: &[Word],
        changes: &[(ObjectId, Place, Value)],
    ) -> Step<Vec<(usize, usize)>> {
        let before = self.view().clone();
        let mut after = before.clone();
        for (object, place, value) in changes {
            change(&mut after, *object, *place, value);
        }
        self.touch(&mut after, asked, args)?;
        let outs = self.interp.program.typed[asked.callee].outs.len();
        let unknown = std::iter::repeat_n(Word::unknown(NoValue::GhostResult), outs);
        let words: Vec<Word> = args.iter().cloned().chain(unknown).collect();
        let (at, known) = (self.script.len(), self.script.facts());
        let states = States::since(before);
        let side = (asked.callee, Side::Ensures);
        let lengths = self.learn(side, &words, &asked.type_args, (&after, &states));
        // What does not depend on the results is stated again with them.
        self.script.truncate(at);
        self.script.forget(known);
        lengths
    }

    /// Validates a result by its type and the contract, and records it if it is accepted.
    pub(super) fn accept(
        &mut self,
        answer: Answer,
        args: &[Word],
        outs: &[(Type, bool)],
    ) -> Step<Option<Answer>> {
        let before = self.view().clone();
        let mut after = before.clone();
        take_effect(&mut after, &answer);
        let typed = |((ty, _), value): (&(Type, bool), &Option<Value>)| {
            value
                .as_ref()
                .is_none_or(|v| !self.interp.has_type(v, ty, &after).is_false())
        };
        if outs.len() != answer.results.len() || !outs.iter().zip(&answer.results).all(typed) {
            return Ok(None);
        }
        let (at, facts) = (self.script.len(), self.script.facts());
        // In its own postconditions, the function already has this result.
        self.script.push(answer.clone());
        self.interp.nesting.set(self.interp.nesting.get() + 1);
        let touched = self.touch(&mut after, &answer, args);
        let verdict = match touched {
            Ok(()) => {
                self.is_judging = true;
                let verdict = self.validate(&answer, args, before, after.clone());
                self.is_judging = false;
                verdict
            }
            Err(stop) => Err(stop),
        };
        self.interp.nesting.set(self.interp.nesting.get() - 1);
        // Answers in the meantime changed nothing.
        self.accepted = None;
        match verdict? {
            Verdict::Broken => {
                self.script.truncate(at);
                self.script.forget(facts);
                Ok(None)
            }
            Verdict::Met(undecided) => {
                self.accepted = Some(after);
                self.script.undecided(at, undecided.clone());
                Ok(Some(Answer {
                    undecided,
                    ..answer
                }))
            }
        }
    }

    fn validate(
        &mut self,
        answer: &Answer,
        args: &[Word],
        before: State,
        after: State,
    ) -> Step<Verdict> {
        let Some(contract) = self.interp.program.contracts.get(&answer.callee) else {
            return Err(bug());
        };
        // Ghost results are not computed, so clauses about them remain undecided.
        let results = answer.results.iter().map(|r| {
            r.as_ref()
                .map_or_else(|| Word::unknown(NoValue::GhostResult), Word::of_ref)
        });
        let words: Vec<Word> = args.iter().cloned().chain(results).collect();
        let made = match args.first() {
            Some(Word::Ref(id)) if is_constructor(&self.interp.program.typed, answer.callee) => {
                Some(*id)
            }
            Some(_) | None => None,
        };
        let states = States::since(before.clone()).making(made);
        let side = (answer.callee, Side::Ensures);
        self.learn(side, &words, &answer.type_args, (&after, &states))?;
        let mut undecided = Vec::new();
        // One false clause refutes the result; undecided clauses are recorded as assumptions of the
        // test.
        for (i, clause) in contract.ensures.iter().enumerate() {
            let states = States::since(before.clone()).making(made);
            let key = CodeKey::Ensures(answer.callee, i);
            match self.aside(
                &key,
                words.clone(),
                &answer.type_args,
                after.clone(),
                states,
            )? {
                Truth::True => {}
                Truth::False => return Ok(Verdict::Broken),
                Truth::Unknown(_) => undecided.push(clause.span),
            }
        }
        Ok(Verdict::Met(undecided))
    }

    /// Evaluates a condition on a machine of its own, which shares the results of external code and
    /// the fuel.
    pub(super) fn aside(
        &mut self,
        key: &CodeKey,
        args: Vec<Word>,
        type_args: &[Type],
        heap: State,
        states: States,
    ) -> Step<Truth> {
        let word = self.value_aside(key, args, type_args, heap, states)?;
        Ok(match word.condition().ok_or_else(bug)? {
            Condition::True => Truth::from(true),
            Condition::False => Truth::from(false),
            Condition::Unknown(reason) => Truth::Unknown(reason.into()),
        })
    }

    pub(super) fn value_aside(
        &mut self,
        key: &CodeKey,
        args: Vec<Word>,
        type_args: &[Type],
        heap: State,
        states: States,
    ) -> Step<Word> {
        let Some(code) = self.interp.code(key) else {
            return Ok(Word::unknown(NoValue::Clause));
        };
        // The evaluation has its own machine with a limited number of steps, so a failure or an
        // endless clause does not end the execution.
        let left = self.limit.saturating_sub(self.steps);
        let mut machine = Machine::new(self.interp, heap, left.min(MAX_STEPS));
        // Earlier results of external code remain valid during the evaluation.
        machine.script = self.script.clone();
        machine.is_ensuring = self.is_ensuring;
        machine.noted = self
            .noted
            .filter(|_| self.is_judging)
            .map(|_| NotedCode::All);
        let result = machine.execute(code, args, Rc::from(type_args), Some(states));
        let steps = machine.steps;
        self.undecided_assumptions
            .append(&mut machine.undecided_assumptions);
        self.charge(usize::try_from(steps).unwrap_or(usize::MAX))?;
        Ok(match result {
            Ok(mut words) => words.pop().ok_or_else(bug)?,
            Err(stop) => Word::unknown(crate::why(&stop)),
        })
    }

    /// Returns the value that a postcondition defines for an out-parameter by an equation.
    fn defined(&mut self, callee: CallableId, out: usize, args: &[Word]) -> Step<Option<Value>> {
        self.equated(&CodeKey::Defined(callee, out), args)
    }

    /// Evaluates the defining side of an equation, if there is one.
    fn equated(&mut self, key: &CodeKey, args: &[Word]) -> Step<Option<Value>> {
        if self.interp.code(key).is_none() {
            return Ok(None);
        }
        let type_args = self.frames.last().ok_or_else(bug)?.type_args.to_vec();
        let heap = self.view().clone();
        Ok(self
            .value_aside(
                key,
                args.to_vec(),
                &type_args,
                heap.clone(),
                States::since(heap),
            )?
            .value())
    }

    /// Whether the changes of a result are within the frame, or of objects that are new.
    fn is_in_frame(&mut self, answer: &Answer, args: &[Word]) -> Step<bool> {
        // A result without changes needs no frame.
        if answer.changes.is_empty() {
            return Ok(true);
        }
        let Some(objects) = self.modified_objects(answer, args)? else {
            return Ok(false);
        };
        let view = self.view();
        Ok(answer.changes.iter().all(|(id, _, _)| {
            let cell = view.get(id.0 as usize);
            cell.is_some_and(|cell| cell.is_unborn) || objects.contains(&Value::Ref(*id))
        }))
    }

    /// Returns the objects that a call may modify; `None` if they are unknown.
    pub(super) fn modified_objects(
        &mut self,
        asked: &Answer,
        args: &[Word],
    ) -> Step<Option<Arc<SortedSet<Value>>>> {
        let heap = self.view().clone();
        let key = CodeKey::Modifies(asked.callee);
        let frame = self.value_aside(
            &key,
            args.to_vec(),
            &asked.type_args,
            heap.clone(),
            States::since(heap),
        )?;
        let Word::Set(mut objects) = frame else {
            return Ok(None);
        };
        // A constructor initializes its object.
        if let Some(Some(this)) = asked.args.first()
            && is_constructor(&self.interp.program.typed, asked.callee)
        {
            Arc::make_mut(&mut objects).insert(this.clone());
        }
        Ok(Some(objects))
    }

    /// Returns the fields of the arguments, ghost or not, that the contract of a method defines by
    /// equations: `Contents == old(Contents)[k := v]`. Updates beyond the frame are left out.
    fn updated_fields(
        &mut self,
        asked: &Answer,
        args: &[Word],
    ) -> Step<Vec<(ObjectId, Place, Value)>> {
        let callee = &self.interp.program.typed[asked.callee];
        if callee.spec.modifies.is_empty() || callee.kind != CallableKind::Method {
            return Ok(Vec::new());
        }
        let Some(frame) = self.modified_objects(asked, args)? else {
            return Ok(Vec::new());
        };
        let mut changes = Vec::new();
        for (i, arg) in asked.args.iter().enumerate() {
            if let Some(Value::Ref(object)) = arg
                && frame.contains(&Value::Ref(*object))
            {
                changes.extend(self.defined_fields(asked.callee, i, *object, args)?);
            }
        }
        Ok(changes)
    }

    /// Returns the fields of the arguments that the contract defines by equations over the results:
    /// `log == old(log) + [result]`. Updates beyond the frame are left out.
    fn fields_of_results(
        &mut self,
        asked: &Answer,
        results: &[Option<Value>],
        args: &[Word],
    ) -> Step<Vec<(ObjectId, Place, Value)>> {
        if self.interp.program.typed[asked.callee].kind != CallableKind::Method {
            return Ok(Vec::new());
        }
        let mut defined = Vec::new();
        for (i, arg) in asked.args.iter().enumerate() {
            let Some(Value::Ref(object)) = arg else {
                continue;
            };
            for field in self.mutable_fields(*object) {
                let key = CodeKey::FieldOfResults(asked.callee, i, field);
                if self.interp.code(&key).is_some() {
                    defined.push((*object, field, key));
                }
            }
        }
        let updates = self.updates(asked.callee);
        if defined.is_empty() && updates.is_empty() {
            return Ok(Vec::new());
        }
        let Some(frame) = self.modified_objects(asked, args)? else {
            return Ok(Vec::new());
        };
        let results = results.iter().map(|r| {
            r.as_ref()
                .map_or_else(|| Word::unknown(NoValue::GhostResult), Word::of_ref)
        });
        let words: Vec<Word> = args.iter().cloned().chain(results).collect();
        let mut changes = Vec::new();
        for (object, field, key) in defined {
            if frame.contains(&Value::Ref(object))
                && let Some(value) = self.equated(&key, &words)?
            {
                changes.push((object, Place::Field(field), value));
            }
        }
        // Objects that constant fields of the arguments refer to.
        for (number, field) in updates.into_iter().enumerate() {
            let object = self.equated(&CodeKey::Updated(asked.callee, number), args)?;
            if let Some(Value::Ref(object)) = object
                && frame.contains(&Value::Ref(object))
                && let Some(value) =
                    self.equated(&CodeKey::UpdatedTo(asked.callee, number), &words)?
            {
                changes.push((object, Place::Field(field), value));
            }
        }
        Ok(changes)
    }

    /// Returns the fields of the updates that the contract of a callable states.
    fn updates(&self, callee: CallableId) -> Vec<FieldId> {
        let program = self.interp.program;
        let contract = program.contracts.get(&callee);
        contract.map_or_else(Vec::new, |k| {
            updates(program, k).map(|(_, field, _)| field).collect()
        })
    }

    /// Returns the mutable fields of an object, those of its traits included.
    fn mutable_fields(&self, object: ObjectId) -> Vec<FieldId> {
        let typed = &self.interp.program.typed;
        let Some(Type::Named { decl, .. }) = self.view().get(object.0 as usize).map(|c| &c.ty)
        else {
            return Vec::new();
        };
        std::iter::once(*decl)
            .chain(typed.ancestors(*decl).into_iter().map(|(t, _)| t))
            .flat_map(|t| typed[t].fields.iter().copied())
            .filter(|f| !typed[*f].is_static && matches!(typed[*f].kind, FieldKind::Mutable))
            .collect()
    }

    /// Returns the fields of new objects among the results that the contract defines by equations:
    /// `fresh(c) && c.data == b.data`.
    fn result_fields(
        &mut self,
        asked: &Answer,
        results: &[Option<Value>],
        args: &[Word],
    ) -> Step<Vec<(ObjectId, Place, Value)>> {
        let mut changes = Vec::new();
        for (i, result) in results.iter().enumerate() {
            let Some(Value::Ref(object)) = result else {
                continue;
            };
            let cell = self.view().get(object.0 as usize);
            if cell.is_some_and(|cell| cell.is_unborn) {
                changes.extend(self.defined_fields(
                    asked.callee,
                    asked.args.len() + i,
                    *object,
                    args,
                )?);
            }
        }
        Ok(changes)
    }

    /// Returns the mutable fields of an object that the contract defines by equations. The object
    /// is a parameter or an out-parameter, by number.
    fn defined_fields(
        &mut self,
        callee: CallableId,
        number: usize,
        object: ObjectId,
        args: &[Word],
    ) -> Step<Vec<(ObjectId, Place, Value)>> {
        let mut changes = Vec::new();
        for f in self.mutable_fields(object) {
            if let Some(value) = self.equated(&CodeKey::DefinedField(callee, number, f), args)? {
                changes.push((object, Place::Field(f), value));
            }
        }
        Ok(changes)
    }

    /// Returns the initial fields of an object that external code constructs: the values that the
    /// contract defines, otherwise default values.
    fn initial_fields(
        &mut self,
        asked: &Answer,
        args: &[Word],
    ) -> Step<Vec<(ObjectId, Place, Value)>> {
        let typed = &self.interp.program.typed;
        if !is_constructor(typed, asked.callee) {
            return Ok(Vec::new());
        }
        let (Some(Some(Value::Ref(made))), Some(owner)) =
            (asked.args.first(), typed[asked.callee].owner)
        else {
            return Err(bug());
        };
        // The fields of a new object have the types of its instance.
        let substitution = typed[owner]
            .type_params
            .iter()
            .copied()
            .zip(asked.type_args.iter().cloned())
            .collect();
        let mut fields = Vec::new();
        for f in typed.fields_given(owner) {
            let field = &typed[f];
            // A postcondition that determines a field takes precedence over the default value.
            let value = match self.equated(&CodeKey::DefinedField(asked.callee, 0, f), args)? {
                Some(value) => Some(value),
                None => self.interp.default_value(&field.ty.subst(&substitution)),
            };
            let Some(value) = value else {
                return Err(unsupported(Unanswered::Field(field.name.clone())));
            };
            fields.push((*made, Place::Field(f), value));
        }
        // Ghost fields have a value only if the contract defines it.
        let is_ghost = |f: &FieldId| {
            let field = &typed[*f];
            field.ghost
                && !field.is_static
                && matches!(field.kind, FieldKind::Mutable | FieldKind::Const(None))
        };
        for f in typed[owner].fields.iter().copied().filter(is_ghost) {
            if let Some(value) = self.equated(&CodeKey::DefinedField(asked.callee, 0, f), args)? {
                fields.push((*made, Place::Field(f), value));
            }
        }
        Ok(fields)
    }
}

/// Whether compiled code does not have the part of an object.
fn is_ghost(program: &Program, place: Place) -> bool {
    matches!(place, Place::Field(f) if program[f].ghost)
}

/// Applies the changes of a result, and allocates the objects that it returns.
fn take_effect(heap: &mut State, answer: &Answer) {
    for (object, place, value) in &answer.changes {
        change(heap, *object, *place, value);
    }
    let changed = answer.changes.iter().map(|(_, _, value)| value);
    bear(heap, answer.results.iter().flatten().chain(changed));
}

fn change(heap: &mut State, object: ObjectId, place: Place, value: &Value) {
    let Some(cell) = cell_mut(heap, object) else {
        return;
    };
    match (place, &mut cell.contents) {
        (Place::Field(f), Words::Fields(_)) => cell.set_field(f, Word::of_ref(value)),
        (Place::Element(i), Words::Elements(elements)) => {
            if let Some(e) = elements.get_mut(i) {
                *e = Word::of_ref(value);
            }
        }
        (Place::Field(_), Words::Elements(_)) | (Place::Element(_), Words::Fields(_)) => {}
    }
}
