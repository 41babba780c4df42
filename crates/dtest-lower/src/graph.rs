//! Control-flow graphs under construction.
//!
//! Lowering adds blocks to a [`Graph`] without regard to their number or order. [`Graph::finish`]
//! drops empty blocks that only jump, joins straight lines, prunes unreachable blocks, and numbers
//! the rest in reverse postorder, so that a block precedes its successors except on back edges.
//! Unreachable code with goals (after `return`, say) is kept: its blocks and their successors come
//! last.

use dafny_source::{Name, Span};
use dtest_ir::{
    Block, BlockId, Expr, Goal, GoalReason, Jump, LoopInfo, Stmt, StmtKind, Terminator,
};
use dtest_sorted::SortedSet;

/// The blocks of one procedure while it is being lowered.
#[derive(Default)]
pub(super) struct Graph {
    blocks: Vec<Block>,
    /// The block that receives statements; `None` after a jump.
    current: Option<BlockId>,
    /// The block that a jump of the source has ended, with the span of the jump, as long as no
    /// statement follows it.
    left: Option<(BlockId, Span)>,
    /// The labels whose heap some expression reads.
    labels_read: SortedSet<Name>,
}

impl Graph {
    /// Creates a graph with its entry block.
    pub(super) fn new(span: Span, goal: bool) -> Self {
        let mut graph = Self::default();
        let entry = graph.block(
            goal.then_some(Goal {
                reason: GoalReason::Entry,
                span,
            }),
            span,
        );
        graph.current = Some(entry);
        graph
    }

