//! The difference of two contracts of one callable.
//!
//! Both contracts are conditions on the same parameters, so that each direction is a question: an
//! input or a result that one contract accepts and the other one rejects. The contract of an old
//! version is imported into the new program first ([`crate::import`]).

use dafny_resolve::typed::{
    BinaryOp, CallableId, Clause, Expr, ExprKind, Frame, LocalId, Program, Type,
};
use dtest_search::Options;

use crate::contract::{Contract, Write, binary, local};
use crate::examine::{Answer, Examination, lower};
use crate::frame::{Frames, is_same};
use crate::import::Import;
use crate::questions::{Question, Questions, before, clause, state, truth};
use crate::same::Same;
use crate::substitution::Substitution;
use crate::{Certainty, Example, Undecided};

/// The answer to the question for an example of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// An example, confirmed by an execution.
    Example(Example),
    /// There is none.
    Nothing(Certainty),
    /// The question is not decided.
    Undecided(Undecided),
}

/// The difference of two contracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Inputs that the new precondition accepts and the old one does not.
    pub accepted: Found,
    /// Inputs that the old precondition accepts and the new one does not.
    pub rejected: Found,
    /// Results that the new contract allows and the old one does not, for inputs that both accept.
    pub allowed: Found,
    /// Results that the old contract allows and the new one does not, for inputs that both accept.
    pub forbidden: Found,
}

/// Two versions of a program.
pub struct Versions<'p> {
    old: &'p Program,
    new: &'p Program,
    same: Same,
}

impl<'p> Versions<'p> {
    /// Compares the declarations of two versions of a program. Neither must have been desugared.
    pub fn new(old: &'p Program, new: &'p Program) -> Self {
        Self {
            old,
            new,
            same: Same::new(old, new),
        }
    }

    /// The callable of the new version with the path of an old one.
    pub fn namesake(&self, old: CallableId) -> Option<CallableId> {
        self.same.namesakes.get(&old).copied()
    }

    /// The callable of the old version with the path of a new one.
    pub fn ancestor(&self, new: CallableId) -> Option<CallableId> {
        let mut pairs = self.same.namesakes.iter();
        pairs.find(|(_, n)| **n == new).map(|(o, _)| *o)
    }

    /// Whether the contracts are the same, with everything that they refer to. Their difference is
    /// empty then.
    pub fn is_unchanged(&self, old: CallableId) -> bool {
        self.same.has_contract(self.old, self.new, old)
    }

    /// Returns the difference of the contracts of an old callable and its namesake.
    pub fn difference(&self, old: CallableId, new: CallableId, options: &Options) -> Difference {
        if let Some(reason) = self.obstacle(old, new) {
            let undecided = Found::Undecided(reason);
            return Difference {
                accepted: undecided.clone(),
                rejected: undecided.clone(),
                allowed: undecided.clone(),
                forbidden: undecided,
            };
        }
        let (program, [first, second]) = self.joined(old, new);
        let contract = Contract::new(&program, new);
        let mut limits = first.limits.clone();
        limits.extend(
            second
                .limits
                .iter()
                .filter(|l| !first.limits.contains(l))
                .cloned(),
        );
        let mut examination = Examination::new(&contract, options);
        examination.limits = limits;
        // Texts of either version need room.
        let earlier = Contract::new(self.old, old);
        let earlier = Examination::new(&earlier, options).options.caps.collection;
        let caps = &mut examination.options.caps;
        caps.collection = caps.collection.max(earlier);
        examination.difference(&first, &second)
    }

