//! Mutation operators for the ends of blocks: decisions, loops, jumps and cases of `match`.
//!
//! [`Finder::end`] is the entry point. The hard part is to recognise the construct of the source
//! that a branch was lowered from: a connective, a loop, a `for` loop, a case, or a `:-`.

use super::exprs::is_comparison;
use super::stmts::{roots, takes_apart};
use super::{Change, Finder, Mutation, MutationKind, Piece, Place};
use dafny_resolve::typed::{Literal, Type};
use dafny_source::Span;
use dtest_ir::{
    Block, BlockId, Decision, Expr, ExprKind, GoalReason, LoopInfo, Num, Op, Procedure, Simple,
    Stmt, StmtKind, Terminator, Var, build,
};
use dtest_sorted::SortedSet;

impl<'p> Finder<'p> {
    /// Adds the mutants of a terminator.
    pub(super) fn end(&mut self, id: BlockId, block: &Block) {
        if let Some(jump) = block.jump
            && self.may_leave_out(id, block, jump.statement)
        {
            self.add(
                Place::End(id),
                Change::Next(jump.without),
                Mutation::left_out(jump.statement),
            );
        }
        self.one_iteration(id, block);
        // Other terminators have no condition.
        let Terminator::Branch { cond, then, els } = &block.terminator else {
            return;
        };
        // The test of a `match` case is not a written condition.
        if matches!(&cond.kind, ExprKind::Op(Op::CtorTest(_), _)) && self.case(*then).is_some() {
            return self.arms(id, *then, *els);
        }
        let mut known = self.read(&[cond]);
        known.extend(self.procedure.params.iter().copied());
        // The condition of a `for` loop has mutants of its own.
        if block
            .loop_head
            .as_ref()
            .is_some_and(|h| !h.range.is_empty())
        {
            return self.turns(id, cond, known);
        }
        // `:-` can only be negated: the failing value continues, and the other one returns.
        if self.is_outcome_of_failure(*then) {
            let change = Change::Branch {
                then: *els,
                els: *then,
                flipped: None,
            };
            let mutation = Mutation::new(cond.span, MutationKind::Negation, Vec::new());
            return self.add(Place::End(id), change, mutation);
        }
        let names = self.names(Place::End(id), known);
        self.root(Place::End(id), 0, cond, &names);
        if self.forms.is_in_pattern(cond.span) {
            return;
        }
        // The operator mutants of a comparison include its negation.
        if !is_comparison(cond) {
            let is_written = [*then, *els]
                .into_iter()
                .all(|b| self.is_outcome_of_condition(b));
            let text = || {
                vec![
                    Piece::Text("!(".into()),
                    Piece::Source(cond.span),
                    Piece::Text(")".into()),
                ]
            };
            let instead = if is_written { text() } else { Vec::new() };
            let mutation = Mutation::new(cond.span, MutationKind::Negation, instead);
            self.add(
                Place::End(id),
                Change::Branch {
                    then: *els,
                    els: *then,
                    flipped: None,
                },
                mutation,
            );
        }
        // An operand of `&&` or `||` is removed by the neutral value.
        if let Some(neutral) = self.neutral(id, *then, *els) {
            let (kind, ty) = (ExprKind::Literal(Literal::Bool(neutral)), cond.ty.clone());
            let instead = Box::new(Expr {
                kind,
                ty,
                span: cond.span,
            });
            let mutation = Mutation::new(
                cond.span,
                MutationKind::Operand,
                vec![Piece::Text(neutral.to_string())],
            );
            self.add(
                Place::End(id),
                Change::Expr {
                    root: 0,
                    path: Vec::new(),
                    instead,
                },
                mutation,
            );
        }
        self.decision(id, block, cond);
        self.shorter_loop(id, block, cond);
        // The connective itself is replaced by redirecting the branches.
        if let Some(change) = other_connective(self.procedure, *then, *els) {
            let mutation = Mutation::new(cond.span, MutationKind::Connective, Vec::new());
            self.add(Place::End(id), change, mutation);
        }
    }

