//! Wrong variants of a program's code: one operator is another one, a condition is the other way round, a result is a default value (the
//! operators of mutation analysis: Jia and Harman, *An Analysis and Survey of the Development of Mutation Testing*, 2011, section 3;
//! default results as in Niedermayr, Juergens and Wagner, *Will my tests tell me if I break this code?*, 2016). Inputs on which a
//! variant does something else than the program tell the two apart.

use std::rc::Rc;

use super::code::{Code, CodeKey, Ins, Mode};
use super::summary::Summaries;
use super::word::Word;
use super::{Execution, FailureKind, Inputs, Interp, Outcome};
use crate::ir::{AssertKind, BlockId, Coll, Decision, GoalId, GoalReason, Num, Op, Procedure};
use crate::value::{Answer, Contents, Heap, Object, ObjectId, Value};
use dafny_resolve::typed::{CallableId, CallableKind, FieldId, Program};
use dafny_syntax::source::Span;

/// Steps of a variant, beside so many times those of the program itself.
const SLACK: u64 = 2_000;

/// A variant of a callable's code, or of a lambda's in it.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// Of which code.
    of: CodeKey,
    /// The block that it is in, where it is in one.
    block: Option<(CallableId, BlockId)>,
    change: Change,
    /// What is wrong in it.
    pub slip: Slip,
}

#[derive(Debug, Clone)]
enum Change {
    /// Other instructions at some places, and the operator of one, where it has no instruction of its own.
    Code(Vec<(usize, Ins)>, Option<Op>),
    /// Nothing is done, and these are the results.
    Results(Vec<Word>),
}

/// What is wrong in a variant, for a reader.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Slip {
    /// The expression with another operator, the condition that is the other way round, or the callable that gives a default value.
    pub span: Span,
    /// What was done to it.
    pub kind: SlipKind,
}

/// What may be done to code by mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum SlipKind {
    /// Another operator is written.
    Operator,
    /// A condition is the other way round.
    Negation,
    /// `&&` is written for `||`, or the reverse.
    Connective,
    /// The result is a default value, and nothing else happens.
    Default,
}

