//! Traversal of a program that keeps track of the context of each place.

use dafny_resolve::typed::CallableId;
use dafny_source::Span;
use dafny_syntax::ast::{
    Attribute, Block, Clause, ConstDecl, Expr, ExprKind, File, FunctionDecl, Guard, GuardedCase,
    Member, MethodDecl, Name, Pattern, QuantifiedVars, Stmt, StmtCase, StmtKind, TopDecl,
};
use dafny_syntax::visit::{Node, Visit};
use rustc_hash::FxHashSet;

use crate::facts::Facts;

/// The context of a place.
#[derive(Clone, Debug, Default)]
pub struct Context<'t> {
    /// The enclosing modules, outermost first.
    pub modules: Vec<&'t dafny_syntax::ast::ModuleDecl>,
    /// The declarations of the innermost module, or of the file.
    pub decls: &'t [TopDecl],
    /// Whether types may be known only by name, because some module has an export set.
    pub hidden: bool,
    /// The enclosing type declaration.
    pub owner: Option<&'t TopDecl>,
    /// The enclosing member.
    pub member: Option<&'t Member>,
    /// The enclosing function or method.
    pub callable: Option<CallableId>,
    /// The enclosing loops of that method, outermost first.
    pub loops: Vec<&'t Stmt>,
    /// Whether the place is not compiled.
    pub ghost: bool,
    /// Whether it is in a clause of a contract or loop.
    pub spec: bool,
    /// Whether it is in an attribute, a type's constraint, a constant or a default value.
    pub apart: bool,
    /// Whether it is under bound variables, or in the condition of `:|`.
    pub bound: bool,
    /// Whether it is in a lambda expression.
    pub lambda: bool,
    /// Whether it is in `old(…)` or another two-state expression.
    pub old: bool,
    /// Whether it is in a `by` block, a `calc` statement, or a statement within an expression.
    pub proof: bool,
    /// Whether it is the guard of a loop from which the verifier infers a measure, or part of a
    /// measure.
    pub measured: bool,
    /// Whether it is before `new;` in a constructor.
    pub before_new: bool,
}

/// A visitor of the places of a program.
pub trait Look<'t> {
    /// Visits a statement list with a scope of its own.
    fn stmts(&mut self, _: &Context<'t>, _: &'t [Stmt]) {}
    /// Visits an expression. Returns whether to visit its subexpressions.
    fn expr(&mut self, _: &Context<'t>, _: &'t Expr) -> bool {
        true
    }
    /// Visits a module or file, to which declarations can be added.
    fn decls(&mut self, _: &Context<'t>) {}
    /// Visits a function or method.
    fn member(&mut self, _: &Context<'t>, _: &'t Member) {}
}

/// Visits all places of a program, except those in modules that take part in refinement and in
/// abstract modules.
pub fn scan<'t>(file: &'t File, facts: &Facts<'_>, look: &mut dyn Look<'t>) {
    let mut bases = Bases::default();
    file.walk(&mut bases);
    let cx = Context {
        decls: &file.decls,
        hidden: sees_less(file, &file.decls),
        ..Context::default()
    };
    let mut scanner = Scanner {
        file,
        facts,
        look,
        cx,
        bases: bases.0,
    };
    scanner.look.decls(&scanner.cx);
    file.decls.walk(&mut scanner);
}

/// The last names of modules that are refined, replaced or imported as abstractions.
#[derive(Default)]
struct Bases(FxHashSet<Name>);

impl<'t> Visit<'t> for Bases {
    fn top_decl(&mut self, node: &'t TopDecl) {
        let target = match node {
            TopDecl::Module(m) => m.base.as_ref().map(|(_, name)| name),
            TopDecl::Import(import) if import.is_abstract => Some(&import.target),
            TopDecl::Import(_)
            | TopDecl::Export(_)
            | TopDecl::Class(_)
            | TopDecl::Datatype(_)
            | TopDecl::Newtype(_)
            | TopDecl::Type(_)
            | TopDecl::Iterator(_)
            | TopDecl::Member(_) => None,
        };
        self.0.extend(
            target
                .and_then(|t| t.segments.last())
                .map(|s| s.name.clone()),
        );
        if let TopDecl::Module(m) = node {
            m.decls.walk(self);
        }
    }
}

