//! Walks over typed expressions and statements.

use rustc_hash::FxHashSet;

use crate::typed::{
    ArrayInit, Block, Domain, Expr, ExprKind, Guard, LocalId, OnFailure, Pattern, PatternKind, Quantified, Rhs, Stmt, StmtKind, Target,
};

/// Calls `f` for the expression and everything in it, outer before inner. Ghost statements in expressions are passed by.
pub(super) fn each_expr<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::This | ExprKind::Wildcard | ExprKind::Error => {}
        ExprKind::Field { object, .. } => object.iter().for_each(|o| each_expr(o, f)),
        ExprKind::Builtin { object, .. } | ExprKind::CtorTest { object, .. } | ExprKind::TupleField { object, .. } => each_expr(object, f),
        ExprKind::Construct { args, .. }
        | ExprKind::Tuple(args)
        | ExprKind::SeqDisplay(args)
        | ExprKind::SetDisplay(args)
        | ExprKind::MultisetDisplay(args) => args.iter().for_each(|a| each_expr(a, f)),
        ExprKind::Call(c) => {
            c.receiver.iter().for_each(|r| each_expr(r, f));
            c.args.iter().for_each(|a| each_expr(a, f));
        }
        ExprKind::FunctionRef { receiver, .. } => receiver.iter().for_each(|r| each_expr(r, f)),
        ExprKind::Apply { function, args } => {
            each_expr(function, f);
            args.iter().for_each(|a| each_expr(a, f));
        }
        ExprKind::Index { object, indices } => {
            each_expr(object, f);
            indices.iter().for_each(|a| each_expr(a, f));
        }
        ExprKind::Slice { object, from, to } => {
            each_expr(object, f);
            from.iter().chain(to).for_each(|a| each_expr(a, f));
        }
        ExprKind::SliceLengths { object, lengths, .. } => {
            each_expr(object, f);
            lengths.iter().for_each(|a| each_expr(a, f));
        }
        ExprKind::Update { object, key, value } => [object, key, value].into_iter().for_each(|a| each_expr(a, f)),
        ExprKind::DatatypeUpdate { object, updates, .. } => {
            each_expr(object, f);
            updates.iter().for_each(|(_, a)| each_expr(a, f));
        }
        ExprKind::TupleUpdate { object, updates } => {
            each_expr(object, f);
            updates.iter().for_each(|(_, a)| each_expr(a, f));
        }
        ExprKind::Unary(_, a)
        | ExprKind::Convert(a)
        | ExprKind::Is(a, _)
        | ExprKind::Cardinality(a)
        | ExprKind::MultisetFrom(a)
        | ExprKind::Allocated(a)
        | ExprKind::Assigned(a)
        | ExprKind::Delayed(a)
        | ExprKind::Old { expr: a, .. }
        | ExprKind::Fresh { expr: a, .. } => each_expr(a, f),
        ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|a| each_expr(a, f)),
        ExprKind::Chain { first, rest } => {
            each_expr(first, f);
            rest.iter().for_each(|(_, a)| each_expr(a, f));
        }
        ExprKind::PrefixEq { limit, left, right, .. } => [limit, left, right].into_iter().for_each(|a| each_expr(a, f)),
        ExprKind::MapDisplay(pairs) => pairs.iter().for_each(|(k, v)| {
            each_expr(k, f);
            each_expr(v, f);
        }),
        ExprKind::SeqConstruct { len, init } => [len, init].into_iter().for_each(|a| each_expr(a, f)),
        ExprKind::SetComp { vars, term } => {
            each_in_quantified(vars, f);
            each_expr(term, f);
        }
        ExprKind::MapComp { vars, key, value } => {
            each_in_quantified(vars, f);
            each_expr(key, f);
            each_expr(value, f);
        }
        ExprKind::Quantifier { vars, body, .. } | ExprKind::LetSuchThat { vars, body, .. } => {
            each_in_quantified(vars, f);
            each_expr(body, f);
        }
        ExprKind::IfBinding { vars, then, els } => {
            each_in_quantified(vars, f);
            each_expr(then, f);
            each_expr(els, f);
        }
        ExprKind::Lambda(l) => each_expr(&l.body, f),
        ExprKind::If { cond, then, els } => [cond, then, els].into_iter().for_each(|a| each_expr(a, f)),
        ExprKind::Match { scrutinee, cases } => {
            each_expr(scrutinee, f);
            for c in cases {
                each_in_pattern(&c.pattern, f);
                each_expr(&c.body, f);
            }
        }
        ExprKind::Let { bindings, body, .. } => {
            for (p, a) in bindings {
                each_in_pattern(p, f);
                each_expr(a, f);
            }
            each_expr(body, f);
        }
        ExprKind::LetOrFail(l) => {
            [&l.value, &l.is_failure, &l.propagate, &l.body].into_iter().for_each(|a| each_expr(a, f));
            l.extract.iter().for_each(|a| each_expr(a, f));
            l.pattern.iter().for_each(|p| each_in_pattern(p, f));
        }
        ExprKind::StmtExpr { stmt, body } => {
            if !stmt.ghost {
                each_expr_of_stmt(stmt, f);
            }
            each_expr(body, f);
        }
        ExprKind::Unchanged { frame, .. } => frame.iter().filter_map(|x| x.object.as_ref()).for_each(|a| each_expr(a, f)),
    }
}

