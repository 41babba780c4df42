//! Redundant loops: a mutant without a `break` is equivalent if the rest of the loop always ends
//! and leaves the same values in everything that is read afterwards. That is so for a loop that
//! counts up to a bound, only searches for a case, and assigns constants when it finds one.
//!
//! [`goes_wrong`] is the entry point; `Rest` has the structural conditions.

use num_bigint::BigInt;
use num_traits::Signed;

use super::defined::{is_pure_of, is_same, may_fail};
use super::symbolic::{self, both, either};
use super::{Change, Mutant, Mutated, Place, always_ends, known};
use dafny_resolve::typed::{Literal, Type};
use dafny_source::Span;
use dtest_ir::{
    AssertKind, Block, BlockId, Expr, ExprKind, Num, Op, Procedure, Program, Simple, Stmt,
    StmtKind, Terminator, Var, build,
};
use dtest_sorted::SortedSet;

/// The condition, in states of the loop that continues, under which an expression of the loop
/// fails. `None` if removing the `break` may make another difference.
pub(super) fn goes_wrong(program: &Program, mutant: &Mutant) -> Option<Expr> {
    let (Place::End(left), Change::Next(without)) = (mutant.place, &mutant.change) else {
        return None;
    };
    if !mutant.also.is_empty() {
        return None;
    }
    let procedure = program.procedures.get(&mutant.callable)?;
    // The results of a `return` are assigned only there.
    let Terminator::Goto(target) = &procedure.block(left)?.terminator else {
        return None;
    };
    let Mutated::Code(mutated) = mutant.applied(program)? else {
        return None;
    };
    // Every loop is a candidate. [`Rest::of`] returns the one that the jump left.
    let heads = (0..procedure.blocks.len() as u32)
        .map(BlockId)
        .filter(|b| procedure.block(*b).is_some_and(|b| b.loop_head.is_some()));
    let mut loops = heads.filter_map(|head| Rest::of(program, procedure, (left, *without), head));
    loops
        .find(|rest| rest.is_counted() && rest.leads_to(*target) && rest.changes_nothing())?
        .fails(&mutated.procedure)
}

/// The rest of a loop after the removed jump: its blocks except the head.
struct Rest<'p> {
    program: &'p Program,
    procedure: &'p Procedure,
    /// The block that the jump left.
    left: BlockId,
    index: Var,
    /// The bound of the index, as it is written.
    to: &'p Expr,
    exit: BlockId,
    /// The first block of the body.
    inside: BlockId,
    without: BlockId,
    head: BlockId,
    blocks: Vec<(BlockId, &'p Block)>,
}