struct Scanner<'a, 't> {
    file: &'t File,
    facts: &'a Facts<'a>,
    look: &'a mut dyn Look<'t>,
    cx: Context<'t>,
    bases: FxHashSet<Name>,
}

impl<'t> Scanner<'_, 't> {
    /// Visits something in a changed context.
    fn within(&mut self, change: impl FnOnce(&mut Context<'t>), inside: impl FnOnce(&mut Self)) {
        let before = self.cx.clone();
        change(&mut self.cx);
        inside(self);
        self.cx = before;
    }

    fn list(&mut self, stmts: &'t [Stmt]) {
        self.look.stmts(&self.cx, stmts);
        stmts.iter().for_each(|s| s.accept(self));
    }

    fn method(&mut self, m: &'t MethodDecl) {
        let callable = self.facts.callable(m.span);
        let ghost = callable.is_none_or(|c| self.facts.program[c].ghost);
        self.within(
            |cx| {
                cx.callable = callable;
                cx.ghost = ghost;
            },
            |s| {
                m.modifiers.accept(s);
                s.within(|cx| cx.apart = true, |s| m.ins.accept(s));
                m.spec.accept(s);
                m.body.accept(s);
            },
        );
    }

    fn function(&mut self, f: &'t FunctionDecl) {
        let callable = self.facts.callable(f.span);
        let ghost = callable.is_none_or(|c| self.facts.program[c].ghost);
        self.within(
            |cx| {
                cx.callable = callable;
                cx.ghost = ghost;
            },
            |s| {
                f.modifiers.accept(s);
                s.within(|cx| cx.apart = true, |s| f.ins.accept(s));
                f.spec.accept(s);
                s.within(|cx| cx.ghost |= f.by_method.is_some(), |s| f.body.accept(s));
                f.by_method.accept(s);
            },
        );
    }

    fn is_left_alone(&self, m: &dafny_syntax::ast::ModuleDecl) -> bool {
        let is_base = m
            .name
            .segments
            .last()
            .is_some_and(|s| self.bases.contains(&s.name));
        is_base || m.base.is_some() || m.modifiers.is_abstract || m.modifiers.replaceable
    }

    fn stmt_here(&mut self, s: &'t Stmt) {
        match &s.kind {
            StmtKind::While { guard, spec, body } => {
                let measured = !has_measure(spec);
                self.within(|cx| cx.measured |= measured, |v| v.guard(guard));
                self.within(|cx| cx.loops.push(s), |v| (spec, body).0.accept(v));
                self.within(|cx| cx.loops.push(s), |v| body.accept(v));
            }
            StmtKind::WhileCase { .. } | StmtKind::For { .. } => {
                self.within(|cx| cx.loops.push(s), |v| s.walk(v))
            }
            StmtKind::Forall { vars, spec, body } => {
                self.quantified(vars);
                spec.accept(self);
                self.within(|cx| cx.bound = true, |v| body.accept(v));
            }
            StmtKind::Assert { label: _, cond, by } => {
                self.within(|cx| cx.ghost = true, |v| cond.accept(v));
                self.within(
                    |cx| {
                        cx.ghost = true;
                        cx.proof = true;
                    },
                    |v| by.accept(v),
                );
            }
            StmtKind::Calc { .. }
            | StmtKind::By { .. }
            | StmtKind::Reveal(_)
            | StmtKind::Hide(_)
            | StmtKind::Assume(_) => self.within(
                |cx| {
                    cx.ghost = true;
                    cx.proof = true;
                },
                |v| s.walk(v),
            ),
            StmtKind::If { guard, then, els } => {
                self.guard(guard);
                then.accept(self);
                els.accept(self);
            }
            StmtKind::Update(dafny_syntax::ast::Update { lhs, assign }) => {
                lhs.iter().for_each(|e| self.target(e));
                self.assign(assign);
            }
            StmtKind::VarDecl(d) => {
                d.vars.accept(self);
                d.init.iter().for_each(|a| self.assign(a));
            }
            StmtKind::Block(_)
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::VarPattern { .. }
            | StmtKind::IfCase(_)
            | StmtKind::Match { .. }
            | StmtKind::Break { .. }
            | StmtKind::Return(_)
            | StmtKind::Yield(_)
            | StmtKind::Modify { .. }
            | StmtKind::Opaque { .. }
            | StmtKind::Skeleton => s.walk(self),
        }
    }

    /// Visits the subexpressions of an assignment target. The target itself is no expression.
    fn target(&mut self, target: &'t Expr) {
        if matches!(
            &target.kind,
            ExprKind::Select { .. } | ExprKind::Index { .. }
        ) {
            target.walk(self);
        }
    }

    fn assign(&mut self, assign: &'t dafny_syntax::ast::Assign) {
        let is_open = matches!(assign, dafny_syntax::ast::Assign::SuchThat { .. });
        self.within(|cx| cx.bound |= is_open, |v| assign.accept(v));
    }

    fn guard(&mut self, guard: &'t Guard) {
        let is_open = matches!(guard, Guard::Binding { .. });
        self.within(|cx| cx.bound |= is_open, |v| guard.accept(v));
    }

    fn quantified(&mut self, vars: &'t QuantifiedVars) {
        self.within(|cx| cx.bound = true, |v| vars.accept(v));
    }
}