    /// Replaces a decision by a constant: its body is always or never executed. A loop is only
    /// never entered, because every test would kill an endless loop.
    pub(super) fn decision(&mut self, id: BlockId, block: &Block, cond: &Expr) {
        let Terminator::Branch { then, els, .. } = &block.terminator else {
            return;
        };
        let is_whole = |b: BlockId| {
            let reason = self
                .procedure
                .block(b)
                .and_then(|b| b.goal.as_ref())
                .map(|g| &g.reason);
            matches!(reason, Some(GoalReason::Branch { decision: Decision::If | Decision::Loop, cond: whole, .. }) if *whole == cond.span)
        };
        // A decision that is an operand has its own mutants, and a constant condition is not a
        // decision.
        if self.neutral(id, *then, *els).is_some()
            || ![*then, *els].into_iter().any(is_whole)
            || matches!(cond.kind, ExprKind::Literal(_))
        {
            return;
        }
        // The condition of a `for` loop is not written.
        let ways: &[bool] = match &block.loop_head {
            Some(head) if !head.range.is_empty() => &[],
            Some(_) => &[false],
            None => &[false, true],
        };
        for way in ways {
            let instead = Box::new(build::boolean(*way, cond.span));
            let mutation = Mutation::new(
                cond.span,
                MutationKind::Decision,
                vec![Piece::Text(way.to_string())],
            );
            self.add(
                Place::End(id),
                Change::Expr {
                    root: 0,
                    path: Vec::new(),
                    instead,
                },
                mutation,
            );
        }
    }

    /// Leaves a loop at the end of its first iteration.
    fn one_iteration(&mut self, head: BlockId, block: &Block) {
        let Some(info) = &block.loop_head else {
            return;
        };
        let Some(brace) = self.forms.end_of_loop(info.span) else {
            return;
        };
        let Some(exit) = self.exit(info) else {
            return;
        };
        let (ends, inside) = self.iterations(head);
        // A loop without effects outside of it may as well end earlier.
        let matters = self.has_effects(head, exit, &inside);
        let Some((first, others)) = ends.split_first().filter(|_| matters) else {
            return;
        };
        let leave = || Change::Leave { head, exit };
        let mutation = Mutation::new(
            brace,
            MutationKind::Iteration,
            vec![Piece::Text("break; }".into())],
        );
        let count = self.found.len();
        self.add(Place::End(*first), leave(), mutation);
        if let Some(added) = self.found.get_mut(count) {
            added.also = others.iter().map(|b| (Place::End(*b), leave())).collect();
        }
    }

    /// The block after a loop: it begins where the statement ends.
    pub(super) fn exit(&self, info: &LoopInfo) -> Option<BlockId> {
        let is_exit = |b: &Block| {
            b.goal.as_ref().is_some_and(|g| {
                g.span == Span::new(info.span.end, info.span.end)
                    && matches!(
                        g.reason,
                        GoalReason::Branch {
                            value: false,
                            decision: Decision::Loop,
                            ..
                        }
                    )
            })
        };
        let exit = self.procedure.blocks.iter().position(is_exit)?;
        Some(BlockId(exit as u32))
    }

    /// Whether a loop is left in several ways, or an observable statement of it changes something
    /// that is read outside of the loop.
    fn has_effects(&self, head: BlockId, exit: BlockId, inside: &SortedSet<BlockId>) -> bool {
        let leaves = |b: &BlockId| {
            let next = self.procedure.block(*b).map(|b| b.terminator.successors());
            let mut next = next.into_iter().flatten();
            next.any(|n| !inside.contains(&n) && n != exit)
        };
        if inside.iter().any(leaves) {
            return true;
        }
        let read = self.read_outside(head, inside);
        inside.iter().any(|b| {
            let stmts = self.procedure.block(*b).map_or(&[][..], |b| &b.stmts);
            stmts.iter().enumerate().any(|(at, stmt)| {
                let is_local = match stmt.simple() {
                    Some(Simple::Assigns(var, _)) => !read.contains(&var),
                    Some(Simple::Notes) => true,
                    None => false,
                };
                self.seen.matters(*b, at) && !is_local
            })
        })
    }

    /// The variables that the blocks outside of a loop read, and the results.
    pub(super) fn read_outside(
        &self,
        head: BlockId,
        inside: &SortedSet<BlockId>,
    ) -> SortedSet<Var> {
        let mut roots: Vec<&Expr> = Vec::new();
        for (i, block) in self.procedure.blocks.iter().enumerate() {
            let id = BlockId(i as u32);
            if id == head || inside.contains(&id) {
                continue;
            }
            roots.extend(block.stmts.iter().flat_map(self::roots));
            if let Terminator::Branch { cond, .. } = &block.terminator {
                roots.push(cond);
            }
        }
        let mut read = self.read(&roots);
        read.extend(self.procedure.outs.iter().copied());
        read
    }

