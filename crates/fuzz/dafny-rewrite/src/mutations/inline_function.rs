//! Replaces a function call by the body of the function, with the parameters bound to the
//! arguments: `(var p: T := a; assert P; body)` for a function with the precondition `P`.
//!
//! Only functions of the same module whose body the verifier sees at the call are inlined. They are
//! not opaque, have no type parameters, no postcondition and no constraint on the result (which
//! would be lost), and are neither recursive nor mutually recursive with the caller, so that no
//! measure changes. No name in the body may be captured by a variable or member at the call.

use dafny_resolve::typed::{self, Body, Callable, CallableId, CallableKind, LocalId};
use dafny_syntax::ast::{
    self, ClauseKind, Expr, ExprKind, File, FunctionDecl, Ident, Member, Name, Stmt,
};
use dafny_syntax::visit::{Node, Visit};
use rustc_hash::FxHashSet;

use super::find::{in_exprs, reached};
use crate::build::{assert, expr, let_in, paren, var};
use crate::edit::{replace_expr, replace_exprs};
use crate::mutation::{Place, Work};
use crate::names::Names;

/// The calls of such functions.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let mut functions = Functions(Vec::new());
    work.file.decls.walk(&mut functions);
    let functions = functions.0;
    in_exprs(work, move |cx, e| {
        let ExprKind::Call {
            callee,
            at_label: None,
            args,
        } = &e.kind
        else {
            return None;
        };
        let typed::ExprKind::Call(call) = &work.facts.typed(e)?.kind else {
            return None;
        };
        if !matches!(callee.kind, ExprKind::Name { .. }) || args.iter().any(|a| a.name.is_some()) {
            return None;
        }
        let here = cx.callable?;
        let program = work.facts.program;
        let called = &program[call.callee];
        let decl = *functions.iter().find(|f| f.span == called.full_span)?;
        if !is_visible(work, called, program[here].module == called.module)
            || args.len() != decl.ins.len()
        {
            return None;
        }
        let args: Vec<&Expr> = args.iter().map(|a| &a.value).collect();
        let id = call.callee;
        Some(Place::new(e.span, move |_, names| {
            change(work, e, (here, id), decl, &args, names)
        }))
    })
}

struct Functions<'t>(Vec<&'t FunctionDecl>);

impl<'t> Visit<'t> for Functions<'t> {
    fn member(&mut self, node: &'t Member) {
        if let Member::Function(f) = node {
            self.0.push(f);
        }
    }
}

fn is_visible(work: &Work<'_>, f: &Callable, same_module: bool) -> bool {
    let program = work.facts.program;
    let result = f.outs.first().map(|r| &program[r.local].ty);
    same_module
        && f.kind == CallableKind::Function
        && f.owner.is_none()
        && !f.is_two_state
        && !f.opaque
        && f.type_params.is_empty()
        && f.attributes.is_empty()
        && f.spec.ensures.is_empty()
        && matches!(f.body, Body::Expr(_))
        && f.ins
            .iter()
            .all(|i| !program[i.local].ghost && !i.nameonly && i.default.is_none())
        && result.is_some_and(|t| program.strip_subset(t) == *t)
}

fn change(
    work: &Work<'_>,
    e: &Expr,
    (here, called): (CallableId, CallableId),
    decl: &FunctionDecl,
    args: &[&Expr],
    names: &mut Names,
) -> Option<File> {
    let program = work.facts.program;
    let reachable = reached(program, called);
    if reachable.contains(&called)
        || reachable.contains(&here)
        || here == called
        || is_captured(work, decl)
    {
        return None;
    }
    let params: Vec<LocalId> = program[called].ins.iter().map(|i| i.local).collect();
    let fresh: Vec<Name> = decl
        .ins
        .iter()
        .map(|f| names.fresh(f.name.as_ref().map_or("p", |n| &*n.name)))
        .collect();
    // Names without facts cannot be renamed: code that a ghost condition excludes, and receivers of
    // static members.
    let renamed = |e: &Expr| -> Option<Expr> {
        let (mut e, mut is_known) = (e.clone(), true);
        replace_exprs(&mut e, &mut |part| {
            let ExprKind::Name { .. } = part.kind else {
                return None;
            };
            is_known &= work.facts.typed(part).is_some() || !is_param(decl, part);
            let at = params
                .iter()
                .position(|p| Some(*p) == work.facts.local(part))?;
            fresh.get(at).map(|n| var(n))
        });
        is_known.then_some(e)
    };
    let mut body = renamed(decl.body.as_ref()?)?;
    for clause in decl.spec.clauses.iter().rev() {
        if let ClauseKind::Requires(cond) = &clause.kind {
            let stmt: Stmt = assert(renamed(cond)?);
            body = expr(ExprKind::StmtExpr {
                stmt: Box::new(stmt),
                body: Box::new(body),
            });
        }
    }
    if !decl.ins.is_empty() {
        let bound = fresh
            .iter()
            .zip(&decl.ins)
            .zip(args)
            .map(|((n, f), a)| (n.clone(), Some(f.ty.clone()), (*a).clone()));
        body = let_in(bound.collect(), body);
    }
    let mut file = work.file.clone();
    replace_expr(&mut file, e.span, |_| paren(body)).then_some(file)
}

/// Whether the expression is the name of a parameter.
fn is_param(decl: &FunctionDecl, e: &Expr) -> bool {
    let ExprKind::Name { name, .. } = &e.kind else {
        return false;
    };
    decl.ins
        .iter()
        .filter_map(|f| f.name.as_ref())
        .any(|n| n.name == name.name)
}

/// Whether some name in a function could denote a variable or a member elsewhere.
fn is_captured(work: &Work<'_>, decl: &FunctionDecl) -> bool {
    struct All(FxHashSet<Name>);
    impl<'t> Visit<'t> for All {
        fn ident(&mut self, node: &'t Ident) {
            self.0.insert(node.name.clone());
        }
    }
    let mut used = All(FxHashSet::default());
    decl.body.walk(&mut used);
    decl.spec.walk(&mut used);
    let own: Vec<&str> = decl
        .ins
        .iter()
        .filter_map(|f: &ast::Formal| f.name.as_ref())
        .map(|n| &*n.name)
        .collect();
    let program = work.facts.program;
    let is_outside = |s: &ast::Span| s.start < decl.span.start || s.end > decl.span.end;
    let locals = program
        .locals
        .iter()
        .filter(|l| is_outside(&l.span))
        .map(|l| &*l.name);
    let members = program
        .callables
        .iter()
        .filter(|c| c.owner.is_some())
        .map(|c| &*c.name);
    let fields = program
        .fields
        .iter()
        .filter(|f| f.owner.is_some())
        .map(|f| &*f.name);
    locals
        .chain(members)
        .chain(fields)
        .any(|n| !own.contains(&n) && used.0.contains(n))
}
