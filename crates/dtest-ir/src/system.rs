//! System tests: an entry, and the callees whose goals its tests have to cover too.
//!
//! Key types: [`System`]; [`Calls`], the call graph of compiled code, which also follows the
//! initial values of constants and the overriding members of traits.

use std::collections::VecDeque;

use super::{
    Block, BlockId, Expr, ExprKind, Goal, GoalId, Procedure, Program, StmtKind, Terminator,
};
use dafny_resolve::typed::{CallableId, FieldId, Program as Typed, Type};
use dafny_source::Span;
use dtest_sorted::{SortedMap, SortedSet};

/// The additional goals of one entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct System {
    /// Callables whose goals count, in source order, without the entry itself.
    pub callees: Vec<CallableId>,
    set: SortedSet<CallableId>,
}

impl System {
    /// Whether the goals of a callable other than the entry count.
    pub fn has(&self, callable: CallableId) -> bool {
        self.set.contains(&callable)
    }
}

impl Program {
    /// Makes `unit` an entry: the goals of `callees` become goals of the unit, each once for all
    /// calls.
    pub fn make_entry(&mut self, unit: CallableId, callees: Vec<CallableId>) {
        let callees: Vec<CallableId> = callees
            .into_iter()
            .filter(|c| *c != unit && self.procedures.contains_key(c))
            .collect();
        let set = callees.iter().copied().collect();
        self.systems.insert(unit, System { callees, set });
    }

    /// Returns the goals of an entry's callees, by callable: blocks and probes.
    pub(super) fn goals_of_callees(&self, unit: CallableId) -> Vec<(GoalId, &Goal)> {
        let Some(system) = self.systems.get(&unit) else {
            return Vec::new();
        };
        let mut goals = Vec::new();
        for (id, procedure) in system
            .callees
            .iter()
            .filter_map(|c| Some((*c, self.procedures.get(c)?)))
        {
            let blocks = procedure
                .goal_blocks()
                .filter(|_| self.criteria.has_blocks_once());
            goals.extend(blocks.map(|(b, g)| (GoalId::BlockIn(id, b), g)));
            goals.extend(
                (0..)
                    .zip(&procedure.probes)
                    .map(|(i, g)| (GoalId::ProbeIn(id, i), g)),
            );
        }
        goals
    }

    /// Returns the callables that compiled code of `unit` may call, directly or indirectly, in
    /// breadth-first order of discovery. A call on a trait may run every member that overrides the
    /// named one. Calls from ghost code and from initial values of constants do not count. The unit
    /// is included only if it is called.
    pub fn callees(&self, unit: CallableId) -> Vec<CallableId> {
        let mut seen: SortedSet<CallableId> = SortedSet::new();
        let mut order = Vec::new();
        let mut at = std::iter::once(unit).collect::<VecDeque<_>>();
        while let Some(callable) = at.pop_front() {
            for callee in self.direct_callees(callable) {
                if seen.insert(callee) {
                    order.push(callee);
                    at.push_back(callee);
                }
            }
        }
        order
    }

    /// Returns the callables whose compiled code may run when `unit` runs: its callees, and the
    /// callables that compute the constants read on the way.
    pub fn runs(&self, unit: CallableId) -> Vec<CallableId> {
        let mut calls = Calls::new(self);
        calls.callable(unit);
        calls.follow()
    }

    /// Returns the callables that may compute the values of these constants.
    pub fn runs_for_constants(
        &self,
        constants: impl IntoIterator<Item = FieldId>,
    ) -> Vec<CallableId> {
        let mut calls = Calls::new(self);
        constants.into_iter().for_each(|c| calls.constant(c));
        calls.follow()
    }

    /// Returns the number of calls in the call tree below `unit`, with every call in the text made
    /// once and without recursion.
    pub fn call_tree_size(&self, unit: CallableId) -> u64 {
        let mut sizes: SortedMap<CallableId, u64> = SortedMap::new();
        let mut open: SortedSet<CallableId> = SortedSet::from([unit]);
        // Post-order traversal with an explicit stack: the sizes of callees are known before their
        // callers.
        let mut work = vec![(unit, self.calls(unit), 0usize)];
        loop {
            let Some((callable, calls, next)) = work.last_mut() else {
                return sizes.get(&unit).copied().unwrap_or(0);
            };
            if let Some(callee) = calls.get(*next).copied() {
                *next += 1;
                if !sizes.contains_key(&callee) && open.insert(callee) {
                    work.push((callee, self.calls(callee), 0));
                }
                continue;
            }
            let below = |c: &CallableId| sizes.get(c).copied().unwrap_or(0).saturating_add(1);
            let size = calls.iter().map(below).fold(0u64, u64::saturating_add);
            sizes.insert(*callable, size);
            work.pop();
        }
    }

