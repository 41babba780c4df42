//! Facts of the program as literals, so that an unsatisfiable core names what a proof rests on.
//!
//! Without its literal a fact may hold or not: a branch goes either way, a precondition may be broken, an
//! expression that is ill-formed has some value. With all literals the encoding says what it says without them.

use std::rc::Rc;

use super::value::{Heap, Sym};
use super::{Encoder, Frame};
use crate::ir::{AssertKind, BlockId, Expr, LoopInfo, Stmt, StmtKind, Var};
use crate::smt::{Sort, Term};
use dafny_resolve::typed::{CallableId, Substitution, Type};
use dafny_syntax::source::Span;
use dtest_sorted::{SortedMap, SortedSet};

/// Something that a proof may rest on.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Fact {
    /// A precondition of the unit, by its number.
    Precondition(u32),
    /// That a parameter, by its number, is a value of its type.
    InputType(u32),
    /// The branch at the end of a block of the unit goes where its condition says.
    Decision(BlockId),
    /// A variable of the unit gets the value that an assignment or a call gives it.
    Definition(Var, Span),
    /// What stands here is well-formed: else the execution ends.
    WellFormed(Span),
    /// A call of a method returns: else the execution goes on for ever, or fails in the callee.
    Returns(Span),
    /// An `expect` that is false halts the execution.
    Expect(Span),
    /// An `assume`: nobody checks it.
    Assume(Span),
    /// That what answers for code without a body, or for external code, keeps a clause of the contract, or is of the type that is declared:
    /// nobody checks it.
    Contract(CallableId, Span),
    /// A proof obligation holds: compiled code does not check it.
    Assertion(AssertKind, Span),
    /// A variable of the unit is in its type, as every assignment is shown to keep.
    Variable(Var),
    /// A postcondition of a callee that was not followed to its end.
    Postcondition(CallableId, Span),
}

impl Fact {
    /// Whether it is true of every execution of compiled code.
    pub fn is_enforced(self) -> bool {
        !self.is_obligation() && !self.is_assumed()
    }

    /// Whether Dafny's verifier checks it, and compiled code does not.
    pub fn is_obligation(self) -> bool {
        match self {
            Self::Assertion(..) | Self::Variable(_) | Self::Postcondition(..) => true,
            Self::Precondition(_)
            | Self::InputType(_)
            | Self::Decision(_)
            | Self::Definition(..)
            | Self::WellFormed(_)
            | Self::Returns(_)
            | Self::Expect(_)
            | Self::Assume(_)
            | Self::Contract(..) => false,
        }
    }

    /// Whether the program takes it for granted: neither Dafny's verifier nor compiled code checks it.
    pub fn is_assumed(self) -> bool {
        match self {
            Self::Assume(_) | Self::Contract(..) => true,
            Self::Precondition(_)
            | Self::InputType(_)
            | Self::Decision(_)
            | Self::Definition(..)
            | Self::WellFormed(_)
            | Self::Returns(_)
            | Self::Expect(_)
            | Self::Assertion(..)
            | Self::Variable(_)
            | Self::Postcondition(..) => false,
        }
    }
}

/// The literals of an encoding, by what they stand for.
#[derive(Debug, Default)]
pub(super) struct Relaxed {
    pub(super) literals: SortedMap<Fact, Term>,
    /// The parameter whose value is made next.
    pub(super) parameter: Option<u32>,
    /// Whether values that variables get are facts too.
    pub(super) definitions: bool,
    /// Whether a postcondition is at hand: those of calls in it are left out.
    pub(super) units_with_obligations: bool,
}

impl<'p> Encoder<'p> {
    /// `cond` where the fact is relied upon.
    pub(super) fn relaxed(&mut self, fact: Fact, cond: Term) -> Term {
        if cond == self.t.tt {
            return cond;
        }
        match self.literal_of(fact) {
            Some(literal) => self.t.implies(literal, cond),
            None => cond,
        }
    }

    /// `cond` where the program takes it for granted ([`Fact::is_assumed`]): there is a literal for that in every encoding.
    pub(super) fn given(&mut self, fact: Fact, cond: Term) -> Term {
        if cond == self.t.tt {
            return cond;
        }
        let literal = match self.literal_of(fact) {
            Some(literal) => literal,
            None => match self.givens.get(&fact) {
                Some(literal) => *literal,
                None => {
                    let literal = self.t.fresh("given", Sort::Bool);
                    self.givens.insert(fact, literal);
                    literal
                }
            },
        };
        self.t.implies(literal, cond)
    }

