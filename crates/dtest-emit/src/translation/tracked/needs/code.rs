//! The walk over the code of a body: what its assignments depend on.

use crate::translation::convention::Dependency;
use dafny_resolve::typed::{ArrayInit, Block, Call, CallableId, Rhs, Span, Stmt, StmtKind, Target};
use dtest_sorted::SortedSet;

use super::{Finder, Node, each_ghost_stmt};

/// The state of the walk over a body.
pub(super) struct Code<'a, 'p> {
    pub(super) finder: &'a mut Finder<'p>,
    pub(super) within: Dependency,
    /// The ghost method, if the body belongs to one.
    pub(super) method: Option<CallableId>,
    /// The reads of the enclosing ghost conditions.
    pub(super) guards: Vec<SortedSet<Node>>,
    /// The enclosing statements, outermost first.
    pub(super) around: Vec<Span>,
}

impl Code<'_, '_> {
    pub(super) fn block(&mut self, b: &Block) {
        b.stmts.iter().for_each(|s| self.stmt(s));
    }

    /// Adds an assignment with its dependencies.
    pub(super) fn assigned(&mut self, node: Option<Node>, needs: &SortedSet<Node>) {
        let Some(node) = node else { return };
        // The assignment is executed if its method is, under the conditions around it.
        let method = self.method.map(Node::Method);
        let all: Vec<Node> = needs
            .iter()
            .chain(self.guards.iter().flatten())
            .copied()
            .chain(method)
            .collect();
        self.finder.add(node, all);
        let around = self.around.iter().map(|s| (node, *s));
        self.finder
            .kept_in
            .entry(self.within)
            .or_default()
            .extend(around);
    }

    /// Adds an assignment of a value that is computed from `reads`.
    fn assign(&mut self, target: &Target, reads: SortedSet<Node>) {
        let mut needs = self.place(target);
        needs.extend(reads);
        let node = self.finder.target(target);
        self.assigned(node, &needs);
    }

