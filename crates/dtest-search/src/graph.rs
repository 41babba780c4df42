//! Control-flow graph of a procedure, as the search uses it: the order of the goals, dominance, and
//! reachability between blocks.
//!
//! [`Graph`] is computed once per search. Graphs are small, so that dominance is decided by
//! reachability without a block, not by a dominator tree.

use std::cmp::Reverse;

use dafny_resolve::typed::{CallableId, Type};
use dtest_ir::{
    BlockId, Domain, Expr, ExprKind, GoalId, Procedure, Program, Quantified, StmtKind, VarInfo,
};
use dtest_sorted::{SortedMap, SortedSet};

/// Goals in search order, and reachability between their blocks.
pub(super) struct Graph {
    /// Goals in reverse topological order, with loops cut at their heads. Goals without a block,
    /// which are those in callees and ways of the contract, come first.
    goals: Vec<GoalId>,
    /// The block of each goal that belongs to one.
    places: SortedMap<GoalId, BlockId>,
    /// For each block with a goal: the blocks that are reachable from it.
    after: SortedMap<BlockId, SortedSet<BlockId>>,
    successors: Vec<Vec<BlockId>>,
}

impl Graph {
    pub(super) fn new(program: &Program, procedure: &Procedure) -> Self {
        let successors: Vec<Vec<BlockId>> = procedure
            .blocks
            .iter()
            .map(|b| b.terminator.successors())
            .collect();
        let successors_of =
            |b: BlockId| successors.get(b.0 as usize).map_or(&[][..], Vec::as_slice);
        // Depth-first search with an explicit stack. The post-order number of a block is smaller
        // than those of its predecessors, except along the back edges of loops.
        let (mut seen, mut post) = (SortedSet::from([BlockId(0)]), Vec::new());
        let mut stack = vec![(BlockId(0), 0)];
        while let Some((b, i)) = stack.last_mut() {
            let (b, next) = (*b, successors_of(*b).get(*i).copied());
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
        let places = places(program, procedure);
        let order: SortedMap<BlockId, usize> =
            post.into_iter().enumerate().map(|(i, b)| (b, i)).collect();
        let mut goals: Vec<GoalId> = program.sought(procedure.callable);
        // Goals in the deepest callees come first: an execution that reaches one passes many
        // others.
        let depths: SortedMap<CallableId, usize> = program
            .callees(procedure.callable)
            .into_iter()
            .zip(0..)
            .collect();
        let depth = |g: &GoalId| {
            g.callee()
                .and_then(|c| depths.get(&c))
                .map_or(0, |d| *d + 1)
        };
        // Order: goals in callees, ways of the contract, goals in blocks from the end of the
        // procedure, unreachable goals.
        let rank = |g: &GoalId| match (places.get(g), g.callee()) {
            (None, Some(_)) => (0, Reverse(depth(g)), Reverse(Some(*g))),
            (None, None) => (1, Reverse(0), Reverse(None)),
            (Some(b), _) => order.get(b).map_or((3, Reverse(0), Reverse(None)), |i| {
                (2, Reverse(usize::MAX - i), Reverse(None))
            }),
        };
        goals.sort_by_key(|g| (rank(g), *g));
        // Blocks that are reachable by at least one edge: a block follows itself only in a loop.
        let mut after = SortedMap::new();
        for block in places.values().copied() {
            after.entry(block).or_insert_with(|| {
                let mut reach = SortedSet::new();
                let mut work = successors_of(block).to_vec();
                while let Some(b) = work.pop() {
                    if reach.insert(b) {
                        work.extend(successors_of(b));
                    }
                }
                reach
            });
        }
        Self {
            goals,
            places,
            after,
            successors,
        }
    }

    /// The goals in search order, from the end of the procedure.
    pub(super) fn goals_from_the_end(&self) -> impl Iterator<Item = GoalId> + '_ {
        self.goals.iter().copied()
    }

    /// A subset of `goals` that implies all of them: a goal is left out if every execution that
    /// reaches some other goal reaches it too.
    pub(super) fn essential(&self, goals: &SortedSet<GoalId>) -> Vec<GoalId> {
        // The goals that every execution through a goal also reaches: those in blocks that dominate
        // or postdominate its block.
        let implied: SortedMap<GoalId, SortedSet<GoalId>> = goals
            .iter()
            .map(|goal| {
                let GoalId::Block(b) = goal else {
                    return (*goal, SortedSet::new());
                };
                let (from_entry, to_end) =
                    (self.reach_without(BlockId(0), *b), self.ends_without(*b));
                let passes = |a: &BlockId| a == b || !from_entry.contains(a) || !to_end.contains(a);
                let dominated = goals
                    .iter()
                    .filter(|a| *a != goal && self.places.get(a).is_some_and(passes))
                    .copied();
                (*goal, dominated.collect())
            })
            .collect();
        let passes = |a: &GoalId, b: &GoalId| implied.get(b).is_some_and(|d| d.contains(a));
        // Of two goals that imply each other, the smaller one stays.
        let redundant = |b: &GoalId| {
            goals
                .iter()
                .any(|a| a != b && passes(a, b) && (!passes(b, a) || a < b))
        };
        goals.iter().copied().filter(|b| !redundant(b)).collect()
    }