/// Whether the contract of a loop has a measure.
pub(crate) fn has_measure(spec: &dafny_syntax::ast::Spec) -> bool {
    spec.clauses
        .iter()
        .any(|c| matches!(c.kind, dafny_syntax::ast::ClauseKind::Decreases(_)))
}

impl<'t> Visit<'t> for Scanner<'_, 't> {
    fn top_decl(&mut self, node: &'t TopDecl) {
        match node {
            TopDecl::Module(m) => {
                if !self.is_left_alone(m) {
                    let hidden = sees_less(self.file, &m.decls);
                    self.within(
                        |cx| {
                            cx.modules.push(m);
                            cx.decls = &m.decls;
                            cx.hidden = hidden;
                        },
                        |s| {
                            s.look.decls(&s.cx);
                            m.decls.accept(s);
                        },
                    );
                }
            }
            TopDecl::Member(member) => member.accept(self),
            TopDecl::Iterator(_) => {}
            TopDecl::Class(_) | TopDecl::Datatype(_) | TopDecl::Newtype(_) | TopDecl::Type(_) => {
                self.within(|cx| cx.owner = Some(node), |s| node.walk(s));
            }
            TopDecl::Import(_) | TopDecl::Export(_) => {}
        }
    }

    fn member(&mut self, node: &'t Member) {
        self.within(
            |cx| cx.member = Some(node),
            |s| {
                s.look.member(&s.cx, node);
                match node {
                    Member::Method(m) => s.method(m),
                    Member::Function(f) => s.function(f),
                    Member::Field(_) => {}
                    Member::Const(ConstDecl { value, .. }) => {
                        s.within(|cx| cx.apart = true, |s| value.accept(s))
                    }
                }
            },
        );
    }

    fn attribute(&mut self, node: &'t Attribute) {
        self.within(|cx| cx.apart = true, |s| node.walk(s));
    }

    fn clause(&mut self, node: &'t Clause) {
        let measured = matches!(node.kind, dafny_syntax::ast::ClauseKind::Decreases(_));
        self.within(
            |cx| {
                cx.spec = true;
                cx.ghost = true;
                cx.measured |= measured;
            },
            |s| node.walk(s),
        );
    }

    fn block(&mut self, node: &'t Block) {
        let Some(at) = node.divided_at else {
            return self.list(&node.stmts);
        };
        self.look.stmts(&self.cx, &node.stmts);
        for (i, stmt) in node.stmts.iter().enumerate() {
            self.within(|cx| cx.before_new |= i < at, |s| stmt.accept(s));
        }
    }

