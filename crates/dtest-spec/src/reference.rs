//! Cases from the executions of a reference: another callable whose results a contract has to accept.
//!
//! The reference becomes the body of a copy of the contract's unit. The search of `check` then looks
//! for an input for which the result of the reference violates a postcondition, or proves that there
//! is none.

use dafny_resolve::typed::{
    Arena as _, Body, Call, Callable, CallableId, CallableKind, Expr, ExprKind, LocalId, Program,
    Rhs, Stmt, StmtKind, Target, Type,
};
use dtest_interp::{Interp, Outcome};
use dtest_search::Options;

use crate::contract::{Contract, local};
use crate::examine::{Answer, Examination, lower};
use crate::examples::call_example;
use crate::questions::{Question, Questions, block, statement};
use crate::tried::limits;
use crate::{Certainty, Example, Undecided};

/// Whether a contract accepts what a reference does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceAnswer {
    /// It accepts all results.
    Accepts(Certainty),
    /// These clauses, by their indices, reject the result for an input.
    Rejects {
        /// The input with the result of the reference.
        example: Example,
        /// The postconditions.
        clauses: Vec<usize>,
    },
    /// It is not decided.
    Undecided(Undecided),
}

/// Judges the results of a reference. `None` if the reference has other parameters or results than
/// the unit, no body, or another receiver. The program must not have been desugared.
pub fn judge_reference(
    program: &Program,
    (unit, reference): (CallableId, CallableId),
    options: &Options,
) -> Option<ReferenceAnswer> {
    if !is_reference(program, unit, reference) {
        return None;
    }
    let contract = Contract::new(program, unit);
    let examination = Examination::new(&contract, options);
    let mut questions = Questions::new(&contract);
    let callable = questions.with_reference(reference);
    let lowered = lower(questions.program);
    let answer = match examination.satisfies(&lowered, callable) {
        Answer::Nothing(certainty) => ReferenceAnswer::Accepts(certainty),
        Answer::Undecided(reason) => ReferenceAnswer::Undecided(reason),
        Answer::Example(inputs) => {
            let interp = Interp::new(&lowered, limits());
            let execution = interp.run(callable, &inputs);
            let truths = interp.check_ensures(callable, &inputs, &execution);
            let is_false = |(_, c): &(usize, dtest_interp::ClauseResult)| c.truth.is_false();
            let clauses = truths.into_iter().enumerate().filter(is_false);
            let question = Question {
                callable,
                alternatives: Vec::new(),
            };
            let has_returned = matches!(execution.outcome, Outcome::Returned(_));
            let example = match has_returned {
                true => call_example(&lowered, &contract, (callable, &inputs), &execution),
                false => examination.example(&lowered, &question, &inputs),
            };
            ReferenceAnswer::Rejects {
                example,
                clauses: clauses.map(|(i, _)| i).collect(),
            }
        }
    };
    Some(answer)
}

/// Whether the reference can be called in place of the unit.
fn is_reference(program: &Program, unit: CallableId, reference: CallableId) -> bool {
    let (a, b) = (&program[unit], &program[reference]);
    let types = |all: &[dafny_resolve::typed::Formal]| -> Vec<Type> {
        all.iter().map(|f| program[f.local].ty.clone()).collect()
    };
    let is_code = |c: &Callable| {
        matches!(c.kind, CallableKind::Method | CallableKind::Function) && !c.is_two_state
    };
    is_code(a)
        && is_code(b)
        && !matches!(b.body, Body::None)
        && types(&a.ins) == types(&b.ins)
        && types(&a.outs) == types(&b.outs)
        && (b.is_static || (!a.is_static && a.owner == b.owner))
        && program.all_type_params(reference).is_empty()
        && program.all_type_params(unit).is_empty()
}

impl Questions<'_, '_> {
    /// Adds a method with the contract of the unit that calls the reference.
    fn with_reference(&mut self, reference: CallableId) -> CallableId {
        let contract = self.contract;
        let unit = &contract.program[contract.unit];
        let outs: Vec<LocalId> = contract.outputs.iter().map(|o| o.local).collect();
        let call = self.call_with_parameters(reference);
        let own = contract.substitution(|o| Some(o.clone()));
        let mut spec = unit.spec.clone();
        for clause in &mut spec.ensures {
            clause.cond = own.of(&clause.cond);
        }
        let body = self.result_of(call, reference, outs, Vec::new());
        let number = self.program.callables.len();
        let callable = Callable {
            name: format!("{}.reference{number}", unit.name).into(),
            kind: CallableKind::Method,
            is_predicate: false,
            opaque: false,
            spec,
            body: Body::Block(block(vec![body], unit.span)),
            overrides: Vec::new(),
            attributes: Vec::new(),
            doc: None,
            ..unit.clone()
        };
        self.program.add(callable)
    }

    /// A call with the parameters of the contract's unit.
    pub(crate) fn call_with_parameters(&self, callee: CallableId) -> Call {
        let unit = &self.contract.program[self.contract.unit];
        let owner = unit.owner.filter(|_| !self.program[callee].is_static);
        let receiver = owner.map(|owner| {
            Box::new(Expr {
                kind: ExprKind::This,
                ty: Type::named(owner, Vec::new()),
                span: unit.span,
            })
        });
        let args = unit.ins.iter().map(|f| local(&self.program, f.local));
        Call {
            callee,
            receiver,
            discarded: None,
            type_args: Vec::new(),
            args: args.collect(),
            at_label: None,
            is_static_dispatch: false,
            is_corecursive: false,
        }
    }

    /// Assigns the result of a call to variables.
    pub(crate) fn result_of(
        &self,
        call: Call,
        callee: CallableId,
        outs: Vec<LocalId>,
        declares: Vec<LocalId>,
    ) -> Stmt {
        let contract = self.contract;
        let span = contract.program[contract.unit].span;
        let is_function = self.program[callee].kind.is_function();
        let kind = match contract.outputs.first() {
            Some(output) if is_function => StmtKind::Assign {
                declares,
                pairs: vec![(
                    Target::Local(output.local),
                    Rhs::Expr(Expr {
                        kind: ExprKind::Call(call),
                        ty: output.ty.clone(),
                        span,
                    }),
                )],
            },
            Some(_) | None => StmtKind::Call {
                declares,
                targets: outs.into_iter().map(Target::Local).collect(),
                call,
            },
        };
        statement(kind, span)
    }
}
