//! Evidence on assumptions: each one that can be executed becomes an obligation, and the search of
//! `check` looks for an execution that violates it.
//!
//! A lemma without a proof gets an empty one, so that its postconditions are obligations for all
//! accepted inputs. `assume` becomes `assert`. The statement is refuted by an execution that depends
//! on no other assumption, and by nothing else.

use dafny_resolve::typed::rewrite::{Rewrite, walk_stmt};
use dafny_resolve::typed::{
    Body, CallableId, CallableKind, OnFailure, Program, Span, Stmt, StmtKind,
};
use dtest_desugar::may_be_undefined;
use dtest_ir::reason::OpenReason;
use dtest_ir::{self as ir, ObligationKind};
use dtest_search::Options;
use dtest_search::check::{CheckResult, Verdict, check_obligations};

use super::{Assumption, AssumptionKind, Subject};
use crate::contract::Contract;
use crate::examine::{limited, lower};
use crate::questions::{Question, block};
use crate::{Certainty, Implementable, Named, examine, examples};

/// The evidence on an assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// These inputs refute it. An execution confirmed that they are accepted and that the
    /// assumption is false for them, or it is proved that no result satisfies it.
    Refuted(Vec<Named>),
    /// No execution refutes it, and it is proved.
    Proved,
    /// None of the executions refutes it.
    Supported {
        /// The number of executions.
        executions: u64,
        /// The bounds within which it holds.
        bounds: String,
    },
    /// It is not executed, for this reason.
    NotExecutable(String),
    /// The search did not decide it, for this reason.
    Undecided(String),
}

/// Looks for evidence on the assumptions of one declaration, in their order. The program must not
/// have been desugared.
pub fn evidence(program: &Program, all: &[Assumption], options: &Options) -> Vec<Evidence> {
    let Some(unit) = all.iter().find_map(|a| match a.subject {
        Subject::Callable(id) => Some(id),
        Subject::Type(_) | Subject::Field(_) => None,
    }) else {
        return all.iter().map(|_| outside_of_code()).collect();
    };
    // The program is lowered once for all assumptions that become obligations.
    let mut execution = None;
    all.iter()
        .map(|assumption| {
            let plan = plan(program, unit, assumption);
            match plan {
                Plan::None(reason) => Evidence::NotExecutable(reason.to_owned()),
                Plan::Contract => of_contract(program, unit, options),
                Plan::Obligations(kind) => {
                    let evidence = execution
                        .get_or_insert_with(|| Executed::new(program, unit, options))
                        .evidence(program, assumption, kind);
                    let claims = matches!(evidence, Evidence::Proved | Evidence::Supported { .. });
                    if claims && kind.is_none() && may_be_ill_formed(program, unit) {
                        Evidence::Undecided(
                            "whether its contract is well-formed is not examined; `check` does"
                                .to_owned(),
                        )
                    } else {
                        evidence
                    }
                }
            }
        })
        .collect()
}

/// Whether a clause of a contract may be undefined for some inputs. The obligations of clauses belong
/// to units of their own, which are not examined here.
fn may_be_ill_formed(program: &Program, unit: CallableId) -> bool {
    let spec = &program[unit].spec;
    let clauses = spec.requires.iter().chain(&spec.ensures).map(|c| &c.cond);
    let frames = spec.reads.iter().chain(&spec.modifies);
    let objects = frames.filter_map(|f| f.object.as_ref());
    let mut all = clauses.chain(objects).chain(&spec.decreases);
    all.any(|e| may_be_undefined(program, e))
}

/// The way to execute an assumption.
enum Plan {
    /// As obligations of the kind within the assumption's span; of all kinds if `None`.
    Obligations(Option<ObligationKind>),
    /// By its contract alone: no code keeps or violates it.
    Contract,
    /// Not at all.
    None(&'static str),
}

fn outside_of_code() -> Evidence {
    Evidence::NotExecutable("it is no part of a function, method or lemma".to_owned())
}

fn plan(program: &Program, unit: CallableId, assumption: &Assumption) -> Plan {
    let callable = &program[unit];
    match assumption.kind {
        AssumptionKind::Axiom | AssumptionKind::NoBody | AssumptionKind::ExternalEnsures
            if callable.spec.ensures.is_empty() =>
        {
            Plan::None("it has no postcondition")
        }
        AssumptionKind::Axiom | AssumptionKind::NoBody | AssumptionKind::ExternalEnsures => {
            match &callable.body {
                Body::None if is_statement(program, unit) => {
                    Plan::Obligations(Some(ObligationKind::Postcondition))
                }
                Body::None => Plan::Contract,
                // Nothing of a body that is trusted was verified, types of results included.
                Body::Expr(_) | Body::Block(_) | Body::ByMethod(..) => Plan::Obligations(None),
            }
        }
        AssumptionKind::NotVerified => match &callable.body {
            Body::None => Plan::None("it has no body"),
            Body::Expr(_) | Body::Block(_) | Body::ByMethod(..) => Plan::Obligations(None),
        },
        AssumptionKind::Assume
        | AssumptionKind::AssumedSuccess
        | AssumptionKind::ForallWithoutBody => Plan::Obligations(Some(ObligationKind::Assertion)),
        AssumptionKind::AssumedChoice => {
            Plan::None("that a choice has a value is not executed without the choice")
        }
        AssumptionKind::ExternalFunction => {
            Plan::None("whether external code is a function is not known from its contract")
        }
        AssumptionKind::ExternalRequires => Plan::None("external callers are not known"),
        AssumptionKind::MayNotTerminate | AssumptionKind::CrossModuleTermination => {
            Plan::None("no execution shows that a call does not terminate")
        }
        AssumptionKind::Only => Plan::None("it concerns the verification of other declarations"),
        AssumptionKind::LoopWithoutBody => Plan::None("the body of the loop is not known"),
    }
}

/// Whether a callable is a lemma without results: its contract is a statement about its inputs.
fn is_statement(program: &Program, unit: CallableId) -> bool {
    program[unit].kind == CallableKind::Lemma && program[unit].outs.is_empty()
}

/// The contract of code that is not known is refuted by an input without a result.
fn of_contract(program: &Program, unit: CallableId, options: &Options) -> Evidence {
    let specification = examine(program, unit, options);
    match specification.implementable {
        Implementable::No {
            example,
            certainty: Certainty::Proved,
            ..
        } => Evidence::Refuted(example.inputs),
        Implementable::No { .. } | Implementable::Yes(_) => Evidence::NotExecutable(
            "it has no code; inputs that were tried have a result".to_owned(),
        ),
        Implementable::Undecided(reason) => {
            Evidence::NotExecutable(format!("it has no code; {reason}"))
        }
    }
}

/// The program with assumptions of a callable as obligations, and the verdicts on them.
struct Executed {
    lowered: ir::Program,
    unit: CallableId,
    result: CheckResult,
}

impl Executed {
    fn new(program: &Program, unit: CallableId, options: &Options) -> Self {
        let mut changed = program.clone();
        let callable = &mut changed[unit];
        match &mut callable.body {
            body @ Body::None => {
                *body = Body::Block(block(Vec::new(), callable.span));
            }
            Body::Expr(e) => AsObligations.expr(e),
            Body::Block(b) => AsObligations.block(b),
            Body::ByMethod(e, b) => {
                AsObligations.expr(e);
                AsObligations.block(b);
            }
        }
        let lowered = lower(changed);
        let result = check_obligations(&lowered, unit, &limited(options), &|_| true, None);
        Self {
            lowered,
            unit,
            result,
        }
    }

