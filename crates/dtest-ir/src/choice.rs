//! Nondeterministic choices: what the language leaves open.
//!
//! The choices of the language are `:|`, each variable of `:= *`, the direction of control at a `*`
//! or where several guards hold, the elements of `new T[n]`, a field or variable that is read
//! before it is assigned, and the effect of `modify`. Every activation chooses anew. In the IR they
//! are [`Terminator::Choose`], [`StmtKind::SuchThat`] and the corresponding expressions,
//! [`StmtKind::Havoc`] and [`StmtKind::HavocHeap`], and reads of locations without a value.
//!
//! The *rule for choices* takes the first candidate in ascending order, the first block, the
//! default value. Tests are made by this rule. A claim about all executions must hold for every
//! other resolution as well.
//!
//! Key type: [`Choosers`], which decides whether a callable may choose.

use super::{ArrayInit, Expr, ExprKind, Procedure, Program, Stmt, StmtKind, Terminator};
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dtest_sorted::{SortedMap, SortedSet};

/// A lazily filled table of the callables that may make a nondeterministic choice.
#[derive(Clone, Debug, Default)]
pub struct Choosers {
    known: SortedMap<CallableId, bool>,
}

impl Choosers {
    /// Whether a repeated call with the same arguments in the same heap may give a different
    /// result, because the executed code contains a choice. Functions among the arguments do not
    /// count: see [`Choosers::may_lambda_choose`].
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
        // The traversal is exhaustive, so none of the visited callables leads to a choice.
        self.known.extend(seen.into_iter().map(|c| (c, false)));
        false
    }

    /// Whether the body of a lambda contains a choice.
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

/// A visitor of the code of one callable, including its lambdas and constants.
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
            // New objects and arrays may be read before they have values, which is a choice as
            // well.
            StmtKind::Havoc(_)
            | StmtKind::SuchThat(_)
            | StmtKind::HavocHeap(..)
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
                // The stored function is unknown, so it may choose.
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