    /// The blocks of a loop from which its head is reached again, and all blocks of its body: the
    /// natural loop (Aho, Lam, Sethi and Ullman, *Compilers*, section 9.6.6).
    pub(super) fn iterations(&self, head: BlockId) -> (Vec<BlockId>, SortedSet<BlockId>) {
        let before = self.procedure.predecessors();
        let before = |b: BlockId| before.get(&b).map_or(&[][..], Vec::as_slice);
        // Blocks that are reached without passing the head are not dominated by it.
        let mut outside = SortedSet::new();
        let mut work = vec![BlockId(0)];
        while let Some(id) = work.pop() {
            if id != head && outside.insert(id) {
                let next = self.procedure.block(id).map(|b| b.terminator.successors());
                work.extend(next.into_iter().flatten());
            }
        }
        let ends: Vec<BlockId> = before(head)
            .iter()
            .copied()
            .filter(|b| !outside.contains(b))
            .collect();
        let mut inside = SortedSet::new();
        let mut work = ends.clone();
        while let Some(id) = work.pop() {
            if inside.insert(id) && id != head {
                work.extend(before(id).iter().copied());
            }
        }
        (ends, inside)
    }

    /// Ends a loop one iteration earlier: `i < n - 1` for `i < n`. Literals have neighbours.
    fn shorter_loop(&mut self, id: BlockId, block: &Block, cond: &Expr) {
        let ExprKind::Op(Op::Lt(Num::Int), operands) = &cond.kind else {
            return;
        };
        let ([a, b], Terminator::Branch { then, els, .. }) =
            (operands.as_slice(), &block.terminator)
        else {
            return;
        };
        let is_of_loop = [*then, *els].into_iter().any(|b| {
            let goal = self.procedure.block(b).and_then(|b| b.goal.as_ref());
            matches!(
                goal.map(|g| &g.reason),
                Some(GoalReason::Branch {
                    decision: Decision::Loop,
                    ..
                })
            )
        });
        if !is_of_loop && block.loop_head.is_none() {
            return;
        }
        // The index is the side that changes in the loop.
        let heads = self
            .procedure
            .blocks
            .iter()
            .filter_map(|b| b.loop_head.as_ref());
        let assigned: SortedSet<Var> = heads.flat_map(|h| &h.assigned).copied().collect();
        let changes = |e: &Expr| assigned.iter().any(|v| e.mentions(&[*v]));
        let (path, bound, up) = match (changes(a), changes(b)) {
            (true, false) => (1, b, true),
            (false, true) => (0, a, false),
            (true, true) | (false, false) => return,
        };
        if let Some((instead, mut text)) = moved(bound, up) {
            let mutation = Mutation::new(bound.span, MutationKind::Constant, {
                text.insert(0, Piece::Operand(bound.span));
                text
            });
            self.add_expr((Place::End(id), 0, cond), vec![path], instead, mutation);
        }
    }

    /// For a branch on an operand of `&&` or `||`: the constant that makes the operand irrelevant.
    fn neutral(&self, id: BlockId, then: BlockId, els: BlockId) -> Option<bool> {
        if is_operand(self.procedure, then) {
            return Some(true);
        }
        if is_operand(self.procedure, els) {
            return Some(false);
        }
        // The last operand is recognized by the decision before it.
        let leads_here =
            |b: &&Block| is_operand(self.procedure, id) && b.terminator.successors().contains(&id);
        let before = self.procedure.blocks.iter().find(leads_here)?;
        matches!(before.terminator, Terminator::Branch { then, .. } if then == id)
            .then_some(true)
            .or(Some(false))
    }

    /// Whether a block is entered by a written condition, and not by a pattern or `:-`.
    fn is_outcome_of_condition(&self, block: BlockId) -> bool {
        let reason = self
            .procedure
            .block(block)
            .and_then(|b| b.goal.as_ref())
            .map(|g| &g.reason);
        reason.is_none_or(|r| matches!(r, GoalReason::Branch { .. }))
    }

