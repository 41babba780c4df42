//! Copies: variables that are known to have equal values because one was assigned to the other.
//! Replacing one by the other gives an equivalent mutant (available copies: Aho, Lam, Sethi and
//! Ullman, *Compilers*, section 9.1.6; mutants that a compiler finds equivalent: Papadakis et al.,
//! *Trivial Compiler Equivalence*, ICSE 2015).

use dtest_ir::{BlockId, ExprKind, Procedure, Stmt, StmtKind, Var};
use dtest_sorted::{SortedMap, SortedSet};

/// Pairs of variables with equal values, as a symmetric relation.
pub(super) type Equal = SortedSet<(Var, Var)>;

/// The equal variables at the start of each block of a procedure.
pub(super) struct Copies<'p> {
    procedure: &'p Procedure,
    /// Blocks that are missing here are not reachable.
    entries: SortedMap<BlockId, Equal>,
}

impl<'p> Copies<'p> {
    /// Propagates copies forward. At a join, only pairs stay that all paths agree on.
    pub(super) fn new(procedure: &'p Procedure) -> Self {
        let entry = BlockId(0);
        let mut copies = Self {
            procedure,
            entries: SortedMap::from([(entry, Equal::new())]),
        };
        let mut work = vec![entry];
        while let Some(id) = work.pop() {
            let Some(block) = procedure.block(id) else {
                continue;
            };
            // The state after the block goes to every successor.
            let at_end = copies.before(id, block.stmts.len());
            for next in block.terminator.successors() {
                let met = match copies.entries.get(&next) {
                    Some(known) => known.intersection(&at_end).copied().collect(),
                    None => at_end.clone(),
                };
                // A changed state must be propagated again.
                if copies.entries.get(&next) != Some(&met) {
                    copies.entries.insert(next, met);
                    work.push(next);
                }
            }
        }
        copies
    }

    /// The equal variables before a statement of a block, or at its end.
    pub(super) fn before(&self, block: BlockId, at: usize) -> Equal {
        let mut equal = self.entries.get(&block).cloned().unwrap_or_default();
        let stmts = self
            .procedure
            .block(block)
            .into_iter()
            .flat_map(|b| &b.stmts);
        stmts.take(at).for_each(|stmt| step(stmt, &mut equal));
        equal
    }
}

/// Updates the equal variables by a statement.
fn step(stmt: &Stmt, equal: &mut Equal) {
    let source = if let StmtKind::Assign { value, .. } = &stmt.kind {
        if let ExprKind::Var(source) = &value.kind {
            Some(*source)
        } else {
            None
        }
    } else {
        None
    };
    for var in stmt.assigned() {
        if source == Some(var) {
            continue;
        }
        // The assigned variable loses its old copies.
        equal.retain(|(a, b)| *a != var && *b != var);
        let Some(source) = source else { continue };
        // It becomes a copy of the source and of everything equal to it.
        let same: Vec<Var> = equal
            .iter()
            .filter(|(a, _)| *a == source)
            .map(|(_, b)| *b)
            .chain([source])
            .collect();
        equal.extend(
            same.into_iter()
                .flat_map(|other| [(var, other), (other, var)]),
        );
    }
}