    /// Adds a block without statements.
    pub(super) fn block(&mut self, goal: Option<Goal>, span: Span) -> BlockId {
        self.blocks.push(Block {
            stmts: Vec::new(),
            terminator: Terminator::Stop,
            goal,
            loop_head: None,
            span,
            begins: Vec::new(),
            jump: None,
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Whether control is in a block.
    pub(super) fn is_open(&self) -> bool {
        self.current.is_some()
    }

    /// Makes `block` the current block.
    pub(super) fn enter(&mut self, block: BlockId) {
        self.current = Some(block);
        self.left = None;
    }

    /// Adds a statement to the current block.
    pub(super) fn push(&mut self, kind: StmtKind, span: Span) {
        let current = self.current(span);
        if let Some(block) = self.get_mut(current) {
            block.stmts.push(Stmt { kind, span });
        }
    }

    /// Records that a statement of the source begins here; unreachable statements are not recorded.
    pub(super) fn begin(&mut self, statement: Span) {
        if let Some(block) = self.current.and_then(|b| self.get_mut(b)) {
            block.begins.push(statement);
        }
    }

    /// Ends the current block; without one, there is nothing to end.
    pub(super) fn terminate(&mut self, terminator: Terminator) {
        let left = self.left.take();
        if let Some(current) = self.current.take() {
            self.set_terminator(current, terminator);
        // The edge after a jump of the source is not taken; it tells where execution would continue
        // without the jump.
        } else if let (Some((block, statement)), Terminator::Goto(without)) = (left, terminator)
            && let Some(block) = self.get_mut(block)
        {
            block.jump = Some(Jump { statement, without });
        }
    }

    /// Returns the current block, which the next statement of the source may leave.
    pub(super) fn place(&self) -> Option<BlockId> {
        self.current
    }

    /// Records that a `break`, `continue` or `return` of compiled code has ended `block`.
    pub(super) fn leaves(&mut self, block: Option<BlockId>, statement: Span) {
        self.left = block
            .filter(|_| self.current.is_none())
            .map(|b| (b, statement));
    }

    /// Ends the current block with a jump.
    pub(super) fn goto(&mut self, to: BlockId) {
        self.terminate(Terminator::Goto(to));
    }

    /// Ends the current block with a branch; unreachable code keeps its branches.
    pub(super) fn branch(&mut self, cond: Expr, then: BlockId, els: BlockId) {
        self.current(cond.span);
        self.terminate(Terminator::Branch { cond, then, els });
    }

    /// Ends the current block with a choice. If `open` is given and false, the first block must
    /// follow.
    pub(super) fn choose(&mut self, among: Vec<BlockId>, open: Option<Expr>, span: Span) {
        self.current(span);
        self.terminate(Terminator::Choose { among, open, span });
    }

    /// Returns the current block if no block leads to it.
    pub(super) fn nowhere(&mut self) -> Option<BlockId> {
        let current = self.current?;
        let is_empty = self
            .blocks
            .get(current.0 as usize)
            .is_some_and(|b| b.stmts.is_empty() && b.goal.is_none());
        let leads = |b: &Block| b.terminator.successors().contains(&current);
        (is_empty && current.0 != 0 && !self.blocks.iter().any(leads)).then_some(current)
    }

    /// Makes a block a goal.
    pub(super) fn set_goal(&mut self, block: BlockId, goal: Goal) {
        if let Some(block) = self.get_mut(block) {
            block.goal = Some(goal);
        }
    }

    /// Returns the goal of a block.
    pub(super) fn goal(&self, block: BlockId) -> Option<&Goal> {
        self.blocks.get(block.0 as usize)?.goal.as_ref()
    }

    /// Makes `head` the head of a loop.
    pub(super) fn set_loop(&mut self, head: BlockId, info: LoopInfo) {
        if let Some(block) = self.get_mut(head) {
            block.loop_head = Some(info);
        }
    }

    /// Returns the blocks created from `first` on.
    pub(super) fn since(&self, first: BlockId) -> impl Iterator<Item = &Block> {
        self.blocks.iter().skip(first.0 as usize)
    }

    fn current(&mut self, span: Span) -> BlockId {
        match self.current {
            Some(block) => block,
            None => {
                let orphan = self.block(None, span);
                self.enter(orphan);
                orphan
            }
        }
    }

    fn get_mut(&mut self, id: BlockId) -> Option<&mut Block> {
        self.blocks.get_mut(id.0 as usize)
    }

    fn set_terminator(&mut self, id: BlockId, terminator: Terminator) {
        if let Some(block) = self.get_mut(id) {
            block.terminator = terminator;
        }
    }

    /// Records that an expression reads the heap at these labels.
    pub(super) fn read_labels(&mut self, labels: impl IntoIterator<Item = Name>) {
        self.labels_read.extend(labels);
    }

    /// Returns the finished blocks, without snapshots of labels that nothing reads.
    pub(super) fn finish(mut self) -> Vec<Block> {
        let labels_read = std::mem::take(&mut self.labels_read);
        for block in &mut self.blocks {
            block
                .stmts
                .retain(|s| !matches!(&s.kind, StmtKind::Snapshot(l) if !labels_read.contains(l)));
        }
        self.thread();
        let kept = self.kept();
        self.join_lines(&kept);
        self.number()
    }

    /// Redirects jumps to empty blocks to the targets of those blocks.
    fn thread(&mut self) {
        let mut target: Vec<BlockId> = (0..self.blocks.len() as u32).map(BlockId).collect();
        for (i, b) in self.blocks.iter().enumerate() {
            if let (true, None, None, None, Terminator::Goto(to)) = (
                b.stmts.is_empty(),
                &b.goal,
                &b.loop_head,
                &b.jump,
                &b.terminator,
            ) && i != 0
                && let Some(slot) = target.get_mut(i)
            {
                *slot = *to;
            }
        }
        // A statement whose beginning was recorded in a dropped block begins at the loop head that
        // replaces the block; otherwise its beginning is dropped.
        for (i, to) in target
            .iter()
            .enumerate()
            .filter(|(i, to)| to.0 as usize != *i)
        {
            let begun = self
                .blocks
                .get_mut(i)
                .map(|b| std::mem::take(&mut b.begins))
                .unwrap_or_default();
            if let Some(head) = self
                .blocks
                .get_mut(to.0 as usize)
                .filter(|b| b.loop_head.is_some())
            {
                head.begins.splice(0..0, begun);
            }
        }
        // A chain of empty blocks may be a cycle, so the number of steps is bounded.
        let resolve = |from: BlockId| {
            let mut at = from;
            for _ in 0..target.len() {
                match target.get(at.0 as usize) {
                    Some(&next) if next != at => at = next,
                    Some(_) | None => return at,
                }
            }
            from
        };
        for block in &mut self.blocks {
            match &mut block.terminator {
                Terminator::Goto(b) => *b = resolve(*b),
                Terminator::Branch { then, els, .. } => {
                    (*then, *els) = (resolve(*then), resolve(*els));
                }
                Terminator::Choose { among, .. } => among.iter_mut().for_each(|b| *b = resolve(*b)),
                Terminator::Return | Terminator::Stop => {}
            }
            if let Some(jump) = &mut block.jump {
                jump.without = resolve(jump.without);
            }
            // A branch whose alternatives have become equal is no longer a decision.
            if let Terminator::Branch { then, els, .. } = block.terminator
                && then == els
            {
                block.terminator = Terminator::Goto(then);
            }
        }
    }

    /// Returns, for each block, whether the entry or a goal leads to it.
    fn kept(&self) -> Vec<bool> {
        let mut kept = vec![false; self.blocks.len()];
        let goals = self
            .blocks
            .iter()
            .enumerate()
            .filter(|(_, b)| b.goal.is_some())
            .map(|(i, _)| BlockId(i as u32));
        let mut open: Vec<BlockId> = std::iter::once(BlockId(0)).chain(goals).collect();
        while let Some(id) = open.pop() {
            if let (Some(seen @ false), Some(block)) =
                (kept.get_mut(id.0 as usize), self.blocks.get(id.0 as usize))
            {
                *seen = true;
                open.extend(block.terminator.successors());
            }
        }
        kept
    }

    /// Appends a block without a goal to its predecessor, if that is unique and ends with a jump to
    /// it.
    fn join_lines(&mut self, kept: &[bool]) {
        let mut preds = vec![0u32; self.blocks.len()];
        for (b, _) in self.blocks.iter().zip(kept).filter(|(_, k)| **k) {
            // The continuation without a jump refers to the beginning of a block, so that block
            // must remain separate.
            for s in b
                .terminator
                .successors()
                .into_iter()
                .chain(b.jump.map(|j| j.without))
            {
                if let Some(n) = preds.get_mut(s.0 as usize) {
                    *n += 1;
                }
            }
        }
        for i in 0..self.blocks.len() {
            if kept.get(i) != Some(&true) {
                continue;
            }
            // The loop continues with the block that was just appended, so a whole line is joined
            // at once.
            while let Some(&Block {
                terminator: Terminator::Goto(next),
                jump: None,
                ..
            }) = self.blocks.get(i)
            {
                let n = next.0 as usize;
                let Some(b) = self.blocks.get_mut(n) else {
                    break;
                };
                if n == i
                    || n == 0
                    || b.goal.is_some()
                    || b.loop_head.is_some()
                    || preds.get(n) != Some(&1)
                {
                    break;
                }
                let (stmts, begins) = (std::mem::take(&mut b.stmts), std::mem::take(&mut b.begins));
                let terminator = std::mem::replace(&mut b.terminator, Terminator::Stop);
                let jump = b.jump.take();
                if let Some(block) = self.blocks.get_mut(i) {
                    block.jump = jump;
                    block.stmts.extend(stmts);
                    block.begins.extend(begins);
                    block.terminator = terminator;
                }
            }
        }
    }

    /// Numbers the blocks in reverse postorder from the entry, and then from each goal in order of
    /// creation that is not reachable from it.
    fn number(mut self) -> Vec<Block> {
        let goals = self
            .blocks
            .iter()
            .enumerate()
            .filter(|(_, b)| b.goal.is_some())
            .map(|(i, _)| i);
        let roots: Vec<usize> = std::iter::once(0).chain(goals).collect();
        let mut seen = vec![false; self.blocks.len()];
        let mut order: Vec<usize> = Vec::new();
        // Depth-first search with an explicit stack: the flag marks the second visit of a block,
        // after all its successors.
        for root in roots {
            let mut post = Vec::new();
            let mut open = vec![(root, false)];
            while let Some((i, done)) = open.pop() {
                if done {
                    post.push(i);
                    continue;
                }
                let Some(first @ false) = seen.get_mut(i) else {
                    continue;
                };
                *first = true;
                open.push((i, true));
                if let Some(b) = self.blocks.get(i) {
                    open.extend(
                        b.terminator
                            .successors()
                            .into_iter()
                            .map(|s| (s.0 as usize, false)),
                    );
                }
            }
            order.extend(post.into_iter().rev());
        }
        // Blocks refer to one another by their old numbers.
        let mut place = vec![0u32; self.blocks.len()];
        for (new, &old) in order.iter().enumerate() {
            if let Some(p) = place.get_mut(old) {
                *p = new as u32;
            }
        }
        let returns: Vec<bool> = self
            .blocks
            .iter()
            .map(|b| {
                b.stmts.is_empty() && b.goal.is_none() && matches!(b.terminator, Terminator::Return)
            })
            .collect();
        for block in &mut self.blocks {
            // A jump is recorded only if its absence would make a difference: the continuation
            // still exists and is not the target of the jump.
            let is_kept = |j: &Jump| seen.get(j.without.0 as usize) == Some(&true);
            let returns_too = |j: &Jump| returns.get(j.without.0 as usize) == Some(&true);
            block.jump = block.jump.filter(|j| match &block.terminator {
                Terminator::Return => is_kept(j) && !returns_too(j),
                Terminator::Goto(to) => is_kept(j) && *to != j.without,
                Terminator::Branch { .. } | Terminator::Choose { .. } | Terminator::Stop => {
                    is_kept(j)
                }
            });
        }
        let moved = |b: BlockId| BlockId(place.get(b.0 as usize).copied().unwrap_or_default());
        let mut blocks: Vec<Option<Block>> = self.blocks.into_iter().map(Some).collect();
        order
            .into_iter()
            .filter_map(|i| blocks.get_mut(i).and_then(Option::take))
            .map(|b| renumber(b, &moved))
            .collect()
    }
}

fn renumber(mut block: Block, moved: &impl Fn(BlockId) -> BlockId) -> Block {
    if let Some(jump) = &mut block.jump {
        jump.without = moved(jump.without);
    }
    match &mut block.terminator {
        Terminator::Goto(b) => *b = moved(*b),
        Terminator::Branch { then, els, .. } => {
            (*then, *els) = (moved(*then), moved(*els));
        }
        Terminator::Choose { among, .. } => among.iter_mut().for_each(|b| *b = moved(*b)),
        Terminator::Return | Terminator::Stop => {}
    }
    block
}
