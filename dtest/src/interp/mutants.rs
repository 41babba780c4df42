//! Wrong variants of a unit's code: one operator is another one (the operators of mutation analysis: Jia and Harman, *An Analysis and
//! Survey of the Development of Mutation Testing*, 2011, section 3). Inputs on which a variant does something else than the
//! unit tell the two apart.

use std::rc::Rc;

use super::code::{Code, CodeKey, Ins};
use super::{Execution, FailureKind, Inputs, Interp, Outcome};
use crate::ir::{Num, Op};
use crate::typed::CallableId;

/// Steps of a variant, beside so many times those of the unit itself.
const SLACK: u64 = 2_000;

/// A variant of a unit's code.
pub struct Mutant {
    /// Whose.
    unit: CallableId,
    /// The place of the instruction, and what stands there instead.
    at: usize,
    ins: Ins,
    /// The operator of that, where it is one that has no instruction of its own.
    op: Option<Op>,
}

impl Interp<'_> {
    /// The variants of a unit's own blocks, in the order of the code; what only records or belongs to ghost code is left alone.
    pub fn mutants(&self, unit: CallableId) -> Vec<Mutant> {
        let Some(code) = self.code(&CodeKey::Procedure(unit)) else { return Vec::new() };
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(ins) = code.ins.get(at) {
            if let Ins::Probing(end) | Ins::Budget(end) = ins {
                at = (*end as usize).max(at + 1);
                continue;
            }
            for op in operator(ins, &code).map(|op| others(&op)).unwrap_or_default() {
                let (ins, op) = match instruction(&op) {
                    Some(ins) => (ins, None),
                    None => (Ins::Op { op: code.ops.len() as u32, argc: 2 }, Some(op)),
                };
                found.push(Mutant { unit, at, ins, op });
            }
            at += 1;
        }
        found
    }

    /// Whether a variant, run on `inputs`, is known to do what its unit does not: it returns something else, leaves another
    /// heap, prints something else, fails where compiled code does, or does not end.
    pub fn tells_apart(&self, mutant: &Mutant, inputs: &Inputs, execution: &Execution) -> bool {
        let Some(code) = self.code(&CodeKey::Procedure(mutant.unit)) else { return false };
        let mut code = Code::clone(&code);
        code.ops.extend(mutant.op.clone());
        match code.ins.get_mut(mutant.at) {
            Some(ins) => *ins = mutant.ins,
            None => return false,
        }
        let steps = execution.steps.saturating_mul(4).saturating_add(SLACK).min(self.limits().steps);
        let other = self.run_code(mutant.unit, Rc::new(code), inputs, steps);
        match (&execution.outcome, &other.outcome) {
            (Outcome::Returned(a), Outcome::Returned(b)) => {
                let is_ghost = |i: usize| {
                    let procedure = self.program.procedures.get(&mutant.unit);
                    procedure.and_then(|p| p.vars.get(p.outs.get(i)?.0 as usize)).is_some_and(|v| v.ghost)
                };
                let differ = a.iter().zip(b).enumerate().any(|(i, (a, b))| a != b && !is_ghost(i));
                differ || execution.heap != other.heap || execution.printed != other.printed
            }
            (_, Outcome::Failed(failure)) => is_checked(&failure.kind),
            (Outcome::Returned(_), Outcome::Halted { .. })
            | (Outcome::Halted { .. }, Outcome::Returned(_))
            | (_, Outcome::OutOfFuel(_)) => true,
            (_, _) => false,
        }
    }
}

/// The operator of an instruction on two operands.
fn operator(ins: &Ins, code: &Code) -> Option<Op> {
    match ins {
        Ins::AddInt => Some(Op::Add(Num::Int)),
        Ins::SubInt => Some(Op::Sub(Num::Int)),
        Ins::MulInt => Some(Op::Mul(Num::Int)),
        Ins::LtInt => Some(Op::Lt(Num::Int)),
        Ins::LeInt => Some(Op::Le(Num::Int)),
        Ins::Same => Some(Op::Eq),
        Ins::Differ => Some(Op::Ne),
        Ins::Op { op, argc: 2 } => code.ops.get(*op as usize).cloned(),
        _ => None,
    }
}

/// The instruction that an operator has of its own.
fn instruction(op: &Op) -> Option<Ins> {
    match op {
        Op::Add(Num::Int) => Some(Ins::AddInt),
        Op::Sub(Num::Int) => Some(Ins::SubInt),
        Op::Mul(Num::Int) => Some(Ins::MulInt),
        Op::Lt(Num::Int) => Some(Ins::LtInt),
        Op::Le(Num::Int) => Some(Ins::LeInt),
        Op::Eq => Some(Ins::Same),
        Op::Ne => Some(Ins::Differ),
        _ => None,
    }
}

/// What may be written for an operator by mistake.
fn others(op: &Op) -> Vec<Op> {
    match op {
        Op::Add(n) => vec![Op::Sub(*n), Op::Mul(*n)],
        Op::Sub(n) => vec![Op::Add(*n), Op::Div(*n)],
        Op::Mul(n) => vec![Op::Add(*n), Op::Div(*n)],
        Op::Div(n) => vec![Op::Mod(*n), Op::Mul(*n)],
        Op::Mod(n) => vec![Op::Div(*n), Op::Add(*n)],
        Op::Lt(n) => vec![Op::Le(*n), Op::Eq],
        Op::Le(n) => vec![Op::Lt(*n), Op::Eq],
        Op::Eq => vec![Op::Ne],
        Op::Ne => vec![Op::Eq],
        Op::BitAnd => vec![Op::BitOr, Op::BitXor],
        Op::BitOr => vec![Op::BitAnd, Op::BitXor],
        Op::BitXor => vec![Op::BitAnd, Op::BitOr],
        Op::Shl => vec![Op::Shr],
        Op::Shr => vec![Op::Shl],
        Op::Union(c) => vec![Op::Intersect(*c), Op::Difference(*c)],
        Op::Intersect(c) => vec![Op::Union(*c), Op::Difference(*c)],
        Op::Difference(c) => vec![Op::Union(*c), Op::Intersect(*c)],
        _ => Vec::new(),
    }
}

/// Whether compiled code fails there too: the others are of specifications.
fn is_checked(kind: &FailureKind) -> bool {
    match kind {
        FailureKind::MissingCase
        | FailureKind::Index
        | FailureKind::Key
        | FailureKind::Division
        | FailureKind::Destructor
        | FailureKind::Null
        | FailureKind::Domain
        | FailureKind::NoCandidate
        | FailureKind::Unassigned => true,
        FailureKind::Assert
        | FailureKind::Invariant
        | FailureKind::Precondition
        | FailureKind::Postcondition
        | FailureKind::Modifies
        | FailureKind::TypeConstraint
        | FailureKind::Aliasing
        | FailureKind::Application => false,
    }
}
