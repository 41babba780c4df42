//! Literals for facts of the program, so that an unsatisfiable core names the facts that a proof
//! rests on.
//!
//! If its literal is false, a fact is unconstrained: a branch goes either way, a precondition may
//! be violated, an ill-formed expression has some value. With all literals true, the encoding is
//! the same as without literals.
//!
//! Key types: [`Fact`], [`Facts`], [`Relaxed`].

use std::rc::Rc;

use super::value::{Heap, Sym, SymContents};
use super::{Encoder, Frame};
use dafny_resolve::typed::{CallableId, Substitution, Type, TypeDeclKind, Witness};
use dafny_source::Span;
use dtest_ir::{AssertKind, BlockId, Criterion, Expr, LoopInfo, Stmt, StmtKind, Var};
use dtest_smt::{Sort, Term};
use dtest_sorted::{SortedMap, SortedSet};

/// A fact that a proof may rest on.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Fact {
    /// A precondition of the unit, by number.
    Precondition(u32),
    /// A parameter, by number, is a value of its type.
    InputType(u32),
    /// The branch at the end of a block of the unit follows its condition.
    Decision(BlockId),
    /// A variable of the unit gets the value of this assignment or call.
    Definition(Var, Span),
    /// The expression at this place is well-formed; otherwise the execution ends.
    WellFormed(Span),
    /// A method call returns; otherwise it diverges or fails.
    Returns(Span),
    /// An `expect` holds; otherwise it halts the execution.
    Expect(Span),
    /// An `assume` holds. Nothing checks it.
    Assume(Span),
    /// Code without a body, or external code, satisfies a clause of its contract or its declared
    /// type. Nothing checks it.
    Contract(CallableId, Span),
    /// An obligation holds. Compiled code does not check it.
    Assertion(AssertKind, Span),
    /// A variable of the unit is in its type. Every assignment has this obligation.
    Variable(Var),
    /// A postcondition holds after a callee that was not inlined completely.
    Postcondition(CallableId, Span),
}

impl Fact {
    /// Whether the fact holds in every execution of compiled code.
    pub fn is_enforced(self) -> bool {
        !self.is_obligation() && !self.is_assumed()
    }

    /// Whether Dafny's verifier checks the fact and compiled code does not.
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

    /// Whether the program assumes the fact: neither Dafny's verifier nor compiled code checks it.
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

/// The literals of facts during encoding.
#[derive(Debug, Default)]
pub(super) struct Relaxed {
    pub(super) literals: SortedMap<Fact, Term>,
    /// The parameter whose value is created next.
    pub(super) parameter: Option<u32>,
    /// Whether assigned values are facts too.
    pub(super) definitions: bool,
    /// Whether a postcondition is being assumed. Calls in it assume no further postconditions,
    /// which ends the recursion.
    pub(super) in_postcondition: bool,
}

impl<'p> Encoder<'p> {
    /// Returns `cond`, implied by the literal of the fact.
    pub(super) fn relaxed(&mut self, fact: Fact, cond: Term) -> Term {
        if cond == self.t.tt {
            return cond;
        }
        match self.literal_of(fact) {
            Some(literal) => self.t.implies(literal, cond),
            None => cond,
        }
    }

    /// Returns `cond`, implied by the literal of an assumption ([`Fact::is_assumed`]). Every
    /// encoding has these literals.
    pub(super) fn given(&mut self, fact: Fact, cond: Term) -> Term {
        if cond == self.t.tt {
            return cond;
        }
        let literal = self.literal_given(fact);
        self.t.implies(literal, cond)
    }

    /// Returns the literal of an assumption.
    pub(super) fn literal_given(&mut self, fact: Fact) -> Term {
        if let Some(literal) = self.literal_of(fact) {
            return literal;
        }
        if let Some(literal) = self.assumed.givens.get(&fact) {
            return *literal;
        }
        let literal = self.t.fresh("given", Sort::Bool);
        self.assumed.givens.insert(fact, literal);
        literal
    }

