//! Mutants of a contract: each clause with one change.
//!
//! A weaker contract that accepts nothing more shows that a part of the clause is idle. A stronger
//! one that the body also satisfies is a hint that the contract could say more.

use dafny_resolve::typed::{
    Arena as _, Body, CallableId, CallableKind, Clause, Formal, Program, Span, Spec,
};
use dtest_ir::ObligationKind;
use dtest_search::Options;

use crate::contract::Contract;
use crate::difference::Side;
use crate::examine::{Answer, Examination, lower};
use crate::questions::{Question, Questions};
use crate::variants::{Variant, variants};
use crate::{Certainty, Change, ClauseKind, Example, Strength, Undecided};

/// Maximum number of mutants of a contract.
const MAX_MUTANTS: usize = 60;

/// The effect of a mutant of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The contract and the mutant differ in this example.
    Differs(Example),
    /// The contract and the mutant accept the same.
    Same(Certainty),
    /// The contract accepts the example, the stronger mutant does not, and the body satisfies the
    /// mutant.
    Implemented(Example, Certainty),
    /// The question is not decided.
    Undecided(Undecided),
}

/// A mutant of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractMutant {
    /// The kind of the changed clause.
    pub kind: ClauseKind,
    /// The source range of the clause.
    pub clause: Span,
    /// The source range of the changed part.
    pub span: Span,
    /// The change.
    pub change: Change,
    /// Whether the mutant is weaker or stronger.
    pub strength: Strength,
    /// The effect.
    pub effect: Effect,
}

/// A mutant before the questions about it are answered.
struct Asked {
    kind: ClauseKind,
    clause: Span,
    variant: Variant,
    question: Question,
    /// The body with the changed postcondition.
    body: Option<CallableId>,
}

/// Returns the mutants of the contract of a callable. The program must not have been desugared.
pub fn mutants(program: &Program, unit: CallableId, options: &Options) -> Vec<ContractMutant> {
    let contract = Contract::new(program, unit);
    let examination = Examination::new(&contract, options);
    let whole = Side::of(&contract);
    let mut questions = Questions::new(&contract);
    let mut asked = Vec::new();
    for (i, clause) in contract.requires().iter().enumerate() {
        for variant in variants(&clause.cond) {
            let mut side = whole.clone();
            replace(&mut side.requires, i, &variant);
            let question = match variant.strength {
                Strength::Weaker => questions.input_difference(&side, &whole),
                Strength::Stronger => questions.input_difference(&whole, &side),
            };
            asked.push(Asked {
                kind: ClauseKind::Requires,
                clause: clause.span,
                variant,
                question,
                body: None,
            });
        }
    }
    // The postconditions of lemmas and of functions with a known body are claims.
    let is_examined = whole.obstacle.is_none() && contract.leaves_results();
    let ensures = contract.ensures().iter().enumerate();
    for (i, clause) in ensures.filter(|_| is_examined) {
        for variant in variants(&clause.cond) {
            let mut side = whole.clone();
            replace(&mut side.ensures, i, &variant);
            let (question, body) = match variant.strength {
                Strength::Weaker => (questions.result_difference(&side, &whole), None),
                Strength::Stronger => {
                    let changed = side.ensures.get(i).cloned().into_iter().collect();
                    let body = with_body(&mut questions, changed);
                    (questions.result_difference(&whole, &side), body)
                }
            };
            asked.push(Asked {
                kind: ClauseKind::Ensures,
                clause: clause.span,
                variant,
                question,
                body,
            });
        }
    }
    asked.truncate(MAX_MUTANTS);
    let lowered = lower(questions.program);
    let mutant = |asked: Asked| {
        let effect = match examination.ask(&lowered, &asked.question) {
            Answer::Example(inputs) => {
                let example = examination.example(&lowered, &asked.question, &inputs);
                let body = asked.body.map(|body| examination.satisfies(&lowered, body));
                match body {
                    Some(Answer::Nothing(certainty)) => Effect::Implemented(example, certainty),
                    Some(Answer::Example(_) | Answer::Undecided(_)) | None => {
                        Effect::Differs(example)
                    }
                }
            }
            Answer::Nothing(certainty) => Effect::Same(certainty),
            Answer::Undecided(reason) => Effect::Undecided(reason),
        };
        ContractMutant {
            kind: asked.kind,
            clause: asked.clause,
            span: asked.variant.span,
            change: asked.variant.change,
            strength: asked.variant.strength,
            effect,
        }
    };
    asked.into_iter().map(mutant).collect()
}

fn replace(clauses: &mut [Clause], i: usize, variant: &Variant) {
    if let Some(clause) = clauses.get_mut(i) {
        clause.cond = variant.cond.clone();
    }
}

/// Adds the body of the callable with other postconditions. `None` if it has no body whose
/// executions are compared with its contract.
pub(crate) fn with_body(
    questions: &mut Questions<'_, '_>,
    ensures: Vec<Clause>,
) -> Option<CallableId> {
    let contract = questions.contract;
    let unit = &contract.program[contract.unit];
    let is_examined = match unit.kind {
        CallableKind::Method | CallableKind::Function => !matches!(unit.body, Body::None),
        CallableKind::Constructor
        | CallableKind::Lemma
        | CallableKind::TwostateFunction
        | CallableKind::LeastPredicate
        | CallableKind::GreatestPredicate => false,
    };
    if !is_examined {
        return None;
    }
    let number = questions.program.callables.len();
    let formals = |all: &[Formal]| all.to_vec();
    let changed = dafny_resolve::typed::Callable {
        name: format!("{}.body{number}", unit.name).into(),
        ins: formals(&unit.ins),
        outs: formals(&unit.outs),
        spec: Spec {
            ensures,
            ..unit.spec.clone()
        },
        overrides: Vec::new(),
        attributes: Vec::new(),
        doc: None,
        ..unit.clone()
    };
    Some(questions.program.add(changed))
}

impl Examination<'_, '_> {
    /// Whether a body satisfies its postconditions.
    pub(crate) fn satisfies(&self, program: &dtest_ir::Program, body: CallableId) -> Answer {
        let question = Question {
            callable: body,
            alternatives: Vec::new(),
        };
        self.ask_of(program, &question, ObligationKind::Postcondition)
    }
}