    /// The reason why two callables are not comparable.
    fn obstacle(&self, old: CallableId, new: CallableId) -> Option<Undecided> {
        let (o, n) = (&self.old[old], &self.new[new]);
        let types = |program: &Program, formals: &[dafny_resolve::typed::Formal]| -> Vec<Type> {
            formals
                .iter()
                .map(|f| program[f.local].ty.clone())
                .collect()
        };
        let mapped = |formals| -> Option<Vec<Type>> {
            let types = types(self.old, formals);
            types.iter().map(|t| self.same.ty(t)).collect()
        };
        let is_same_owner = match (o.owner, n.owner) {
            (Some(o), Some(n)) => self.same.types.get(&o) == Some(&n),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        let is_comparable = o.kind == n.kind
            && o.is_two_state == n.is_two_state
            && o.is_static == n.is_static
            && is_same_owner
            && mapped(&o.ins).is_some_and(|t| t == types(self.new, &n.ins))
            && mapped(&o.outs).is_some_and(|t| t == types(self.new, &n.outs));
        (!is_comparable).then_some(Undecided::Signature)
    }

    /// Returns the new program with the old contract in it, and the old and the new contract.
    fn joined(&self, old: CallableId, new: CallableId) -> (Program, [Side; 2]) {
        let mut import = Import::new(self.old, self.new.clone(), &self.same);
        let (o, n) = (&self.old[old], &self.new[new]);
        let pairs = o.ins.iter().chain(&o.outs).zip(n.ins.iter().chain(&n.outs));
        for (from, to) in pairs {
            import.bind(from.local, to.local);
        }
        let requires: Vec<Clause> = imported(&mut import, &o.spec.requires);
        let ensures: Vec<Clause> = imported(&mut import, &o.spec.ensures);
        let modifies: Vec<Frame> = o
            .spec
            .modifies
            .iter()
            .map(|f| import.imported_frame(f))
            .collect();
        // Calls of the function by itself are its result.
        let own = o.kind.is_function().then(|| import.imported_callable(old));
        let mut program = import.program;
        let is_known = Contract::new(self.old, old).is_transparent();
        let frames = join_frames(&mut program, new, modifies);
        let contract = Contract::new(&program, new);
        let params: Vec<LocalId> = n.ins.iter().map(|f| f.local).collect();
        let substitution = Substitution {
            own: own
                .zip(n.outs.first())
                .map(|(own, out)| (own, params, local(&program, out.local))),
            ..Substitution::default()
        };
        let ensures = ensures.into_iter().map(|c| Clause {
            cond: substitution.of(&c.cond),
            ..c
        });
        let mut first = Side::new(&contract, requires, ensures.collect());
        if is_known {
            first.definition = own.and_then(|own| contract.call_of(own));
        }
        let mut second = Side::of(&contract);
        match frames {
            Ok([of_old, of_new]) => {
                first.ensures.extend(of_old);
                second.ensures.extend(of_new);
            }
            Err(reason) => first.obstacle = Some(reason),
        }
        (program, [first, second])
    }
}

/// Lets the callable change what either contract allows to change. Returns for each contract the
/// conditions that only its own frame changes.
fn join_frames(
    program: &mut Program,
    unit: CallableId,
    old: Vec<Frame>,
) -> Result<[Vec<Clause>; 2], Undecided> {
    let new = program[unit].spec.modifies.clone();
    let of_new = Frames::new(program, unit)?;
    program[unit].spec.modifies.clone_from(&old);
    let of_old = Frames::new(program, unit);
    program[unit].spec.modifies.clone_from(&new);
    let of_old = of_old?;
    if is_same(&old, &new) {
        return Ok([Vec::new(), Vec::new()]);
    }
    // What only one of two incomplete frames changes is not known.
    if !of_old.is_complete() || !of_new.is_complete() {
        return Err(Undecided::Frame);
    }
    // The condition that an array with several dimensions does not change is not asked for.
    let mut writes = of_old.writes.iter().chain(&of_new.writes);
    if writes.any(|w| state(w).is_none()) {
        return Err(Undecided::Frame);
    }
    program[unit].spec.modifies.extend(old);
    Ok([
        unchanged(program, &of_old.writes, &of_new.writes),
        unchanged(program, &of_new.writes, &of_old.writes),
    ])
}

/// The conditions that the parts in `all` that are not in `own` do not change, unless they are
/// aliases of parts in `own`.
fn unchanged(program: &Program, own: &[Write], all: &[Write]) -> Vec<Clause> {
    let is_own = |w: &&Write| own.iter().any(|o| o.name(program) == w.name(program));
    let condition = |write: &Write| {
        let now = state(write)?;
        let earlier = Expr {
            kind: ExprKind::Old {
                label: None,
                expr: Box::new(now.clone()),
            },
            ty: now.ty.clone(),
            span: now.span,
        };
        let span = now.span;
        let same = binary(BinaryOp::Eq, now, earlier, Type::Bool);
        let aliases = own.iter().filter(|o| o.is_like(write)).map(|o| {
            let (a, b) = (before(o.object()), before(write.object()));
            binary(BinaryOp::Eq, a, b, Type::Bool)
        });
        let either = |a: Expr, b: Expr| binary(BinaryOp::Or, a, b, Type::Bool);
        Some(clause(
            aliases.rfold(same, |all, alias| either(alias, all)),
            span,
        ))
    };
    let others = all.iter().filter(|w| !is_own(w));
    others.filter_map(condition).collect()
}

fn imported(import: &mut Import<'_>, clauses: &[Clause]) -> Vec<Clause> {
    clauses.iter().map(|c| import.imported_clause(c)).collect()
}

/// One of two contracts of a callable.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) requires: Vec<Clause>,
    pub(crate) ensures: Vec<Clause>,
    /// The call whose value is the result, if callers know the body of the function.
    pub(crate) definition: Option<Expr>,
    /// The reason why no question about results can be asked.
    pub(crate) obstacle: Option<Undecided>,
    /// The inputs and results that questions cover, if these are not all.
    pub(crate) limits: Vec<String>,
}

