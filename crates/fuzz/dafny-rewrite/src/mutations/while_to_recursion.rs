//! Converts a `while` loop to a call of a method that executes one iteration and calls itself.
//!
//! Variables that the loop assigns become results and parameters. Variables that it reads have to
//! be parameters of the enclosing method. The invariants become precondition and postcondition, and
//! the postcondition includes the negated guard. The measure is the loop's own or inferred from a
//! comparison. The preconditions of the enclosing method are repeated, because the loop may depend
//! on them.
//!
//! Only loops over values are converted: a loop may use everything known about the heap and other
//! variables before it, which a contract would have to repeat. They must be left only at their
//! guard, and call nothing that reaches the enclosing method, whose measure therefore stays the
//! same.

use dafny_resolve::typed::visit::{Visit as VisitTyped, walk_call, walk_expr, walk_stmt};
use dafny_resolve::typed::{
    self, BuiltinMember, CallableId, CallableKind, FieldKind, Local, LocalId, Origin, Type,
};
use dafny_syntax::ast::{
    Assign, BinaryOp, Block, Clause, ClauseKind, Expr, ExprKind, File, Formal, Guard, Member,
    MethodDecl, MethodKind, Modifiers, Name, Span, Spec, Stmt, StmtKind, TopDecl, Update, VarDecl,
};
use dafny_syntax::visit::{Node, Visit};

use super::find::reached;
use crate::build::{
    assign, binary, block, call, clause, formal, ident, if_then, not, paren, rhs, stmt, var,
};
use crate::edit::{add_decl, replace_exprs, replace_stmt};
use crate::facts::Facts;
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::scan::{Context, Look, has_measure, module_span, scan};
use crate::types::Writer;

/// The loops that can be converted.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let mut find = Find {
        work,
        found: Vec::new(),
    };
    scan(work.file, work.facts, &mut find);
    find.found
}

struct Find<'w> {
    work: &'w Work<'w>,
    found: Vec<Place<'w>>,
}

impl<'w> Look<'w> for Find<'w> {
    fn stmts(&mut self, cx: &Context<'w>, stmts: &'w [Stmt]) {
        let (Some(Member::Method(around)), Some(callable)) = (cx.member, cx.callable) else {
            return;
        };
        if around.kind != MethodKind::Method || cx.ghost || cx.proof || cx.bound || cx.apart {
            return;
        }
        for (at, s) in stmts.iter().enumerate() {
            let Some(of) = Loop::of(self.work, callable, around, stmts, at) else {
                continue;
            };
            let (work, cx) = (self.work, cx.clone());
            self.found.push(Place::new(s.span, move |_, names| {
                of.change(work, &cx, s, names)
            }));
        }
    }
}

/// A loop with the data for its method.
struct Loop<'w> {
    guard: &'w Expr,
    spec: &'w Spec,
    body: &'w Block,
    /// The preconditions of the enclosing method.
    requires: Vec<&'w Expr>,
    /// The variables that the loop assigns.
    assigned: Vec<LocalId>,
    /// The parameters that the loop or `requires` reads.
    read: Vec<LocalId>,
    measure: Vec<Expr>,
}

