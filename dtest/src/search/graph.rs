//! What the search asks of a procedure's graph.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{BlockId, Domain, Expr, ExprKind, Procedure, Quantified, VarInfo};
use crate::typed::Type;

/// Goals, their order, and which block can follow which.
pub(super) struct Graph {
    /// Goals in reverse topological order (loops cut at their heads).
    goals: Vec<BlockId>,
    /// For each goal: the blocks that can follow it.
    after: BTreeMap<BlockId, BTreeSet<BlockId>>,
    successors: Vec<Vec<BlockId>>,
}

impl Graph {
    pub(super) fn new(procedure: &Procedure) -> Self {
        let successors: Vec<Vec<BlockId>> = procedure.blocks.iter().map(|b| b.terminator.successors()).collect();
        let of = |b: BlockId| successors.get(b.0 as usize).map_or(&[][..], Vec::as_slice);
        let (mut seen, mut post) = (BTreeSet::from([BlockId(0)]), Vec::new());
        let mut stack = vec![(BlockId(0), 0)];
        while let Some((b, i)) = stack.last_mut() {
            let (b, next) = (*b, of(*b).get(*i).copied());
            *i += 1;
            match next {
                Some(s) if seen.insert(s) => stack.push((s, 0)),
                Some(_) => {}
                None => {
                    post.push(b);
                    stack.pop();
                }
            }
        }
        let is_goal: BTreeSet<BlockId> = procedure.goals().map(|(b, _)| b).collect();
        let mut goals: Vec<BlockId> = post.into_iter().filter(|b| is_goal.contains(b)).collect();
        goals.extend(is_goal.iter().filter(|b| !seen.contains(b)));
        let mut after = BTreeMap::new();
        for goal in &goals {
            let mut reach = BTreeSet::new();
            let mut work = of(*goal).to_vec();
            while let Some(b) = work.pop() {
                if reach.insert(b) {
                    work.extend(of(b));
                }
            }
            after.insert(*goal, reach);
        }
        Self { goals, after, successors }
    }

    /// Goals, the last ones first.
    pub(super) fn goals_from_the_end(&self) -> impl Iterator<Item = BlockId> + '_ {
        self.goals.iter().copied()
    }

    /// Goals that together stand for all the given ones: without those that every execution through another one passes.
    pub(super) fn essential(&self, goals: &BTreeSet<BlockId>) -> Vec<BlockId> {
        // Blocks that every way from the entry passes before each block, and after it before the end.
        let implied: BTreeMap<BlockId, BTreeSet<BlockId>> = goals
            .iter()
            .map(|b| {
                let (from_entry, to_end) = (self.reach_without(BlockId(0), *b), self.ends_without(*b));
                let dominated = goals.iter().filter(|a| *a != b && (!from_entry.contains(a) || !to_end.contains(a))).copied();
                (*b, dominated.collect())
            })
            .collect();
        let passes = |a: &BlockId, b: &BlockId| implied.get(b).is_some_and(|d| d.contains(a));
        let redundant = |b: &BlockId| goals.iter().any(|a| a != b && passes(a, b) && (!passes(b, a) || a < b));
        goals.iter().copied().filter(|b| !redundant(b)).collect()
    }

    /// Blocks that can be reached without passing `avoid`.
    fn reach_without(&self, from: BlockId, avoid: BlockId) -> BTreeSet<BlockId> {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(b) = work.pop() {
            if b != avoid && seen.insert(b) {
                work.extend(self.successors.get(b.0 as usize).into_iter().flatten());
            }
        }
        seen
    }

    /// Blocks from which an end can be reached without passing `avoid`.
    fn ends_without(&self, avoid: BlockId) -> BTreeSet<BlockId> {
        let mut seen: BTreeSet<BlockId> = BTreeSet::new();
        loop {
            let before = seen.len();
            for (i, next) in self.successors.iter().enumerate().rev() {
                let b = BlockId(i as u32);
                if b != avoid && (next.is_empty() || next.iter().any(|n| seen.contains(n))) {
                    seen.insert(b);
                }
            }
            if seen.len() == before {
                return seen;
            }
        }
    }

    /// Whether one execution could pass both, as far as the graph tells.
    pub(super) fn compatible(&self, a: BlockId, b: BlockId) -> bool {
        let follows = |x: BlockId, y: BlockId| self.after.get(&x).is_some_and(|r| r.contains(&y));
        a == b || follows(a, b) || follows(b, a)
    }
}

/// Whether an expression quantifies over all values of a type.
pub(super) fn quantifies_over(e: &Expr, vars: &[VarInfo], ty: &Type) -> bool {
    let over = |q: &Quantified| match &q.bounds {
        None => q.vars.iter().any(|v| vars.get(v.0 as usize).is_some_and(|i| i.ty == *ty)),
        Some(bounds) => bounds.iter().any(|(_, d)| match d {
            Domain::AllValues(t) => t == ty,
            Domain::IntRange { .. }
            | Domain::Exact(_)
            | Domain::Elements(_)
            | Domain::SubsetsOf(_)
            | Domain::PrefixesOf(_)
            | Domain::SubtermsOf(_) => false,
        }),
    };
    let here = match &e.kind {
        ExprKind::Quantifier { vars: q, .. } => over(q),
        // Properties of functions are usually named: `TotalOrdering(lessEq)`.
        ExprKind::Call { args, .. } => args.iter().any(|a| matches!(&a.ty, Type::Arrow { params, .. } if params.contains(ty))),
        _ => false,
    };
    here || e.children().into_iter().any(|c| quantifies_over(c, vars, ty))
}