impl<'p> Rest<'p> {
    /// The loop with this head, if the mutant continues it: nothing in it leads anywhere but to the
    /// head.
    fn of(
        program: &'p Program,
        procedure: &'p Procedure,
        (left, without): (BlockId, BlockId),
        head: BlockId,
    ) -> Option<Self> {
        // The loop must count: `while index < bound`.
        let Terminator::Branch {
            cond,
            then: inside,
            els: exit,
        } = &procedure.block(head)?.terminator
        else {
            return None;
        };
        let ExprKind::Op(Op::Lt(Num::Int), operands) = &cond.kind else {
            return None;
        };
        let [
            Expr {
                kind: ExprKind::Var(index),
                ty: Type::Int,
                ..
            },
            to,
        ] = operands.as_slice()
        else {
            return None;
        };
        // Collects the blocks that are reachable without passing the head.
        let mut seen = SortedSet::new();
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
            blocks.push((id, block));
            match &block.terminator {
                // The removed jump continues at its replacement.
                Terminator::Goto(_) if id == left => work.push(without),
                Terminator::Goto(next) => work.push(*next),
                Terminator::Branch { then, els, .. } => work.extend([*then, *els]),
                Terminator::Choose { .. } | Terminator::Return | Terminator::Stop => return None,
            }
        }
        let (index, exit, inside, to) = (*index, *exit, *inside, written(procedure, to));
        seen.contains(&left).then_some(Self {
            program,
            procedure,
            left,
            index,
            to,
            exit,
            inside,
            without,
            head,
            blocks,
        })
    }

    /// Whether the loop ends unless an expression fails: each iteration increases the index by one,
    /// and the bound does not change.
    fn is_counted(&self) -> bool {
        // Exactly one step, so that the index cannot stand still or jump over the bound.
        let assigns = |b: &Block, var: Var| b.stmts.iter().any(|s| s.assigned().contains(&var));
        let mut steps = self
            .blocks
            .iter()
            .flat_map(|(id, b)| b.stmts.iter().map(move |s| (*id, s)));
        let mut steps = steps
            .by_ref()
            .filter(|(_, s)| s.assigned().contains(&self.index));
        let (Some((at, step)), None) = (steps.next(), steps.next()) else {
            return false;
        };
        let is_by_one = matches!(&step.kind, StmtKind::Assign { value, .. } if self.next(value).is_some_and(|by| *by == 1.into()));
        // Searches for an iteration without the increment.
        let mut seen = SortedSet::from([at]);
        let mut work = vec![self.inside];
        while let Some(id) = work.pop() {
            if id == self.head {
                return false;
            }
            let Some(block) = self.procedure.block(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            if id == self.left {
                work.push(self.without)
            } else {
                work.extend(block.terminator.successors())
            }
        }
        // The bound must not change in the loop.
        let stays = |v: Var| v != self.index && !self.blocks.iter().any(|(_, b)| assigns(b, v));
        is_by_one && is_pure_of(self.to, &stays)
    }

    /// The constant that an expression adds to the index.
    fn next<'e>(&self, value: &'e Expr) -> Option<&'e BigInt> {
        let ExprKind::Op(Op::Add(Num::Int), sides) = &value.kind else {
            return None;
        };
        match sides.as_slice() {
            [
                Expr {
                    kind: ExprKind::Var(i),
                    ..
                },
                Expr {
                    kind: ExprKind::Literal(Literal::Int(n)),
                    ..
                },
            ] if *i == self.index => Some(n),
            _other => None,
        }
    }

    /// The condition, in a state of the loop, under which an expression of it fails. `None` if it
    /// cannot be expressed.
    fn fails(&self, mutated: &Procedure) -> Option<Expr> {
        // Other effects would be observable.
        self.values()?;
        let mut fails = build::boolean(false, Span::default());
        for (id, _) in &self.blocks {
            let block = mutated.block(*id)?;
            let cond = if let Terminator::Branch { cond, .. } = &block.terminator {
                Some((block.stmts.len(), cond))
            } else {
                None
            };
            let values = block
                .stmts
                .iter()
                .enumerate()
                // Only compiled assignments are evaluated.
                .filter_map(|(at, s)| match s.simple() {
                    Some(Simple::Assigns(_, value)) => Some((at, value)),
                    Some(Simple::Notes) | None => None,
                });
            for (at, e) in values.chain(cond) {
                if self.has_value(e) {
                    continue;
                }
                // All needs of the expression, under the facts at its place.
                let met = symbolic::needs(self.program, mutated, e)?
                    .into_iter()
                    .fold(build::boolean(true, e.span), both);
                let known = known::at(self.program, mutated, (*id, at))
                    .into_iter()
                    .chain(self.is_natural(mutated));
                fails = either(
                    fails,
                    known.fold(build::not(met), |all, fact| both(fact, all)),
                );
            }
        }
        Some(fails)
    }

    /// The condition that the index is not negative, if all of its assignments imply that.
    fn is_natural(&self, mutated: &Procedure) -> Option<Expr> {
        // Initial values and steps that are not negative keep the index at zero or above.
        let assigned = |v: Var| {
            mutated
                .blocks
                .iter()
                .flat_map(|b| &b.stmts)
                .filter(move |s| s.assigned().contains(&v))
        };
        let is_never_less = |s: &Stmt| {
            if let StmtKind::Assign { value, .. } = &s.kind {
                match (&value.kind, self.next(value)) {
                    (ExprKind::Literal(Literal::Int(n)), _) | (_, Some(n)) => !n.is_negative(),
                    (_, None) => false,
                }
            } else {
                false
            }
        };
        let index = || build::var(self.index, Type::Int, Span::default());
        let is_natural =
            !mutated.params.contains(&self.index) && assigned(self.index).all(is_never_less);
        let natural = build::op(
            Op::Le(Num::Int),
            vec![build::int(0, Type::Int, Span::default()), index()],
            Type::Bool,
            Span::default(),
        );
        is_natural.then_some(natural)
    }

    /// All assignments to compiled variables. `None` if the loop has other effects or may not end.
    fn values(&self) -> Option<Vec<(Var, &'p Expr)>> {
        let mut found = Vec::new();
        for stmt in self.blocks.iter().flat_map(|(_, b)| &b.stmts) {
            match (stmt.simple(), &stmt.kind) {
                (Some(Simple::Assigns(var, value)), _) => found.push((var, value)),
                (Some(Simple::Notes), _) | (None, StmtKind::Snapshot(_)) => {}
                (None, StmtKind::Assert { kind, .. }) if *kind != AssertKind::MissingCase => {}
                (None, _) => return None,
            }
        }
        Some(found)
    }

    /// Whether an expression obviously has a value.
    fn has_value(&self, e: &Expr) -> bool {
        let parts = || e.children().into_iter().all(|c| self.has_value(c));
        // A call has a value if its callee always ends and its arguments have values.
        if let ExprKind::Call { callee, .. } = &e.kind {
            self.program
                .procedures
                .get(callee)
                .is_some_and(|p| always_ends(self.program, p))
                && parts()
        } else {
            !may_fail(e) && parts()
        }
    }

    /// Whether control reaches a block right after the loop.
    fn leads_to(&self, target: BlockId) -> bool {
        // Probes have no effect in compiled code.
        let is_idle = |b: &Block| {
            b.stmts
                .iter()
                .all(|s| matches!(s.kind, StmtKind::Probe { .. }))
        };
        let goes = |b: &Block| {
            is_idle(b) && matches!(b.terminator, Terminator::Goto(next) if next == target)
        };
        self.exit == target || self.procedure.block(self.exit).is_some_and(goes)
    }

    /// Whether every value that is assigned and read afterwards is a constant that was already
    /// assigned before the jump.
    fn changes_nothing(&self) -> bool {
        let Some(values) = self.values() else {
            return false;
        };
        let read = self.read_afterwards();
        // The last assignment before the jump.
        let kept = |var: Var| {
            let stmts = self
                .procedure
                .block(self.left)
                .map_or(&[][..], |b| &b.stmts);
            stmts.iter().rev().find_map(|s| {
                if let StmtKind::Assign { var: v, value } = &s.kind
                    && *v == var
                {
                    Some(value)
                } else {
                    None
                }
            })
        };
        // A variable that is not read afterwards may have any value.
        let is_kept = |(var, value): &(Var, &Expr)| {
            let is_constant = matches!(value.kind, ExprKind::Literal(_));
            !read.contains(var) || is_constant && kept(*var).is_some_and(|k| is_same(k, value))
        };
        values.iter().all(is_kept)
    }

    /// The variables that are read after the loop, and the results.
    fn read_afterwards(&self) -> SortedSet<Var> {
        let mut found: SortedSet<Var> = self.procedure.outs.iter().copied().collect();
        // All blocks that are reachable from the exit.
        let mut seen = SortedSet::new();
        let mut work = vec![self.exit];
        while let Some(id) = work.pop() {
            let Some(block) = self.procedure.block(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            let cond = if let Terminator::Branch { cond, .. } = &block.terminator {
                Some(cond)
            } else {
                None
            };
            let mut parts: Vec<&Expr> = block
                .stmts
                .iter()
                .flat_map(|s| s.operands())
                .chain(cond)
                .collect();
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

/// The value of a variable that is assigned once, instead of the variable.
fn written<'p>(procedure: &'p Procedure, e: &'p Expr) -> &'p Expr {
    let ExprKind::Var(var) = e.kind else { return e };
    let mut assigned = procedure
        .blocks
        .iter()
        .flat_map(|b| &b.stmts)
        .filter(|s| s.assigned().contains(&var));
    match (assigned.next().map(|s| &s.kind), assigned.next()) {
        (Some(StmtKind::Assign { value, .. }), None) => value,
        (_, _) => e,
    }
}
