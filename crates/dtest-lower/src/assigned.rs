//! Definite assignment, if obligations are goals: variables are assigned before they are read, and
//! results before the body ends (reference manual, section 6.5.2, "Definite assignment"; under the
//! default rules for all types, under relaxed rules for types that need not have a value).
//!
//! Most cases are decided by the control flow. For the others, a hidden variable records whether a
//! variable was assigned.

use super::{Lowerer, build};
use dafny_resolve::typed::Type;
use dafny_source::Span;
use dtest_ir::{
    AssertKind, Block, BlockId, Expr, ExprKind, Goal, GoalReason, ObligationKind, Stmt, StmtKind,
    Terminator, Var, VarInfo,
};
use dtest_sorted::{SortedMap, SortedSet};

/// Variables that are certainly assigned.
type Known = SortedSet<Var>;

impl Lowerer<'_> {
    /// Asserts that the results are assigned where control leaves the body at `span`.
    /// [`Self::oblige_assignment`] removes the assertions that the control flow implies.
    pub(super) fn oblige_results(&mut self, span: Span) {
        for (_, flag) in self.callable.result_flags.clone() {
            let cond = build::expr(ExprKind::Var(flag), Type::Bool, span);
            self.graph.push(
                StmtKind::Assert {
                    cond,
                    kind: AssertKind::Assigned,
                },
                span,
            );
        }
    }

    /// Creates a variable for each result that records whether it was assigned.
    pub(super) fn follow_results(&mut self, outs: &[Var], span: Span) {
        self.callable.result_flags = outs
            .iter()
            .map(|out| (*out, self.temp("$assigned", Type::Bool, span)))
            .collect();
    }

    /// Turns reads that may precede the assignment into obligations. `params` are assigned from the
    /// start.
    pub(super) fn oblige_assignment(
        &mut self,
        blocks: &mut [Block],
        vars: &mut Vec<VarInfo>,
        params: &[Var],
    ) {
        let flags = std::mem::take(&mut self.callable.result_flags);
        let relaxed = self.program.options.relax_definite_assignment;
        let is_followed = |v: Var| {
            vars.get(v.0 as usize)
                .is_some_and(|i| !i.name.starts_with('$') && (i.definite || !relaxed))
        };
        let results = flags.iter().map(|(out, _)| *out);
        let followed: Known = (0..vars.len() as u32)
            .map(Var)
            .filter(|v| is_followed(*v))
            .chain(results)
            .collect();
        let known = known_at_heads(blocks, vars, &followed, params);
        let can_begin = blocks.first().is_some_and(|b| b.loop_head.is_none());
        let mut marks = Marks {
            flags: flags.into_iter().collect(),
            used: Known::new(),
            vars,
            goals: &mut self.goals.probes,
            relaxed,
        };
        for (block, known) in blocks.iter_mut().zip(known) {
            marks.block(block, known.filter(|_| can_begin), &followed);
        }
        let used: Vec<(Var, Var)> = marks
            .used
            .iter()
            .filter_map(|v| Some((*v, *marks.flags.get(v)?)))
            .collect();
        keep_flags(blocks, vars, &used);
    }
}

/// Returns the variables that are certainly assigned at the start of each block; `None` for
/// unreachable blocks.
fn known_at_heads(
    blocks: &[Block],
    vars: &[VarInfo],
    followed: &Known,
    params: &[Var],
) -> Vec<Option<Known>> {
    let mut known: Vec<Option<Known>> = vec![None; blocks.len()];
    // Parameters have values at the entry.
    if let Some(first) = known.first_mut() {
        *first = Some(
            params
                .iter()
                .copied()
                .filter(|p| followed.contains(p))
                .collect(),
        );
    }
    let mut work = vec![BlockId(0)];
    // Data-flow analysis: a variable is known at a block if it is known at the end of every
    // predecessor.
    while let Some(at) = work.pop() {
        let (Some(block), Some(Some(before))) =
            (blocks.get(at.0 as usize), known.get(at.0 as usize))
        else {
            continue;
        };
        let assigned = block
            .stmts
            .iter()
            .flat_map(|stmt| given_values(stmt, vars))
            .filter(|v| followed.contains(v));
        let after: Known = before.iter().copied().chain(assigned).collect();
        for next in block.terminator.successors() {
            let Some(slot) = known.get_mut(next.0 as usize) else {
                continue;
            };
            // The knowledge of a block only decreases, so the iteration ends.
            let met = slot.as_ref().map_or_else(
                || after.clone(),
                |old| old.intersection(&after).copied().collect(),
            );
            if slot.as_ref() != Some(&met) {
                *slot = Some(met);
                work.push(next);
            }
        }
    }
    known
}

