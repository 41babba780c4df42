//! Whether a unit may be called with inputs: types and preconditions.

use crate::answers::Script;
use crate::api::{ClauseResult, InputCheck, Inputs, Truth};
use crate::code::CodeKey;
use crate::comparisons::Obstacle;
use crate::heap::{self, State};
use crate::machine::States;
use crate::word::Word;
use crate::{Interp, clause_result};
use dafny_resolve::typed::{CallableId, Type};
use dtest_value::{Contents, Heap, Value};

impl Interp<'_> {
    /// Checks whether `unit` may be called with the inputs: every argument and all contents of
    /// objects are values of their types, and every precondition holds.
    pub fn check_inputs(&self, unit: CallableId, inputs: &Inputs) -> InputCheck {
        self.is_check_cut.set(false);
        let script = Script::of(inputs);
        let Some(contract) = self.program.contracts.get(&unit) else {
            return InputCheck::default();
        };
        let state = heap::read_inputs(&self.program.typed, inputs);
        let map = contract
            .type_params
            .iter()
            .copied()
            .zip(inputs.type_args.iter().cloned())
            .collect();
        let mut check = InputCheck::default();
        self.checks_inputs.set(true);
        for (param, arg) in contract.params.iter().zip(&inputs.args) {
            let Some(var) = contract.vars.get(param.0 as usize) else {
                continue;
            };
            self.begin_clause();
            let truth = self.has_type(arg, &var.ty.subst(&map), &state);
            self.note_obstacle(&mut check.obstacle, &truth);
            check.types.push(ClauseResult {
                span: var.span,
                truth,
                failure: None,
                answers: Vec::new(),
                unanswered: None,
                reads_open_constants: false,
                has_undecided: false,
            });
        }
        let of_heap = self.check_heap(&inputs.heap, &state, &mut check.obstacle);
        check.types.extend(of_heap);
        // A contract about two states is checked after the execution, when both states exist.
        let requires = if self.program.is_in_two_states(unit) {
            &[][..]
        } else {
            &contract.requires
        };
        for (i, clause) in requires.iter().enumerate() {
            let args = inputs.args.iter().map(Word::of_ref).collect();
            let states = States::since(state.clone());
            let key = CodeKey::Requires(unit, i);
            self.begin_clause();
            let evaluated = self.evaluated(
                &key,
                args,
                &inputs.type_args,
                state.clone(),
                states,
                &script,
            );
            let result = clause_result(clause.span, evaluated, &script);
            self.note_obstacle(&mut check.obstacle, &result.truth);
            check.requires.push(result);
        }
        self.checks_inputs.set(false);
        self.refute_by_lemmas(unit, inputs, &state, &mut check);
        check
    }

    /// Records the end of a clause if it is the first that is violated.
    fn note_obstacle(&self, known: &mut Option<Obstacle>, truth: &Truth) {
        if known.is_none() && truth.is_false() {
            *known = self.obstacle();
        }
    }

    /// Returns the contents of objects that are not known to be values of their types.
    fn check_heap(
        &self,
        heap: &Heap,
        state: &State,
        obstacle: &mut Option<Obstacle>,
    ) -> Vec<ClauseResult> {
        let program = &self.program.typed;
        let mut found = Vec::new();
        let mut check = |value: &Value, ty: &Type, span| {
            self.begin_clause();
            let truth = self.has_type(value, ty, state);
            self.note_obstacle(obstacle, &truth);
            if !truth.is_true() {
                found.push(ClauseResult {
                    span,
                    truth,
                    failure: None,
                    answers: Vec::new(),
                    unanswered: None,
                    reads_open_constants: false,
                    has_undecided: false,
                });
            }
        };
        // Every value in the heap must belong to the type of its place.
        for object in &heap.objects {
            match (&object.contents, &object.ty) {
                (Contents::Fields(fields), ty) => {
                    for (field, value) in fields {
                        check(value, &program.field_type(ty, *field), program[*field].span);
                    }
                }
                (Contents::Elements(elements), Type::Array { elem, .. }) => {
                    elements
                        .iter()
                        .flatten()
                        .for_each(|value| check(value, elem, dafny_source::Span::default()));
                }
                (Contents::Elements(_), _) => {}
            }
        }
        found
    }
}