    /// Returns the condition of a branch of the unit. If its literal is false, the branch goes
    /// either way.
    pub(super) fn relaxed_branch(&mut self, block: BlockId, cond: Term) -> Term {
        if self.t.as_bool(cond).is_some() {
            return cond; // A constant branch needs no fact, and loops with a constant number of iterations stay bounded.
        }
        match self.literal_of(Fact::Decision(block)) {
            Some(literal) => {
                let any = self.t.fresh("either", Sort::Bool);
                self.t.ite(literal, cond, any)
            }
            None => cond,
        }
    }

    /// Returns the condition that a statement of the unit does not end the execution.
    pub(super) fn relaxed_stmt(&mut self, stmt: &Stmt, defined: Term) -> Term {
        let fact = if matches!(stmt.kind, StmtKind::Call { .. }) {
            Fact::Returns(stmt.span)
        } else {
            Fact::WellFormed(stmt.span)
        };
        self.relaxed(fact, defined)
    }

    /// Relaxes the variables that a statement of the unit assigns: without its literal, each has an
    /// arbitrary value.
    pub(super) fn relaxed_definitions(&mut self, stmt: &Stmt, f: &mut Frame<'p>) {
        if !self.assumed.relax.as_ref().is_some_and(|r| r.definitions) {
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
            // Only named compiled variables are reported to the user.
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

    /// Returns the condition of an `expect` as a fact.
    pub(super) fn relaxed_condition(&mut self, stmt: &Stmt, goes_on: Term) -> Term {
        if matches!(stmt.kind, StmtKind::Expect { .. }) {
            self.relaxed(Fact::Expect(stmt.span), goes_on)
        } else {
            goes_on
        }
    }

    /// Returns an obligation of the unit as a fact.
    pub(super) fn assertion(
        &mut self,
        kind: AssertKind,
        span: Span,
        cond: &'p Expr,
        f: &mut Frame<'p>,
    ) -> Term {
        if self.assumed.relax.is_none() {
            return self.t.tt;
        }
        let (holds, defined) = self.isolated(|e| e.eval_bool(cond, f));
        let both = self.t.and(defined, holds);
        self.relaxed(Fact::Assertion(kind, span), both)
    }

    /// Returns the condition of an assertion of the unit, for executions that continue after it.
    /// Executions that violate it end there.
    pub(super) fn kept_assertion(&mut self, cond: &'p Expr, f: &mut Frame<'p>) -> Term {
        let reasons = self.omissions.reasons.clone();
        let (holds, defined) = self.in_specification(|e| e.isolated(|e| e.eval_bool(cond, f)));
        if self.omissions.reasons != reasons {
            // An assertion that cannot be encoded says nothing, and must not blur the rest.
            self.omissions.reasons = reasons;
            return self.t.tt;
        }
        self.t.and(defined, holds)
    }

    /// Returns the fact that a variable of the unit with an arbitrary value is in its type. Every
    /// assignment has this obligation.
    pub(super) fn variable_in_type(&mut self, v: Var, f: &Frame<'p>) -> Term {
        // Generated and ghost variables have no type facts.
        let info = f
            .infos
            .get(v.0 as usize)
            .filter(|i| self.assumed.relax.is_some() && !i.ghost && !i.name.starts_with('$'));
        let (Some(_), Some(ty)) = (info, f.type_of(v)) else {
            return self.t.tt;
        };
        // A type without a constraint holds by construction.
        if self.typed().representation(&ty) == ty {
            return self.t.tt;
        }
        let (value, reasons) = (f.get(v), self.omissions.reasons.clone());
        let (holds, defined) = self.isolated(|e| e.has_type(&value, &ty));
        // Undecided parts of a constraint must not count as reasons for the whole encoding.
        self.omissions.reasons = reasons;
        let both = self.t.and(defined, holds);
        self.relaxed(Fact::Variable(v), both)
    }

    /// Returns the facts at the head of a loop of the unit: its invariants, and that assigned
    /// variables are in their types.
    pub(super) fn invariants(&mut self, info: &'p LoopInfo, f: &mut Frame<'p>) -> Term {
        let mut all = self.t.tt;
        if self.assumed.relax.is_none() {
            return all;
        }
        // The invariant includes the types of the variables that the loop assigns.
        for v in &info.assigned {
            let holds = self.variable_in_type(*v, f);
            all = self.t.and(all, holds);
        }
        // The range of the index of a `for` loop is an invariant of the language.
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

    /// Whether the encoding is that of proofs by induction over loops: claims are about executions
    /// that keep all obligations before the one that a claim is about, and no loop is unrolled. In
    /// encodings that unroll loops, invariants would make the arbitrary iteration behind the bound
    /// expensive.
    pub(super) fn is_inductive(&self) -> bool {
        self.assumed.relax.is_none()
            && self.bounds.unroll == 0
            && self.program.criteria.has(Criterion::Obligation)
    }

    /// Returns what is known of an arbitrary iteration of a loop of the unit: its invariants, and
    /// that whatever the loop assigns is in its type. These are obligations on entry to the loop and
    /// at the end of each iteration, and of each assignment: an execution that violates one of them
    /// ends there.
    pub(super) fn kept_invariants(&mut self, info: &'p LoopInfo, f: &mut Frame<'p>) -> Term {
        let mut all = self.t.tt;
        for v in &info.assigned {
            if let Some(ty) = f.type_of(*v)
                && !self.may_be_empty(&ty)
            {
                let value = f.get(*v);
                let holds = self.kept_type(&value, &ty);
                all = self.t.and(all, holds);
            }
        }
        if info.writes_heap {
            let holds = self.kept_fields();
            all = self.t.and(all, holds);
        }
        for clause in info.range.iter().chain(&info.invariants) {
            let holds = self.kept_assertion(&clause.cond, f);
            all = self.t.and(all, holds);
        }
        all
    }

    /// Returns the condition that the fields of all objects are in their types, which every
    /// assignment is obliged to keep.
    pub(super) fn kept_fields(&mut self) -> Term {
        let mut all = self.t.tt;
        for (_, object) in self.heap.objects.clone().iter() {
            let SymContents::Fields(fields) = &object.contents else {
                continue;
            };
            for (field, value) in fields {
                let ty = self.typed().field_type(&object.ty, *field);
                if !self.may_be_empty(&ty) {
                    let holds = self.kept_type(value, &ty);
                    all = self.t.and(all, holds);
                }
            }
        }
        all
    }

    /// Returns the condition that a value is in its type. A constraint that cannot be encoded says
    /// nothing.
    pub(super) fn kept_type(&mut self, value: &Sym, ty: &Type) -> Term {
        let reasons = self.omissions.reasons.clone();
        let (holds, defined) = self.isolated(|e| e.has_type(value, ty));
        if self.omissions.reasons != reasons {
            self.omissions.reasons = reasons;
            return self.t.tt;
        }
        self.t.and(defined, holds)
    }

    /// Whether a type may have no values. Variables and fields of such a type have a value only
    /// after an assignment.
    pub(super) fn may_be_empty(&self, ty: &Type) -> bool {
        let typed = self.typed();
        let (mut seen, mut open) = (SortedSet::new(), vec![ty.clone()]);
        while let Some(ty) = open.pop() {
            if let Type::Named { decl, args, .. } = &ty
                && seen.insert(*decl)
            {
                let subst = typed.substitution(*decl, args);
                match &typed[*decl].kind {
                    TypeDeclKind::Subset(c) | TypeDeclKind::Newtype(c) => {
                        if matches!(c.witness, Witness::Opt) {
                            return true;
                        }
                        open.push(c.base.subst(&subst));
                    }
                    TypeDeclKind::Datatype { ctors, .. } => {
                        let fields = ctors.iter().flat_map(|c| &typed[*c].fields);
                        open.extend(fields.map(|f| typed[*f].ty.subst(&subst)));
                    }
                    TypeDeclKind::Abstract
                    | TypeDeclKind::Class
                    | TypeDeclKind::Trait { .. }
                    | TypeDeclKind::Iterator(_) => {}
                }
            }
            open.extend(ty.parts().cloned());
        }
        false
    }

    /// Assumes the postconditions of a method that was not inlined completely, whose results and
    /// heap are arbitrary.
    pub(super) fn assume_contract_with_heap(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        results: &[Sym],
        before: Heap,
    ) {
        let Some(relax) = self.assumed.relax.as_mut().filter(|r| !r.in_postcondition) else {
            return;
        };
        relax.in_postcondition = true;
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
            // A function has no older state. A call of itself in its postcondition is the current
            // call.
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
        if let Some(relax) = &mut self.assumed.relax {
            relax.in_postcondition = false;
        }
    }

    /// Assumes the postconditions of a function with the result `value` for these arguments.
    pub(super) fn assume_result_contract(&mut self, key: super::MemoKey, value: &Sym) {
        if self
            .assumed
            .relax
            .as_ref()
            .is_none_or(|r| r.in_postcondition)
            || !self.same_terms_are_equal(&key.2)
        {
            return;
        }
        let (callee, type_args, args) = (key.0, key.1.clone(), key.2.clone());
        let tt = self.t.tt;
        // The postcondition may mention the call itself: it finds the result in the table.
        self.calls
            .memo
            .insert(key.clone(), (value.clone(), tt, None));
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
        self.calls.memo.remove(&key);
        self.require(obligation);
    }

    /// Records an obligation of the program: `kept` holds wherever the current statement is
    /// executed, which is under `path` in the current procedure, if its literal holds. Shared
    /// copies have no obligations.
    pub(super) fn obligation(&mut self, fact: Fact, path: Term, kept: Term) {
        if self.assumed.obligations.is_none() || self.objects.in_copy || kept == self.t.tt {
            return;
        }
        let context = self.context();
        let here = self.t.and(context, path);
        let always = self.t.implies(here, kept);
        if always == self.t.tt {
            return;
        }
        // All occurrences of an obligation share one literal.
        let known = self
            .assumed
            .obligations
            .as_ref()
            .and_then(|p| p.get(&fact).copied());
        let literal = known.unwrap_or_else(|| self.t.fresh("obligation", Sort::Bool));
        if let Some(obligations) = &mut self.assumed.obligations {
            obligations.insert(fact, literal);
        }
        let relied = self.t.implies(literal, always);
        self.assumed.facts.push(relied);
    }

    /// Records an obligation whose condition has to be evaluated. A condition that cannot be
    /// encoded is left out.
    pub(super) fn oblige_that(
        &mut self,
        fact: Fact,
        path: Term,
        cond: &'p Expr,
        f: &mut Frame<'p>,
    ) {
        if self.assumed.obligations.is_none() || path == self.t.ff {
            return;
        }
        let reasons = self.omissions.reasons.clone();
        let (holds, defined) = self.in_specification(|e| e.isolated(|e| e.eval_bool(cond, f)));
        let is_known = self.omissions.reasons == reasons;
        self.omissions.reasons = reasons;
        if is_known {
            let both = self.t.and(defined, holds);
            self.obligation(fact, path, both);
        }
    }

    fn literal_of(&mut self, fact: Fact) -> Option<Term> {
        let relax = self.assumed.relax.as_mut()?;
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

/// Returns the facts whose literals are in a core.
pub fn in_core(facts: &Facts, core: &[Term]) -> SortedSet<Fact> {
    facts
        .iter()
        .filter(|(_, t)| core.contains(t))
        .map(|(f, _)| *f)
        .collect()
}
