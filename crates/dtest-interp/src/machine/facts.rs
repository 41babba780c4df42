//! Facts about functions without a body: recorded where a contract states them, and looked up where
//! specifications call such a function.

use super::{Machine, States, Step};
use crate::answers::Footprint;
use crate::api::Answer;
use crate::code::CodeKey;
use crate::facts::{Fact, Part, Side, Stated, Statement, Subject, clauses, statements};
use crate::heap::State;
use crate::word::Word;
use dafny_resolve::typed::{CallableId, Substitution, Type};
use dtest_desugar::ExternalCode as _;
use dtest_ir::Criterion;
use dtest_value::{ObjectId, Value};
use num_traits::ToPrimitive;

/// The limit of the length of a result that a contract states.
const MAX_LENGTH: usize = 1 << 17;

impl Machine<'_, '_, '_> {
    /// Records what the clauses of a contract state about functions without a body. `words` are the
    /// parameters, and for postconditions also the out-parameters; statements about unknown values
    /// are left out. Returns the lengths of out-parameters that the clauses state, by position.
    pub(crate) fn learn(
        &mut self,
        (callable, side): (CallableId, Side),
        words: &[Word],
        type_args: &[Type],
        (heap, states): (&State, &States),
    ) -> Step<Vec<(usize, usize)>> {
        let program = self.interp.program;
        let mut lengths = Vec::new();
        let Some(contract) = program.contracts.get(&callable) else {
            return Ok(lengths);
        };
        // Obligations are decided for every value that the function may have.
        if program.criteria.has(Criterion::Obligation) || self.interp.runs_variant() {
            return Ok(lengths);
        }
        let type_params = contract.type_params.iter().copied();
        let subst: Substitution = type_params.zip(type_args.iter().cloned()).collect();
        let all = statements(&program.typed, clauses(contract, side));
        // Lengths come last, because they may depend on the values of functions.
        let is_length = |s: &Statement<'_>| matches!(s.subject, Subject::Length(_));
        let (last, first): (Vec<_>, Vec<_>) = all
            .iter()
            .enumerate()
            .partition(|(_, statement)| is_length(statement));
        for (number, statement) in first.into_iter().chain(last) {
            let mut part = |part: Part| -> Step<Option<Value>> {
                let key = CodeKey::Stated(callable, side, number, part);
                let word = self.value_aside(
                    &key,
                    words.to_vec(),
                    type_args,
                    heap.clone(),
                    states.clone(),
                )?;
                Ok(word.value())
            };
            let mut is_stated = true;
            for (i, (_, wanted)) in statement.guards.iter().enumerate() {
                is_stated = is_stated && part(Part::Guard(i))? == Some(Value::Bool(*wanted));
            }
            if !is_stated {
                continue;
            }
            let value = match statement.value {
                Stated::Expr(_) => part(Part::Value)?,
                Stated::Bool(value) => Some(Value::Bool(value)),
            };
            let Some(value) = value else { continue };
            match &statement.subject {
                Subject::Length(var) => {
                    let out = contract.outs.iter().position(|out| out == var);
                    let length = if let Value::Int(n) = &value {
                        n.to_usize().filter(|n| *n <= MAX_LENGTH)
                    } else {
                        None
                    };
                    lengths.extend(out.zip(length));
                }
                Subject::Call {
                    callee,
                    type_args: own,
                    args,
                } => {
                    let mut known = Vec::with_capacity(args.len());
                    for i in 0..args.len() {
                        known.extend(part(Part::Arg(i))?);
                    }
                    let type_args: Vec<Type> = own.iter().map(|t| t.subst(&subst)).collect();
                    if known.len() < args.len() {
                        continue;
                    }
                    if program.typed.is_mocked(*callee) {
                        if side == Side::Ensures {
                            self.answer_as_stated((*callee, type_args), known, value, heap)?;
                        }
                        continue;
                    }
                    if let Some(read) = self.read_by(*callee, &known, &type_args, heap)? {
                        self.script.learn(Fact {
                            callee: *callee,
                            type_args,
                            args: known,
                            value,
                            read,
                        });
                    }
                }
            }
        }
        Ok(lengths)
    }

    /// Makes a mock answer a call of a function as the contract of another function or method of
    /// it states, unless the answer is known already: `ensures Ensures(input, output)`.
    fn answer_as_stated(
        &mut self,
        (callee, type_args): (CallableId, Vec<Type>),
        args: Vec<Value>,
        value: Value,
        heap: &State,
    ) -> Step<()> {
        let program = self.interp.program;
        let words: Vec<Word> = args.iter().map(Word::of_ref).collect();
        let Some(contract) = program.contracts.get(&callee) else {
            return Ok(());
        };
        if !words.first().is_some_and(|receiver| self.is_mock(receiver)) {
            return Ok(());
        }
        let asked = Answer {
            callee,
            type_args,
            args: args.into_iter().map(Some).collect(),
            results: vec![Some(value)],
            changes: Vec::new(),
            undecided: Vec::new(),
        };
        if self.script.settled(&asked, heap).is_some()
            || self.script.given(&program.typed, &asked).is_some()
        {
            return Ok(());
        }
        let type_params = contract.type_params.iter().copied();
        let subst: Substitution = type_params.zip(asked.type_args.iter().cloned()).collect();
        let outs = program.typed[callee].outs.iter();
        let outs: Vec<(Type, bool)> = outs
            .map(|f| (program.typed[f.local].ty.subst(&subst), true))
            .collect();
        self.accept(asked, &words, &outs)?;
        Ok(())
    }

    /// Returns the objects that a function reads; `None` if they are unknown.
    fn read_by(
        &mut self,
        callee: CallableId,
        args: &[Value],
        type_args: &[Type],
        heap: &State,
    ) -> Step<Option<Footprint>> {
        let contract = self.interp.program.contracts.get(&callee);
        let Some(contract) = contract else {
            return Ok(None);
        };
        let mut objects = Vec::new();
        if contract.reads.iter().any(|part| part.object.is_none()) {
            return Ok(None);
        }
        if !contract.reads.is_empty() {
            let words = args.iter().map(Word::of_ref).collect();
            let states = States::since(heap.clone());
            let key = CodeKey::Reads(callee);
            let Word::Set(all) = self.value_aside(&key, words, type_args, heap.clone(), states)?
            else {
                return Ok(None);
            };
            for v in all.iter() {
                if let Value::Ref(id) = v {
                    objects.push(*id);
                }
            }
        }
        let heap = heap.clone();
        Ok(Some(Footprint { objects, heap }))
    }

    /// Returns the known value of a function without a body.
    pub(super) fn stated_value(
        &self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Word],
    ) -> Option<Word> {
        if !self.script.has_facts() {
            return None;
        }
        let args: Option<Vec<Value>> = args.iter().map(|w| w.clone().value()).collect();
        let value = self.script.fact(callee, type_args, &args?, self.view())?;
        Some(Word::of_ref(&value))
    }

    /// Whether the postconditions of a callable state something about functions without a body.
    fn has_statements(&self, callee: CallableId) -> bool {
        let program = self.interp.program;
        let contract = program.contracts.get(&callee);
        let is_about_call = |s: &Statement<'_>| matches!(s.subject, Subject::Call { .. });
        contract.is_some_and(|contract| {
            let all = statements(&program.typed, clauses(contract, Side::Ensures));
            all.iter().any(is_about_call)
        })
    }

    /// Marks the objects that a call of external code may modify: what functions without a body say
    /// about them is no longer known.
    pub(super) fn touch(&mut self, heap: &mut State, answer: &Answer, args: &[Word]) -> Step<()> {
        let modifies = &self.interp.program.typed[answer.callee].spec.modifies;
        if modifies.is_empty() || !(self.script.has_facts() || self.has_statements(answer.callee)) {
            return Ok(());
        }
        let number = self.script.next_change();
        let objects: Vec<ObjectId> = match self.modified_objects(answer, args)? {
            Some(objects) => {
                let id = |v: &Value| {
                    if let Value::Ref(id) = v {
                        Some(*id)
                    } else {
                        None
                    }
                };
                objects.iter().filter_map(id).collect()
            }
            None => (0..heap.len() as u32).map(ObjectId).collect(),
        };
        for id in objects {
            if let Some(cell) = crate::heap::cell_mut(heap, id) {
                cell.hidden = number;
            }
        }
        Ok(())
    }
}

/// Copies the marks of [`Machine::touch`] from one state to another one.
pub(super) fn take_marks(from: &State, to: &mut State) {
    for (i, cell) in from.iter().enumerate() {
        let differs = to.get(i).is_some_and(|c| c.hidden != cell.hidden);
        if differs && let Some(cell_of) = crate::heap::cell_mut(to, ObjectId(i as u32)) {
            cell_of.hidden = cell.hidden;
        }
    }
}
