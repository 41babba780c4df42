//! Jumps to the `yield` at which a body waits, loop by loop.

use super::{Running, Way};
use crate::{Lowerer, build};
use dafny_resolve::typed::Type;
use dafny_source::Span;
use dtest_ir::{BlockId, Num, Op};

/// A place that passes control on to `yield`s in numbered ranges.
pub(super) struct Dispatch {
    pub(super) block: BlockId,
    /// The continuation if control is not passed to a `yield`.
    pub(super) rest: BlockId,
    pub(super) targets: Vec<(i64, i64, BlockId)>,
    /// The number of the first `yield` inside.
    pub(super) first: i64,
}

impl Lowerer<'_> {
    /// Opens a dispatch at the head of a loop.
    pub(crate) fn open_dispatch(&mut self, head: BlockId, span: Span) {
        let Some(Running {
            way: Way::Resumed {
                dispatches, points, ..
            },
            ..
        }) = &mut self.iterator.running
        else {
            return;
        };
        let rest = self.graph.block(None, span);
        dispatches.push(Dispatch {
            block: head,
            rest,
            targets: Vec::new(),
            first: *points + 1,
        });
        self.graph.enter(rest);
    }

    /// Closes the innermost dispatch: generates its jumps to the `yield`s inside. Control is
    /// nowhere afterwards.
    pub(crate) fn close_dispatch(&mut self, span: Span) {
        let Some(Running {
            way:
                Way::Resumed {
                    dispatches,
                    points,
                    goal,
                    ..
                },
            ..
        }) = &mut self.iterator.running
        else {
            return;
        };
        let (goal, last) = (*goal, *points);
        let Some(mut d) = dispatches.pop() else {
            return;
        };
        // The surrounding loop passes control on to this loop for all `yield`s inside it.
        if let (Some(outer), true) = (dispatches.last_mut(), d.first <= last) {
            outer.targets.push((d.first, last, d.block));
        }
        self.graph.enter(d.block);
        let on_the_way = self.var(goal, span);
        let number = |n: i64| build::int(n, Type::Int, span);
        // Number 0 means that control is not on its way to a `yield`.
        d.targets.insert(0, (0, 0, d.rest));
        let (last, others) = (d.targets.pop(), d.targets);
        for (low, high, to) in others {
            // The targets are in ascending order, so one comparison with the upper bound suffices
            // for each.
            let here = build::op(
                Op::Le(Num::Int),
                vec![on_the_way.clone(), number(high)],
                Type::Bool,
                span,
            );
            let here = if low == high {
                build::op(
                    Op::Eq,
                    vec![on_the_way.clone(), number(high)],
                    Type::Bool,
                    span,
                )
            } else {
                here
            };
            let next = self.graph.block(None, span);
            self.graph.branch(here, to, next);
            self.graph.enter(next);
        }
        if let Some((.., to)) = last {
            self.graph.goto(to);
        }
    }
}
