//! Proofs that rest on assumptions. The verifier assumes the postconditions of a lemma at its
//! calls. Nothing proves them if the lemma has no proof, or if its proof calls such a lemma or
//! assumes something. If obligations are goals, callers assume them too: an execution in which they
//! are false is not covered by the claims of the program.

use super::{Lowerer, build};
use dafny_resolve::typed::visit::{Visit, walk_call, walk_stmt};
use dafny_resolve::typed::{
    self, Arena, Block, Body, CallableId, CallableKind, OnFailure, StmtKind, Type,
};
use dafny_source::Span;
use dtest_ir::{ContractPart, Expr, ExprKind};
use dtest_sorted::SortedSet;

/// Returns the lemmas whose postconditions rest on assumptions.
pub(super) fn assumed_lemmas(program: &typed::Program) -> SortedSet<CallableId> {
    let lemmas: Vec<(CallableId, Option<Assumptions<'_>>)> = Arena::<CallableId>::ids(program)
        .into_iter()
        .filter(|id| program[*id].kind == CallableKind::Lemma)
        .map(|id| match &program[id].body {
            Body::Block(block) => (id, Some(Assumptions::of(program, block))),
            Body::None | Body::Expr(_) | Body::ByMethod(..) => (id, None),
        })
        .collect();
    let mut assumed: SortedSet<CallableId> = SortedSet::new();
    // Proofs may be mutually recursive: add lemmas until a fixed point.
    loop {
        let before = assumed.len();
        for (id, proof) in &lemmas {
            let is_assumed = proof.as_ref().is_none_or(|proof| {
                proof.assumes || proof.lemmas.iter().any(|l| assumed.contains(l))
            });
            if is_assumed {
                assumed.insert(*id);
            }
        }
        if assumed.len() == before {
            return assumed;
        }
    }
}

/// The assumptions of a proof, and the lemmas that it calls.
struct Assumptions<'p> {
    program: &'p typed::Program,
    assumes: bool,
    lemmas: Vec<CallableId>,
}

impl<'p> Assumptions<'p> {
    fn of(program: &'p typed::Program, block: &'p Block) -> Self {
        let mut found = Self {
            program,
            assumes: false,
            lemmas: Vec::new(),
        };
        found.block(block);
        found
    }
}

impl<'p> Visit<'p> for Assumptions<'p> {
    fn stmt(&mut self, s: &'p typed::Stmt) {
        self.assumes |= matches!(
            &s.kind,
            StmtKind::Assume(_)
                | StmtKind::SuchThat { assume: true, .. }
                | StmtKind::Forall { body: None, .. }
        ) || matches!(&s.kind, StmtKind::AssignOrFail(a) if matches!(a.on_failure, OnFailure::Assume));
        walk_stmt(self, s);
    }

    fn call(&mut self, c: &'p typed::Call) {
        if self.program[c.callee].kind == CallableKind::Lemma {
            self.lemmas.push(c.callee);
        }
        walk_call(self, c);
    }
}

impl<'p> Lowerer<'p> {
    /// Whether callers assume the postconditions of a lemma.
    pub(super) fn is_assumed(&self, callee: CallableId) -> bool {
        self.assumed_lemmas.contains(&callee)
    }

    /// Whether a proof rests on assumptions.
    pub(super) fn rests_on_assumption(&self, proof: &'p Block) -> bool {
        let found = Assumptions::of(self.program, proof);
        self.has_obligations()
            && (found.assumes || found.lemmas.iter().any(|l| self.is_assumed(*l)))
    }

    /// Returns the postconditions that a call of a lemma ensures.
    pub(super) fn claims_of(&mut self, call: &'p typed::Call, span: Span) -> Vec<Expr> {
        let args = self.pure(|l| l.call_args(call));
        let count = self.program[call.callee].spec.ensures.len() as u32;
        (0..count)
            .map(|i| {
                let claim = ExprKind::OfContract {
                    callee: call.callee,
                    part: ContractPart::Ensures(i),
                    type_args: call.type_args.clone(),
                    args: args.clone(),
                };
                build::expr(claim, Type::Bool, span)
            })
            .collect()
    }
}