impl<'w> Loop<'w> {
    fn of(
        work: &Work<'_>,
        callable: CallableId,
        around: &'w MethodDecl,
        stmts: &'w [Stmt],
        at: usize,
    ) -> Option<Self> {
        let (facts, program) = (work.facts, work.facts.program);
        let s = stmts.get(at)?;
        let StmtKind::While {
            guard: Guard::Expr(guard),
            spec,
            body: Some(body),
        } = &s.kind
        else {
            return None;
        };
        // Step 1: the loop ends only at its guard, is compiled, and has no frame and no
        // `decreases *`.
        let is_plain = s.labels.is_empty()
            && s.attributes.is_empty()
            && !facts.is_ghost(s)
            && !has_jumps(body);
        let clauses = spec.clauses.iter().chain(&around.spec.clauses);
        let is_known = |c: &Clause| {
            c.attributes.is_empty()
                && !matches!(&c.kind, ClauseKind::Decreases(es) if es.iter().any(is_star))
        };
        let frames = spec
            .clauses
            .iter()
            .any(|c| matches!(c.kind, ClauseKind::Modifies(_) | ClauseKind::Reads(_)));
        if !is_plain || frames || !clauses.into_iter().all(is_known) {
            return None;
        }
        let requires: Vec<&Expr> = around
            .spec
            .clauses
            .iter()
            .filter_map(|c| {
                if let ClauseKind::Requires(e) = &c.kind {
                    Some(e)
                } else {
                    None
                }
            })
            .collect();
        // Step 2: find the variables from outside, including those of the preconditions, which are
        // repeated.
        let mut used = Used {
            facts,
            callable,
            inner: s.span,
            read: Vec::new(),
            assigned: Vec::new(),
            fits: true,
        };
        facts.stmts(s).iter().for_each(|s| used.stmt(s));
        program[callable]
            .spec
            .requires
            .iter()
            .for_each(|c| used.clause(c));
        if !used.fits {
            return None;
        }
        let Used {
            mut read, assigned, ..
        } = used;
        read.retain(|l| !assigned.contains(l));
        // Step 3: variables that are only read have to be parameters, about which nothing else can
        // be known. Assigned ones have to be initialized, because they become parameters as well.
        let is_param = |l: &LocalId| program[callable].ins.iter().any(|i| i.local == *l);
        let is_ready = |l: &LocalId| has_value(facts, stmts.get(..at).unwrap_or_default(), *l);
        if !read.iter().all(is_param) || !assigned.iter().all(is_ready) {
            return None;
        }
        let is_value = |l: &LocalId| !program[*l].ghost && !program.is_reference(&program[*l].ty);
        if !read.iter().chain(&assigned).all(is_value) {
            return None;
        }
        let measure = measure(facts, guard, spec)?;
        Some(Self {
            guard,
            spec,
            body,
            requires,
            assigned,
            read,
            measure,
        })
    }

    fn change<'t>(
        &self,
        work: &Work<'t>,
        cx: &Context<'t>,
        s: &Stmt,
        names: &mut Names,
    ) -> Option<File> {
        let facts = work.facts;
        let writer = Writer {
            work,
            cx,
            owner: None,
        };
        let known = |l: LocalId| -> Option<(&Local, Formal)> {
            let local = &facts.program[l];
            Some((local, formal(&local.name, writer.write(&local.ty)?)))
        };
        let outs: Vec<(&Local, Formal)> = self
            .assigned
            .iter()
            .map(|l| known(*l))
            .collect::<Option<_>>()?;
        let read: Vec<(&Local, Formal)> =
            self.read.iter().map(|l| known(*l)).collect::<Option<_>>()?;
        // Variables with one name become one in the method, so the names have to be unique.
        let mut all: Vec<&Name> = outs.iter().chain(&read).map(|(l, _)| &l.name).collect();
        all.sort();
        all.dedup();
        if all.len() != outs.len() + read.len() || all.iter().any(|n| n.starts_with('_')) {
            return None;
        }
        let name = names.fresh("Rounds");
        // The results have the names of the variables, so the parameters with their initial values
        // need others.
        let before: Vec<Name> = outs.iter().map(|(l, _)| names.fresh(&l.name)).collect();
        let first = |e: &Expr| self.at_entry(facts, e, &before);
        let mut clauses: Vec<Clause> = self
            .requires
            .iter()
            .map(|e| clause(ClauseKind::Requires((*e).clone())))
            .collect();
        let invariants = || {
            self.spec.clauses.iter().filter_map(|c| {
                if let ClauseKind::Invariant(e) = &c.kind {
                    Some(e)
                } else {
                    None
                }
            })
        };
        // The invariants hold at every call and return; the guard is false at the end.
        clauses.extend(invariants().map(|e| clause(ClauseKind::Requires(first(e)))));
        clauses.extend(invariants().map(|e| clause(ClauseKind::Ensures(e.clone()))));
        clauses.push(clause(ClauseKind::Ensures(not(paren(self.guard.clone())))));
        clauses.push(clause(ClauseKind::Decreases(
            self.measure.iter().map(first).collect(),
        )));
        let args = |by: &[Expr]| {
            by.iter()
                .cloned()
                .chain(read.iter().map(|(l, _)| var(&l.name)))
                .collect::<Vec<_>>()
        };
        let own: Vec<Expr> = outs.iter().map(|(l, _)| var(&l.name)).collect();
        let again = update(own.clone(), call(var(&name), args(&own)));
        // One iteration, followed by the recursive call.
        let mut round = self.body.clone();
        round.stmts.push(again.clone());
        let mut code: Vec<Stmt> = outs
            .iter()
            .zip(&before)
            .map(|((l, _), b)| assign(var(&l.name), var(b)))
            .collect();
        code.push(if_then(self.guard.clone(), round));
        let ins = outs.iter().zip(&before).map(|((_, f), b)| Formal {
            name: Some(ident(b)),
            ..f.clone()
        });
        let method = MethodDecl {
            modifiers: Modifiers::default(),
            kind: MethodKind::Method,
            name: Some(ident(&name)),
            type_params: Vec::new(),
            k_type: None,
            ins: ins.chain(read.iter().map(|(_, f)| f.clone())).collect(),
            outs: outs.iter().map(|(_, f)| f.clone()).collect(),
            spec: Spec { clauses },
            body: Some(block(code)),
            is_refining: false,
            head: Span::default(),
            span: Span::default(),
        };
        let mut file = work.file.clone();
        let replaced = replace_stmt(&mut file, s.span, |_| vec![again]);
        (replaced
            && add_decl(
                &mut file,
                module_span(cx),
                TopDecl::Member(Member::Method(method)),
            ))
        .then_some(file)
    }

    /// The expression over the values at the start of the method.
    fn at_entry(&self, facts: &Facts<'_>, e: &Expr, before: &[Name]) -> Expr {
        let mut e = e.clone();
        replace_exprs(&mut e, &mut |part| {
            let at = self
                .assigned
                .iter()
                .position(|l| Some(*l) == facts.local(part))?;
            if matches!(part.kind, ExprKind::Name { .. }) {
                before.get(at).map(|n| var(n))
            } else {
                None
            }
        });
        e
    }
}

