//! Facts of the program as literals, so that an unsatisfiable core names what a proof rests on.
//!
//! Without its literal a fact may hold or not: a branch goes either way, a precondition may be broken, an
//! expression that is ill-formed has some value. With all literals the encoding says what it says without them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::value::{Heap, Sym};
use super::{Encoder, Frame};
use crate::ir::{AssertKind, BlockId, Expr, LoopInfo, Stmt, StmtKind, Var};
use crate::smt::{Sort, Term};
use crate::source::Span;
use crate::typed::{CallableId, Substitution, Type};

/// Something that a proof may rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
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
    /// An `assume`.
    Assume(Span),
    /// A proof obligation holds: compiled code does not check it.
    Assertion(AssertKind, Span),
    /// A variable of the unit is in its type, as every assignment is shown to keep.
    Variable(Var),
    /// A postcondition of a callee that was not followed to its end.
    Postcondition(CallableId, Span),
}

impl Fact {
    /// Whether it is true of every execution of compiled code. What is not is checked by Dafny's verifier.
    pub fn is_enforced(self) -> bool {
        match self {
            Self::Precondition(_)
            | Self::InputType(_)
            | Self::Decision(_)
            | Self::Definition(..)
            | Self::WellFormed(_)
            | Self::Returns(_)
            | Self::Expect(_)
            | Self::Assume(_) => true,
            Self::Assertion(..) | Self::Variable(_) | Self::Postcondition(..) => false,
        }
    }
}

/// The literals of an encoding, by what they stand for.
#[derive(Debug, Default)]
pub(super) struct Relaxed {
    pub(super) literals: BTreeMap<Fact, Term>,
    /// The parameter whose value is made next.
    pub(super) parameter: Option<u32>,
    /// Whether values that variables get are facts too.
    pub(super) definitions: bool,
    /// Whether a postcondition is at hand: those of calls in it are left out.
    pub(super) promising: bool,
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
        let fact = match stmt.kind {
            StmtKind::Call { .. } => Fact::Returns(stmt.span),
            _ => Fact::WellFormed(stmt.span),
        };
        self.relaxed(fact, defined)
    }

    /// After a statement of the unit: without its literal, a variable that it assigns has any value.
    pub(super) fn relaxed_definitions(&mut self, stmt: &Stmt, f: &mut Frame<'p>) {
        if !self.relax.as_ref().is_some_and(|r| r.definitions) {
            return;
        }
        let vars: Vec<Var> = match &stmt.kind {
            StmtKind::Assign { var, .. } => vec![*var],
            StmtKind::Call { outs, .. } => outs.iter().flatten().copied().collect(),
            _ => return,
        };
        for v in vars {
            let is_named = f.infos.get(v.0 as usize).is_some_and(|i| !i.ghost && !i.name.starts_with('$'));
            let (value, Some(ty)) = (f.get(v), f.type_of(v)) else { continue };
            if let (true, Some(_), Some(literal)) = (is_named, value.scalar(), self.literal_of(Fact::Definition(v, stmt.span))) {
                let any = self.any(&ty);
                let value = self.merge(literal, &value, &any);
                f.set(v, value);
            }
        }
    }

    /// What the conditions of `assume` and `expect` say of the executions that go on.
    pub(super) fn relaxed_condition(&mut self, stmt: &Stmt, goes_on: Term) -> Term {
        match stmt.kind {
            StmtKind::Assume(_) => self.relaxed(Fact::Assume(stmt.span), goes_on),
            StmtKind::Expect { .. } => self.relaxed(Fact::Expect(stmt.span), goes_on),
            _ => goes_on,
        }
    }

    /// A proof obligation of the unit, as a fact.
    pub(super) fn assertion(&mut self, kind: AssertKind, span: Span, cond: &'p Expr, f: &mut Frame<'p>) -> Term {
        if self.relax.is_none() {
            return self.t.tt;
        }
        let (holds, defined) = self.isolated(|e| e.eval_bool(cond, f));
        let both = self.t.and(defined, holds);
        self.relaxed(Fact::Assertion(kind, span), both)
    }

    /// That a variable of the unit, whose value is any, is in its type: what every assignment is shown to keep.
    pub(super) fn variable_in_type(&mut self, v: Var, f: &Frame<'p>) -> Term {
        let info = f.infos.get(v.0 as usize).filter(|i| self.relax.is_some() && !i.ghost && !i.name.starts_with('$'));
        let (Some(_), Some(ty)) = (info, f.type_of(v)) else { return self.t.tt };
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
        for clause in &info.invariants {
            let holds = self.assertion(AssertKind::Invariant, clause.span, &clause.cond, f);
            all = self.t.and(all, holds);
        }
        all
    }

    /// What the contract of a method promises where it was not followed to its end: results and heap are any.
    pub(super) fn promised(&mut self, callee: CallableId, type_args: &[Type], args: &[Sym], results: &[Sym], before: Heap) {
        let Some(relax) = self.relax.as_mut().filter(|r| !r.promising) else { return };
        relax.promising = true;
        if let Some(contract) = self.program.contracts.get(&callee) {
            let subst: Substitution = contract.type_params.iter().copied().zip(type_args.iter().cloned()).collect();
            let mut frame = Frame::new(&contract.vars, Rc::new(subst));
            frame.bind(&contract.params, args);
            frame.bind(&contract.outs, results);
            // A function has no older state; a call of it in its postcondition is the one at hand.
            if !self.typed()[callee].kind.is_function() {
                frame.snapshots.insert(None, before);
            }
            for clause in &contract.ensures {
                let (holds, defined) = self.in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
                let both = self.t.and(defined, holds);
                let both = self.relaxed(Fact::Postcondition(callee, clause.span), both);
                self.require(both);
            }
        }
        if let Some(relax) = &mut self.relax {
            relax.promising = false;
        }
    }

    /// The same for a function, whose result is `value` wherever it is called with these arguments.
    pub(super) fn promised_result(&mut self, key: super::MemoKey, value: &Sym) {
        if self.relax.as_ref().is_none_or(|r| r.promising) || !self.tells_apart(&key.2) {
            return;
        }
        let (callee, type_args, args) = (key.0, key.1.clone(), key.2.clone());
        let tt = self.t.tt;
        // The postcondition may speak of the call itself.
        self.memo.insert(key.clone(), (value.clone(), tt, None));
        let heap = self.heap.clone();
        let ((), promise) = self.isolated(|e| e.promised(callee, &type_args, &args, std::slice::from_ref(value), heap));
        self.memo.remove(&key);
        self.require(promise);
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
pub type Facts = BTreeMap<Fact, Term>;

/// Those of `facts` whose literals are in a core.
pub fn in_core(facts: &Facts, core: &[Term]) -> BTreeSet<Fact> {
    facts.iter().filter(|(_, t)| core.contains(t)).map(|(f, _)| *f).collect()
}
