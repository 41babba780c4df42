//! Cases: inputs and results that a contract has to accept or to reject.
//!
//! A case becomes a method for each clause that assigns the values to the variables of the contract
//! and asserts the clause. The interpreter executes it, so that the verdict on a case is a fact.

use dafny_resolve::typed::{
    Arena as _, Body, Callable, CallableId, CallableKind, Clause, Expr, Formal, LocalId, Program,
    Rhs, Span, Spec, Stmt, StmtKind, Target, Type,
};
use dtest_interp::{Execution, FailureKind, Inputs, Interp, Outcome};

use crate::ClauseKind;
use crate::contract::Contract;
use crate::examine::lower;
use crate::mutants::with_body;
use crate::questions::{Questions, block, statement};
use crate::tried::limits;

/// A variable of a contract that a case gives a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseVariable {
    /// The name: a parameter, an out-parameter, or `result`.
    pub name: String,
    /// The type of the value: for an array, that of the sequence of its elements.
    pub ty: Type,
    /// Whether it is a result.
    pub is_result: bool,
}

/// The values of a case, parallel to the variables.
#[derive(Clone, Debug)]
pub struct Case {
    /// The values. A case without results has those of the body.
    pub values: Vec<Option<Expr>>,
}

/// The truth of a clause in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseTruth {
    /// The clause accepts the case.
    Accepts,
    /// The clause rejects the case.
    Rejects,
    /// A value is not of the type of its variable.
    WrongType,
    /// It is not decided.
    Undecided(String),
}

/// The verdict of a clause on a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseVerdict {
    /// The kind of the clause.
    pub kind: ClauseKind,
    /// The source range of the clause.
    pub span: Span,
    /// The truth of the clause.
    pub truth: CaseTruth,
}

/// The variables of a contract; `None` if cases have no values for all that it is about: a receiver,
/// objects, or type parameters.
pub fn case_variables(program: &Program, unit: CallableId) -> Option<Vec<CaseVariable>> {
    let callable = &program[unit];
    let contract = Contract::new(program, unit);
    let is_known = callable.is_static
        && contract
            .frames
            .as_ref()
            .is_ok_and(|f| f.writes.is_empty() && f.is_complete())
        && program.all_type_params(unit).is_empty();
    if !is_known {
        return None;
    }
    let inputs = callable.ins.iter().map(|f| {
        let local = &program[f.local];
        (local.name.to_string(), local.ty.clone(), false)
    });
    let outputs = contract.outputs.iter();
    let outputs = outputs.map(|o| (o.name.clone(), o.ty.clone(), true));
    let variable = |(name, ty, is_result): (String, Type, bool)| {
        let elements = crate::contract::array_of(program, &ty);
        let ty = elements.map_or(ty, |elem| Type::Seq(Box::new(elem)));
        (!contract.contains_reference(&ty)).then_some(CaseVariable {
            name,
            ty,
            is_result,
        })
    };
    inputs.chain(outputs).map(variable).collect()
}

/// Returns the verdicts of each clause on each case. The program must not have been desugared, and
/// the contract must have [`case_variables`].
pub fn judge(program: &Program, unit: CallableId, cases: &[Case]) -> Vec<Vec<CaseVerdict>> {
    let contract = Contract::new(program, unit);
    let mut questions = Questions::new(&contract);
    let own = contract.substitution(|o| Some(o.clone()));
    let clauses: Vec<(ClauseKind, Clause)> = contract
        .requires()
        .iter()
        .map(|c| (ClauseKind::Requires, c.clone()))
        .chain(contract.ensures().iter().map(|c| {
            let cond = own.of(&c.cond);
            (ClauseKind::Ensures, Clause { cond, ..c.clone() })
        }))
        .collect();
    let mut asked = Vec::new();
    for case in cases {
        let of_case = clauses.iter().map(|(kind, clause)| {
            let callable = questions.clause_of_case(case, *kind, clause);
            (*kind, clause.span, callable)
        });
        asked.push(of_case.collect::<Vec<_>>());
    }
    let lowered = lower(questions.program);
    let judged = |(kind, span, callable): (ClauseKind, Span, CallableId)| {
        let interp = Interp::new(&lowered, limits());
        let inputs = Inputs {
            type_args: Vec::new(),
            args: Vec::new(),
            heap: dtest_value::Heap::default(),
            answers: Vec::new(),
        };
        CaseVerdict {
            kind,
            span,
            truth: truth(&interp.run(callable, &inputs), span),
        }
    };
    asked
        .into_iter()
        .map(|case| case.into_iter().map(judged).collect())
        .collect()
}