/// Builds `x, y := M(…);`, or the call alone.
fn update(lhs: Vec<Expr>, value: Expr) -> Stmt {
    stmt(StmtKind::Update(Update {
        lhs,
        assign: Assign::Rhs(vec![rhs(value)]),
    }))
}

fn is_star(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Wildcard)
}

/// Whether the body of a loop contains a statement that leaves the loop or continues with the next
/// iteration.
fn has_jumps(body: &Block) -> bool {
    struct Jumps(bool);
    impl<'t> Visit<'t> for Jumps {
        fn stmt(&mut self, node: &'t Stmt) {
            let fails = matches!(
                &node.kind,
                StmtKind::Update(Update {
                    assign: Assign::Failure { .. },
                    ..
                }) | StmtKind::VarDecl(VarDecl {
                    init: Some(Assign::Failure { .. }),
                    ..
                })
            );
            self.0 |= fails
                || matches!(
                    node.kind,
                    StmtKind::Break { .. } | StmtKind::Return(_) | StmtKind::Yield(_)
                );
            node.walk(self);
        }
    }
    let mut jumps = Jumps(false);
    body.accept(&mut jumps);
    jumps.0
}

/// The variables of a loop that are declared outside of it, and whether it depends on values only.
struct Used<'a> {
    facts: &'a Facts<'a>,
    callable: CallableId,
    inner: Span,
    read: Vec<LocalId>,
    assigned: Vec<LocalId>,
    fits: bool,
}

impl Used<'_> {
    fn is_outer(&self, local: LocalId) -> bool {
        let span = self.facts.program[local].span;
        span.start < self.inner.start || span.end > self.inner.end
    }

    fn target(&mut self, target: &typed::Target) {
        match target {
            typed::Target::Local(l) if self.is_outer(*l) && !self.assigned.contains(l) => {
                self.assigned.push(*l)
            }
            typed::Target::Local(_) | typed::Target::Discard(_) => {}
            typed::Target::Field { .. } | typed::Target::Element { .. } => self.fits = false,
        }
    }
}

