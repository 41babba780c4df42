//! What the resolver knows of a parsed tree, by place.
//!
//! Both trees are of one text, so that a span says which node is meant. A module that is refined is in the typed program
//! twice: [`crate::scan`] leaves such modules alone.

use dafny_resolve::typed::visit::{Visit, walk_callable, walk_expr, walk_stmt};
use dafny_resolve::typed::{
    Arena, Callable, CallableId, Expr, ExprKind, Local, LocalId, Program, Rhs, Stmt, StmtKind,
    Target,
};
use dafny_syntax::ast;
use dafny_syntax::source::Span;
use dafny_syntax::visit::{Node as _, Visit as VisitTree};
use rustc_hash::{FxHashMap, FxHashSet};

/// How a variable is assigned, apart from values of expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assigned {
    /// A new object or array.
    pub made: bool,
    /// A result of a method.
    pub called: bool,
    /// By `*`, `:|` or `:-`.
    pub open: bool,
}

/// What is known of the places of a text.
pub struct Facts<'p> {
    /// The typed program.
    pub program: &'p Program,
    exprs: FxHashMap<Span, &'p Expr>,
    /// The outermost parentheses around an expression: the typed expression has their place.
    parentheses: FxHashMap<Span, Span>,
    stmts: FxHashMap<Span, Vec<&'p Stmt>>,
    declared: FxHashMap<Span, Option<LocalId>>,
    callables: FxHashMap<Span, Option<CallableId>>,
    uses: FxHashMap<LocalId, FxHashSet<Span>>,
    assigned: FxHashMap<LocalId, Assigned>,
}

impl<'p> Facts<'p> {
    /// Looks at a whole program, which is that of the parsed `file`.
    pub fn new(program: &'p Program, file: &ast::File) -> Self {
        let mut parentheses = Parentheses(FxHashMap::default());
        file.decls.walk(&mut parentheses);
        let mut facts = Self {
            program,
            exprs: FxHashMap::default(),
            parentheses: parentheses.0,
            stmts: FxHashMap::default(),
            declared: FxHashMap::default(),
            callables: FxHashMap::default(),
            uses: FxHashMap::default(),
            assigned: FxHashMap::default(),
        };
        for (id, Local { span, .. }) in (0..).map(LocalId).zip(&program.locals) {
            facts
                .declared
                .entry(*span)
                .and_modify(|known| *known = None)
                .or_insert(Some(id));
        }
        for id in Arena::<CallableId>::ids(program) {
            facts.callable_facts(id, &program[id]);
        }
        facts
    }

    fn callable_facts(&mut self, id: CallableId, callable: &'p Callable) {
        self.callables
            .entry(callable.full_span)
            .and_modify(|known| *known = None)
            .or_insert(Some(id));
        walk_callable(self, callable);
    }

