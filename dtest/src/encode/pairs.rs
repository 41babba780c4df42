//! Input and output pairs of executions in the place of a callee's body.
//!
//! A call that finds no copy of its callee for itself may still be one that some execution has made: then its results are known, and what
//! it reaches (Christ, Hoenicke, Schäf 2012, section 6). Pairs are an under-approximation; every execution adds to them.

use std::collections::BTreeMap;

use super::value::Sym;
use super::{Encoder, Frame};
use crate::interp::Pair;
use crate::ir::Procedure;
use crate::smt::{Sort, Term};
use crate::typed::{CallableId, Substitution, Type};

/// Pairs of one callee that an encoding takes, at most.
const MAX_PAIRS: usize = 16;

/// Pairs by callee: of those that give and reach the same, the first ones.
#[derive(Clone, Debug, Default)]
pub struct Pairs(BTreeMap<CallableId, Vec<Pair>>);

impl Pairs {
    /// Chooses among all pairs.
    pub fn of(all: Vec<Pair>) -> Self {
        let mut by_callee: BTreeMap<CallableId, Vec<Pair>> = BTreeMap::new();
        let mut rest: Vec<Pair> = Vec::new();
        for pair in all {
            let chosen = by_callee.entry(pair.callee).or_default();
            let is_new = chosen.iter().all(|c| c.results != pair.results || c.goals != pair.goals);
            if chosen.len() < MAX_PAIRS && is_new {
                chosen.push(pair);
            } else {
                rest.push(pair);
            }
        }
        for pair in rest {
            let chosen = by_callee.entry(pair.callee).or_default();
            if chosen.len() < MAX_PAIRS {
                chosen.push(pair);
            }
        }
        Self(by_callee)
    }
}

impl Encoder<'_> {
    /// The results of a call as pairs know them, under a condition that says that one of them is meant.
    pub(super) fn by_pairs(&mut self, proc: &Procedure, type_args: &[Type], args: &[Sym]) -> Option<(Term, Vec<Sym>)> {
        let pairs: Vec<Pair> = self.pairs.0.get(&proc.callable)?.iter().filter(|p| p.type_args == type_args).cloned().collect();
        if pairs.is_empty() {
            return None;
        }
        let subst: Substitution = proc.type_params.iter().copied().zip(type_args.iter().cloned()).collect();
        let frame = Frame::new(&proc.vars, std::rc::Rc::new(subst));
        let known = self.t.fresh("known", Sort::Bool);
        let (hints, leaves) = (self.hints.len(), self.leaves.len());
        let types: Vec<Type> = proc.outs.iter().map(|v| frame.type_of(*v).unwrap_or(Type::Error)).collect();
        let results: Vec<Sym> = types.iter().map(|ty| self.in_specification(|e| e.input("result", ty))).collect();
        self.hints.truncate(hints);
        self.leaves.truncate(leaves);
        let mut some = self.t.ff;
        for pair in pairs {
            let mut same = known;
            for (arg, value) in args.iter().zip(&pair.args) {
                let equal = self.equals_value(arg, value);
                same = self.t.and(same, equal);
            }
            some = self.t.or(some, same);
            for (result, value) in results.iter().zip(&pair.results) {
                let equal = self.equals_value(result, value);
                let fact = self.t.implies(same, equal);
                self.facts.push(fact);
            }
            self.reaches(&pair.goals, same);
        }
        let meant = self.t.implies(known, some);
        self.require(meant);
        Some((known, results))
    }
}