/// Returns the variables that a statement assigns. `x := *` does not assign `x` if its type may
/// have no value (reference manual, "Havoc right-hand side").
fn given_values(stmt: &Stmt, vars: &[VarInfo]) -> Vec<Var> {
    if let StmtKind::Havoc(v) = &stmt.kind
        && vars.get(v.0 as usize).is_some_and(|i| i.definite)
    {
        Vec::new()
    } else {
        stmt.assigned()
    }
}

/// The hidden variables of a procedure, and its goals.
struct Marks<'a> {
    flags: SortedMap<Var, Var>,
    /// The variables whose hidden variables are read.
    used: Known,
    vars: &'a mut Vec<VarInfo>,
    goals: &'a mut Vec<Goal>,
    relaxed: bool,
}

impl Marks<'_> {
    /// Adds the goals of a block for reads that may precede the assignment, and drops the
    /// assertions that the control flow implies. Without `known`, it drops all of them.
    fn block(&mut self, block: &mut Block, known: Option<Known>, followed: &Known) {
        let results: SortedMap<Var, Var> = self.flags.iter().map(|(v, flag)| (*flag, *v)).collect();
        let mut known = known;
        let mut stmts: Vec<Stmt> = Vec::with_capacity(block.stmts.len());
        // The position where the next statement's code starts: its probes come before it.
        let mut begin = 0;
        for stmt in std::mem::take(&mut block.stmts) {
            // The marker of an end of the body becomes an obligation only if the result may be
            // unassigned.
            let result = if let StmtKind::Assert {
                cond:
                    Expr {
                        kind: ExprKind::Var(flag),
                        ..
                    },
                kind: AssertKind::Assigned,
            } = &stmt.kind
            {
                results.get(flag).copied()
            } else {
                None
            };
            if let Some(out) = result {
                if known.as_mut().is_some_and(|known| known.insert(out)) && self.is_asked_for(out) {
                    stmts.extend(self.obligation(out, stmt.span));
                }
                begin = stmts.len();
                continue;
            }
            // Only strict reads are followed: an expression under a binder may not be evaluated at
            // all.
            let is_probe = matches!(stmt.kind, StmtKind::Probe { .. });
            let mut reads = Vec::new();
            if !is_probe && stmt.quantified().is_none() {
                stmt.operands()
                    .into_iter()
                    .for_each(|e| strict_reads(e, &mut reads));
            }
            if let Some(known) = &mut known {
                // Execution ends at an unsupported statement, so nothing is required afterwards.
                if matches!(stmt.kind, StmtKind::Unsupported { .. }) {
                    known.extend(followed); // nothing goes on behind it
                }
                begin = self.reads(&reads, known, followed, begin, &mut stmts);
                // Variables that the statement assigns are known from here on.
                known.extend(
                    given_values(&stmt, self.vars)
                        .into_iter()
                        .filter(|v| followed.contains(v)),
                );
            }
            stmts.push(stmt);
            begin = if is_probe { begin } else { stmts.len() };
        }
        // The condition of a branch reads variables as well.
        let mut reads = Vec::new();
        if let Terminator::Branch { cond, .. } = &block.terminator {
            strict_reads(cond, &mut reads);
        }
        if let Some(known) = &mut known {
            self.reads(&reads, known, followed, begin, &mut stmts);
        }
        block.stmts = stmts;
    }

    /// Adds obligations before `at` that read variables are assigned. Returns the new position of
    /// the statement at `at`.
    fn reads(
        &mut self,
        reads: &[(Var, Span)],
        known: &mut Known,
        followed: &Known,
        mut at: usize,
        stmts: &mut Vec<Stmt>,
    ) -> usize {
        for (v, span) in reads {
            if followed.contains(v) && self.is_asked_for(*v) && known.insert(*v) {
                for stmt in self.obligation(*v, *span) {
                    stmts.insert(at, stmt);
                    at += 1;
                }
            }
        }
        at
    }

    /// Whether a variable must be assigned under the current rules.
    fn is_asked_for(&self, v: Var) -> bool {
        !self.relaxed || self.vars.get(v.0 as usize).is_some_and(|i| i.definite)
    }

    /// Returns the obligation that a variable was assigned: a probe and an assertion.
    fn obligation(&mut self, v: Var, span: Span) -> [Stmt; 2] {
        self.used.insert(v);
        // One flag per variable records at run time whether it was assigned.
        let flag = match self.flags.get(&v) {
            Some(flag) => *flag,
            None => {
                let flag = Var(self.vars.len() as u32);
                self.vars.push(VarInfo {
                    name: "$assigned".into(),
                    ty: Type::Bool,
                    ghost: false,
                    definite: false,
                    inferred: false,
                    span,
                });
                self.flags.insert(v, flag);
                flag
            }
        };
        let cond = build::expr(ExprKind::Var(flag), Type::Bool, span);
        let reason = GoalReason::Broken {
            obligation: ObligationKind::Assigned,
            clause: None,
        };
        // Code that is lowered twice shares the goal.
        let same = |g: &Goal| {
            g.span == span
                && matches!(
                    &g.reason,
                    GoalReason::Broken {
                        obligation: ObligationKind::Assigned,
                        ..
                    }
                )
        };
        let probe = self.goals.iter().position(same).unwrap_or_else(|| {
            self.goals.push(Goal { reason, span });
            self.goals.len() - 1
        });
        let probe = StmtKind::Probe {
            probe: probe as u32,
            cond: build::not(cond.clone()),
        };
        [
            Stmt { kind: probe, span },
            Stmt {
                kind: StmtKind::Assert {
                    cond,
                    kind: AssertKind::Assigned,
                },
                span,
            },
        ]
    }
}