    /// Walks over the body of a loop whose head has these reads.
    fn looped<'b>(
        &mut self,
        ghost: bool,
        mut reads: SortedSet<Node>,
        bodies: impl IntoIterator<Item = &'b Block> + Clone,
    ) {
        // Jumps in the body also decide which iterations run, so their conditions count as well.
        bodies
            .clone()
            .into_iter()
            .for_each(|b| self.jumps(b, &mut reads));
        self.under(ghost, reads, |code| {
            bodies.into_iter().for_each(|b| code.block(b))
        });
    }

    /// Walks over a block under a condition, which is ghost if the statement is.
    fn under(&mut self, ghost: bool, reads: SortedSet<Node>, inner: impl FnOnce(&mut Self)) {
        // A condition of compiled code is executed anyway.
        if ghost {
            self.guards.push(reads);
        }
        inner(self);
        if ghost {
            self.guards.pop();
        }
    }

    pub(super) fn stmt(&mut self, s: &Stmt) {
        self.around.push(s.span);
        self.stmt_here(s);
        self.around.pop();
    }

    fn stmt_here(&mut self, s: &Stmt) {
        // An assigned variable depends on the values read, and on the conditions under which the
        // statement runs.
        match &s.kind {
            StmtKind::Block(b) => self.block(b),
            StmtKind::Assign { pairs, .. } => {
                for (target, rhs) in pairs {
                    let reads = self.rhs(rhs);
                    self.assign(target, reads);
                }
            }
            StmtKind::AssignPattern { pattern, value } => {
                let reads = self.finder.reads(value);
                for node in self.finder.pattern(pattern) {
                    self.assigned(Some(node), &reads);
                }
            }
            StmtKind::Call { targets, call, .. } => self.call_stmt(targets, call),
            StmtKind::SuchThat { targets, vars, .. } => {
                let reads = self.finder.quantified(vars);
                targets.iter().for_each(|t| self.assign(t, reads.clone()));
            }
            StmtKind::AssignOrFail(a) => {
                self.stmt(&a.compute);
                if let Some((target, e)) = &a.extract {
                    let reads = self.finder.reads(e);
                    self.assign(target, reads);
                }
            }
            StmtKind::If { guard, then, els } => {
                let reads = self.finder.guard(guard);
                self.under(s.ghost, reads, |code| {
                    code.block(then);
                    els.iter().for_each(|e| code.stmt(e));
                });
            }
            StmtKind::IfCase(cases) => {
                let reads = cases
                    .iter()
                    .flat_map(|c| self.finder.guard(&c.guard))
                    .collect();
                self.under(s.ghost, reads, |code| {
                    cases.iter().for_each(|c| code.block(&c.body))
                });
            }
            StmtKind::WhileCase { cases, .. } => {
                let reads = cases
                    .iter()
                    .flat_map(|c| self.finder.guard(&c.guard))
                    .collect();
                self.looped(s.ghost, reads, cases.iter().map(|c| &c.body));
            }
            StmtKind::While { guard, body, .. } => {
                let reads = self.finder.guard(guard);
                self.looped(s.ghost, reads, body.as_ref());
            }
            StmtKind::For {
                index,
                from,
                to,
                body,
                ..
            } => {
                let mut reads: SortedSet<Node> = std::iter::once(from)
                    .chain(to)
                    .flat_map(|e| self.finder.reads(e))
                    .collect();
                reads.extend(self.finder.local(*index));
                self.looped(s.ghost, reads, body.as_ref());
            }
            StmtKind::Forall { vars, body, .. } => {
                let reads = self.finder.quantified(vars);
                self.under(s.ghost, reads, |code| {
                    body.iter().for_each(|b| code.block(b))
                });
            }
            StmtKind::Match { scrutinee, cases } => {
                let mut reads = self.finder.reads(scrutinee);
                reads.extend(cases.iter().flat_map(|c| self.finder.pattern(&c.pattern)));
                self.under(s.ghost, reads, |code| {
                    cases.iter().for_each(|c| code.block(&c.body))
                });
            }
            StmtKind::Modify { body, .. } => body.iter().for_each(|b| self.block(b)),
            StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::VarDecl(_)
            | StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. }
            | StmtKind::Error => {}
        }
    }

    /// Adds a call statement: its results, and the state that a ghost method assigns.
    fn call_stmt(&mut self, targets: &[Target], call: &Call) {
        let program = self.finder.program;
        let callee = &program[call.callee];
        let needs = self.call(call);
        for (out, target) in callee.outs.iter().zip(targets) {
            let out = self.finder.local(out.local);
            let needs: SortedSet<Node> = needs
                .iter()
                .copied()
                .chain(self.place(target))
                .chain(out)
                .collect();
            let node = self.finder.target(target);
            self.assigned(node, &needs);
        }
        for node in self
            .finder
            .effects
            .get(&call.callee)
            .cloned()
            .unwrap_or_default()
        {
            self.assigned(Some(node), &needs);
        }
    }

    /// Returns the needs of a call; the needs of an argument for a ghost parameter become those of
    /// the parameter.
    pub(super) fn call(&mut self, call: &Call) -> SortedSet<Node> {
        let program = self.finder.program;
        let callee = &program[call.callee];
        let mut needs: SortedSet<Node> = call
            .receiver
            .iter()
            .flat_map(|r| self.finder.reads(r))
            .collect();
        let is_method = !callee.kind.is_function();
        for (formal, arg) in callee.ins.iter().zip(&call.args) {
            let reads = self.finder.reads(arg);
            // A function's parameters are values; a method's are state that its body may pass on.
            match self.finder.local(formal.local).filter(|_| is_method) {
                Some(node) => {
                    let guards: Vec<Node> = reads
                        .into_iter()
                        .chain(self.guards.iter().flatten().copied())
                        .collect();
                    self.finder.add(node, guards);
                }
                None => needs.extend(reads),
            }
        }
        needs.extend((is_method && callee.ghost).then_some(Node::Method(call.callee)));
        needs
    }

    fn place(&self, target: &Target) -> SortedSet<Node> {
        match target {
            Target::Local(_) | Target::Discard(_) => SortedSet::new(),
            Target::Field { object, .. } => self.finder.reads(object),
            Target::Element { array, indices } => std::iter::once(array)
                .chain(indices)
                .flat_map(|e| self.finder.reads(e))
                .collect(),
        }
    }

    pub(super) fn rhs(&mut self, rhs: &Rhs) -> SortedSet<Node> {
        match rhs {
            Rhs::Expr(e) => self.finder.reads(e),
            Rhs::Havoc(_) => SortedSet::new(),
            Rhs::New { ctor, .. } => ctor.iter().flat_map(|c| self.call(c)).collect(),
            Rhs::NewArray { dims, init, .. } => {
                let init = match init {
                    ArrayInit::Default => &[][..],
                    ArrayInit::Function(e) => std::slice::from_ref(e),
                    ArrayInit::Elements(es) => es,
                };
                dims.iter()
                    .chain(init)
                    .flat_map(|e| self.finder.reads(e))
                    .collect()
            }
        }
    }

    /// Adds the conditions that decide over the jumps in a ghost loop: all its conditions, if it
    /// has jumps.
    pub(super) fn jumps(&self, body: &Block, reads: &mut SortedSet<Node>) {
        let (mut jumps, mut guards) = (false, SortedSet::new());
        each_ghost_stmt(body, &mut |s| {
            if matches!(&s.kind, StmtKind::Break { .. } | StmtKind::Return) {
                jumps = true;
            } else if let StmtKind::If { guard, .. } | StmtKind::While { guard, .. } = &s.kind {
                guards.extend(self.finder.guard(guard));
            } else if let StmtKind::IfCase(cases) | StmtKind::WhileCase { cases, .. } = &s.kind {
                guards.extend(cases.iter().flat_map(|c| self.finder.guard(&c.guard)));
            } else if let StmtKind::Match { scrutinee, .. } = &s.kind {
                guards.extend(self.finder.reads(scrutinee));
            }
        });
        if jumps {
            reads.extend(guards);
        }
    }
}