fn each_in_pattern<'a>(p: &'a Pattern, f: &mut dyn FnMut(&'a Expr)) {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Var(_) => {}
        PatternKind::Ctor { args, .. } => args.iter().for_each(|p| each_in_pattern(p, f)),
        PatternKind::Tuple(ps) | PatternKind::Or(ps) => ps.iter().for_each(|p| each_in_pattern(p, f)),
        PatternKind::Value(e) => each_expr(e, f),
    }
}

fn each_in_quantified<'a>(q: &'a Quantified, f: &mut dyn FnMut(&'a Expr)) {
    q.range.iter().for_each(|r| each_expr(r, f));
    for bound in q.bounds.iter().flatten() {
        match &bound.domain {
            Domain::IntRange { low, high } => low.iter().chain(high).for_each(|e| each_expr(e, f)),
            Domain::Exact(e) | Domain::Elements(e) | Domain::SubsetsOf(e) | Domain::PrefixesOf(e) | Domain::SubtermsOf(e) => {
                each_expr(e, f)
            }
            Domain::AllValues(_) => {}
        }
    }
}

/// Calls `f` for the statement and every compiled statement in it.
pub(super) fn each_stmt<'a>(s: &'a Stmt, f: &mut dyn FnMut(&'a Stmt)) {
    if s.ghost {
        return;
    }
    f(s);
    let block = |b: &'a Block, f: &mut dyn FnMut(&'a Stmt)| b.stmts.iter().for_each(|s| each_stmt(s, f));
    match &s.kind {
        StmtKind::Block(b) => block(b, f),
        StmtKind::If { then, els, .. } => {
            block(then, f);
            if let Some(e) = els {
                each_stmt(e, f);
            }
        }
        StmtKind::IfCase(cases) | StmtKind::WhileCase { cases, .. } => cases.iter().for_each(|c| block(&c.body, f)),
        StmtKind::While { body, .. } | StmtKind::For { body, .. } | StmtKind::Forall { body, .. } | StmtKind::Modify { body, .. } => {
            body.iter().for_each(|b| block(b, f));
        }
        StmtKind::Match { cases, .. } => cases.iter().for_each(|c| block(&c.body, f)),
        StmtKind::AssignOrFail(a) => each_stmt(&a.compute, f),
        StmtKind::Assert { .. }
        | StmtKind::Assume(_)
        | StmtKind::Expect { .. }
        | StmtKind::Print(_)
        | StmtKind::VarDecl(_)
        | StmtKind::Assign { .. }
        | StmtKind::AssignPattern { .. }
        | StmtKind::Call { .. }
        | StmtKind::SuchThat { .. }
        | StmtKind::Break { .. }
        | StmtKind::Return
        | StmtKind::Yield
        | StmtKind::Reveal(_)
        | StmtKind::Calc { .. }
        | StmtKind::Error => {}
    }
}