impl<'t> VisitTyped<'t> for Used<'_> {
    fn stmt(&mut self, s: &'t typed::Stmt) {
        use typed::StmtKind as T;
        match &s.kind {
            T::Assign { pairs, .. } => {
                s.kind.targets().into_iter().for_each(|t| self.target(t));
                self.fits &= pairs
                    .iter()
                    .all(|(_, rhs)| matches!(rhs, typed::Rhs::Expr(_)));
            }
            // A method may use the heap.
            T::Call { .. } | T::SuchThat { .. } => {
                s.kind.targets().into_iter().for_each(|t| self.target(t));
                self.fits = false;
            }
            T::Modify { .. } | T::AssignOrFail(_) | T::Error => self.fits = false,
            T::Block(_)
            | T::Assert { .. }
            | T::Assume(_)
            | T::Expect { .. }
            | T::Print(_)
            | T::VarDecl(_)
            | T::AssignPattern { .. } => {}
            T::If { .. }
            | T::IfCase(_)
            | T::Match { .. }
            | T::While { .. }
            | T::WhileCase { .. }
            | T::For { .. }
            | T::Forall { .. } => {}
            T::Break { .. } | T::Return | T::Yield | T::Reveal(_) | T::Calc { .. } => {}
        }
        walk_stmt(self, s);
    }

    fn expr(&mut self, e: &'t typed::Expr) {
        match e.kind.origin() {
            Some(Origin::Local(l)) => {
                if self.is_outer(l) && !self.read.contains(&l) {
                    self.read.push(l);
                }
            }
            Some(Origin::Field(field)) => {
                self.fits &= !matches!(self.facts.program[field].kind, FieldKind::Mutable)
            }
            Some(Origin::Function(_)) => self.fits = false,
            // Handled by `call`.
            Some(Origin::Call(_)) => {}
            Some(Origin::Ctor(..)) | None => {}
        }
        if let typed::ExprKind::Index { object, .. } | typed::ExprKind::Slice { object, .. } =
            &e.kind
        {
            self.fits &= !matches!(object.ty, Type::Array { .. });
        } else if let typed::ExprKind::Builtin { member, .. } = &e.kind {
            self.fits &= !matches!(member, BuiltinMember::FunctionReads);
        }
        self.fits &= e.kind.temporal().is_none();
        self.fits &= !matches!(
            &e.kind,
            typed::ExprKind::This | typed::ExprKind::Lambda(_) | typed::ExprKind::Apply { .. }
        );
        walk_expr(self, e);
    }

    fn call(&mut self, c: &'t typed::Call) {
        let program = self.facts.program;
        let callee = &program[c.callee];
        let is_pure = callee.kind == CallableKind::Function
            && !callee.is_two_state
            && callee.spec.reads.is_empty();
        self.fits &= is_pure && !reached(program, c.callee).contains(&self.callable);
        walk_call(self, c);
    }
}

/// Whether a variable is definitely assigned after the given statements, which precede the loop in
/// its scope.
fn has_value(facts: &Facts<'_>, before: &[Stmt], local: LocalId) -> bool {
    before.iter().any(|s| {
        if let StmtKind::VarDecl(VarDecl {
            vars,
            init: Some(_),
            ..
        }) = &s.kind
        {
            vars.iter().any(|v| facts.declared(&v.name) == Some(local))
        } else {
            matches!(s.kind, StmtKind::Update(_))
                && facts
                    .targets(s)
                    .is_some_and(|all| all.contains(&Some(local)))
        }
    })
}

/// The measure of the loop: the written one, or one inferred from a comparison of integers, as
/// Dafny does (reference manual, "Loop termination").
fn measure(facts: &Facts<'_>, guard: &Expr, spec: &Spec) -> Option<Vec<Expr>> {
    if has_measure(spec) {
        let said = spec.clauses.iter().filter_map(|c| {
            if let ClauseKind::Decreases(es) = &c.kind {
                Some(es.clone())
            } else {
                None
            }
        });
        return Some(said.flatten().collect());
    }
    let ExprKind::Binary(op, a, b) = &guard.without_parens().kind else {
        return None;
    };
    let is_int = |e: &Expr| {
        facts
            .typed(e)
            .is_some_and(|t| facts.program.strip_subset(&t.ty) == Type::Int)
    };
    let (low, high) = if matches!(op, BinaryOp::Lt | BinaryOp::Le) {
        (a, b)
    } else if matches!(op, BinaryOp::Gt | BinaryOp::Ge) {
        (b, a)
    } else {
        return None;
    };
    (is_int(low) && is_int(high)).then(|| {
        vec![binary(
            BinaryOp::Sub,
            paren((**high).clone()),
            paren((**low).clone()),
        )]
    })
}