impl Side {
    /// The contract as it is.
    pub(crate) fn of(contract: &Contract<'_>) -> Self {
        let (requires, ensures) = (contract.requires(), contract.ensures());
        Self {
            definition: contract.definition(),
            ..Self::new(contract, requires.to_vec(), ensures.to_vec())
        }
    }

    /// A contract with other clauses.
    pub(crate) fn new(
        contract: &Contract<'_>,
        requires: Vec<Clause>,
        ensures: Vec<Clause>,
    ) -> Self {
        // Pure contracts have no state after the call, in which objects could be new.
        let fresh =
            (contract.is_pure() && contract.has_fresh(&ensures)).then_some(Undecided::Fresh);
        Self {
            limits: contract.limits(&ensures),
            obstacle: contract.obstacle_with(&ensures).or(fresh),
            requires,
            ensures,
            definition: None,
        }
    }
}

impl Questions<'_, '_> {
    /// Asks for inputs that satisfy the precondition of `from` and not that of `other`.
    pub(crate) fn input_difference(&mut self, from: &Side, other: &Side) -> Question {
        let conditions = |side: &Side| side.requires.iter().map(|c| c.cond.clone()).collect();
        let target = conjunction(conditions(other));
        self.lemma(Vec::new(), conditions(from), vec![target])
    }

    /// Asks for results that `from` allows and `other` does not, for inputs that both accept.
    pub(crate) fn result_difference(&mut self, from: &Side, other: &Side) -> Question {
        let both = from.requires.iter().chain(&other.requires);
        let requires: Vec<Expr> = both.map(|c| c.cond.clone()).collect();
        let promised = (&*from.ensures, from.definition.clone());
        self.asked(requires, promised, 1, |program, alternatives| {
            let Some(alternative) = alternatives.first() else {
                return truth(
                    other
                        .ensures
                        .first()
                        .map_or_else(Default::default, |c| c.span),
                );
            };
            let definition = alternative.defined_by(program, other.definition.clone());
            let clauses = other.ensures.iter();
            let clauses = clauses.map(|c| alternative.substitution.of(&c.cond));
            conjunction(definition.into_iter().chain(clauses).collect())
        })
    }
}

impl Examination<'_, '_> {
    /// Asks in which inputs and results two contracts differ.
    pub(crate) fn difference(&self, old: &Side, new: &Side) -> Difference {
        let mut questions = Questions::new(self.contract);
        let inputs = |questions: &mut Questions<'_, '_>, from: &Side, other: &Side| {
            (!other.requires.is_empty()).then(|| questions.input_difference(from, other))
        };
        let accepted = inputs(&mut questions, new, old);
        let rejected = inputs(&mut questions, old, new);
        let obstacle = old.obstacle.clone().or_else(|| new.obstacle.clone());
        let results = |questions: &mut Questions<'_, '_>, from: &Side, other: &Side| {
            let is_asked = !other.ensures.is_empty() || other.definition.is_some();
            (obstacle.is_none() && is_asked).then(|| questions.result_difference(from, other))
        };
        let allowed = results(&mut questions, new, old);
        let forbidden = results(&mut questions, old, new);
        let program = lower(questions.program);
        let found = |question: Option<Question>| match question {
            // The other contract has no condition to violate.
            None => Found::Nothing(Certainty::Proved),
            Some(question) => match self.ask(&program, &question) {
                Answer::Example(inputs) => {
                    Found::Example(self.example(&program, &question, &inputs))
                }
                Answer::Nothing(certainty) => Found::Nothing(certainty),
                Answer::Undecided(reason) => Found::Undecided(reason),
            },
        };
        let of_results = |question| match &obstacle {
            Some(reason) => Found::Undecided(reason.clone()),
            None => found(question),
        };
        Difference {
            accepted: found(accepted),
            rejected: found(rejected),
            allowed: of_results(allowed),
            forbidden: of_results(forbidden),
        }
    }
}

/// The conjunction of conditions, each of which is defined where the ones before it hold.
fn conjunction(conditions: Vec<Expr>) -> Expr {
    let both = |a: Expr, b: Expr| binary(BinaryOp::And, a, b, Type::Bool);
    let all = conditions.into_iter().reduce(both);
    all.unwrap_or_else(|| truth(Default::default()))
}