/// Calls `f` for every expression that the statement evaluates at run time.
pub(super) fn each_expr_of_stmt<'a>(s: &'a Stmt, f: &mut dyn FnMut(&'a Expr)) {
    let mut exprs: Vec<&'a Expr> = Vec::new();
    each_stmt(s, &mut |s| match &s.kind {
        StmtKind::Expect { cond, message } => {
            exprs.push(cond);
            exprs.extend(message);
        }
        StmtKind::Print(es) => exprs.extend(es),
        StmtKind::Assign { pairs, .. } => {
            for (target, rhs) in pairs {
                exprs.extend(target_exprs(target));
                match rhs {
                    Rhs::Expr(e) => exprs.push(e),
                    Rhs::Havoc(_) => {}
                    Rhs::New { ctor, .. } => exprs.extend(ctor.iter().flat_map(|c| &c.args)),
                    Rhs::NewArray { dims, init, .. } => {
                        exprs.extend(dims);
                        match init {
                            ArrayInit::Default => {}
                            ArrayInit::Function(e) => exprs.push(e),
                            ArrayInit::Elements(es) => exprs.extend(es),
                        }
                    }
                }
            }
        }
        StmtKind::AssignPattern { value, .. } => exprs.push(value),
        StmtKind::Call { targets, call, .. } => {
            exprs.extend(targets.iter().flat_map(target_exprs));
            exprs.extend(call.receiver.as_deref());
            exprs.extend(&call.args);
        }
        StmtKind::SuchThat { targets, vars, .. } => {
            exprs.extend(targets.iter().flat_map(target_exprs));
            each_in_quantified(vars, &mut |e| exprs.push(e));
        }
        StmtKind::AssignOrFail(a) => {
            exprs.push(&a.is_failure);
            match &a.on_failure {
                OnFailure::Propagate { value, .. } => exprs.push(value),
                OnFailure::Expect | OnFailure::Assert | OnFailure::Assume => {}
            }
            if let Some((target, e)) = &a.extract {
                exprs.extend(target_exprs(target));
                exprs.push(e);
            }
        }
        StmtKind::If { guard, .. } | StmtKind::While { guard, .. } => guard_exprs(guard, &mut exprs),
        StmtKind::IfCase(cases) | StmtKind::WhileCase { cases, .. } => cases.iter().for_each(|c| guard_exprs(&c.guard, &mut exprs)),
        StmtKind::For { from, to, .. } => {
            exprs.push(from);
            exprs.extend(to);
        }
        StmtKind::Forall { vars, .. } => each_in_quantified(vars, &mut |e| exprs.push(e)),
        StmtKind::Match { scrutinee, .. } => exprs.push(scrutinee),
        StmtKind::Block(_)
        | StmtKind::Assert { .. }
        | StmtKind::Assume(_)
        | StmtKind::VarDecl(_)
        | StmtKind::Break { .. }
        | StmtKind::Return
        | StmtKind::Yield
        | StmtKind::Modify { .. }
        | StmtKind::Reveal(_)
        | StmtKind::Calc { .. }
        | StmtKind::Error => {}
    });
    exprs.into_iter().for_each(|e| each_expr(e, f));
}

fn guard_exprs<'a>(guard: &'a Guard, exprs: &mut Vec<&'a Expr>) {
    match guard {
        Guard::Expr(e) => exprs.push(e),
        Guard::Star => {}
        Guard::Binding(q) => each_in_quantified(q, &mut |e| exprs.push(e)),
    }
}

fn target_exprs(target: &Target) -> Vec<&Expr> {
    match target {
        Target::Local(_) | Target::Discard(_) => Vec::new(),
        Target::Field { object, .. } => vec![object],
        Target::Element { array, indices } => std::iter::once(array).chain(indices).collect(),
    }
}

/// The variables that the compiled part of a block assigns, other than in their declaration, with how often.
pub(super) fn assigned(block: &Block) -> Vec<LocalId> {
    let mut found = Vec::new();
    for s in &block.stmts {
        each_stmt(s, &mut |s| {
            let targets: Vec<&Target> = match &s.kind {
                StmtKind::Assign { declares, pairs } => {
                    pairs.iter().map(|(t, _)| t).filter(|t| !matches!(t, Target::Local(l) if declares.contains(l))).collect()
                }
                StmtKind::Call { declares, targets, .. } | StmtKind::SuchThat { declares, targets, .. } => {
                    targets.iter().filter(|t| !matches!(t, Target::Local(l) if declares.contains(l))).collect()
                }
                StmtKind::AssignOrFail(a) => {
                    if let OnFailure::Propagate { out, .. } = &a.on_failure {
                        found.push(*out);
                    }
                    a.extract.iter().map(|(t, _)| t).filter(|t| !matches!(t, Target::Local(l) if a.declares.contains(l))).collect()
                }
                StmtKind::Block(_)
                | StmtKind::Assert { .. }
                | StmtKind::Assume(_)
                | StmtKind::Expect { .. }
                | StmtKind::Print(_)
                | StmtKind::VarDecl(_)
                | StmtKind::AssignPattern { .. }
                | StmtKind::If { .. }
                | StmtKind::IfCase(_)
                | StmtKind::While { .. }
                | StmtKind::WhileCase { .. }
                | StmtKind::For { .. }
                | StmtKind::Forall { .. }
                | StmtKind::Match { .. }
                | StmtKind::Break { .. }
                | StmtKind::Return
                | StmtKind::Yield
                | StmtKind::Modify { .. }
                | StmtKind::Reveal(_)
                | StmtKind::Calc { .. }
                | StmtKind::Error => Vec::new(),
            };
            found.extend(targets.into_iter().filter_map(|t| match t {
                Target::Local(l) => Some(*l),
                Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => None,
            }));
        });
    }
    found
}

/// The variables that an expression mentions, in order of first mention, and whether it mentions `this`.
pub(super) fn mentioned(e: &Expr) -> (Vec<LocalId>, bool) {
    let (mut seen, mut order, mut this) = (FxHashSet::default(), Vec::new(), false);
    each_expr(e, &mut |e| {
        if let ExprKind::Local(l) = &e.kind {
            if seen.insert(*l) {
                order.push(*l);
            }
        } else if matches!(e.kind, ExprKind::This) {
            this = true;
        }
    });
    (order, this)
}