    /// Blocks that are reachable from the entry.
    pub(super) fn on_a_path(&self) -> SortedSet<BlockId> {
        let mut seen = SortedSet::new();
        let mut work = vec![BlockId(0)];
        while let Some(b) = work.pop() {
            if seen.insert(b) {
                work.extend(self.successors.get(b.0 as usize).into_iter().flatten());
            }
        }
        seen
    }

    /// The nearest goal with the property that dominates `goal`.
    pub(super) fn nearest_dominator(
        &self,
        goal: GoalId,
        has_property: impl Fn(&GoalId) -> bool,
    ) -> Option<GoalId> {
        let at = *self.places.get(&goal)?;
        // Within a block, the block's own goal comes first, then its probes in order.
        let candidates = self
            .places
            .iter()
            .filter(|(g, b)| **g != goal && (**b != at || **g < goal) && has_property(g));
        let dominating = candidates
            .filter(|(_, b)| **b == at || !self.reach_without(BlockId(0), **b).contains(&at));
        // Dominators of a block form a chain, so that the deepest one is the nearest.
        dominating
            .max_by_key(|(g, b)| (self.depth(**b), **g))
            .map(|(g, _)| *g)
    }

    /// The block of a goal, if it belongs to one.
    pub(super) fn place(&self, goal: GoalId) -> Option<BlockId> {
        self.places.get(&goal).copied()
    }

    /// The first other goal with the property that precedes `goal`: a path leads from it to `goal`.
    /// In a loop, where paths lead both ways, the order of goals decides.
    pub(super) fn first_before(
        &self,
        goal: GoalId,
        has_property: impl Fn(&GoalId) -> bool,
    ) -> Option<GoalId> {
        let at = self.place(goal)?;
        let leads = |a: BlockId, b: BlockId| self.after.get(&a).is_some_and(|r| r.contains(&b));
        let before = |g: &GoalId, b: BlockId| {
            if b == at {
                *g < goal
            } else {
                leads(b, at) && (!leads(at, b) || *g < goal)
            }
        };
        self.places
            .iter()
            .find(|(g, b)| has_property(g) && **g != goal && before(g, **b))
            .map(|(g, _)| *g)
    }

    /// Number of blocks with goals that dominate the block.
    fn depth(&self, block: BlockId) -> usize {
        self.places
            .values()
            .filter(|b| **b != block && !self.reach_without(BlockId(0), **b).contains(&block))
            .count()
    }

    /// Blocks that are reachable from `from` without passing `avoid`.
    fn reach_without(&self, from: BlockId, avoid: BlockId) -> SortedSet<BlockId> {
        let mut seen = SortedSet::new();
        let mut work = vec![from];
        while let Some(b) = work.pop() {
            if b != avoid && seen.insert(b) {
                work.extend(self.successors.get(b.0 as usize).into_iter().flatten());
            }
        }
        seen
    }

    /// Blocks from which an end of the procedure is reachable without passing `avoid`.
    fn ends_without(&self, avoid: BlockId) -> SortedSet<BlockId> {
        // Iterates to the least fixed point. Successors mostly have higher numbers, so that the
        // reverse order needs few rounds.
        let mut seen: SortedSet<BlockId> = SortedSet::new();
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

    /// Whether the graph has a path through both goals. True does not mean that an execution takes
    /// it.
    pub(super) fn compatible(&self, a: GoalId, b: GoalId) -> bool {
        let follows = |x: BlockId, y: BlockId| self.after.get(&x).is_some_and(|r| r.contains(&y));
        match (self.places.get(&a), self.places.get(&b)) {
            (Some(a), Some(b)) => a == b || follows(*a, *b) || follows(*b, *a),
            (None, _) | (_, None) => true,
        }
    }
}

/// The block of each goal that belongs to one.
fn places(program: &Program, procedure: &Procedure) -> SortedMap<GoalId, BlockId> {
    let mut places = SortedMap::new();
    for (i, block) in (0..).map(BlockId).zip(&procedure.blocks) {
        if block.goal.is_some() && program.criteria.seeks_blocks() {
            places.insert(GoalId::Block(i), i);
        }
        for stmt in &block.stmts {
            if let StmtKind::Probe { probe, .. } = &stmt.kind {
                places.insert(GoalId::Probe(*probe), i);
            }
        }
    }
    places
}

/// Whether an expression quantifies over all values of a type.
pub(super) fn quantifies_over(e: &Expr, vars: &[VarInfo], ty: &Type) -> bool {
    let over = |q: &Quantified| match &q.bounds {
        None => q
            .vars
            .iter()
            .any(|v| vars.get(v.0 as usize).is_some_and(|i| i.ty == *ty)),
        Some(bounds) => bounds.iter().any(|(_, d)| match d {
            Domain::AllValues(t) => t == ty,
            Domain::IntRange { .. }
            | Domain::Exact(_)
            | Domain::Elements(_)
            | Domain::SubsetsOf(_)
            | Domain::PrefixesOf(_)
            | Domain::SubtermsOf(_)
            | Domain::Allocated => false,
        }),
    };
    let here = if let ExprKind::Quantifier { vars: q, .. } = &e.kind {
        over(q)
    } else if let ExprKind::Call { args, .. } = &e.kind {
        // Properties of functions are usually named predicates: `TotalOrdering(lessEq)`.
        args.iter()
            .any(|a| matches!(&a.ty, Type::Arrow { params, .. } if params.contains(ty)))
    } else {
        false
    };
    here || e
        .children()
        .into_iter()
        .any(|c| quantifies_over(c, vars, ty))
}
