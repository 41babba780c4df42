//! Lemmas about functions without bodies, instantiated for the calls of an encoding.
//!
//! A function without a body is a table whose rows only satisfy its own contract. Lemmas, most of
//! them `{:axiom}`, say more: they relate results of several calls, or exclude arguments. A lemma
//! is instantiated for each row of a function that it applies to its own parameters; its clauses
//! may add rows, so that there are a few rounds.

use std::rc::Rc;

use super::value::Sym;
use super::{Encoder, Fact, Frame, Mode};
use dafny_resolve::typed::{Body, CallableId, CallableKind, Substitution, Type};
use dtest_ir::{Contract, Criterion, Expr, ExprKind, Var};
use dtest_sorted::SortedSet;

/// The limit of instances of lemmas in one encoding.
const MAX_INSTANCES: usize = 48;
/// The limit of rounds: instances for rows that earlier instances added.
const MAX_ROUNDS: usize = 2;

/// A call in the contract of a lemma that has all parameters of the lemma as arguments.
#[derive(Clone)]
struct Pattern<'p> {
    lemma: CallableId,
    contract: &'p Contract,
    callee: CallableId,
    type_args: Vec<Type>,
    args: Vec<Var>,
}

impl<'p> Encoder<'p> {
    /// Assumes the lemmas about the functions without bodies that were called, for the arguments of
    /// these calls. Obligations are decided without them, as in Dafny, where a lemma has to be
    /// called.
    pub(super) fn assume_lemmas(&mut self) {
        let is_called = self
            .external
            .tables
            .keys()
            .any(|(f, _)| !self.is_answered(*f));
        if self.mode != Mode::Cut || self.program.criteria.has(Criterion::Obligation) || !is_called
        {
            return;
        }
        let patterns = self.patterns();
        let mut done: Vec<(CallableId, Vec<Type>, Vec<Sym>)> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let before = done.len();
            for pattern in &patterns {
                for (type_args, args) in self.rows_of(pattern) {
                    let Some((types, args)) = instance(pattern, &type_args, &args) else {
                        continue;
                    };
                    let key = (pattern.lemma, types, args);
                    if done.len() >= MAX_INSTANCES || self.is_exhausted() {
                        return;
                    }
                    if !done.contains(&key) {
                        self.assume_lemma(pattern, &key.1, &key.2);
                        done.push(key);
                    }
                }
            }
            if done.len() == before {
                return;
            }
        }
    }

    /// Returns the patterns of all lemmas of the program, in the order of their declarations.
    fn patterns(&self) -> Vec<Pattern<'p>> {
        let program = self.program;
        let mut found = Vec::new();
        for (id, contract) in program.contracts.iter() {
            let c = &program.typed[*id];
            let is_pure = contract.params.iter().all(|p| {
                let var = contract.vars.get(p.0 as usize);
                var.is_some_and(|v| program.typed.holds_no_references(&v.ty))
            });
            if c.kind != CallableKind::Lemma || c.is_two_state || !c.outs.is_empty() || !is_pure {
                continue;
            }
            let clauses = contract.requires.iter().chain(&contract.ensures);
            let mut todo: Vec<&Expr> = clauses.map(|clause| &clause.cond).collect();
            let mut seen = SortedSet::new();
            while let Some(e) = todo.pop() {
                todo.extend(e.children());
                let ExprKind::Call {
                    callee,
                    type_args,
                    args,
                    label: None,
                } = &e.kind
                else {
                    continue;
                };
                let vars: Option<Vec<Var>> = args
                    .iter()
                    .map(|a| match &a.kind {
                        ExprKind::Var(v) if contract.params.contains(v) => Some(*v),
                        _other => None,
                    })
                    .collect();
                let Some(args) = vars else { continue };
                let is_bound = contract.params.iter().all(|p| args.contains(p));
                if is_bound
                    && self.is_uninterpreted(*callee)
                    && seen.insert((*callee, args.clone()))
                {
                    found.push(Pattern {
                        lemma: *id,
                        contract,
                        callee: *callee,
                        type_args: type_args.clone(),
                        args,
                    });
                }
            }
        }
        found
    }

    /// Whether a function has no body, no stub and no mock, and depends on its arguments alone.
    fn is_uninterpreted(&self, callee: CallableId) -> bool {
        let contract = self.program.contracts.get(&callee);
        !self.is_answered(callee)
            && self.typed()[callee].kind.is_function()
            && matches!(self.typed()[callee].body, Body::None)
            && contract.is_some_and(|c| c.reads.is_empty())
    }

    /// Returns the calls of the pattern's function: the type arguments and the arguments.
    fn rows_of(&self, pattern: &Pattern<'_>) -> Vec<(Vec<Type>, Vec<Sym>)> {
        let mut rows = Vec::new();
        for ((callee, type_args), table) in &self.external.tables {
            if *callee == pattern.callee
                && let Some(table) = self.objects.tables.get(*table as usize)
            {
                let of_row = |(args, _): &(Vec<Sym>, Sym)| (type_args.clone(), args.clone());
                rows.extend(table.entries.iter().map(of_row));
            }
        }
        rows
    }

    /// Assumes that a lemma holds for these arguments.
    fn assume_lemma(&mut self, pattern: &Pattern<'p>, types: &[Type], args: &[Sym]) {
        let (lemma, contract) = (pattern.lemma, pattern.contract);
        let type_params = contract.type_params.iter().copied();
        let subst: Substitution = type_params.zip(types.iter().cloned()).collect();
        // The instance is a fact of its own: what it leaves out does not make the encoding weaker.
        let omissions = self.omissions.clone();
        let mut typed = self.t.tt;
        for (param, arg) in contract.params.iter().zip(args) {
            if let Some(var) = contract.vars.get(param.0 as usize) {
                let is = self.has_type(arg, &var.ty.subst(&subst));
                typed = self.t.and(typed, is);
            }
        }
        let mut frame = Frame::new(&contract.vars, Rc::new(subst));
        frame.bind(&contract.params, args);
        frame.snapshots.insert(None, self.heap.clone());
        let (holds, known) =
            self.in_specification(|e| e.isolated(|e| e.clauses(&contract.requires, &mut frame)));
        let before = self.t.and(holds, known);
        let mut asked = self.t.and(typed, before);
        let is_proved = !matches!(self.typed()[lemma].body, Body::None);
        for clause in &contract.ensures {
            let (holds, defined) =
                self.in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
            // A later clause may be well-defined only where the earlier ones hold.
            asked = self.t.and(asked, defined);
            let instance = self.t.implies(asked, holds);
            let fact = if is_proved {
                Fact::Postcondition(lemma, clause.span)
            } else {
                Fact::Contract(lemma, clause.span)
            };
            let instance = self.given(fact, instance);
            self.assumed.facts.push(instance);
        }
        self.omissions = omissions;
    }
}

/// Returns the type arguments and arguments of a lemma for a call of the pattern's function; `None`
/// if the call does not match.
fn instance(
    pattern: &Pattern<'_>,
    type_args: &[Type],
    args: &[Sym],
) -> Option<(Vec<Type>, Vec<Sym>)> {
    let mut subst = Substitution::default();
    for (general, concrete) in pattern.type_args.iter().zip(type_args) {
        if let Type::Param(p) = general
            && pattern.contract.type_params.contains(p)
        {
            subst.entry(*p).or_insert_with(|| concrete.clone());
        }
    }
    let is_match = |(general, concrete): (&Type, &Type)| general.subst(&subst) == *concrete;
    if !pattern.type_args.iter().zip(type_args).all(is_match) {
        return None;
    }
    let types = pattern.contract.type_params.iter();
    let types = types
        .map(|p| subst.get(p).cloned())
        .collect::<Option<_>>()?;
    let value_of = |param: &Var| {
        let at = pattern.args.iter().position(|a| a == param)?;
        args.get(at).cloned()
    };
    let values = pattern.contract.params.iter().map(value_of);
    Some((types, values.collect::<Option<_>>()?))
}