    /// The condition of a branch of the unit; without its literal it goes either way.
    pub(super) fn relaxed_branch(&mut self, block: BlockId, cond: Term) -> Term {
        if self.t.as_bool(cond).is_some() {
            return cond; // constant: no other fact is needed, and loops of a fixed length stay so
        }
        match self.literal_of(Fact::Decision(block)) {
            Some(literal) => {
                let any = self.t.fresh("either", Sort::Bool);
                self.t.ite(literal, cond, any)
            }
            None => cond,
        }
    }

    /// The condition under which a statement of the unit does not end the execution.
    pub(super) fn relaxed_stmt(&mut self, stmt: &Stmt, defined: Term) -> Term {
        let fact = if matches!(stmt.kind, StmtKind::Call { .. }) {
            Fact::Returns(stmt.span)
        } else {
            Fact::WellFormed(stmt.span)
        };
        self.relaxed(fact, defined)
    }

    /// After a statement of the unit: without its literal, a variable that it assigns has any value.
    pub(super) fn relaxed_definitions(&mut self, stmt: &Stmt, f: &mut Frame<'p>) {
        if !self.relax.as_ref().is_some_and(|r| r.definitions) {
            return;
        }
        let vars: Vec<Var> = if let StmtKind::Assign { var, .. } = &stmt.kind {
            vec![*var]
        } else if let StmtKind::Call { outs, .. } = &stmt.kind {
            outs.iter().flatten().copied().collect()
        } else {
            return;
        };
        for v in vars {
            let is_named = f
                .infos
                .get(v.0 as usize)
                .is_some_and(|i| !i.ghost && !i.name.starts_with('$'));
            let (value, Some(ty)) = (f.get(v), f.type_of(v)) else {
                continue;
            };
            if let (true, Some(_), Some(literal)) = (
                is_named,
                value.scalar(),
                self.literal_of(Fact::Definition(v, stmt.span)),
            ) {
                let any = self.any(&ty);
                let value = self.merge(literal, &value, &any);
                f.set(v, value);
            }
        }
    }

    /// What the condition of an `expect` says of the executions that go on.
    pub(super) fn relaxed_condition(&mut self, stmt: &Stmt, goes_on: Term) -> Term {
        if matches!(stmt.kind, StmtKind::Expect { .. }) {
            self.relaxed(Fact::Expect(stmt.span), goes_on)
        } else {
            goes_on
        }
    }

    /// A proof obligation of the unit, as a fact.
    pub(super) fn assertion(
        &mut self,
        kind: AssertKind,
        span: Span,
        cond: &'p Expr,
        f: &mut Frame<'p>,
    ) -> Term {
        if self.relax.is_none() {
            return self.t.tt;
        }
        let (holds, defined) = self.isolated(|e| e.eval_bool(cond, f));
        let both = self.t.and(defined, holds);
        self.relaxed(Fact::Assertion(kind, span), both)
    }

    /// What an assertion of the unit says of executions that go on after it, where those that break it end there.
    pub(super) fn kept_assertion(&mut self, cond: &'p Expr, f: &mut Frame<'p>) -> Term {
        let reasons = self.reasons.clone();
        let (holds, defined) = self.in_specification(|e| e.isolated(|e| e.eval_bool(cond, f)));
        if self.reasons != reasons {
            // What it says is not known.
            self.reasons = reasons;
            return self.t.tt;
        }
        self.t.and(defined, holds)
    }

    /// That a variable of the unit, whose value is any, is in its type: what every assignment is shown to keep.
    pub(super) fn variable_in_type(&mut self, v: Var, f: &Frame<'p>) -> Term {
        let info = f
            .infos
            .get(v.0 as usize)
            .filter(|i| self.relax.is_some() && !i.ghost && !i.name.starts_with('$'));
        let (Some(_), Some(ty)) = (info, f.type_of(v)) else {
            return self.t.tt;
        };
        if self.typed().representation(&ty) == ty {
            return self.t.tt;
        }
        let (value, reasons) = (f.get(v), self.reasons.clone());
        let (holds, defined) = self.isolated(|e| e.has_type(&value, &ty));
        self.reasons = reasons;
        let both = self.t.and(defined, holds);
        self.relaxed(Fact::Variable(v), both)
    }

    /// What is known at the head of a loop of the unit, as facts: its invariants, and that variables are in their types.
    pub(super) fn invariants(&mut self, info: &'p LoopInfo, f: &mut Frame<'p>) -> Term {
        let mut all = self.t.tt;
        if self.relax.is_none() {
            return all;
        }
        for v in &info.assigned {
            let holds = self.variable_in_type(*v, f);
            all = self.t.and(all, holds);
        }
        for (kind, clauses) in [
            (AssertKind::Invariant, &info.invariants),
            (AssertKind::LoopRange, &info.range),
        ] {
            for clause in clauses {
                let holds = self.assertion(kind, clause.span, &clause.cond, f);
                all = self.t.and(all, holds);
            }
        }
        all
    }

