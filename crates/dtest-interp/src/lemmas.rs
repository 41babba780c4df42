//! Preconditions that lemmas refute.
//!
//! A precondition that is a call of a predicate without a body is assumed to hold. A lemma about
//! the predicate, usually an `{:axiom}`, may say that it does not hold for these arguments: where
//! its own precondition follows from what is assumed, and its postcondition is false.

use std::rc::Rc;

use super::Interp;
use super::answers::Script;
use super::api::{InputCheck, Inputs, Truth};
use super::code::CodeKey;
use super::heap::State;
use super::machine::{Machine, States};
use super::word::Word;
use dafny_resolve::typed::{CallableId, Type};
use dtest_ir::{Criterion, Expr, ExprKind, LemmaCall, Var};
use dtest_value::Value;

/// A condition of a precondition that is assumed: a call of a predicate without a body.
struct Assumed {
    /// The number of the clause.
    clause: usize,
    callee: CallableId,
    type_args: Vec<Type>,
    args: Vec<Value>,
}

impl Interp<'_> {
    /// Makes undecided preconditions false that a lemma excludes for these inputs.
    pub(super) fn refute_by_lemmas(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        state: &State,
        check: &mut InputCheck,
    ) {
        let is_open = |c: &super::ClauseResult| {
            matches!(c.truth, Truth::Unknown(_)) && c.unanswered.is_some()
        };
        // Where obligations are goals, a lemma is a unit, and must not exclude its own inputs.
        let is_checked = self.program.criteria.has(Criterion::Obligation);
        if is_checked || !check.requires.iter().any(is_open) {
            return;
        }
        let assumed = self.assumed(unit, inputs, state);
        for atom in &assumed {
            let lemmas = self
                .lemmas
                .get_or_init(|| self.program.lemmas_about(&|f| self.is_uninterpreted(f)));
            let about = lemmas.iter().filter(|l| l.callee == atom.callee);
            if about
                .into_iter()
                .any(|lemma| self.refutes(lemma, atom, &assumed, state))
                && let Some(clause) = check.requires.get_mut(atom.clause)
                && is_open(clause)
            {
                clause.truth = Truth::False;
            }
        }
    }

    /// Whether a function has neither a body nor a stub nor a mock.
    fn is_uninterpreted(&self, callee: CallableId) -> bool {
        super::facts::is_uninterpreted(&self.program.typed, callee)
    }

    /// Returns the conditions of the precondition that are assumed, as far as their arguments are
    /// known.
    fn assumed(&self, unit: CallableId, inputs: &Inputs, state: &State) -> Vec<Assumed> {
        let Some(contract) = self.program.contracts.get(&unit) else {
            return Vec::new();
        };
        let conditions = contract.requires.iter().enumerate();
        let conditions = conditions.flat_map(|(clause, c)| {
            let conjuncts = c.cond.conjuncts();
            conjuncts.into_iter().map(move |e| (clause, e))
        });
        let params: Vec<Word> = inputs.args.iter().map(Word::of_ref).collect();
        let mut found = Vec::new();
        for (number, (clause, e)) in conditions.enumerate() {
            let ExprKind::Call {
                callee,
                type_args,
                args,
                label: None,
            } = &e.kind
            else {
                continue;
            };
            if !self.is_uninterpreted(*callee) {
                continue;
            }
            let value = |i: usize| {
                let code = self.code(&CodeKey::Assumed(unit, number, i))?;
                let mut machine = Machine::new(self, state.clone(), self.limits.steps);
                let types = Rc::from(inputs.type_args.as_slice());
                let states = Some(States::since(state.clone()));
                let words = machine.execute(code, params.clone(), types, states);
                self.count(&machine);
                words.ok()?.pop()?.value()
            };
            let Some(args) = (0..args.len()).map(value).collect() else {
                continue;
            };
            let map = contract
                .type_params
                .iter()
                .copied()
                .zip(inputs.type_args.iter().cloned())
                .collect();
            found.push(Assumed {
                clause,
                callee: *callee,
                type_args: type_args.iter().map(|t| t.subst(&map)).collect(),
                args,
            });
        }
        found
    }

    /// Whether a lemma says that not all assumed conditions hold: its precondition follows from
    /// them, and its postcondition is false.
    fn refutes(
        &self,
        call: &LemmaCall<'_>,
        atom: &Assumed,
        assumed: &[Assumed],
        state: &State,
    ) -> bool {
        // The type arguments of a generic lemma are not inferred.
        if !call.contract.type_params.is_empty() || call.type_args != atom.type_args.as_slice() {
            return false;
        }
        let value_of = |param: &Var| {
            let at = call.args.iter().position(|a| a == param)?;
            atom.args.get(at)
        };
        let args: Option<Vec<&Value>> = call.contract.params.iter().map(value_of).collect();
        let Some(args) = args else { return false };
        // The lemma says nothing about values outside of its types.
        let is_typed = call.contract.params.iter().zip(&args).all(|(param, arg)| {
            let var = call.contract.vars.get(param.0 as usize);
            var.is_some_and(|v| self.has_type(arg, &v.ty, state).is_true())
        });
        let is_assumed = |e: &Expr| {
            let Some((callee, type_args, vars)) = e.as_call_on(&call.contract.params) else {
                return false;
            };
            let value = |var: &Var| {
                let at = call.contract.params.iter().position(|p| p == var)?;
                args.get(at).copied()
            };
            let values: Option<Vec<&Value>> = vars.iter().map(value).collect();
            values.is_some_and(|values| {
                assumed.iter().any(|a| {
                    (a.callee, a.type_args.as_slice()) == (callee, type_args)
                        && a.args.iter().eq(values.iter().copied())
                })
            })
        };
        let words: Vec<Word> = args.iter().map(|v| Word::of_ref(v)).collect();
        let truth = |key: &CodeKey| {
            let states = States::since(state.clone());
            let script = Script::default();
            self.clause(key, words.clone(), &[], state.clone(), states, &script)
        };
        is_typed
            && (0..).zip(&call.contract.requires).all(|(i, clause)| {
                is_assumed(&clause.cond) || truth(&CodeKey::Requires(call.lemma, i)).is_true()
            })
            && (0..call.contract.ensures.len())
                .any(|i| truth(&CodeKey::Ensures(call.lemma, i)).is_false())
    }
}