    /// Returns the evidence from the verdicts on the obligations of an assumption.
    fn evidence(
        &self,
        program: &Program,
        assumption: &Assumption,
        kind: Option<ObligationKind>,
    ) -> Evidence {
        let is_own = |goal: &ir::Goal| {
            goal.obligation().is_some_and(|(k, _)| match kind {
                None => true,
                Some(ObligationKind::Postcondition) => k == ObligationKind::Postcondition,
                Some(kind) => k == kind && is_inside(goal.span, assumption.span),
            })
        };
        let verdicts: Vec<&Verdict> = self
            .result
            .obligations
            .iter()
            .filter(|(id, _)| self.lowered.goal(self.unit, *id).is_some_and(is_own))
            .map(|(_, verdict)| verdict)
            .collect();
        if verdicts.is_empty() {
            return Evidence::NotExecutable("it is not executed".to_owned());
        }
        // A refutation needs one obligation, and a claim needs all of them.
        let mut bounds = None;
        let mut doubt = None;
        for verdict in verdicts {
            match verdict {
                Verdict::Violated(v) if v.is_certain() && v.choices.is_none() => {
                    let contract = Contract::new(program, self.unit);
                    let question = Question {
                        callable: self.unit,
                        alternatives: Vec::new(),
                    };
                    let found = examples::example(&self.lowered, &contract, &question, &v.inputs);
                    return Evidence::Refuted(found.inputs);
                }
                Verdict::Violated(_) => {
                    doubt.get_or_insert_with(|| {
                        "an execution that violates it depends on other assumptions".to_owned()
                    });
                }
                // No execution contradicts an assumption that none reaches.
                Verdict::Holds | Verdict::NotReached => {}
                Verdict::HoldsAssuming(_) => {
                    doubt.get_or_insert_with(|| {
                        "it is proved under other assumptions only".to_owned()
                    });
                }
                Verdict::HoldsWithin { scope, .. } => {
                    bounds.get_or_insert_with(|| scope.to_string());
                }
                Verdict::Open(OpenReason::NotReached(scope)) => {
                    doubt.get_or_insert_with(|| format!("no execution reaches it within {scope}"));
                }
                Verdict::Open(reason) => {
                    doubt.get_or_insert_with(|| reason.to_string());
                }
            }
        }
        match (doubt, bounds) {
            (Some(reason), _) => Evidence::Undecided(reason),
            (None, None) => Evidence::Proved,
            (None, Some(bounds)) => Evidence::Supported {
                executions: self.result.executions,
                bounds,
            },
        }
    }
}

fn is_inside(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Turns assumptions into obligations.
struct AsObligations;

impl Rewrite for AsObligations {
    fn stmt(&mut self, s: &mut Stmt) {
        walk_stmt(self, s);
        match &mut s.kind {
            StmtKind::Assume(cond) => {
                s.kind = StmtKind::Assert {
                    cond: cond.clone(),
                    label: None,
                    by: None,
                };
            }
            StmtKind::Forall { body, .. } if body.is_none() => {
                *body = Some(block(Vec::new(), s.span));
            }
            StmtKind::AssignOrFail(a) if matches!(a.on_failure, OnFailure::Assume) => {
                a.on_failure = OnFailure::Assert;
            }
            StmtKind::Block(_)
            | StmtKind::Assert { .. }
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::VarDecl(_)
            | StmtKind::Assign { .. }
            | StmtKind::AssignPattern { .. }
            | StmtKind::Call { .. }
            | StmtKind::SuchThat { .. }
            | StmtKind::AssignOrFail(_)
            | StmtKind::If { .. }
            | StmtKind::IfCase(_)
            | StmtKind::While { .. }
            | StmtKind::WhileCase { .. }
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Match { .. }
            | StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Modify { .. }
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. }
            | StmtKind::Error => {}
        }
    }
}