    /// What the contract of a method obligations where it was not followed to its end: results and heap are any.
    pub(super) fn assume_contract_with_heap(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        results: &[Sym],
        before: Heap,
    ) {
        let Some(relax) = self.relax.as_mut().filter(|r| !r.units_with_obligations) else {
            return;
        };
        relax.units_with_obligations = true;
        if let Some(contract) = self.program.contracts.get(&callee) {
            let subst: Substitution = contract
                .type_params
                .iter()
                .copied()
                .zip(type_args.iter().cloned())
                .collect();
            let mut frame = Frame::new(&contract.vars, Rc::new(subst));
            frame.bind(&contract.params, args);
            frame.bind(&contract.outs, results);
            // A function has no older state; a call of it in its postcondition is the one at hand.
            if !self.typed()[callee].kind.is_function() {
                frame.snapshots.insert(None, before);
            }
            for clause in &contract.ensures {
                let (holds, defined) = self
                    .in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
                let both = self.t.and(defined, holds);
                let both = self.relaxed(Fact::Postcondition(callee, clause.span), both);
                self.require(both);
            }
        }
        if let Some(relax) = &mut self.relax {
            relax.units_with_obligations = false;
        }
    }

    /// The same for a function, whose result is `value` wherever it is called with these arguments.
    pub(super) fn obliged_result(&mut self, key: super::MemoKey, value: &Sym) {
        if self.relax.as_ref().is_none_or(|r| r.units_with_obligations) || !self.tells_apart(&key.2)
        {
            return;
        }
        let (callee, type_args, args) = (key.0, key.1.clone(), key.2.clone());
        let tt = self.t.tt;
        // The postcondition may speak of the call itself.
        self.memo.insert(key.clone(), (value.clone(), tt, None));
        let heap = self.heap.clone();
        let ((), obligation) = self.isolated(|e| {
            e.assume_contract_with_heap(
                callee,
                &type_args,
                &args,
                std::slice::from_ref(value),
                heap,
            )
        });
        self.memo.remove(&key);
        self.require(obligation);
    }

    /// Notes an obligation of the program: it is kept wherever the statement at hand is executed, which is where `path` holds in the procedure
    /// at hand, if its literal says so. In copies that several calls share it is left out.
    pub(super) fn obligation(&mut self, fact: Fact, path: Term, kept: Term) {
        if self.obligations.is_none() || self.in_copy || kept == self.t.tt {
            return;
        }
        let context = self.context();
        let here = self.t.and(context, path);
        let always = self.t.implies(here, kept);
        if always == self.t.tt {
            return;
        }
        let known = self
            .obligations
            .as_ref()
            .and_then(|p| p.get(&fact).copied());
        let literal = known.unwrap_or_else(|| self.t.fresh("obligation", Sort::Bool));
        if let Some(obligations) = &mut self.obligations {
            obligations.insert(fact, literal);
        }
        let relied = self.t.implies(literal, always);
        self.facts.push(relied);
    }

    /// The same for a condition that is to be evaluated. What cannot be encoded of it may hold.
    pub(super) fn oblige_that(
        &mut self,
        fact: Fact,
        path: Term,
        cond: &'p Expr,
        f: &mut Frame<'p>,
    ) {
        if self.obligations.is_none() || path == self.t.ff {
            return;
        }
        let reasons = self.reasons.clone();
        let (holds, defined) = self.in_specification(|e| e.isolated(|e| e.eval_bool(cond, f)));
        let is_known = self.reasons == reasons;
        self.reasons = reasons;
        if is_known {
            let both = self.t.and(defined, holds);
            self.obligation(fact, path, both);
        }
    }

    fn literal_of(&mut self, fact: Fact) -> Option<Term> {
        let relax = self.relax.as_mut()?;
        if let Some(literal) = relax.literals.get(&fact) {
            return Some(*literal);
        }
        let literal = self.t.fresh("fact", Sort::Bool);
        relax.literals.insert(fact, literal);
        Some(literal)
    }
}

/// The facts of an encoding with their literals.
pub type Facts = SortedMap<Fact, Term>;

/// Those of `facts` whose literals are in a core.
pub fn in_core(facts: &Facts, core: &[Term]) -> SortedSet<Fact> {
    facts
        .iter()
        .filter(|(_, t)| core.contains(t))
        .map(|(f, _)| *f)
        .collect()
}