    /// Returns the calls in the compiled code of one callable, once for each occurrence.
    fn calls(&self, callable: CallableId) -> Vec<CallableId> {
        let mut calls = Calls {
            repeats: true,
            ..Calls::new(self)
        };
        calls.callable(callable);
        calls.found
    }

    /// Returns the calls in the compiled code of one callable outside of lambdas, in code order:
    /// the place of the call and a callable that it may run. A call that was lowered to several
    /// places counts once.
    pub(super) fn call_sites(&self, callable: CallableId) -> Vec<(Span, CallableId)> {
        let mut calls = Calls::new(self);
        calls.callable(callable);
        let mut seen = SortedSet::new();
        calls
            .sites
            .into_iter()
            .filter(|site| seen.insert(*site))
            .collect()
    }

    /// Returns the direct callees of the compiled code of one callable, each once.
    pub fn direct_callees(&self, callable: CallableId) -> Vec<CallableId> {
        let mut calls = Calls::new(self);
        calls.callable(callable);
        calls.found
    }
}

impl GoalId {
    /// Returns the callable that contains the goal, if that is not the unit itself.
    pub fn callee(self) -> Option<CallableId> {
        match self {
            Self::BlockIn(callee, _) | Self::ProbeIn(callee, _) | Self::BlockBy(_, callee, _) => {
                Some(callee)
            }
            Self::Block(_) | Self::Probe(_) | Self::Way(_) | Self::Path(_) => None,
        }
    }

    /// Returns the goal of a block of `callable`, as a goal of `unit`.
    pub fn block_of(unit: CallableId, callable: CallableId, block: BlockId) -> Self {
        if unit == callable {
            Self::Block(block)
        } else {
            Self::BlockIn(callable, block)
        }
    }

    /// Returns the goal of a probe of `callable`, as a goal of `unit`.
    pub fn probe_of(unit: CallableId, callable: CallableId, probe: u32) -> Self {
        if unit == callable {
            Self::Probe(probe)
        } else {
            Self::ProbeIn(callable, probe)
        }
    }
}

/// A collector of the calls that compiled code makes.
pub(super) struct Calls<'p> {
    program: &'p Program,
    found: Vec<CallableId>,
    /// The same callables as in `found`, as a set.
    seen: SortedSet<CallableId>,
    /// Whether every call is recorded, instead of every callee once.
    repeats: bool,
    /// Calls outside of lambdas, with their places.
    sites: Vec<(Span, CallableId)>,
    /// The nesting depth of lambdas around the current expression.
    lambdas: u32,
    /// Reference types that objects are tested for or converted to.
    pub(super) distinguished: Vec<Type>,
    /// Constants that are read, each once.
    constants: Vec<FieldId>,
}

