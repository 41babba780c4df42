//! Loops that go on for nothing: mutants without a `break` that do what the unit does in every execution, since what is left of the loop
//! always ends and leaves no other value in anything that is read afterwards. That is so of a `for` loop that only looks for a case and sets
//! variables to constants where there is one.

use std::collections::BTreeSet;

use super::defined::{is_same, may_fail};
use super::{Change, Mutant, Place, always_ends};
use crate::ir::{AssertKind, Block, BlockId, Coll, Expr, ExprKind, Num, Op, Procedure, Program, Simple, StmtKind, Terminator, Var};
use dafny_resolve::typed::{Literal, Type};

/// Whether leaving out the `break` is known to make no difference.
pub(super) fn goes_on_for_nothing(program: &Program, mutant: &Mutant) -> bool {
    let (Place::End(left), Change::Next(without)) = (mutant.place, &mutant.change) else { return false };
    let Some(procedure) = program.procedures.get(&mutant.callable) else { return false };
    // What a `return` gives is given there and nowhere else.
    let Some(Terminator::Goto(target)) = procedure.block(left).map(|b| &b.terminator) else { return false };
    let heads = (0..procedure.blocks.len() as u32).map(BlockId).filter(|b| procedure.block(*b).is_some_and(|b| b.loop_head.is_some()));
    let mut loops = heads.filter_map(|head| Rest::of(program, procedure, (left, *without), head));
    loops.any(|rest| rest.always_ends() && rest.leads_to(*target) && rest.changes_nothing())
}

/// What is left of a `for` loop after the place where it was left: its blocks but the head.
struct Rest<'p> {
    program: &'p Program,
    procedure: &'p Procedure,
    /// Where it was left.
    left: BlockId,
    index: Var,
    /// The bound of the index, as it is written.
    to: &'p Expr,
    exit: BlockId,
    blocks: Vec<&'p Block>,
}

impl<'p> Rest<'p> {
    /// The loop with that head, if it is the one that is gone on with: nothing in it leads anywhere but to the head.
    fn of(program: &'p Program, procedure: &'p Procedure, (left, without): (BlockId, BlockId), head: BlockId) -> Option<Self> {
        let Terminator::Branch { cond, then: inside, els: exit } = &procedure.block(head)?.terminator else { return None };
        let ExprKind::Op(Op::Lt(Num::Int), operands) = &cond.kind else { return None };
        let [Expr { kind: ExprKind::Var(index), ty: Type::Int, .. }, to] = operands.as_slice() else { return None };
        let is_from_natural = procedure.block(head)?.loop_head.as_ref()?.range.iter().any(|c| match &c.cond.kind {
            ExprKind::Op(Op::Le(Num::Int), sides) => match sides.as_slice() {
                [Expr { kind: ExprKind::Literal(Literal::Int(n)), .. }, Expr { kind: ExprKind::Var(i), .. }] => {
                    i == index && n.sign() != num_bigint::Sign::Minus
                }
                _other => false,
            },
            _other => false,
        });
        let mut seen = BTreeSet::new();
        let mut work = vec![*inside, without];
        let mut blocks = Vec::new();
        while let Some(id) = work.pop() {
            if id == head || !seen.insert(id) {
                continue;
            }
            let block = procedure.block(id)?;
            if block.loop_head.is_some() {
                return None;
            }
            blocks.push(block);
            match &block.terminator {
                Terminator::Goto(_) if id == left => work.push(without),
                Terminator::Goto(next) => work.push(*next),
                Terminator::Branch { then, els, .. } => work.extend([*then, *els]),
                Terminator::Choose { .. } | Terminator::Return | Terminator::Stop => return None,
            }
        }
        let rest = Self { program, procedure, left, index: *index, to: written(procedure, to), exit: *exit, blocks };
        (is_from_natural && seen.contains(&left)).then_some(rest)
    }

    /// Whether it comes to its end whatever it starts from: the index goes up by one, and all that is evaluated has a value.
    fn always_ends(&self) -> bool {
        let assigned = || self.blocks.iter().flat_map(|b| &b.stmts).filter(|s| s.assigned().contains(&self.index));
        let is_step = |value: &Expr| match &value.kind {
            ExprKind::Op(Op::Add(Num::Int), sides) => {
                matches!(sides.as_slice(), [Expr { kind: ExprKind::Var(i), .. }, Expr { kind: ExprKind::Literal(Literal::Int(n)), .. }] if *i == self.index && *n == 1.into())
            }
            _other => false,
        };
        let steps = assigned().filter(|s| matches!(&s.kind, StmtKind::Assign { value, .. } if is_step(value))).count();
        let conditions = self.blocks.iter().filter_map(|b| match &b.terminator {
            Terminator::Branch { cond, .. } => Some(cond),
            Terminator::Goto(_) | Terminator::Choose { .. } | Terminator::Return | Terminator::Stop => None,
        });
        let is_counted = steps == 1 && assigned().count() == 1;
        is_counted && self.values().is_some_and(|all| all.into_iter().map(|(_, value)| value).chain(conditions).all(|e| self.has_value(e)))
    }