    /// A literal in a pattern is no expression: nothing can replace it.
    fn pattern(&mut self, _: &'t Pattern) {}

    fn guarded_case(&mut self, node: &'t GuardedCase) {
        node.attributes.accept(self);
        self.guard(&node.guard);
        self.list(&node.body);
    }

    fn stmt_case(&mut self, node: &'t StmtCase) {
        node.attributes.accept(self);
        self.list(&node.body);
    }

    fn stmt(&mut self, node: &'t Stmt) {
        let ghost = self.facts.is_ghost(node);
        self.within(
            |cx| cx.ghost |= ghost,
            |s| {
                node.attributes.accept(s);
                s.stmt_here(node);
            },
        );
    }

    fn expr(&mut self, node: &'t Expr) {
        if !self.look.expr(&self.cx, node) {
            return;
        }
        if matches!(
            &node.kind,
            ExprKind::Quantifier { .. }
                | ExprKind::SetComp { .. }
                | ExprKind::MapComp { .. }
                | ExprKind::LetSuchThat { .. }
        ) {
            self.within(|cx| cx.bound = true, |s| node.walk(s));
        } else if matches!(&node.kind, ExprKind::Lambda { .. }) {
            self.within(|cx| cx.lambda = true, |s| node.walk(s))
        } else if matches!(
            &node.kind,
            ExprKind::Old { .. }
                | ExprKind::Fresh { .. }
                | ExprKind::Unchanged { .. }
                | ExprKind::Allocated(_)
        ) {
            self.within(|cx| cx.old = true, |s| node.walk(s));
        } else if let ExprKind::StmtExpr { stmt, body } = &node.kind {
            self.within(|cx| cx.proof = true, |s| stmt.accept(s));
            body.accept(self);
        } else if let ExprKind::If { guard, then, els } = &node.kind {
            self.guard(guard);
            then.accept(self);
            els.accept(self);
        } else {
            node.walk(self)
        }
    }
}

/// The span of the innermost module of a place. `None` for the file.
pub fn module_span(cx: &Context<'_>) -> Option<Span> {
    cx.modules.last().map(|m| m.span)
}

/// Whether some imported module, or one in these declarations, has an export set. A type may then
/// be known by name in one place and by definition in another.
fn sees_less(file: &File, decls: &[TopDecl]) -> bool {
    decls.iter().any(|d| match d {
        TopDecl::Import(import) => {
            let path: Vec<_> = import
                .target
                .segments
                .iter()
                .map(|s| s.name.clone())
                .collect();
            import.is_abstract || !import.exports.is_empty() || has_exports(&file.decls, &path)
        }
        // The module can be referenced without an import.
        TopDecl::Module(m) => m.base.is_some() || has_exports(&m.decls, &[]),
        TopDecl::Export(_)
        | TopDecl::Class(_)
        | TopDecl::Datatype(_)
        | TopDecl::Newtype(_)
        | TopDecl::Type(_)
        | TopDecl::Iterator(_)
        | TopDecl::Member(_) => false,
    })
}

/// Whether the module at a path has an export set.
fn has_exports(decls: &[TopDecl], path: &[Name]) -> bool {
    let Some((first, rest)) = path.split_first() else {
        // The import may give access to another module with an export set.
        let says = |d: &TopDecl| {
            matches!(d, TopDecl::Export(_))
                || matches!(d, TopDecl::Import(i) if !i.exports.is_empty() || i.is_abstract)
        };
        return decls.iter().any(says);
    };
    decls.iter().any(|d| match d {
        TopDecl::Module(m) => match m.name.segments.as_slice() {
            // A refined module may have an export set.
            [only] if only.name == *first => m.base.is_some() || has_exports(&m.decls, rest),
            [_] => false,
            // The module is declared separately from the enclosing one.
            [..] => true,
        },
        TopDecl::Import(_)
        | TopDecl::Export(_)
        | TopDecl::Class(_)
        | TopDecl::Datatype(_)
        | TopDecl::Newtype(_)
        | TopDecl::Type(_)
        | TopDecl::Iterator(_)
        | TopDecl::Member(_) => false,
    })
}
