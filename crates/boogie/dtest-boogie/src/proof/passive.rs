//! Translation of bodies to formulas: passive form with goals (Barnett and Leino,
//! *Weakest-Precondition of Unstructured Programs*, PASTE 2005). Loops are cut at their heads by
//! their invariants, and calls are represented by their contracts.
//!
//! Key type: [`Passive`]. Key function: [`goals`]. Every point of the control flow has a boolean
//! constant that implies everything known there; an obligation holds if the solver refutes the
//! constant of its goal.

use std::rc::Rc;

use boogie_resolve::typed::{
    Block, BlockId, Call, Clause, End, Expr, Implementation, ProcedureId, Program, Stmt, StmtKind,
    Type, VarId,
};
use dafny_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::formulas::{Formulas, Names, Scope, Use};
use super::signature::pairs;
use crate::execution::FailureKind;
use crate::flow::{changed_in_loop, reached, successors};
use crate::obligations::Obligation;

/// A goal: the obligation holds at one place if the constant `name` cannot be true. Without a name,
/// the obligation has no translation.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) obligation: Obligation,
    pub(super) name: Option<String>,
}

/// An edge of the control flow.
#[derive(Clone, Debug)]
struct Edge {
    /// The constants and conditions that hold on the edge.
    holds: Vec<String>,
    names: Names,
}

/// The invariants of a loop.
struct Invariants<'p> {
    clauses: Vec<(&'p Expr, bool, Span)>,
    entry: FailureKind,
    round: FailureKind,
    /// The number of leading statements of the head that are invariants.
    leading: usize,
}

/// A body during translation.
pub(super) struct Passive<'a, 'p> {
    formulas: &'a mut Formulas<'p>,
    program: &'p Program,
    procedure: ProcedureId,
    body: &'p Implementation,
    scope: Scope,
    /// The constant that is true if control reaches the current point.
    at: String,
    /// The assumptions since then.
    pending: Vec<String>,
    names: Names,
    incoming: FxHashMap<BlockId, Vec<Edge>>,
    heads: FxHashSet<BlockId>,
    /// The blocks that were translated.
    entered: FxHashSet<BlockId>,
    goals: Vec<Goal>,
}

/// Translates a body and returns its goals; `None` if a loop has several entries.
pub(super) fn goals<'p>(
    formulas: &mut Formulas<'p>,
    procedure: ProcedureId,
    body: &'p Implementation,
) -> Option<Vec<Goal>> {
    let (order, heads) = order(&body.blocks)?;
    let program = formulas.signature.program;
    let at = formulas.signature.constant("at", "Bool");
    let mut passive = Passive {
        formulas,
        program,
        procedure,
        body,
        scope: Scope::default(),
        at,
        pending: Vec::new(),
        names: Names::default(),
        incoming: FxHashMap::default(),
        heads,
        entered: FxHashSet::default(),
        goals: Vec::new(),
    };
    passive.enter();
    for block in order {
        passive.block(block);
    }
    Some(passive.goals)
}

/// Returns the reachable blocks in topological order without back edges, and the loop heads; `None`
/// if a loop has several entries.
fn order(blocks: &[Block]) -> Option<(Vec<BlockId>, FxHashSet<BlockId>)> {
    let (mut done, mut open, mut out): (FxHashSet<BlockId>, FxHashSet<BlockId>, Vec<BlockId>) =
        Default::default();
    let mut back: Vec<(BlockId, BlockId)> = Vec::new();
    let mut stack = vec![(BlockId(0), 0)];
    open.insert(BlockId(0));
    while let Some((block, i)) = stack.pop() {
        match successors(blocks, block).get(i).copied() {
            Some(next) => {
                stack.push((block, i + 1));
                if open.contains(&next) {
                    back.push((block, next));
                } else if !done.contains(&next) {
                    open.insert(next);
                    stack.push((next, 0));
                }
            }
            None => {
                open.remove(&block);
                done.insert(block);
                out.push(block);
            }
        }
    }
    out.reverse();
    let is_reducible = back
        .iter()
        .all(|(from, head)| !reached(blocks, Some(*head)).contains(from));
    is_reducible.then(|| (out, back.into_iter().map(|(_, head)| head).collect()))
}