    /// All that it assigns to variables of compiled code; `None`: it does something else that may show, or may not end.
    fn values(&self) -> Option<Vec<(Var, &'p Expr)>> {
        let mut found = Vec::new();
        for stmt in self.blocks.iter().flat_map(|b| &b.stmts) {
            match (stmt.simple(), &stmt.kind) {
                (Some(Simple::Assigns(var, value)), _) => found.push((var, value)),
                (Some(Simple::Notes), _) | (None, StmtKind::Snapshot(_)) => {}
                (None, StmtKind::Assert { kind, .. }) if *kind != AssertKind::MissingCase => {}
                (None, _) => return None,
            }
        }
        Some(found)
    }

    /// Whether an expression has a value in every state in which the loop goes on.
    fn has_value(&self, e: &Expr) -> bool {
        let parts = || e.children().into_iter().all(|c| self.has_value(c));
        match &e.kind {
            ExprKind::Op(Op::Select(Coll::Seq), args) => self.is_element(args.as_slice(), &Op::Cardinality(Coll::Seq)),
            ExprKind::ReadElement(array, indices) => match indices.as_slice() {
                [index] => self.is_element(&[(**array).clone(), index.clone()], &Op::ArrayLength(0)),
                _several => false,
            },
            ExprKind::Call { callee, .. } => self.program.procedures.get(callee).is_some_and(|p| always_ends(self.program, p)) && parts(),
            _other => !may_fail(e) && parts(),
        }
    }

    /// Whether the index is one of what is indexed, which the loop runs to the length of.
    fn is_element(&self, args: &[Expr], length: &Op) -> bool {
        let [Expr { kind: ExprKind::Var(of), ty, .. }, Expr { kind: ExprKind::Var(i), .. }] = args else { return false };
        let never_changes = !self.procedure.blocks.iter().flat_map(|b| &b.stmts).any(|s| s.assigned().contains(of));
        let runs_to = matches!(&self.to.kind, ExprKind::Op(op, whole) if op == length && whole.iter().all(|w| matches!(w.kind, ExprKind::Var(v) if v == *of)));
        let is_there = matches!(ty, Type::Seq(_) | Type::Array { dims: 1, nullable: false, .. });
        *i == self.index && runs_to && never_changes && is_there && self.procedure.params.contains(of)
    }

    /// Whether control comes to a block right after the loop.
    fn leads_to(&self, target: BlockId) -> bool {
        let is_idle = |b: &Block| b.stmts.iter().all(|s| matches!(s.kind, StmtKind::Probe { .. }));
        let goes = |b: &Block| is_idle(b) && matches!(b.terminator, Terminator::Goto(next) if next == target);
        self.exit == target || self.procedure.block(self.exit).is_some_and(goes)
    }

    /// Whether what it assigns, and somebody reads afterwards, is a constant that was assigned where the loop was left.
    fn changes_nothing(&self) -> bool {
        let Some(values) = self.values() else { return false };
        let read = self.read_afterwards();
        let kept = |var: Var| {
            let stmts = self.procedure.block(self.left).map_or(&[][..], |b| &b.stmts);
            stmts.iter().rev().find_map(|s| match &s.kind {
                StmtKind::Assign { var: v, value } if *v == var => Some(value),
                _other => None,
            })
        };
        let is_kept = |(var, value): &(Var, &Expr)| {
            let is_constant = matches!(value.kind, ExprKind::Literal(_));
            !read.contains(var) || is_constant && kept(*var).is_some_and(|k| is_same(k, value))
        };
        values.iter().all(is_kept)
    }

    /// The variables that are read after the loop, and the results.
    fn read_afterwards(&self) -> BTreeSet<Var> {
        let mut found: BTreeSet<Var> = self.procedure.outs.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let mut work = vec![self.exit];
        while let Some(id) = work.pop() {
            let Some(block) = self.procedure.block(id).filter(|_| seen.insert(id)) else { continue };
            let cond = if let Terminator::Branch { cond, .. } = &block.terminator { Some(cond) } else { None };
            let mut parts: Vec<&Expr> = block.stmts.iter().flat_map(|s| s.operands()).chain(cond).collect();
            while let Some(e) = parts.pop() {
                if let ExprKind::Var(v) = &e.kind {
                    found.insert(*v);
                }
                parts.extend(e.children());
            }
            work.extend(block.terminator.successors());
        }
        found
    }
}

/// What stands for an expression: the value of a variable that is assigned once.
fn written<'p>(procedure: &'p Procedure, e: &'p Expr) -> &'p Expr {
    let ExprKind::Var(var) = e.kind else { return e };
    let mut assigned = procedure.blocks.iter().flat_map(|b| &b.stmts).filter(|s| s.assigned().contains(&var));
    match (assigned.next().map(|s| &s.kind), assigned.next()) {
        (Some(StmtKind::Assign { value, .. }), None) => value,
        (_, _) => e,
    }
}