/// Maintains the hidden variables: false at the start, true after each assignment.
fn keep_flags(blocks: &mut [Block], vars: &[VarInfo], used: &[(Var, Var)]) {
    let set = |flag: Var, value: bool, span: Span| Stmt {
        kind: StmtKind::Assign {
            var: flag,
            value: build::boolean(value, span),
        },
        span,
    };
    for block in blocks.iter_mut() {
        if let Some(head) = &mut block.loop_head {
            let flags: Vec<Var> = used
                .iter()
                .filter(|(v, _)| head.assigned.contains(v))
                .map(|(_, flag)| *flag)
                .collect();
            head.assigned.extend(flags);
        }
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for stmt in std::mem::take(&mut block.stmts) {
            let (assigned, span) = (given_values(&stmt, vars), stmt.span);
            stmts.push(stmt);
            stmts.extend(
                used.iter()
                    .filter(|(v, _)| assigned.contains(v))
                    .map(|(_, flag)| set(*flag, true, span)),
            );
        }
        block.stmts = stmts;
    }
    if let Some(first) = blocks.first_mut() {
        let span = Span::new(first.span.start, first.span.start);
        first
            .stmts
            .splice(0..0, used.iter().map(|(_, flag)| set(*flag, false, span)));
    }
}

/// Collects the variables that the evaluation of an expression certainly reads, with the places.
fn strict_reads(e: &Expr, into: &mut Vec<(Var, Span)>) {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        match &e.kind {
            ExprKind::Var(v) => into.push((*v, e.span)),
            ExprKind::And(a, _)
            | ExprKind::Or(a, _)
            | ExprKind::Implies(a, _)
            | ExprKind::If(a, ..)
            | ExprKind::Let(_, a, _) => work.push(a),
            ExprKind::Checked(_, _, inner) | ExprKind::Old(_, inner) => work.push(inner),
            ExprKind::Op(..)
            | ExprKind::Call { .. }
            | ExprKind::Apply(..)
            | ExprKind::ReadElement(..)
            | ExprKind::ReadField(..)
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Const { .. }
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_) => work.extend(e.children()),
            ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::Unchanged(..)
            | ExprKind::FunctionRef { .. }
            | ExprKind::OfContract { .. }
            | ExprKind::Literal(_)
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::Unsupported(_) => {}
        }
    }
}