    /// The typed expression at the place of a parsed one.
    pub fn typed(&self, e: &ast::Expr) -> Option<&'p Expr> {
        let within = e.without_parens().span;
        self.exprs
            .get(self.parentheses.get(&within).unwrap_or(&within))
            .copied()
    }

    /// The variable that an expression names.
    pub fn local(&self, e: &ast::Expr) -> Option<LocalId> {
        match self.typed(e).map(|t| &t.kind) {
            Some(ExprKind::Local(id)) => Some(*id),
            Some(_) | None => None,
        }
    }

    /// What a statement means: several where it is taken apart.
    pub fn stmts(&self, s: &ast::Stmt) -> &[&'p Stmt] {
        self.stmts.get(&s.span).map_or(&[], Vec::as_slice)
    }

    /// Whether a statement is ghost as a whole; unknown statements count as such.
    pub fn is_ghost(&self, s: &ast::Stmt) -> bool {
        self.stmts(s).iter().all(|s| s.ghost)
    }

    /// The variable that is declared by a name.
    pub fn declared(&self, name: &ast::Ident) -> Option<LocalId> {
        self.declared.get(&name.span).copied().flatten()
    }

    /// The function or method of a declaration.
    pub fn callable(&self, declaration: Span) -> Option<CallableId> {
        self.callables.get(&declaration).copied().flatten()
    }

    /// The variables that a statement assigns, one for each left-hand side of the text that is one; `None`: the statement is no assignment.
    pub fn targets(&self, s: &ast::Stmt) -> Option<Vec<Option<LocalId>>> {
        let local = |t: &Target| match t {
            Target::Local(id) => Some(*id),
            Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => None,
        };
        self.stmts(s).iter().find_map(|s| {
            if let StmtKind::Assign { pairs, .. } = &s.kind {
                Some(pairs.iter().map(|(t, _)| local(t)).collect())
            } else if let StmtKind::Call { targets, .. } | StmtKind::SuchThat { targets, .. } =
                &s.kind
            {
                Some(targets.iter().map(local).collect())
            } else {
                None
            }
        })
    }

    /// In which ways a variable is assigned.
    pub fn assigned(&self, local: LocalId) -> Assigned {
        self.assigned.get(&local).copied().unwrap_or_default()
    }

    fn note_targets<'t>(
        &mut self,
        targets: impl IntoIterator<Item = &'t Target>,
        note: impl Fn(&mut Assigned),
    ) {
        for target in targets {
            if let Target::Local(id) = target {
                note(self.assigned.entry(*id).or_default());
            }
        }
    }

    fn assignments(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign { pairs, .. } => {
                for (target, rhs) in pairs {
                    self.note_targets([target], |a| match rhs {
                        Rhs::Expr(_) => {}
                        Rhs::New { .. } | Rhs::NewArray { .. } => a.made = true,
                        Rhs::Havoc(_) => a.open = true,
                    });
                }
            }
            StmtKind::Call { .. } => self.note_targets(s.kind.targets(), |a| a.called = true),
            StmtKind::SuchThat { .. } => self.note_targets(s.kind.targets(), |a| a.open = true),
            StmtKind::AssignOrFail(it) => {
                self.note_targets(s.kind.targets(), |a| a.open = true);
                if let StmtKind::Assign { .. } = &it.compute.kind {
                    self.note_targets(it.compute.kind.targets(), |a| a.open = true);
                }
            }
            StmtKind::Block(_)
            | StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::Expect { .. }
            | StmtKind::Print(_) => {}
            StmtKind::VarDecl(_)
            | StmtKind::AssignPattern { .. }
            | StmtKind::If { .. }
            | StmtKind::IfCase(_)
            | StmtKind::Match { .. } => {}
            StmtKind::While { .. }
            | StmtKind::WhileCase { .. }
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Modify { .. } => {}
            StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. }
            | StmtKind::Error => {}
        }
    }

    /// Where a variable is read.
    pub fn uses(&self, local: LocalId) -> usize {
        self.uses.get(&local).map_or(0, FxHashSet::len)
    }
}

impl<'p> Visit<'p> for Facts<'p> {
    fn expr(&mut self, e: &'p Expr) {
        if let ExprKind::Local(id) = e.kind {
            self.uses.entry(id).or_default().insert(e.span);
        }
        // Parents come first: of several at one place the outermost is what the text says.
        self.exprs.entry(e.span).or_insert(e);
        walk_expr(self, e);
    }

    fn stmt(&mut self, s: &'p Stmt) {
        self.stmts.entry(s.span).or_default().push(s);
        self.assignments(s);
        walk_stmt(self, s);
    }
}

struct Parentheses(FxHashMap<Span, Span>);

impl<'t> VisitTree<'t> for Parentheses {
    fn expr(&mut self, node: &'t ast::Expr) {
        if let ast::ExprKind::Paren(_) = node.kind {
            // Those around come first.
            self.0
                .entry(node.without_parens().span)
                .or_insert(node.span);
        }
        node.walk(self);
    }
}
