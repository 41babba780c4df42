//! Facts that hold whenever execution reaches a place: preconditions over variables that do not
//! change, and decisions on every path to the place, if the variables in them have not changed
//! since.

use super::defined::is_pure_of;
use dafny_resolve::typed::Type;
use dtest_ir::{
    Block, BlockId, Expr, ExprKind, Op, Procedure, Program, StmtKind, Terminator, Var, build,
};
use dtest_sorted::SortedSet;

/// Maximum number of decisions.
const MAX_DECISIONS: usize = 12;

/// The facts that hold before a statement of a block.
pub(super) fn at(
    program: &Program,
    procedure: &Procedure,
    (block, stmt): (BlockId, usize),
) -> Vec<Expr> {
    let mut known = preconditions(program, procedure);
    known.extend(decisions(procedure, block, stmt));
    known
}

/// Preconditions over parameters only, without reads of objects: they hold until the end. None for
/// recursive callables, because a mutant's inner call may violate its precondition.
fn preconditions(program: &Program, procedure: &Procedure) -> Vec<Expr> {
    let Some(contract) = program.contracts.get(&procedure.callable) else {
        return Vec::new();
    };
    // An inner call of a mutant may have arguments that violate the precondition.
    if program
        .callees(procedure.callable)
        .contains(&procedure.callable)
    {
        return Vec::new();
    }
    // The contract has variables of its own, which correspond to the parameters.
    let own = |v: Var| {
        contract
            .params
            .iter()
            .position(|p| *p == v)
            .and_then(|at| procedure.params.get(at))
            .copied()
    };
    let mut found = Vec::new();
    let mut work: Vec<&Expr> = contract.requires.iter().map(|c| &c.cond).collect();
    while let Some(e) = work.pop() {
        // Each conjunct is a fact of its own, because others may not be usable.
        if let ExprKind::And(a, b) = &e.kind {
            work.extend([&**b, &**a]);
        } else if is_pure_of(e, &|v| own(v).is_some()) {
            let mut fact = e.clone();
            fact.rename(&|v| own(v).unwrap_or(v));
            found.push(fact);
        }
    }
    found
}

/// Decisions that every path to the place makes in the same way, and whose variables are not
/// assigned on the way from there.
fn decisions(procedure: &Procedure, block: BlockId, stmt: usize) -> Vec<Expr> {
    let graph = Graph::new(procedure);
    let mut found = Vec::new();
    let mut changed = SortedSet::new();
    let assigned = |b: &Block, most: usize| {
        b.stmts
            .iter()
            .take(most)
            .flat_map(|s| s.assigned())
            .collect::<Vec<Var>>()
    };
    // Statements before the place in its own block may change variables.
    changed.extend(
        procedure
            .block(block)
            .into_iter()
            .flat_map(|b| assigned(b, stmt)),
    );
    // Goes up the dominator tree. `changed` has all variables that may be assigned between the
    // decision and the place.
    let mut at = block;
    while let Some(before) = graph.dominator(at)
        && found.len() < MAX_DECISIONS
    {
        let between = graph.between(before, at);
        changed.extend(
            between
                .iter()
                .filter_map(|b| procedure.block(*b))
                .flat_map(|b| assigned(b, usize::MAX)),
        );
        let Some(decides) = procedure.block(before) else {
            break;
        };
        if let Terminator::Branch { cond, then, els } = &decides.terminator {
            // The place must be reachable through one successor of the branch only.
            let is_way = |b: BlockId| {
                then != els && graph.dominates(b, at) && graph.predecessors(b) == [before]
            };
            let outcome = if is_way(*then) {
                Some(true)
            } else {
                is_way(*els).then_some(false)
            };
            // Inside a loop, the range of a `for` loop holds as well.
            let ranges = decides
                .loop_head
                .iter()
                .filter(|_| outcome == Some(true))
                .flat_map(|l| &l.range)
                .map(|c| c.cond.clone());
            let decided = outcome.map(|holds| {
                if holds {
                    cond.clone()
                } else {
                    build::not(cond.clone())
                }
            });
            let facts: Vec<Expr> = decided
                .into_iter()
                .chain(ranges)
                .filter(|e| is_pure_of(e, &|v| !changed.contains(&v)))
                .collect();
            // Variables in the facts are replaced by their meaning where it is known.
            let meanings = facts
                .iter()
                .flat_map(|e| meanings(procedure, &graph, before, e))
                .collect::<Vec<_>>();
            found.extend(facts.into_iter().chain(meanings));
        }
        // Further up, the assignments of the deciding block count, too.
        changed.extend(assigned(decides, usize::MAX));
        at = before;
    }
    found
}