impl<'p> Passive<'_, 'p> {
    fn fact(&mut self, fact: String) {
        self.formulas.facts.push(fact);
    }

    /// Returns the scope with the current names of variables.
    fn now(&self) -> Scope {
        Scope {
            now: Rc::new(self.names.clone()),
            ..self.scope.clone()
        }
    }

    fn assume_in(&mut self, e: &'p Expr, scope: &Scope) {
        // An assumption without a translation is dropped, which weakens the formulas.
        self.pending
            .extend(self.formulas.term(e, scope, Use::Known));
    }

    /// Introduces one constant for everything that is known at the current point.
    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let at = self.formulas.signature.constant("at", "Bool");
        let known = std::mem::take(&mut self.pending).join(" ");
        self.fact(format!("(=> {at} (and {} {known}))", self.at));
        self.at = at;
    }

    fn assert_in(&mut self, e: &'p Expr, scope: &Scope, obligation: Obligation) {
        self.flush();
        let name = self.formulas.term(e, scope, Use::Refuted).map(|said| {
            let name = self.formulas.signature.constant("goal", "Bool");
            self.formulas
                .facts
                .push(format!("(=> {name} (and {} (not {said})))", self.at));
            name
        });
        self.goals.push(Goal { obligation, name });
    }

    fn fresh(&mut self, v: VarId) -> Option<String> {
        let ty = crate::types::substitute(&self.program.var(v).ty, &self.scope.types);
        let sort = self.formulas.signature.sort(&ty)?;
        Some(self.formulas.signature.constant("v", &sort))
    }

    fn havoc(&mut self, v: VarId) {
        let before = self
            .names
            .get(&v)
            .cloned()
            .filter(|_| self.program.var(v).assumption);
        if let (Some(now), Some(before)) = (self.renamed(v), before) {
            // An assumption variable that is false stays false.
            self.pending.push(format!("(=> {now} {before})"));
        }
    }

    fn wheres(&mut self, vars: impl IntoIterator<Item = VarId>) {
        for v in vars {
            if let Some(clause) = &self.program.var(v).where_clause {
                self.assume_in(clause, &self.now());
            }
        }
    }

    /// Starts the body with arbitrary values that satisfy the preconditions.
    fn enter(&mut self) {
        let (program, body) = (self.program, self.body);
        let p = program.procedure(self.procedure);
        // The body is proved for arbitrary type arguments.
        let types: Vec<Type> = body
            .type_params
            .iter()
            .map(|_| self.formulas.signature.any_type())
            .collect();
        self.scope.types = pairs(&body.type_params, &types);
        self.scope.types.extend(pairs(&p.type_params, &types));
        let all: Vec<VarId> = program
            .globals
            .iter()
            .chain(&body.ins)
            .chain(&body.outs)
            .chain(&body.locals)
            .copied()
            .collect();
        // Assumption variables are true initially; all other variables are arbitrary.
        for v in &all {
            if program.var(*v).assumption {
                self.names.insert(*v, "true".into());
            } else {
                self.havoc(*v);
            }
        }
        // `old` refers to the globals at the entry.
        self.scope.old = Rc::new(
            self.names
                .iter()
                .filter(|(v, _)| program.globals.contains(v))
                .map(|(v, n)| (*v, n.clone()))
                .collect(),
        );
        self.wheres(all.into_iter().chain(program.constants.iter().copied()));
        let contract = self.contract();
        // The precondition may be assumed.
        for clause in &p.requires {
            self.assume_in(&clause.expr, &contract);
        }
        self.flush();
        let edge = Edge {
            holds: vec![self.at.clone()],
            names: self.names.clone(),
        };
        self.incoming.entry(BlockId(0)).or_default().push(edge);
    }

    /// Returns the scope of the contract, which has other names for parameters and results.
    fn contract(&self) -> Scope {
        let p = self.program.procedure(self.procedure);
        let mut scope = self.now();
        let mine = self.body.ins.iter().chain(&self.body.outs);
        let both = p.ins.iter().chain(&p.outs).zip(mine);
        scope.bound.extend(
            both.filter_map(|(theirs, mine)| Some((*theirs, self.names.get(mine)?.clone()))),
        );
        scope
    }

    fn block(&mut self, id: BlockId) {
        let (body, Some(edges)) = (self.body, self.incoming.remove(&id)) else {
            return;
        };
        let Some(block) = body.blocks.get(id.0 as usize) else {
            return;
        };
        self.entered.insert(id);
        self.join(edges);
        let mut first = 0;
        if self.heads.contains(&id) {
            let invariants = invariants(block);
            first = invariants.leading;
            self.keep(&invariants, invariants.entry);
            let changed = changed_in_loop(self.program, &body.blocks, id);
            changed.iter().for_each(|v| self.havoc(*v));
            // For a loop written with `goto`, executions keep the old values.
            if block.head.is_some() {
                self.wheres(changed.iter().copied());
            }
            for (e, ..) in &invariants.clauses {
                self.assume_in(e, &self.now());
            }
        }
        for stmt in block.stmts.iter().skip(first) {
            self.stmt(stmt);
        }
        self.end(&block.end);
    }

    /// Joins edges: gives every variable one name.
    fn join(&mut self, edges: Vec<Edge>) {
        self.pending.clear();
        self.at = self.formulas.signature.constant("at", "Bool");
        let mut ways: Vec<Vec<String>> = edges.iter().map(|e| e.holds.clone()).collect();
        let mut names = edges.first().map(|e| e.names.clone()).unwrap_or_default();
        let mut vars: Vec<VarId> = names.keys().copied().collect();
        vars.sort();
        for v in vars {
            let theirs: Vec<Option<&String>> = edges.iter().map(|e| e.names.get(&v)).collect();
            if theirs
                .iter()
                .all(|n| *n == theirs.first().copied().flatten())
            {
                continue;
            }
            let Some(mine) = self.fresh(v).filter(|_| theirs.iter().all(Option::is_some)) else {
                names.remove(&v);
                continue;
            };
            for (way, theirs) in ways.iter_mut().zip(theirs) {
                way.extend(theirs.map(|n| format!("(= {mine} {n})")));
            }
            names.insert(v, mine);
        }
        let ways: Vec<String> = ways
            .into_iter()
            .map(|w| format!("(and {})", w.join(" ")))
            .collect();
        self.fact(format!("(=> {} (or {}))", self.at, ways.join(" ")));
        self.names = names;
    }

    /// Adds the invariants as goals, and assumes them afterwards.
    fn keep(&mut self, invariants: &Invariants<'p>, kind: FailureKind) {
        for (e, is_free, span) in &invariants.clauses {
            let scope = self.now();
            if !is_free {
                self.assert_in(e, &scope, (kind, *span));
            }
            self.assume_in(e, &scope);
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Assert(e) => {
                let scope = self.now();
                self.assert_in(e, &scope, (FailureKind::Assertion, stmt.span));
                self.assume_in(e, &scope);
            }
            StmtKind::AssertOnly(e) => {
                self.assert_in(e, &self.now(), (FailureKind::Assertion, stmt.span))
            }
            StmtKind::Assume(e) => self.assume_in(e, &self.now()),
            StmtKind::Print(_) => {}
            StmtKind::Assign(pairs) => self.assign(pairs),
            StmtKind::Havoc(vars) => {
                vars.iter().for_each(|v| self.havoc(*v));
                self.wheres(vars.iter().copied());
            }
            StmtKind::Call(call) => self.call(call),
            StmtKind::Unsupported(_) => {
                // An unsupported statement may have any effect.
                let all: Vec<VarId> = self.names.keys().copied().collect();
                all.into_iter().for_each(|v| self.havoc(v));
            }
        }
    }

    fn assign(&mut self, pairs: &'p [(VarId, Expr)]) {
        let scope = self.now();
        for (v, e) in pairs {
            let Some(name) = self.renamed(*v) else {
                continue;
            };
            // A value without a translation is arbitrary.
            self.pending.extend(self.formulas.equals(&name, e, &scope));
        }
    }

    /// Gives a variable a new name.
    fn renamed(&mut self, v: VarId) -> Option<String> {
        let name = self.fresh(v);
        match &name {
            Some(name) => _ = self.names.insert(v, name.clone()),
            None => _ = self.names.remove(&v),
        }
        name
    }

    /// Translates a call by the contract of the callee.
    fn call(&mut self, call: &'p Call) {
        let program = self.program;
        let p = program.procedure(call.procedure);
        let before = self.now();
        let types: Vec<Type> = call
            .type_args
            .iter()
            .map(|t| crate::types::substitute(t, &self.scope.types))
            .collect();
        // The contract of the callee is stated over its own parameters and results.
        let mut contract = before.clone();
        contract.types = pairs(&p.type_params, &types);
        for (param, arg) in p.ins.iter().zip(&call.args) {
            contract.bound.extend(
                self.formulas
                    .term(arg, &before, Use::Both)
                    .map(|name| (*param, name)),
            );
        }
        // A proved precondition may be assumed afterwards.
        for clause in &p.requires {
            if !clause.free && !call.free {
                self.assert_in(
                    &clause.expr,
                    &contract,
                    (FailureKind::Precondition, clause.span),
                );
            }
            self.assume_in(&clause.expr, &contract);
        }
        // The postconditions refer to the globals before the call as old values.
        let globals = before
            .now
            .iter()
            .filter(|(v, _)| program.globals.contains(v));
        contract.old = Rc::new(globals.map(|(v, n)| (*v, n.clone())).collect());
        // After the call, modified variables and results have fresh names.
        p.modifies.iter().for_each(|v| self.havoc(*v));
        for out in &p.outs {
            let ty = crate::types::substitute(&program.var(*out).ty, &contract.types);
            if let Some(sort) = self.formulas.signature.sort(&ty) {
                contract
                    .bound
                    .push((*out, self.formulas.signature.constant("v", &sort)));
            }
        }
        contract.now = Rc::new(self.names.clone());
        // If the callee has a body, the results need not satisfy the `where` clauses.
        let chosen = p
            .modifies
            .iter()
            .chain(&p.outs)
            .filter(|_| p.implementations.is_empty());
        let wheres = chosen.filter_map(|v| program.var(*v).where_clause.as_ref());
        for e in wheres.chain(p.ensures.iter().map(|c| &c.expr)) {
            self.assume_in(e, &contract);
        }
        // The variables of the caller receive the results last.
        for (v, out) in call.outs.iter().zip(&p.outs) {
            let result = contract
                .bound
                .iter()
                .rev()
                .find(|(b, _)| b == out)
                .map(|(_, n)| n.clone());
            if let (Some(name), Some(result)) = (self.renamed(*v), result) {
                self.pending.push(format!("(= {name} {result})"));
            }
        }
    }

    fn end(&mut self, end: &'p End) {
        match end {
            End::Return => {
                let (scope, p) = (self.contract(), self.program.procedure(self.procedure));
                for Clause { expr, free, span } in &p.ensures {
                    if !free && !self.body.free_ensures {
                        self.assert_in(expr, &scope, (FailureKind::Postcondition, *span));
                    }
                    self.assume_in(expr, &scope);
                }
            }
            End::Goto(targets) => {
                self.flush();
                for target in targets {
                    self.goto(*target, None);
                }
            }
            End::Branch(condition, then, other) => {
                self.flush();
                let scope = self.now();
                let taken = self.formulas.term(condition, &scope, Use::Known);
                let not_taken = self
                    .formulas
                    .term(condition, &scope, Use::Refuted)
                    .map(|c| format!("(not {c})"));
                self.goto(*then, taken);
                self.goto(*other, not_taken);
            }
        }
    }

    fn goto(&mut self, target: BlockId, condition: Option<String>) {
        let (at, names) = (self.at.clone(), self.names.clone());
        // An edge to a translated block is a back edge.
        if self.entered.contains(&target) {
            if let Some(block) = self.body.blocks.get(target.0 as usize) {
                self.pending.extend(condition);
                let invariants = invariants(block);
                self.keep(&invariants, invariants.round);
                self.pending.clear();
            }
        } else {
            let holds = [at.clone()].into_iter().chain(condition).collect();
            self.incoming.entry(target).or_default().push(Edge {
                holds,
                names: names.clone(),
            });
        }
        (self.at, self.names) = (at, names);
    }
}

/// Returns the invariants of a loop; for a loop written with `goto`, the leading assertions of its
/// head.
fn invariants(block: &Block) -> Invariants<'_> {
    if let Some(head) = &block.head {
        let clauses = head
            .invariants
            .iter()
            .map(|c| (&c.expr, c.free, c.span))
            .collect();
        return Invariants {
            clauses,
            entry: FailureKind::InvariantAtEntry,
            round: FailureKind::Invariant,
            leading: 0,
        };
    }
    let mut clauses = Vec::new();
    for stmt in &block.stmts {
        let StmtKind::Assert(e) = &stmt.kind else {
            break;
        };
        clauses.push((e, false, stmt.span));
    }
    Invariants {
        leading: clauses.len(),
        clauses,
        entry: FailureKind::Assertion,
        round: FailureKind::Assertion,
    }
}
