//! Selective checking (`{:selective_checking}`).
//!
//! Only the part of a body that may be executed after a statement marked `{:start_checking_here}`
//! is checked, within the same iteration of a loop. Everything else that would be checked is
//! assumed. [`assume_unchecked`] rewrites a body accordingly.

use rustc_hash::FxHashSet;

use crate::typed::{BlockId, End, Implementation, StmtKind};

/// Turns the checks of a body that precede its checked part into assumptions. `starts` are the
/// statements with which the checked part begins.
pub(crate) fn assume_unchecked(body: &mut Implementation, starts: &[(BlockId, usize)]) {
    let forward = forward_edges(body);
    let targets = |b: BlockId| forward.get(b.0 as usize).map_or(&[][..], Vec::as_slice);
    // All blocks that follow a start are checked completely.
    let mut checked: FxHashSet<BlockId> = FxHashSet::default();
    let mut open: Vec<BlockId> = starts
        .iter()
        .flat_map(|(b, _)| targets(*b).iter().copied())
        .collect();
    while let Some(b) = open.pop() {
        if checked.insert(b) {
            open.extend_from_slice(targets(b));
        }
    }
    // The first checked statement of a block.
    let first = |b: BlockId| {
        if checked.contains(&b) {
            return Some(0);
        }
        let own = starts.iter().filter(|(start, _)| *start == b);
        own.map(|(_, at)| *at).min()
    };
    // An invariant is checked on the edges to the loop head, so it depends on the predecessors.
    let count = body.blocks.len() as u32;
    let ids = || (0..count).map(BlockId);
    let ends_checked: FxHashSet<BlockId> = ids().filter(|b| first(*b).is_some()).collect();
    let heads_checked: FxHashSet<BlockId> = ids()
        .filter(|b| ends_checked.contains(b))
        .flat_map(|b| body.blocks.get(b.0 as usize).map(|b| successors(&b.end)))
        .flatten()
        .collect();
    let is_end = |b: &BlockId| {
        let block = body.blocks.get(b.0 as usize);
        block.is_some_and(|b| matches!(b.end, End::Return))
    };
    body.free_ensures = !ends_checked.iter().any(is_end);
    let from: Vec<usize> = ids().map(|b| first(b).unwrap_or(usize::MAX)).collect();
    for ((block, from), id) in body.blocks.iter_mut().zip(from).zip(0..) {
        if let Some(head) = &mut block.head
            && !heads_checked.contains(&BlockId(id))
        {
            head.invariants.iter_mut().for_each(|c| c.free = true);
        }
        for stmt in block.stmts.iter_mut().take(from) {
            match &mut stmt.kind {
                StmtKind::Assert(e) | StmtKind::AssertOnly(e) => {
                    stmt.kind = StmtKind::Assume(e.clone());
                }
                StmtKind::Call(call) => call.free = true,
                StmtKind::Assume(_)
                | StmtKind::Print(_)
                | StmtKind::Assign(_)
                | StmtKind::Havoc(_)
                | StmtKind::Unsupported(_) => {}
            }
        }
    }
}

fn successors(end: &End) -> Vec<BlockId> {
    match end {
        End::Goto(targets) => targets.clone(),
        End::Branch(_, then, other) => vec![*then, *other],
        End::Return => Vec::new(),
    }
}

/// Returns the successors of each block without back edges: edges to a block on the current path of
/// a depth-first search.
fn forward_edges(body: &Implementation) -> Vec<Vec<BlockId>> {
    let mut forward: Vec<Vec<BlockId>> = body.blocks.iter().map(|_| Vec::new()).collect();
    let (mut seen, mut on_path) = (FxHashSet::default(), FxHashSet::default());
    // The path from the entry; each block comes with its successors that remain to be visited.
    let mut path: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    let targets_of = |b: BlockId| {
        let block = body.blocks.get(b.0 as usize);
        block.map(|b| successors(&b.end)).unwrap_or_default()
    };
    // Unreachable code is visited from roots of its own.
    for root in (0..body.blocks.len() as u32).map(BlockId) {
        if seen.insert(root) {
            on_path.insert(root);
            path.push((root, targets_of(root)));
        }
        while let Some((at, left)) = path.last_mut() {
            let at = *at;
            let Some(next) = left.pop() else {
                on_path.remove(&at);
                path.pop();
                continue;
            };
            if on_path.contains(&next) {
                continue;
            }
            if let Some(edges) = forward.get_mut(at.0 as usize) {
                edges.push(next);
            }
            if seen.insert(next) {
                on_path.insert(next);
                path.push((next, targets_of(next)));
            }
        }
    }
    forward
}