/// The truth of a clause from the execution of its method.
fn truth(execution: &Execution, clause: Span) -> CaseTruth {
    let is_known = execution.unknown.is_empty()
        && execution.undecided_assumptions.is_empty()
        && execution.answers.is_empty()
        && !execution.reads_open_constants;
    match &execution.outcome {
        Outcome::Returned(_) if is_known => CaseTruth::Accepts,
        Outcome::Failed(f) if f.kind == FailureKind::Assert && f.span == clause && is_known => {
            CaseTruth::Rejects
        }
        Outcome::Failed(f) if f.kind == FailureKind::TypeConstraint && f.span != clause => {
            CaseTruth::WrongType
        }
        Outcome::Failed(_) => CaseTruth::Undecided("the clause is not defined for the case".into()),
        Outcome::Returned(_)
        | Outcome::Halted { .. }
        | Outcome::OutOfFuel(_)
        | Outcome::Infeasible(_)
        | Outcome::Unsupported(_) => {
            CaseTruth::Undecided("the clause cannot be executed for the case".into())
        }
    }
}

impl Questions<'_, '_> {
    /// Adds a method that asserts a clause for the values of a case.
    fn clause_of_case(&mut self, case: &Case, kind: ClauseKind, clause: &Clause) -> CallableId {
        let contract = self.contract;
        let unit = &contract.program[contract.unit];
        let variables: Vec<LocalId> = unit
            .ins
            .iter()
            .map(|f| f.local)
            .chain(contract.outputs.iter().map(|o| o.local))
            .collect();
        let results = contract.outputs.len();
        let mut stmts = Vec::new();
        for (variable, value) in variables.iter().zip(&case.values) {
            if let Some(value) = value {
                stmts.push(self.assigned(*variable, value));
            }
        }
        // Preconditions do not need the results of the body, which is executed under them.
        let (given, _) = case
            .values
            .split_at(case.values.len().saturating_sub(results));
        let lacks_results = case.values.len() > given.len()
            && case.values.iter().skip(given.len()).all(Option::is_none);
        if kind == ClauseKind::Ensures && lacks_results {
            stmts.push(self.executed());
        }
        stmts.push(statement(
            StmtKind::Assert {
                cond: clause.cond.clone(),
                label: None,
                by: None,
            },
            clause.span,
        ));
        let number = self.program.callables.len();
        let callable = Callable {
            name: format!("{}.case{number}", unit.name).into(),
            kind: CallableKind::Method,
            is_predicate: false,
            ghost: false,
            opaque: false,
            owner: None,
            is_static: true,
            ins: Vec::<Formal>::new(),
            outs: Vec::new(),
            spec: Spec::default(),
            body: Body::Block(block(stmts, unit.span)),
            overrides: Vec::new(),
            attributes: Vec::new(),
            doc: None,
            ..unit.clone()
        };
        self.program.add(callable)
    }

    /// Declares a variable of the contract with a value; an array is allocated.
    fn assigned(&mut self, variable: LocalId, value: &Expr) -> Stmt {
        let ty = self.program[variable].ty.clone();
        let rhs = match crate::contract::array_of(&self.program, &ty) {
            Some(elem) => self.allocation(value.clone(), &elem),
            None => Rhs::Expr(value.clone()),
        };
        // The span is not that of a clause, so that its failures are those of the value.
        statement(
            StmtKind::Assign {
                declares: vec![variable],
                pairs: vec![(Target::Local(variable), rhs)],
            },
            value.span,
        )
    }

    /// Calls the callable with the variables of its parameters.
    fn executed(&mut self) -> Stmt {
        let contract = self.contract;
        // The body without its postconditions: a violated one would end the execution.
        let callee = with_body(self, Vec::new()).unwrap_or(contract.unit);
        let outs: Vec<LocalId> = contract.outputs.iter().map(|o| o.local).collect();
        let call = self.call_with_parameters(callee);
        self.result_of(call, callee, outs.clone(), outs)
    }
}