    /// Whether a block is entered by a `:-`.
    fn is_outcome_of_failure(&self, block: BlockId) -> bool {
        let goal = self.procedure.block(block).and_then(|b| b.goal.as_ref());
        matches!(goal.map(|g| &g.reason), Some(GoalReason::Failure { .. }))
    }

    /// Mutants of a `for` loop, whose condition is not written: those of its end, and one more
    /// iteration.
    pub(super) fn turns(&mut self, id: BlockId, cond: &Expr, mut known: SortedSet<Var>) {
        // The lowering compares the index with the end; the direction of the loop decides the
        // order.
        let ExprKind::Op(Op::Lt(num), operands) = &cond.kind else {
            return;
        };
        let [a, b] = operands.as_slice() else {
            return;
        };
        let is_index = |e: &Expr| {
            let is_declared = |v: Var| {
                let info = self.procedure.vars.get(v.0 as usize);
                info.is_some_and(|i| i.span.contains_span(e.span) && !i.name.starts_with('$'))
            };
            matches!(e.kind, ExprKind::Var(v) if is_declared(v))
        };
        let is_up = is_index(a);
        let (end, step) = if is_up { (b, " + 1") } else { (a, " - 1") };
        // The index is not in scope where the end is evaluated.
        known.retain(|v| ![a, b].iter().any(|e| is_index(e) && e.mentions(&[*v])));
        let names = self.names(Place::End(id), known);
        let place = Place::End(id);
        for (path, instead, mutation) in super::exprs::rewrites(self.program, &names, cond) {
            if mutation.span != cond.span {
                self.add_expr((place, 0, cond), path, instead, mutation);
            }
        }
        // One more iteration: the exclusive end becomes inclusive.
        let instead = build::op(Op::Le(*num), operands.clone(), Type::Bool, cond.span);
        let before = Span {
            start: cond.span.start,
            end: end.span.start,
        };
        let shown = vec![
            Piece::Source(before),
            Piece::Operand(end.span),
            Piece::Text(step.into()),
        ];
        let mutation = Mutation {
            is_bare: true,
            is_hint: false,
            ..Mutation::new(cond.span, MutationKind::Operator, shown)
        };
        let change = |instead: Expr| Change::Expr {
            root: 0,
            path: Vec::new(),
            instead: Box::new(instead),
        };
        self.add(place, change(instead), mutation);
        // One iteration less.
        if *num == Num::Int
            && let Some((moved, text)) = moved(end, is_up)
        {
            let operands = if is_up {
                vec![a.clone(), moved]
            } else {
                vec![moved, b.clone()]
            };
            let fewer = build::op(Op::Lt(*num), operands, Type::Bool, cond.span);
            let shown = [
                &[Piece::Source(before), Piece::Operand(end.span)],
                &text[..],
            ]
            .concat();
            let mutation = Mutation {
                is_bare: true,
                is_hint: false,
                ..Mutation::new(cond.span, MutationKind::Constant, shown)
            };
            self.add(place, change(fewer), mutation);
        }
    }

    /// For the body of a `match` case: its location, and whether it reads no destructor.
    pub(super) fn case(&self, block: BlockId) -> Option<(Span, bool)> {
        let block = self.procedure.block(block)?;
        let goal = block.goal.as_ref().filter(|g| g.is_case())?;
        Some((
            goal.source(),
            !block.stmts.iter().flat_map(Stmt::operands).any(takes_apart),
        ))
    }

    /// Exchanges a case of a `match` with the next one, if neither reads the parts of the value.
    pub(super) fn arms(&mut self, id: BlockId, then: BlockId, els: BlockId) {
        // Bodies that read parts of the value depend on their case.
        let Some((first, true)) = self.case(then) else {
            return;
        };
        let asks = |b: BlockId| match self.procedure.block(b).map(|b| (&b.goal, &b.terminator)) {
            Some((None, Terminator::Branch { cond, then, .. }))
                if matches!(&cond.kind, ExprKind::Op(Op::CtorTest(_), _)) =>
            {
                Some(*then)
            }
            Some(_) | None => None,
        };
        // The next case is either tested by the next block, or it is the last one.
        let (second, change) = match (self.case(els), asks(els)) {
            (Some((second, true)), _) => (
                second,
                Change::Branch {
                    then: els,
                    els: then,
                    flipped: None,
                },
            ),
            (None, Some(next)) => match self.case(next) {
                Some((second, true)) => (second, Change::Arms(els)),
                Some((_, false)) | None => return,
            },
            (Some((_, false)), _) | (None, None) => return,
        };
        if first.end <= second.start {
            let mutation = Mutation::new(first.to(second), MutationKind::Order, Vec::new());
            self.add(Place::End(id), change, mutation);
        }
    }
}

