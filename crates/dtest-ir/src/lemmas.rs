//! Lemmas about functions without bodies.
//!
//! A lemma about such a function can be used for a call of it, if the lemma calls the function with
//! its own parameters: [`Program::lemmas_about`] finds these calls.

use dafny_resolve::typed::{CallableId, CallableKind, Type};
use dtest_sorted::SortedSet;

use crate::{Contract, Expr, ExprKind, Program, Var};

/// A call in the contract of a lemma that has all parameters of the lemma as arguments.
#[derive(Clone, Debug)]
pub struct LemmaCall<'p> {
    /// The lemma: without results, and over values without references.
    pub lemma: CallableId,
    /// Its contract.
    pub contract: &'p Contract,
    /// The called function.
    pub callee: CallableId,
    /// The type arguments of the call.
    pub type_args: &'p [Type],
    /// The arguments: parameters of the lemma.
    pub args: Vec<Var>,
}

impl Program {
    /// Returns the calls of certain functions in lemmas, in the order of the lemmas.
    pub fn lemmas_about(&self, is_asked: &dyn Fn(CallableId) -> bool) -> Vec<LemmaCall<'_>> {
        let mut found = Vec::new();
        for (lemma, contract) in self.contracts.iter() {
            let c = &self.typed[*lemma];
            let is_pure = contract.params.iter().all(|p| {
                let var = contract.vars.get(p.0 as usize);
                var.is_some_and(|v| self.typed.holds_no_references(&v.ty))
            });
            if c.kind != CallableKind::Lemma || c.is_two_state || !c.outs.is_empty() || !is_pure {
                continue;
            }
            let clauses = contract.requires.iter().chain(&contract.ensures);
            let mut todo: Vec<&Expr> = clauses.map(|clause| &clause.cond).collect();
            let mut seen = SortedSet::new();
            while let Some(e) = todo.pop() {
                todo.extend(e.children());
                let Some((callee, type_args, args)) = e.as_call_on(&contract.params) else {
                    continue;
                };
                let is_bound = contract.params.iter().all(|p| args.contains(p));
                if is_bound && is_asked(callee) && seen.insert((callee, args.clone())) {
                    found.push(LemmaCall {
                        lemma: *lemma,
                        contract,
                        callee,
                        type_args,
                        args,
                    });
                }
            }
        }
        found
    }
}

impl Expr {
    /// Returns the parts of a call whose arguments are variables among `vars`.
    pub fn as_call_on(&self, vars: &[Var]) -> Option<(CallableId, &[Type], Vec<Var>)> {
        let ExprKind::Call {
            callee,
            type_args,
            args,
            label: None,
        } = &self.kind
        else {
            return None;
        };
        let var = |arg: &Expr| {
            if let ExprKind::Var(v) = arg.kind {
                vars.contains(&v).then_some(v)
            } else {
                None
            }
        };
        let args: Option<Vec<Var>> = args.iter().map(var).collect();
        Some((*callee, type_args, args?))
    }

    /// Returns the conjuncts of a condition.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        let mut found = Vec::new();
        let mut todo = vec![self];
        while let Some(e) = todo.pop() {
            if let ExprKind::And(a, b) = &e.kind {
                todo.extend([&**b, &**a]);
            } else {
                found.push(e);
            }
        }
        found
    }
}
