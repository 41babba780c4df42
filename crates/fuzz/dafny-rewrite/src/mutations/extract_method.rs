//! Extracts the value of an assignment to a new method whose postcondition defines the result:
//! `x := e;` becomes `x := M(…);` with
//! `method M(…) returns (r: T) requires … ensures r == e { r := e; }`.
//!
//! The extracted part is chosen at random, with the same preconditions as for functions
//! ([`super::expr_to_func`]). Ghost code is unchanged. So are by-method bodies, because no method
//! may be part of the proof for a function.

use dafny_resolve::typed::Type;
use dafny_syntax::ast::{
    Assign, BinaryOp, ClauseKind, Expr, File, Member, MethodDecl, MethodKind, Modifiers, RhsKind,
    Span, Spec, Stmt, StmtKind, TopDecl, Update, VarDecl,
};

use super::expr_to_func::{Taken, is_compound, take_apart};
use super::variables::is_pure;
use crate::build::{assign, binary, block, call, clause, formal, var};
use crate::edit::{add_decl, replace_expr};
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;
use crate::scan::{Context, Look, module_span, scan};

/// The assignments of a single expression that can be extracted.
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
        let is_code = matches!(cx.member, Some(Member::Method(m)) if m.kind == MethodKind::Method);
        if !is_code || cx.ghost || cx.proof || cx.bound || cx.apart {
            return;
        }
        for s in stmts {
            let Some(e) = value(self.work, s) else {
                continue;
            };
            let (work, cx) = (self.work, cx.clone());
            self.found.push(Place::new(s.span, move |rng, names| {
                change(work, &cx, e, rng, names)
            }));
        }
    }
}

/// The value of an assignment with one right-hand side, unless it determines the type of a
/// variable.
fn value<'w>(work: &Work<'_>, s: &'w Stmt) -> Option<&'w Expr> {
    if work.facts.is_ghost(s) || !is_pure(work.facts, s) {
        return None;
    }
    let (values, is_typed) = if let StmtKind::Update(Update {
        lhs,
        assign: Assign::Rhs(values),
    }) = &s.kind
        && lhs.len() == 1
    {
        (values, true)
    } else if let StmtKind::VarDecl(VarDecl {
        vars,
        init: Some(Assign::Rhs(values)),
        ..
    }) = &s.kind
    {
        match vars.as_slice() {
            [one] => (values, one.ty.is_some()),
            [] | [_, _, ..] => return None,
        }
    } else {
        return None;
    };
    let [value] = values.as_slice() else {
        return None;
    };
    let RhsKind::Expr(e) = &value.kind else {
        return None;
    };
    let typed = work.facts.typed(e)?;
    let program = work.facts.program;
    let is_same = program.strip_subset(&typed.ty) == typed.ty;
    let fits = is_compound(e)
        && !program.is_reference(&typed.ty)
        && !matches!(typed.ty, Type::Arrow { .. });
    (fits && (is_typed || is_same)).then_some(e)
}

fn change<'w>(
    work: &Work<'w>,
    cx: &Context<'w>,
    e: &Expr,
    rng: &mut Random,
    names: &mut Names,
) -> Option<File> {
    let Taken {
        mut names,
        params,
        spec,
        body,
        result,
    } = take_apart(work, cx, e, None, rng, names.clone())?;
    let (name, r) = (names.fresh("Computed"), names.fresh("r"));
    // A method may read everything, so it needs no frame for reads.
    let mut clauses: Vec<_> = spec
        .into_iter()
        .filter(|c| matches!(c.kind, ClauseKind::Requires(_)))
        .collect();
    clauses.push(clause(ClauseKind::Ensures(binary(
        BinaryOp::Eq,
        var(&r),
        body.clone(),
    ))));
    let method = MethodDecl {
        modifiers: Modifiers::default(),
        kind: MethodKind::Method,
        name: Some(crate::build::ident(&name)),
        type_params: Vec::new(),
        k_type: None,
        ins: params
            .iter()
            .map(|p| formal(&p.name, p.ty.clone()))
            .collect(),
        outs: vec![formal(&r, result)],
        spec: Spec { clauses },
        body: Some(block(vec![assign(var(&r), body)])),
        is_refining: false,
        head: Span::default(),
        span: Span::default(),
    };
    let mut file = work.file.clone();
    let replaced = replace_expr(&mut file, e.span, |_| {
        call(var(&name), params.into_iter().map(|p| p.arg).collect())
    });
    (replaced
        && add_decl(
            &mut file,
            module_span(cx),
            TopDecl::Member(Member::Method(method)),
        ))
    .then_some(file)
}