/// The bound of a loop that counts up or down, moved by one so that the loop ends earlier, and the
/// text behind the bound. `None` for a literal, whose neighbours are mutants of their own.
pub(super) fn moved(bound: &Expr, up: bool) -> Option<(Expr, Vec<Piece>)> {
    let is_literal = matches!(bound.kind, ExprKind::Literal(_));
    if is_literal || bound.span.start >= bound.span.end {
        return None;
    }
    let (op, text) = if up {
        (Op::Sub(Num::Int), " - 1")
    } else {
        (Op::Add(Num::Int), " + 1")
    };
    let one = build::int(1, Type::Int, bound.span);
    let instead = build::op(op, vec![bound.clone(), one], Type::Int, bound.span);
    Some((instead, vec![Piece::Text(text.into())]))
}

/// Whether a block is entered to evaluate a further operand of `&&` or `||`.
fn is_operand(procedure: &Procedure, block: BlockId) -> bool {
    // Goals record which blocks evaluate operands.
    let reason = procedure
        .block(block)
        .and_then(|b| b.goal.as_ref())
        .map(|g| &g.reason);
    matches!(
        reason,
        Some(GoalReason::Branch {
            decision: Decision::Operand,
            ..
        })
    )
}

/// A decision of `&&` turned into one of `||`, or the reverse. `els` or `then` is the block of the
/// next operand, which ends in a branch; or the connective is a value, and the short-circuiting
/// block assigns it.
fn other_connective(procedure: &Procedure, then: BlockId, els: BlockId) -> Option<Change> {
    let is_operand = |b: BlockId| is_operand(procedure, b);
    // Blocks that compute the operand may precede its branch.
    let branch_of = |mut b: BlockId| {
        for _ in 0..procedure.blocks.len() {
            match &procedure.block(b)?.terminator {
                Terminator::Branch { then, els, .. } => return Some((*then, *els)),
                Terminator::Goto(next) => b = *next,
                Terminator::Choose { .. } | Terminator::Return | Terminator::Stop => return None,
            }
        }
        None
    };
    // The other successor is the end of a short-circuited evaluation.
    let short = if is_operand(then) { els } else { then };
    if !is_operand(then) && !is_operand(els) {
        return None;
    }
    // The connective is a value: both the target and the constant are exchanged.
    if procedure
        .block(short)
        .cloned()
        .is_some_and(|mut b| decided(&mut b).is_some())
    {
        let is_shared = procedure
            .predecessors()
            .get(&short)
            .is_some_and(|p| p.len() > 1);
        return (!is_shared).then_some(Change::Branch {
            then: els,
            els: then,
            flipped: Some(short),
        });
    }
    // The connective is a decision: the short-circuiting edge is exchanged with the corresponding
    // edge of the next operand.
    let (on_true, on_false) = branch_of(if short == els { then } else { els })?;
    match short == els {
        true => (on_false == els).then_some(Change::Branch {
            then: on_true,
            els: then,
            flipped: None,
        }),
        false => (on_true == then).then_some(Change::Branch {
            then: els,
            els: on_false,
            flipped: None,
        }),
    }
}

/// The Boolean constant that a block assigns, if it does nothing else.
pub(super) fn decided(block: &mut Block) -> Option<&mut bool> {
    let mut assigned = block
        .stmts
        .iter_mut()
        .filter(|s| !matches!(s.kind, StmtKind::Probe { .. }));
    match (assigned.next().map(|s| &mut s.kind), assigned.next()) {
        (
            Some(StmtKind::Assign {
                value:
                    Expr {
                        kind: ExprKind::Literal(Literal::Bool(b)),
                        ..
                    },
                ..
            }),
            None,
        ) => Some(b),
        (_, _) => None,
    }
}
