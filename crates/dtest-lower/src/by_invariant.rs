//! Loops known by their invariants alone.
//!
//! As in the verifier, a cut loop is reduced to one iteration from an arbitrary state that
//! satisfies the invariants. [`by_invariant`] rewrites the graph of a procedure accordingly.

use super::build;
use super::intervals::{self, Interval};
use dafny_resolve::typed::Type;
use dafny_source::Span;
use dtest_ir::{
    Assumed, BlockId, Changed, Expr, LoopInfo, Num, Op, Procedure, Stmt, StmtKind, Terminator, Var,
};
use dtest_sorted::{SortedMap, SortedSet};
use num_bigint::BigInt;

/// Cuts the loops of a procedure whose spans are wanted.
///
/// Control enters a cut loop in an arbitrary state: the variables that the loop assigns get any
/// values that satisfy the invariants, the bounds that the verifier infers ([`intervals`]) and, for
/// a `for` loop, the range of the index. After one
/// iteration, which must maintain the invariants, the execution ends. If the loop writes the heap,
/// so do the fields and elements in its frame; without a frame ([`LoopInfo::frame`]), such a loop
/// stays unchanged. The result consists of the spans of the cut loops and of the wanted loops that
/// were not cut.
pub fn by_invariant(
    procedure: &mut Procedure,
    is_wanted: &dyn Fn(Span) -> bool,
) -> (Vec<Span>, Vec<Span>) {
    let (mut cut, mut left) = (Vec::new(), Vec::new());
    let back = back_edges(procedure);
    let intervals = intervals::at_heads(procedure);
    for head in (0..procedure.blocks.len() as u32).map(BlockId) {
        let Some(info) = procedure
            .block(head)
            .and_then(|b| b.loop_head.clone())
            .filter(|info| is_wanted(info.span))
        else {
            continue;
        };
        if info.writes_heap && info.frame.is_empty() {
            left.push(info.span);
            continue;
        }
        cut.push(info.span);
        let bounds = inferred(procedure, &info, intervals.get(&head));
        cut_at(procedure, head, &info, bounds, &back);
    }
    (cut, left)
}

/// Returns the bounds of assigned variables that the verifier infers.
fn inferred(
    procedure: &Procedure,
    info: &LoopInfo,
    intervals: Option<&SortedMap<Var, Interval>>,
) -> Vec<Expr> {
    let span = info.span;
    let of_var = |var: &Var| {
        let interval = intervals?.get(var)?;
        let ty = &procedure.vars.get(var.0 as usize)?.ty;
        let value = || build::var(*var, ty.clone(), span);
        let le = |a, b| build::op(Op::Le(Num::Int), vec![a, b], Type::Bool, span);
        let bound = |n: &BigInt| build::int(n.clone(), ty.clone(), span);
        let low = interval.low.as_ref().map(|low| le(bound(low), value()));
        let high = interval.high.as_ref().map(|high| le(value(), bound(high)));
        Some(low.into_iter().chain(high))
    };
    info.assigned.iter().filter_map(of_var).flatten().collect()
}

/// Redirects the edges to a loop head: entries go to a block that makes the state arbitrary, back
/// edges to a block that ends the execution.
fn cut_at(
    procedure: &mut Procedure,
    head: BlockId,
    info: &LoopInfo,
    bounds: Vec<Expr>,
    back: &SortedSet<(BlockId, BlockId)>,
) {
    let any_state = BlockId(procedure.blocks.len() as u32);
    let end = BlockId(any_state.0 + 1);
    let known = procedure.blocks.len();
    for (from, block) in (0..)
        .map(BlockId)
        .zip(procedure.blocks.iter_mut())
        .take(known)
    {
        let to = if back.contains(&(from, head)) {
            end
        } else {
            any_state
        };
        block.terminator.redirect(head, to);
    }
    if let Some(block) = procedure.blocks.get_mut(head.0 as usize) {
        block.loop_head = None;
    }
    let stmt = |kind, span| Stmt { kind, span };
    // The verifier's view of a loop: every assigned variable is arbitrary, and only the invariants
    // are known about it. The frame comes first, because it is evaluated on entry to the loop.
    let heap = info.writes_heap.then(|| {
        stmt(
            StmtKind::HavocHeap(info.frame.clone(), Changed::Here),
            info.span,
        )
    });
    let assigned = info
        .assigned
        .iter()
        .map(|v| stmt(StmtKind::Havoc(*v), info.span));
    let havoc = heap.into_iter().chain(assigned);
    let stated = info.range.iter().chain(&info.invariants);
    let stated = stated.map(|i| (i.cond.clone(), i.span));
    let inferred = bounds.into_iter().map(|bound| (bound, info.span));
    let assume = inferred.chain(stated).map(|(cond, span)| {
        let by = Assumed::Statement;
        stmt(StmtKind::Assume { cond, by }, span)
    });
    let blank = |stmts, terminator| build::block(stmts, terminator, info.span);
    procedure
        .blocks
        .push(blank(havoc.chain(assume).collect(), Terminator::Goto(head)));
    // An unsatisfiable assumption makes the end of the iteration unreachable for everything after
    // it, so the back edge contributes no path.
    let never = StmtKind::Assume {
        cond: build::boolean(false, info.span),
        by: Assumed::Statement,
    };
    procedure
        .blocks
        .push(blank(vec![stmt(never, info.span)], Terminator::Stop));
}

/// Returns the back edges: the edges to a block that lies on the depth-first path to their source.
fn back_edges(procedure: &Procedure) -> SortedSet<(BlockId, BlockId)> {
    let (mut found, mut seen, mut open) = (SortedSet::new(), SortedSet::new(), SortedSet::new());
    let mut stack = vec![(BlockId(0), 0)];
    seen.insert(BlockId(0));
    open.insert(BlockId(0));
    while let Some((block, next)) = stack.last_mut() {
        let block = *block;
        let successor = procedure
            .block(block)
            .and_then(|b| b.terminator.successors().get(*next).copied());
        *next += 1;
        match successor {
            Some(to) if open.contains(&to) => drop(found.insert((block, to))),
            Some(to) if seen.insert(to) => {
                open.insert(to);
                stack.push((to, 0));
            }
            Some(_) => {}
            None => {
                open.remove(&block);
                stack.pop();
            }
        }
    }
    found
}