impl Interp<'_> {
    /// The variants of a unit's own code and, of an entry, of all that counts with it, in the order of the code; what only records or
    /// belongs to ghost code is left alone.
    pub fn mutants(&self, unit: CallableId) -> Vec<Mutant> {
        let callees = self.program.systems.get(&unit).map_or(&[][..], |s| s.callees.as_slice());
        std::iter::once(&unit).chain(callees).flat_map(|c| self.mutants_of(*c)).collect()
    }

    fn mutants_of(&self, callable: CallableId) -> Vec<Mutant> {
        let Some(procedure) = self.program.procedures.get(&callable) else { return Vec::new() };
        let span = self.program.typed[callable].span;
        let default = |results| Mutant {
            of: CodeKey::Procedure(callable),
            block: Some((callable, BlockId(0))),
            change: Change::Results(results),
            slip: Slip { span, kind: SlipKind::Default },
        };
        let mut found: Vec<Mutant> = self.default_results(procedure).into_iter().map(default).collect();
        let mut keys = vec![CodeKey::Procedure(callable)];
        let mut next = 0;
        while let Some(key) = keys.get(next).cloned() {
            next += 1;
            for lambda in self.mutants_in(&key, procedure, &mut found) {
                let key = CodeKey::Lambda(lambda, Mode::Compiled);
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        found
    }

    /// Adds the variants of some code of a procedure. The result: the lambdas in it.
    fn mutants_in(&self, of: &CodeKey, procedure: &Procedure, found: &mut Vec<Mutant>) -> Vec<u32> {
        let Some(code) = self.code(of) else { return Vec::new() };
        let mut block = None;
        let mut add = |block: Option<(CallableId, BlockId)>, span: Span, kind: SlipKind, change: Change| {
            if span.start < span.end {
                found.push(Mutant { of: of.clone(), block, change, slip: Slip { span, kind } });
            }
        };
        let mut lambdas = Vec::new();
        let mut at = 0;
        while let Some(ins) = code.ins.get(at) {
            if let Ins::Probing(end) | Ins::Budget(end) = ins {
                at = (*end as usize).max(at + 1);
                continue;
            }
            if let (Ins::Enter(b), Some(callable)) = (ins, code.callable) {
                block = Some((callable, *b));
            }
            if let Ins::Closure { lambda, .. } | Ins::Delay { lambda, .. } = ins {
                lambdas.push(*lambda);
            }
            let span = code.spans.get(at).copied().unwrap_or_default();
            for op in operator(ins, &code).map(|op| others(&op)).unwrap_or_default() {
                let (ins, op) = match instruction(&op) {
                    Some(ins) => (ins, None),
                    None => (Ins::Op { op: code.ops.len() as u32, argc: 2 }, Some(op)),
                };
                add(block, span, SlipKind::Operator, Change::Code(vec![(at, ins)], op));
            }
            // A branch is named for its condition.
            let span = if let Ins::Branch { .. } = ins { at.checked_sub(1).and_then(|i| code.spans.get(i)).copied() } else { None }
                .unwrap_or(span);
            for (kind, changes) in self.other_controls(&code, procedure, at, ins) {
                add(block, span, kind, Change::Code(changes, None));
            }
            at += 1;
        }
        lambdas
    }

    /// Results that are default values; none where a type has none that is known, or where the object that is made is the result.
    fn default_results(&self, procedure: &Procedure) -> Vec<Vec<Word>> {
        if self.program.typed[procedure.callable].kind == CallableKind::Constructor {
            return Vec::new();
        }
        let mut rows = vec![Vec::new()];
        for out in &procedure.outs {
            let Some(info) = procedure.vars.get(out.0 as usize) else { return Vec::new() };
            let values = match self.default_value(&info.ty) {
                _ if info.ghost => vec![Word::unknown("a ghost result")],
                Some(Value::Bool(_)) => vec![Word::Bool(false), Word::Bool(true)],
                Some(value) => vec![Word::of(value)],
                None => return Vec::new(),
            };
            rows = rows.iter().flat_map(|row| values.iter().map(move |v| row.iter().chain([v]).cloned().collect())).collect();
            if rows.len() > 4 {
                return Vec::new();
            }
        }
        rows
    }

    /// What else control may do at an instruction by mistake.
    fn other_controls(&self, code: &Code, procedure: &Procedure, at: usize, ins: &Ins) -> Vec<(SlipKind, Vec<(usize, Ins)>)> {
        let end_of = |end: u32| (end as usize).checked_sub(1);
        match ins {
            Ins::Not => vec![(SlipKind::Negation, vec![(at, Ins::Jump(at as u32 + 1))])],
            Ins::Op { op, argc: 1 } if matches!(code.ops.get(*op as usize), Some(Op::Neg(_) | Op::BitNot)) => {
                vec![(SlipKind::Operator, vec![(at, Ins::Jump(at as u32 + 1))])]
            }
            Ins::AndLeft(end) => {
                end_of(*end).map(|e| (SlipKind::Connective, vec![(at, Ins::OrLeft(*end)), (e, Ins::OrEnd)])).into_iter().collect()
            }
            Ins::OrLeft(end) => {
                end_of(*end).map(|e| (SlipKind::Connective, vec![(at, Ins::AndLeft(*end)), (e, Ins::AndEnd)])).into_iter().collect()
            }
            Ins::Branch { then, els } => {
                // Where the operator before it decides, its variants say as much.
                let is_compared = at.checked_sub(1).and_then(|i| code.ins.get(i)).is_some_and(|i| operator(i, code).is_some());
                let turned = (!is_compared).then(|| (SlipKind::Negation, vec![(at, Ins::Branch { then: *els, els: *then })]));
                let other = other_connective(code, procedure, *then, *els);
                let other = other.map(|branch| (SlipKind::Connective, vec![(at, branch)]));
                turned.into_iter().chain(other).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a variant, run on `inputs`, is known to do what the unit does not, so that a test sees it: it returns something else,
    /// leaves other objects, prints something else, calls other external code, fails where compiled code does, or does not end.
    pub fn tells_apart(&self, unit: CallableId, mutant: &Mutant, inputs: &Inputs, execution: &Execution) -> bool {
        if mutant.block.is_some_and(|(callable, block)| self.passes_by(unit, callable, block, execution)) {
            return false;
        }
        let Some(other) = self.run_variant(unit, mutant, inputs, execution.steps) else { return false };
        match (&execution.outcome, &other.outcome) {
            (Outcome::Returned(a), Outcome::Returned(b)) => {
                let procedure = self.program.procedures.get(&unit);
                let is_ghost = |i: usize| procedure.and_then(|p| p.vars.get(p.outs.get(i)?.0 as usize)).is_some_and(|v| v.ghost);
                let differ = a.iter().zip(b).enumerate().any(|(i, (a, b))| a != b && !is_ghost(i));
                let results = a.iter().enumerate().filter(|(i, _)| !is_ghost(*i)).filter_map(|(_, v)| v.as_ref());
                let left = leave_others(&self.program.typed, inputs, results, &execution.heap, &other.heap);
                let calls = self.described_calls(execution) != self.described_calls(&other);
                differ || left || calls || execution.printed != other.printed
            }
            (_, Outcome::Failed(failure)) => is_checked(&failure.kind),
            (Outcome::Returned(_), Outcome::Halted { .. }) | (Outcome::Halted { .. }, Outcome::Returned(_)) => true,
            // With summaries, steps that are counted say little.
            (_, Outcome::OutOfFuel(_)) => !self.summarises.get(),
            (_, _) => false,
        }
    }

    /// The calls of external methods that a test describes, in their order: it fails unless all of them are made.
    fn described_calls<'e>(&self, execution: &'e Execution) -> Vec<(CallableId, &'e [Option<Value>])> {
        let typed = &self.program.typed;
        let is_described = |a: &&Answer| !typed[a.callee].kind.is_function() && !typed.is_mocked(a.callee);
        execution.answers.iter().filter(is_described).map(|a| (a.callee, &a.args[..])).collect()
    }

    /// Whether an execution of an entry is known not to come to a block.
    fn passes_by(&self, unit: CallableId, callable: CallableId, block: BlockId, execution: &Execution) -> bool {
        let is_outermost = callable == unit && execution.visited.contains(&block);
        let goal = GoalId::block_of(unit, callable, block);
        self.program.systems.contains_key(&unit) && !is_outermost && execution.inner.iter().all(|(_, g)| *g != goal)
    }

    /// What the unit does with a variant in it, where it takes so many steps without.
    fn run_variant(&self, unit: CallableId, mutant: &Mutant, inputs: &Inputs, steps: u64) -> Option<Execution> {
        let code = mutant.applied(&*self.code(&mutant.of)?)?;
        // What the program's own calls gave says nothing of the variant's.
        let summaries = self.summaries.exchange(Summaries::default());
        let steps = steps.saturating_mul(4).saturating_add(SLACK).min(self.limits().steps);
        self.variant.replace(Some((mutant.of.clone(), Rc::new(code))));
        let execution = self.code(&CodeKey::Procedure(unit)).map(|code| self.run_code(unit, code, inputs, steps, &super::Resolution::Rule));
        self.variant.replace(None);
        self.summaries.exchange(summaries);
        execution
    }
}

impl Mutant {
    /// The code with the change; `None` where there is no such place.
    fn applied(&self, code: &Code) -> Option<Code> {
        let mut code = unchecked(code);
        match &self.change {
            Change::Code(changes, op) => {
                code.ops.extend(op.clone());
                for (at, ins) in changes {
                    *code.ins.get_mut(*at)? = *ins;
                }
            }
            Change::Results(words) => {
                let first = code.consts.len() as u32;
                code.consts.extend(words.iter().cloned());
                code.ins = (first..code.consts.len() as u32).map(Ins::Push).chain([Ins::Return(words.len() as u32)]).collect();
            }
        }
        Some(code)
    }
}

/// The code without what only specifications ask for: a variant breaks invariants before it goes wrong in what anybody sees.
fn unchecked(code: &Code) -> Code {
    let mut code = Code::clone(code);
    for at in 0..code.ins.len() {
        let other = match code.ins.get(at) {
            Some(Ins::Budget(end)) => match code.ins.get(*end as usize) {
                Some(Ins::Assert(kind)) if *kind != AssertKind::MissingCase => Some(Ins::Jump(end + 1)),
                Some(_) | None => None,
            },
            Some(Ins::CallPre(_) | Ins::ApplyPre(_)) => Some(Ins::PushBool(true)),
            Some(_) | None => None,
        };
        if let (Some(other), Some(ins)) = (other, code.ins.get_mut(at)) {
            *ins = other;
        }
    }
    code
}

/// Whether objects that a test can look at are left otherwise: those of the inputs, and all where one that was made can be reached.
fn leave_others<'v>(program: &Program, inputs: &Inputs, results: impl Iterator<Item = &'v Value>, a: &Heap, b: &Heap) -> bool {
    let known = inputs.heap.objects.len();
    let mut looked_at: Vec<&Value> = results.collect();
    for i in 0..known {
        if !same(program, a.objects.get(i), b.objects.get(i)) {
            return true;
        }
        looked_at.extend(a.objects.get(i).into_iter().flat_map(|o| o.contents.values()));
    }
    let is_made = |v: &Value| matches!(v, Value::Ref(ObjectId(id)) if *id as usize >= known);
    looked_at.into_iter().flat_map(Value::within).any(is_made) && a != b
}

/// Whether two objects hold the same, apart from ghost fields.
fn same(program: &Program, a: Option<&Object>, b: Option<&Object>) -> bool {
    match (a.map(|o| &o.contents), b.map(|o| &o.contents)) {
        (Some(Contents::Fields(a)), Some(Contents::Fields(b))) => {
            let compiled = |field: &FieldId| !program[*field].ghost;
            a.iter().filter(|(f, _)| compiled(f)).eq(b.iter().filter(|(f, _)| compiled(f)))
        }
        (a, b) => a == b,
    }
}

/// A decision of `&&` made like one of `||`, or the reverse: `els` or `then` is the block of the next operand, which ends in a branch.
fn other_connective(code: &Code, procedure: &Procedure, then: BlockId, els: BlockId) -> Option<Ins> {
    let is_operand = |b: BlockId| {
        let reason = procedure.block(b).and_then(|b| b.goal.as_ref()).map(|g| &g.reason);
        matches!(reason, Some(GoalReason::Branch { decision: Decision::Operand, .. }))
    };
    let branch_of = |b: BlockId| {
        let from = *code.blocks.get(b.0 as usize)? as usize;
        let branch = code.ins.get(from..)?.iter().find(|ins| ins.ends())?;
        if let Ins::Branch { then, els } = branch { Some((*then, *els)) } else { None }
    };
    if is_operand(then) {
        let (on_true, on_false) = branch_of(then)?;
        (on_false == els).then_some(Ins::Branch { then: on_true, els: then })
    } else if is_operand(els) {
        let (on_true, on_false) = branch_of(els)?;
        (on_true == then).then_some(Ins::Branch { then: els, els: on_false })
    } else {
        None
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
        Op::Union(c @ (Coll::Set | Coll::Multiset)) => vec![Op::Intersect(*c), Op::Difference(*c)],
        Op::Intersect(c) => vec![Op::Union(*c), Op::Difference(*c)],
        Op::Difference(c @ (Coll::Set | Coll::Multiset)) => vec![Op::Union(*c), Op::Intersect(*c)],
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
        | FailureKind::InvariantKept
        | FailureKind::Decreases
        | FailureKind::Reads
        | FailureKind::Precondition
        | FailureKind::Postcondition
        | FailureKind::Modifies
        | FailureKind::LoopRange
        | FailureKind::Termination
        | FailureKind::TypeConstraint
        | FailureKind::Aliasing
        | FailureKind::Application => false,
    }
}
