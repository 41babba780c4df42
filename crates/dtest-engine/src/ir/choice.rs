//! Choices: what the language leaves open.
//!
//! A choice is `:|`, a variable of `:= *`, where control goes at a `*` or where several guards hold, an element of `new T[n]`, a field
//! or variable that is read before anybody assigned it, and what `modify` leaves. Every activation makes its own. In the IR they are
//! [`Terminator::Choose`], [`StmtKind::SuchThat`] and the expressions like it, [`StmtKind::Havoc`] and [`StmtKind::HavocHeap`], and reads
//! of what has no value. The *rule for choices* takes the first candidate in ascending order, the first block, the default value: tests
//! are made by it. What is claimed of all executions must hold for every other resolution as well.

use super::{ArrayInit, Expr, ExprKind, Procedure, Program, Stmt, StmtKind, Terminator};
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dtest_sorted::{SortedMap, SortedSet};

/// Which callables may make a choice, as far as somebody asked.
#[derive(Clone, Debug, Default)]
pub struct Choosers {
    known: SortedMap<CallableId, bool>,
}

impl Choosers {
    /// Whether a call may give something else when it is made again with the same arguments in the same heap, since a choice lies in what
    /// it executes. Functions among the arguments are another matter: [`Choosers::may_lambda_choose`].
    pub fn may_choose(&mut self, program: &Program, callable: CallableId) -> bool {
        if let Some(known) = self.known.get(&callable) {
            return *known;
        }
        let mut seen = SortedSet::from([callable]);
        let mut work = vec![callable];
        let mut chooses = false;
        while let Some(at) = work.pop() {
            match self.known.get(&at) {
                Some(true) => chooses = true,
                Some(false) => continue,
                None => {
                    let mut look = Look::new(program);
                    look.callable(at);
                    chooses |= look.chooses;
                    work.extend(look.calls.into_iter().filter(|c| seen.insert(*c)));
                }
            }
            if chooses {
                self.known.insert(callable, true);
                return true;
            }
        }
        // Nothing that it leads to does.
        self.known.extend(seen.into_iter().map(|c| (c, false)));
        false
    }

    /// Whether a choice lies in the body of a lambda.
    pub fn may_lambda_choose(&mut self, program: &Program, lambda: u32) -> bool {
        let mut look = Look::new(program);
        program
            .lambdas
            .get(lambda as usize)
            .into_iter()
            .for_each(|l| look.expr(&l.body));
        look.chooses || look.calls.into_iter().any(|c| self.may_choose(program, c))
    }
}

fn holds_functions(ty: &Type) -> bool {
    matches!(ty, Type::Arrow { .. }) || ty.parts().any(holds_functions)
}

/// What the code of one callable does itself, lambdas and constants included.
struct Look<'p> {
    program: &'p Program,
    chooses: bool,
    calls: SortedSet<CallableId>,
    constants: SortedSet<FieldId>,
}

impl<'p> Look<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            chooses: false,
            calls: SortedSet::new(),
            constants: SortedSet::new(),
        }
    }

    fn callable(&mut self, callable: CallableId) {
        if let Some(procedure) = self.program.procedures.get(&callable) {
            self.procedure(procedure);
        }
        if let Some(function) = self.program.functions.get(&callable) {
            self.expr(&function.body);
        }
    }

    fn procedure(&mut self, procedure: &'p Procedure) {
        for block in &procedure.blocks {
            for stmt in &block.stmts {
                if !procedure.is_ghost_assignment(stmt) {
                    self.stmt(stmt);
                }
            }
            match &block.terminator {
                Terminator::Branch { cond, .. } => self.expr(cond),
                Terminator::Choose { among, .. } => self.chooses |= among.len() > 1,
                Terminator::Goto(_) | Terminator::Return | Terminator::Stop => {}
            }
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Assert { .. } | StmtKind::Probe { .. } => return,
            // What has no value yet may be read: fields of new objects, elements of arrays.
            StmtKind::Havoc(_)
            | StmtKind::SuchThat(_)
            | StmtKind::HavocHeap(_)
            | StmtKind::Answer { .. }
            | StmtKind::New { .. }
            | StmtKind::NewArray {
                init: ArrayInit::Default,
                ..
            } => self.chooses = true,
            StmtKind::Call { callee, .. } => self.call(*callee),
            StmtKind::NewArray {
                init: ArrayInit::Function(_) | ArrayInit::Elements(_),
                ..
            }
            | StmtKind::Assume { .. }
            | StmtKind::Assign { .. }
            | StmtKind::SetField { .. }
            | StmtKind::SetElement { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::Unsupported { .. } => {}
        }
        self.all(stmt.operands());
    }

    fn all(&mut self, es: impl IntoIterator<Item = &'p Expr>) {
        es.into_iter().for_each(|e| self.expr(e));
    }

    fn call(&mut self, callee: CallableId) {
        let typed = &self.program.typed;
        let owner = typed[callee]
            .owner
            .filter(|o| typed.is_trait(*o) && !typed[callee].is_static);
        self.calls.insert(callee);
        self.calls.extend(
            owner
                .into_iter()
                .flat_map(|o| typed.implementers(o))
                .map(|t| typed.implementation(t, callee)),
        );
    }

    fn expr(&mut self, e: &'p Expr) {
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            match &e.kind {
                ExprKind::LetSuchThat(..) | ExprKind::IfSuchThat(..) => self.chooses = true,
                // Nobody knows which function somebody has stored.
                ExprKind::ReadField(..) | ExprKind::ReadElement(..) if holds_functions(&e.ty) => {
                    self.chooses = true
                }
                ExprKind::Call { callee, .. } | ExprKind::FunctionRef { callee, .. } => {
                    self.call(*callee)
                }
                ExprKind::Lambda { lambda, .. } | ExprKind::Delay { lambda, .. } => {
                    work.extend(self.program.lambdas.get(*lambda as usize).map(|l| &l.body));
                }
                ExprKind::Const { field, .. } if self.constants.insert(*field) => {
                    work.extend(self.program.constants.get(field).map(|f| &f.body));
                }
                ExprKind::Const { .. }
                | ExprKind::Literal(_)
                | ExprKind::Var(_)
                | ExprKind::Op(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::Implies(..)
                | ExprKind::If(..)
                | ExprKind::Let(..)
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
                | ExprKind::Is(..)
                | ExprKind::Checked(..)
                | ExprKind::OfContract { .. }
                | ExprKind::Unsupported(_) => {}
            }
            work.extend(e.children());
        }
    }
}
