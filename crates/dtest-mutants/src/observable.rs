//! Observable code: statements whose effects reach results, objects or output. Other compiled code,
//! such as a call whose result only an `assert` reads, has no mutants, because no test can kill
//! them.

use dafny_resolve::typed::CallableId;
use dtest_ir::{BlockId, Expr, ExprKind, Procedure, Program, Stmt, StmtKind, Terminator, Var};
use dtest_sorted::{SortedMap, SortedSet};

/// The observable statements of a procedure, by live variables (Aho, Lam, Sethi and Ullman,
/// *Compilers*, section 9.2.5). Unlike in the textbook, only observable statements make the
/// variables live that they read.
pub(super) struct Seen<'p> {
    program: &'p Program,
    procedure: &'p Procedure,
    /// The live variables at the start of each block.
    live: Vec<SortedSet<Var>>,
    /// Whether objects are observable: the caller has references to them, or observable code reads
    /// them.
    objects: bool,
    /// Callees without effects besides their results. If objects are not observable, changes of
    /// objects are no effects.
    quiet: SortedMap<CallableId, bool>,
    /// For each statement of each block, whether it is observable.
    matters: Vec<Vec<bool>>,
}

impl<'p> Seen<'p> {
    /// Follows values backwards from results, stores, output, decisions, and calls with effects.
    pub(super) fn new(program: &'p Program, procedure: &'p Procedure) -> Self {
        let live = vec![SortedSet::new(); procedure.blocks.len()];
        let mut seen = Self {
            program,
            procedure,
            live,
            objects: false,
            quiet: SortedMap::new(),
            matters: Vec::new(),
        };
        // The caller has references to the objects of parameters and results.
        let shared = procedure.params.iter().chain(&procedure.outs);
        seen.objects = shared.copied().any(|v| seen.may_hold_objects(v));
        seen.follow();
        // Objects are not observable at first. If an observable statement reads one after all, the
        // analysis is repeated under the stronger assumption.
        if !seen.objects
            && seen
                .live
                .iter()
                .flatten()
                .copied()
                .any(|v| seen.may_hold_objects(v))
        {
            seen.objects = true;
            seen.quiet.clear();
            seen.follow();
        }
        // The final live variables decide about every statement.
        for i in 0..procedure.blocks.len() {
            let mut live = seen.live_at_end(BlockId(i as u32));
            let stmts = procedure
                .blocks
                .get(i)
                .into_iter()
                .flat_map(|b| b.stmts.iter().rev());
            let mut matters: Vec<bool> =
                stmts.map(|stmt| seen.step_back(stmt, &mut live)).collect();
            matters.reverse();
            seen.matters.push(matters);
        }
        seen
    }

    /// Whether a statement of a block is observable.
    pub(super) fn matters(&self, block: BlockId, at: usize) -> bool {
        self.matters
            .get(block.0 as usize)
            .and_then(|b| b.get(at))
            .copied()
            .unwrap_or(false)
    }

    fn may_hold_objects(&self, var: Var) -> bool {
        let info = self.procedure.vars.get(var.0 as usize);
        info.is_some_and(|i| !i.ghost && !self.program.typed.holds_no_references(&i.ty))
    }

    fn follow(&mut self) {
        // Iterates to the least fixed point. Blocks mostly precede their successors, so that the
        // reverse order needs few rounds.
        let mut again = true;
        while again {
            again = false;
            for i in (0..self.procedure.blocks.len()).rev() {
                let mut live = self.live_at_end(BlockId(i as u32));
                for stmt in self
                    .procedure
                    .blocks
                    .get(i)
                    .into_iter()
                    .flat_map(|b| b.stmts.iter().rev())
                {
                    self.step_back(stmt, &mut live);
                }
                if let Some(before) = self.live.get_mut(i).filter(|before| **before != live) {
                    *before = live;
                    again = true;
                }
            }
        }
    }

    fn live_at_end(&self, block: BlockId) -> SortedSet<Var> {
        let Some(block) = self.procedure.block(block) else {
            return SortedSet::new();
        };
        let next = block
            .terminator
            .successors()
            .into_iter()
            .filter_map(|b| self.live.get(b.0 as usize));
        let mut live: SortedSet<Var> = next.flatten().copied().collect();
        // Conditions are observable, because they decide which code runs.
        match &block.terminator {
            Terminator::Branch { cond, .. } => read(cond, &mut live),
            Terminator::Return => {
                let is_compiled = |v: &&Var| {
                    self.procedure
                        .vars
                        .get(v.0 as usize)
                        .is_none_or(|i| !i.ghost)
                };
                live.extend(self.procedure.outs.iter().filter(is_compiled));
            }
            Terminator::Goto(_) | Terminator::Choose { .. } | Terminator::Stop => {}
        }
        live
    }

    /// Updates the live variables from after a statement to before it. Returns whether the
    /// statement is observable.
    fn step_back(&mut self, stmt: &Stmt, live: &mut SortedSet<Var>) -> bool {
        // Statements that are not observable read nothing that matters.
        if !self.is_seen(stmt, live) {
            return false;
        }
        stmt.assigned().iter().for_each(|v| {
            live.remove(v);
        });
        stmt.operands().into_iter().for_each(|e| read(e, live));
        true
    }

    /// Whether a statement after which these variables are live is observable.
    fn is_seen(&mut self, stmt: &Stmt, live: &SortedSet<Var>) -> bool {
        match &stmt.kind {
            StmtKind::Assign { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::New { .. }
            | StmtKind::SuchThat(_) => stmt.assigned().iter().any(|v| live.contains(v)),
            StmtKind::Call { callee, .. } => {
                stmt.assigned().iter().any(|v| live.contains(v)) || !self.is_quiet(*callee)
            }
            // Assertions and assumptions are not compiled.
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Snapshot(_) => false,
            StmtKind::SetField { .. }
            | StmtKind::SetElement { .. }
            | StmtKind::ForallStore { .. } => self.objects,
            StmtKind::Havoc(_)
            | StmtKind::Redefine { .. }
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::HavocHeap(..)
            | StmtKind::Answer { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Unsupported { .. } => true,
        }
    }

    fn is_quiet(&mut self, callee: CallableId) -> bool {
        // The result depends on `objects`, which changes at most once.
        let (program, objects) = (self.program, self.objects);
        *self.quiet.entry(callee).or_insert_with(|| {
            let is_quiet = |e: dtest_ir::Effects| {
                if objects {
                    e.is_quiet()
                } else {
                    !e.is_heard && !e.is_opaque
                }
            };
            program.typed[callee].ghost || is_quiet(program.effects(callee))
        })
    }
}

/// Adds the variables that an expression mentions.
fn read(e: &Expr, vars: &mut SortedSet<Var>) {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        if let ExprKind::Var(v) = &e.kind {
            vars.insert(*v);
        }
        work.extend(e.children());
    }
}
