//! Control flow of a body: successors, reachability, loops.

use std::rc::Rc;

use boogie_resolve::typed::{Block, BlockId, End, Program, StmtKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Returns the successors of a block.
pub(crate) fn successors(blocks: &[Block], block: BlockId) -> Vec<BlockId> {
    match blocks.get(block.0 as usize).map(|b| &b.end) {
        Some(End::Goto(targets)) => targets.clone(),
        Some(End::Branch(_, then, other)) => vec![*then, *other],
        Some(End::Return) | None => Vec::new(),
    }
}

/// Returns the blocks that are reachable from the first one without passing `around`.
pub(crate) fn reached(blocks: &[Block], around: Option<BlockId>) -> FxHashSet<BlockId> {
    let (mut open, mut out) = (vec![BlockId(0)], FxHashSet::default());
    while let Some(b) = open.pop() {
        if Some(b) != around && out.insert(b) {
            open.extend(successors(blocks, b));
        }
    }
    out
}

/// Returns the variables that the loop with this head assigns.
pub(crate) fn changed_in_loop(program: &Program, blocks: &[Block], head: BlockId) -> Rc<[VarId]> {
    let mut out = Vec::new();
    for b in natural_loop(blocks, head) {
        for stmt in blocks.get(b.0 as usize).into_iter().flat_map(|b| &b.stmts) {
            match &stmt.kind {
                StmtKind::Assign(pairs) => out.extend(pairs.iter().map(|(v, _)| *v)),
                StmtKind::Havoc(vars) => out.extend(vars),
                StmtKind::Call(call) => {
                    out.extend(&call.outs);
                    out.extend(&program.procedure(call.procedure).modifies);
                }
                StmtKind::Assert(_)
                | StmtKind::AssertOnly(_)
                | StmtKind::Assume(_)
                | StmtKind::Print(_)
                | StmtKind::Unsupported(_) => {}
            }
        }
    }
    out.sort();
    out.dedup();
    out.into()
}

/// Returns the natural loop of this head (Aho, Lam, Sethi, Ullman, *Compilers*, 9.6): the blocks
/// dominated by the head from which control returns to it without passing it. Enclosing loops are
/// not included.
fn natural_loop(blocks: &[Block], head: BlockId) -> FxHashSet<BlockId> {
    // A block that is reachable without passing the head is not dominated by it.
    let (all, outside) = (reached(blocks, None), reached(blocks, Some(head)));
    let mut before: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
    for b in &all {
        successors(blocks, *b)
            .into_iter()
            .for_each(|next| before.entry(next).or_default().push(*b));
    }
    let back = before
        .get(&head)
        .into_iter()
        .flatten()
        .filter(|b| !outside.contains(b));
    let (mut open, mut out): (Vec<BlockId>, FxHashSet<BlockId>) =
        (back.copied().collect(), FxHashSet::default());
    out.insert(head);
    while let Some(b) = open.pop() {
        if out.insert(b) {
            open.extend(before.get(&b).into_iter().flatten());
        }
    }
    out
}