/// Definitions of variables in a fact: variables that are assigned once, on every path to a block,
/// from values that do not change. These are the bounds of `for` loops.
fn meanings(procedure: &Procedure, graph: &Graph, at: BlockId, fact: &Expr) -> Vec<Expr> {
    // The block of each assignment matters, because it must dominate the place.
    let assigned = |v: Var| {
        let blocks = (0..procedure.blocks.len() as u32)
            .map(BlockId)
            .filter_map(|id| Some((id, procedure.block(id)?)));
        blocks
            .flat_map(|(id, b)| b.stmts.iter().map(move |s| (id, s)))
            .filter(move |(_, s)| s.assigned().contains(&v))
    };
    let stays = |v: Var| procedure.params.contains(&v) && assigned(v).next().is_none();
    let mut vars = Vec::new();
    let mut work = vec![fact];
    while let Some(e) = work.pop() {
        if matches!(e.kind, ExprKind::Var(v) if !procedure.params.contains(&v)) {
            vars.push(e);
        }
        work.extend(e.children());
    }
    let meaning = |e: &&Expr| {
        let ExprKind::Var(v) = e.kind else {
            return None;
        };
        // A second assignment would make the meaning ambiguous.
        let mut all = assigned(v);
        let (Some((block, stmt)), None) = (all.next(), all.next()) else {
            return None;
        };
        let StmtKind::Assign { value, .. } = &stmt.kind else {
            return None;
        };
        let is_known = block != at
            && graph.dominates(block, at)
            && value.ty == e.ty
            && is_pure_of(value, &stays);
        is_known.then(|| {
            build::op(
                Op::Eq,
                vec![(*e).clone(), value.clone()],
                Type::Bool,
                e.span,
            )
        })
    };
    vars.iter().filter_map(meaning).collect()
}

/// Dominators of blocks (Allen and Cocke, *A Program Data Flow Analysis Procedure*, 1976).
struct Graph {
    predecessors: Vec<Vec<BlockId>>,
    /// The dominators of each block, itself included; empty for unreachable blocks.
    dominators: Vec<SortedSet<BlockId>>,
}

impl Graph {
    fn new(procedure: &Procedure) -> Self {
        let mut before = procedure.predecessors();
        let ids = (0..procedure.blocks.len() as u32).map(BlockId);
        let predecessors: Vec<Vec<BlockId>> = ids
            .clone()
            .map(|b| before.remove(&b).unwrap_or_default())
            .collect();
        let mut graph = Self {
            predecessors,
            dominators: vec![SortedSet::new(); procedure.blocks.len()],
        };
        // Iterates to the greatest fixed point: the dominators of a block are those common to its
        // predecessors, and itself.
        let mut again = true;
        while again {
            again = false;
            // Unreachable predecessors have no dominators and are ignored.
            for id in ids.clone() {
                let known = graph
                    .predecessors(id)
                    .iter()
                    .filter_map(|p| graph.dominators.get(p.0 as usize))
                    .filter(|d| !d.is_empty());
                let met = known
                    .cloned()
                    .reduce(|a, b| a.intersection(&b).copied().collect());
                let reached = if id == BlockId(0) {
                    Some(SortedSet::new())
                } else {
                    met
                };
                let Some(mut dominators) = reached else {
                    continue;
                };
                dominators.insert(id);
                if let Some(had) = graph
                    .dominators
                    .get_mut(id.0 as usize)
                    .filter(|had| **had != dominators)
                {
                    *had = dominators;
                    again = true;
                }
            }
        }
        graph
    }

    fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors
            .get(block.0 as usize)
            .map_or(&[], Vec::as_slice)
    }

    fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.dominators
            .get(b.0 as usize)
            .is_some_and(|d| d.contains(&a))
    }

    /// The immediate dominator.
    fn dominator(&self, block: BlockId) -> Option<BlockId> {
        let all = self.dominators.get(block.0 as usize)?;
        all.iter()
            .filter(|d| **d != block)
            .max_by_key(|d| self.dominators.get(d.0 as usize).map(SortedSet::len))
            .copied()
    }

    /// The blocks on paths from a dominator of a block to that block. `from` is excluded; `to` is
    /// included if it lies on a cycle.
    fn between(&self, from: BlockId, to: BlockId) -> SortedSet<BlockId> {
        // Backwards from the block, without passing the dominator.
        let mut found = SortedSet::new();
        let mut work: Vec<BlockId> = self.predecessors(to).to_vec();
        while let Some(b) = work.pop() {
            if b != from && found.insert(b) {
                work.extend(self.predecessors(b));
            }
        }
        found
    }
}