impl<'p> Calls<'p> {
    /// Creates an empty collector that records each callee once.
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            found: Vec::new(),
            seen: SortedSet::new(),
            repeats: false,
            sites: Vec::new(),
            lambdas: 0,
            distinguished: Vec::new(),
            constants: Vec::new(),
        }
    }

    /// Records a closed reference type that is tested for.
    pub(super) fn distinguish(&mut self, ty: &Type) {
        let ty = self.program.typed.strip_subset(ty);
        if self.program.typed.is_reference(&ty)
            && !ty.any(&mut |t| matches!(t, Type::Param(_)))
            && !self.distinguished.contains(&ty)
        {
            self.distinguished.push(ty);
        }
    }

    /// Visits the code of a callable.
    fn callable(&mut self, callable: CallableId) {
        let Some(procedure) = self.program.procedures.get(&callable) else {
            return;
        };
        procedure
            .blocks
            .iter()
            .for_each(|b| self.block(procedure, b));
    }

    fn constant(&mut self, field: FieldId) {
        if !self.program.typed[field].ghost && !self.constants.contains(&field) {
            self.constants.push(field);
        }
    }

    /// Visits everything that was found so far, transitively, and returns the callables among it.
    fn follow(mut self) -> Vec<CallableId> {
        let (mut callables, mut constants) = (0, 0);
        loop {
            // Calls found in a callable are followed in turn, and so are the constants that it
            // reads.
            if let Some(callable) = self.found.get(callables).copied() {
                callables += 1;
                self.callable(callable);
            } else if let Some(field) = self.constants.get(constants).copied() {
                constants += 1;
                if let Some(function) = self.program.constants.get(&field) {
                    self.expr(&function.body);
                }
            } else {
                return self.found;
            }
        }
    }

    pub(super) fn block(&mut self, procedure: &Procedure, block: &Block) {
        // Ghost code has no calls at run time.
        for stmt in block
            .stmts
            .iter()
            .filter(|s| !procedure.is_ghost_assignment(s))
        {
            let is_compiled = match &stmt.kind {
                StmtKind::Call { callee, args, .. } => {
                    if !self.program.typed[*callee].ghost {
                        self.found(*callee, Some(stmt.span));
                        self.arguments(*callee, args);
                    }
                    false
                }
                StmtKind::SetField { field, .. } => !self.program.typed[*field].ghost,
                StmtKind::Assign { .. }
                | StmtKind::SuchThat(_)
                | StmtKind::NewArray { .. }
                | StmtKind::SetElement { .. }
                | StmtKind::Redefine { .. }
                | StmtKind::ForallStore { .. }
                | StmtKind::Print(_)
                | StmtKind::Expect { .. } => true,
                StmtKind::Assume { .. }
                | StmtKind::Assert { .. }
                | StmtKind::Havoc(_)
                | StmtKind::New { .. }
                | StmtKind::Snapshot(_)
                | StmtKind::HavocHeap(..)
                | StmtKind::Answer { .. }
                | StmtKind::Save { .. }
                | StmtKind::Restore { .. }
                | StmtKind::Probe { .. }
                | StmtKind::Unsupported { .. } => false,
            };
            if is_compiled {
                stmt.operands().into_iter().for_each(|e| self.expr(e));
            }
        }
        match &block.terminator {
            Terminator::Branch { cond, .. } => self.expr(cond),
            Terminator::Goto(_)
            | Terminator::Choose { .. }
            | Terminator::Return
            | Terminator::Stop => {}
        }
    }

    /// Records the calls, constants and type tests of an expression.
    pub(super) fn expr(&mut self, e: &Expr) {
        match &e.kind {
            // Tests and conversions depend on the run-time type of an object.
            ExprKind::Is(_, ty) => self.distinguish(ty),
            ExprKind::Convert(inner) if inner.ty != e.ty => self.distinguish(&e.ty),
            ExprKind::Call { callee, args, .. } => {
                self.found(*callee, Some(e.span));
                return self.arguments(*callee, args);
            }
            ExprKind::FunctionRef { callee, .. } => self.found(*callee, None),
            ExprKind::Lambda { lambda, .. } | ExprKind::Delay { lambda, .. } => {
                if let Some(l) = self.program.lambdas.get(*lambda as usize) {
                    // A call inside a lambda has no place of its own.
                    self.lambdas += 1;
                    self.expr(&l.body);
                    self.lambdas -= 1;
                }
            }
            ExprKind::Checked(_, _, inner) => return self.expr(inner),
            ExprKind::Const { field, .. } => self.constant(*field),
            ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::Op(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)
            | ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Apply(..)
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::ReadField(..)
            | ExprKind::ReadElement(..)
            | ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::Convert(_)
            | ExprKind::OfContract { .. }
            | ExprKind::Unsupported(_) => {}
        }
        for child in e.children() {
            self.expr(child);
        }
    }

    /// Visits the compiled arguments of a call. Ghost arguments are not computed.
    fn arguments(&mut self, callee: CallableId, args: &[Expr]) {
        let contract = self.program.contracts.get(&callee);
        let is_ghost = |i: usize| {
            contract
                .and_then(|c| c.vars.get(c.params.get(i)?.0 as usize))
                .is_some_and(|v| v.ghost)
        };
        args.iter()
            .enumerate()
            .filter(|(i, _)| !is_ghost(*i))
            .for_each(|(_, e)| self.expr(e));
    }

    /// Records a callee. `site` is the place of a call; `None`: the callable is only named.
    fn found(&mut self, callee: CallableId, site: Option<Span>) {
        let typed: &Typed = &self.program.typed;
        let owner = typed[callee]
            .owner
            .filter(|o| typed.is_trait(*o) && !typed[callee].is_static);
        let members = owner
            .into_iter()
            .flat_map(|o| typed.implementers(o))
            .map(|t| typed.implementation(t, callee));
        for id in std::iter::once(callee).chain(members) {
            if typed[id].ghost {
                continue;
            }
            self.sites
                .extend(site.filter(|_| self.lambdas == 0).map(|site| (site, id)));
            if self.seen.insert(id) || self.repeats {
                self.found.push(id);
            }
        }
    }
}
