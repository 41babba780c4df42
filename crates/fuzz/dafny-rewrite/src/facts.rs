//! The resolver's facts about a syntax tree, by span.
//!
//! The syntax tree and the typed tree come from the same text, so a span identifies the
//! corresponding nodes. A refined module occurs twice in the typed program; [`crate::scan`] skips
//! such modules.

use dafny_resolve::typed::visit::{Visit, walk_callable, walk_expr, walk_stmt};
use dafny_resolve::typed::{
    Arena, Callable, CallableId, Expr, ExprKind, Local, LocalId, Program, Rhs, Stmt, StmtKind,
    Target,
};
use dafny_source::Span;
use dafny_syntax::ast;
use dafny_syntax::visit::{Node as _, Visit as VisitTree};
use rustc_hash::{FxHashMap, FxHashSet};

/// The kinds of assignments to a variable, apart from values of expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assigned {
    /// Whether it is assigned a new object or array.
    pub made: bool,
    /// Whether it is assigned a result of a method.
    pub called: bool,
    /// Whether it is assigned by `*`, `:|` or `:-`.
    pub open: bool,
}

/// Facts about the nodes of a text.
pub struct Facts<'p> {
    /// The typed program.
    pub program: &'p Program,
    exprs: FxHashMap<Span, &'p Expr>,
    /// The outermost parentheses around an expression, whose span the typed expression has.
    parentheses: FxHashMap<Span, Span>,
    stmts: FxHashMap<Span, Vec<&'p Stmt>>,
    declared: FxHashMap<Span, Option<LocalId>>,
    callables: FxHashMap<Span, Option<CallableId>>,
    uses: FxHashMap<LocalId, FxHashSet<Span>>,
    assigned: FxHashMap<LocalId, Assigned>,
}

impl<'p> Facts<'p> {
    /// Collects the facts about a whole program. `file` is its syntax tree.
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

    /// The typed expression that corresponds to a parsed one.
    pub fn typed(&self, e: &ast::Expr) -> Option<&'p Expr> {
        let within = e.without_parens().span;
        self.exprs
            .get(self.parentheses.get(&within).unwrap_or(&within))
            .copied()
    }

    /// The variable that an expression denotes.
    pub fn local(&self, e: &ast::Expr) -> Option<LocalId> {
        match self.typed(e).map(|t| &t.kind) {
            Some(ExprKind::Local(id)) => Some(*id),
            Some(_) | None => None,
        }
    }

    /// The typed statements that correspond to a parsed one. There are several if it was desugared.
    pub fn stmts(&self, s: &ast::Stmt) -> &[&'p Stmt] {
        self.stmts.get(&s.span).map_or(&[], Vec::as_slice)
    }

    /// Whether the whole statement is ghost. Unknown statements count as ghost.
    pub fn is_ghost(&self, s: &ast::Stmt) -> bool {
        self.stmts(s).iter().all(|s| s.ghost)
    }

    /// The variable that a name declares.
    pub fn declared(&self, name: &ast::Ident) -> Option<LocalId> {
        self.declared.get(&name.span).copied().flatten()
    }

    /// The function or method with the declaration at a span.
    pub fn callable(&self, declaration: Span) -> Option<CallableId> {
        self.callables.get(&declaration).copied().flatten()
    }

    /// The variables that a statement assigns, one entry for each left-hand side. An entry is
    /// `None` if the left-hand side is no variable. Returns `None` if the statement is no
    /// assignment.
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

    /// The kinds of assignments to a variable.
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

    /// The number of reads of a variable.
    pub fn uses(&self, local: LocalId) -> usize {
        self.uses.get(&local).map_or(0, FxHashSet::len)
    }
}

impl<'p> Visit<'p> for Facts<'p> {
    fn expr(&mut self, e: &'p Expr) {
        if let ExprKind::Local(id) = e.kind {
            self.uses.entry(id).or_default().insert(e.span);
        }
        // Parents are visited first. Of several expressions with one span, the outermost
        // corresponds to the text.
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
            // Enclosing statements are visited first.
            self.0
                .entry(node.without_parens().span)
                .or_insert(node.span);
        }
        node.walk(self);
    }
}
