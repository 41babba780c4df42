//! Walking over typed trees to change them in place.

use rustc_hash::FxHashMap;

use crate::typed::{
    ArrayInit, Block, Call, Clause, Domain, Expr, ExprKind, Frame, Guard, LocalId, LoopSpec, OnFailure, Pattern, PatternKind, Quantified,
    Rhs, Stmt, StmtKind, Substitution, Target, Type,
};

use super::expr::{RED_ZONE, STACK};

/// What is done at each node; the defaults only go on.
pub(super) trait Rewrite {
    /// A type.
    fn ty(&mut self, _ty: &mut Type) {}
    /// An expression; an override calls [`walk_expr`] where it wants to go on.
    fn expr(&mut self, e: &mut Expr) {
        walk_expr(self, e);
    }
    /// A statement.
    fn stmt(&mut self, s: &mut Stmt) {
        walk_stmt(self, s);
    }
    /// A pattern.
    fn pattern(&mut self, p: &mut Pattern) {
        walk_pattern(self, p);
    }
    /// Bound variables, after their range was walked.
    fn quantified(&mut self, q: &mut Quantified) {
        walk_quantified(self, q);
    }
}

fn types<R: Rewrite + ?Sized>(r: &mut R, ts: &mut [Type]) {
    for t in ts {
        r.ty(t);
    }
}

fn exprs<R: Rewrite + ?Sized>(r: &mut R, es: &mut [Expr]) {
    for e in es {
        r.expr(e);
    }
}

pub(super) fn walk_call<R: Rewrite + ?Sized>(r: &mut R, c: &mut Call) {
    if let Some(x) = &mut c.receiver {
        r.expr(x);
    }
    types(r, &mut c.type_args);
    exprs(r, &mut c.args);
}

pub(super) fn walk_frames<R: Rewrite + ?Sized>(r: &mut R, fs: &mut [Frame]) {
    for f in fs {
        if let Some(o) = &mut f.object {
            r.expr(o);
        }
    }
}

pub(super) fn walk_clauses<R: Rewrite + ?Sized>(r: &mut R, cs: &mut [Clause]) {
    for c in cs {
        r.expr(&mut c.cond);
    }
}

pub(super) fn walk_pattern<R: Rewrite + ?Sized>(r: &mut R, p: &mut Pattern) {
    r.ty(&mut p.ty);
    match &mut p.kind {
        PatternKind::Wildcard | PatternKind::Var(_) => {}
        PatternKind::Ctor { args, .. } | PatternKind::Tuple(args) | PatternKind::Or(args) => args.iter_mut().for_each(|a| r.pattern(a)),
        PatternKind::Value(e) => r.expr(e),
    }
}

pub(super) fn walk_quantified<R: Rewrite + ?Sized>(r: &mut R, q: &mut Quantified) {
    if let Some(e) = &mut q.range {
        r.expr(e);
    }
    for b in q.bounds.iter_mut().flatten() {
        match &mut b.domain {
            Domain::IntRange { low, high } => {
                for e in [low, high].into_iter().flatten() {
                    r.expr(e);
                }
            }
            Domain::Exact(e) | Domain::Elements(e) | Domain::SubsetsOf(e) | Domain::PrefixesOf(e) | Domain::SubtermsOf(e) => r.expr(e),
            Domain::AllValues(t) => r.ty(t),
        }
    }
}

pub(super) fn walk_expr<R: Rewrite + ?Sized>(r: &mut R, e: &mut Expr) {
    stacker::maybe_grow(RED_ZONE, STACK, || walk_expr_here(r, e));
}

fn walk_expr_here<R: Rewrite + ?Sized>(r: &mut R, e: &mut Expr) {
    r.ty(&mut e.ty);
    match &mut e.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::This | ExprKind::Wildcard | ExprKind::Error => {}
        ExprKind::Field { object, type_args, .. } => {
            if let Some(o) = object {
                r.expr(o);
            }
            types(r, type_args);
        }
        ExprKind::Builtin { object, .. } | ExprKind::CtorTest { object, .. } | ExprKind::TupleField { object, .. } => r.expr(object),
        ExprKind::Construct { args, .. } => exprs(r, args),
        ExprKind::Call(c) => walk_call(r, c),
        ExprKind::FunctionRef { receiver, type_args, .. } => {
            if let Some(x) = receiver {
                r.expr(x);
            }
            types(r, type_args);
        }
        ExprKind::Apply { function, args } => {
            r.expr(function);
            exprs(r, args);
        }
        ExprKind::Index { object, indices } => {
            r.expr(object);
            exprs(r, indices);
        }
        ExprKind::Slice { object, from, to } => {
            r.expr(object);
            for x in [from, to].into_iter().flatten() {
                r.expr(x);
            }
        }
        ExprKind::SliceLengths { object, lengths, .. } => {
            r.expr(object);
            exprs(r, lengths);
        }
        ExprKind::Update { object, key, value } => {
            r.expr(object);
            r.expr(key);
            r.expr(value);
        }
        ExprKind::DatatypeUpdate { object, updates, .. } => {
            r.expr(object);
            updates.iter_mut().for_each(|(_, v)| r.expr(v));
        }
        ExprKind::TupleUpdate { object, updates } => {
            r.expr(object);
            updates.iter_mut().for_each(|(_, v)| r.expr(v));
        }
        ExprKind::Unary(_, x)
        | ExprKind::Convert(x)
        | ExprKind::Cardinality(x)
        | ExprKind::MultisetFrom(x)
        | ExprKind::Allocated(x)
        | ExprKind::Assigned(x)
        | ExprKind::Delayed(x)
        | ExprKind::Old { expr: x, .. }
        | ExprKind::Fresh { expr: x, .. } => r.expr(x),
        ExprKind::Is(x, t) => {
            r.expr(x);
            r.ty(t);
        }
        ExprKind::Binary(_, a, b) => {
            r.expr(a);
            r.expr(b);
        }
        ExprKind::Chain { first, rest } => {
            r.expr(first);
            rest.iter_mut().for_each(|(_, x)| r.expr(x));
        }
        ExprKind::PrefixEq { limit, left, right, .. } => {
            r.expr(limit);
            r.expr(left);
            r.expr(right);
        }
        ExprKind::Tuple(es) | ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) => exprs(r, es),
        ExprKind::MapDisplay(pairs) => pairs.iter_mut().for_each(|(k, v)| {
            r.expr(k);
            r.expr(v);
        }),
        ExprKind::SeqConstruct { len, init } => {
            r.expr(len);
            r.expr(init);
        }
        ExprKind::SetComp { vars, term } => {
            r.quantified(vars);
            r.expr(term);
        }
        ExprKind::MapComp { vars, key, value } => {
            r.quantified(vars);
            r.expr(key);
            r.expr(value);
        }
        ExprKind::Quantifier { vars, body, .. } => {
            r.quantified(vars);
            r.expr(body);
        }
        ExprKind::Lambda(l) => {
            walk_clauses(r, &mut l.requires);
            walk_frames(r, &mut l.reads);
            r.expr(&mut l.body);
        }
        ExprKind::If { cond, then, els } => {
            r.expr(cond);
            r.expr(then);
            r.expr(els);
        }
        ExprKind::IfBinding { vars, then, els } => {
            r.quantified(vars);
            r.expr(then);
            r.expr(els);
        }
        ExprKind::Match { scrutinee, cases } => {
            r.expr(scrutinee);
            for c in cases {
                r.pattern(&mut c.pattern);
                r.expr(&mut c.body);
            }
        }
        ExprKind::Let { bindings, body, .. } => {
            for (p, v) in bindings {
                r.expr(v);
                r.pattern(p);
            }
            r.expr(body);
        }
        ExprKind::LetSuchThat { vars, body, .. } => {
            r.quantified(vars);
            r.expr(body);
        }
        ExprKind::LetOrFail(l) => {
            r.expr(&mut l.value);
            r.expr(&mut l.is_failure);
            r.expr(&mut l.propagate);
            if let Some(x) = &mut l.extract {
                r.expr(x);
            }
            if let Some(p) = &mut l.pattern {
                r.pattern(p);
            }
            r.expr(&mut l.body);
        }
        ExprKind::StmtExpr { stmt, body } => {
            r.stmt(stmt);
            r.expr(body);
        }
        ExprKind::Unchanged { frame, .. } => walk_frames(r, frame),
    }
}

pub(super) fn walk_block<R: Rewrite + ?Sized>(r: &mut R, b: &mut Block) {
    b.stmts.iter_mut().for_each(|s| r.stmt(s));
}

fn walk_target<R: Rewrite + ?Sized>(r: &mut R, t: &mut Target) {
    match t {
        Target::Local(_) => {}
        Target::Field { object, .. } => r.expr(object),
        Target::Element { array, indices } => {
            r.expr(array);
            exprs(r, indices);
        }
        Target::Discard(t) => r.ty(t),
    }
}

fn walk_rhs<R: Rewrite + ?Sized>(r: &mut R, rhs: &mut Rhs) {
    match rhs {
        Rhs::Expr(e) => r.expr(e),
        Rhs::Havoc(t) => r.ty(t),
        Rhs::New { ty, ctor } => {
            r.ty(ty);
            if let Some(c) = ctor {
                walk_call(r, c);
            }
        }
        Rhs::NewArray { elem, dims, init } => {
            r.ty(elem);
            exprs(r, dims);
            match init {
                ArrayInit::Default => {}
                ArrayInit::Function(f) => r.expr(f),
                ArrayInit::Elements(es) => exprs(r, es),
            }
        }
    }
}

fn walk_loop_spec<R: Rewrite + ?Sized>(r: &mut R, s: &mut LoopSpec) {
    walk_clauses(r, &mut s.invariants);
    exprs(r, &mut s.decreases);
    if let Some(fs) = &mut s.modifies {
        walk_frames(r, fs);
    }
}

fn walk_guard<R: Rewrite + ?Sized>(r: &mut R, g: &mut Guard) {
    match g {
        Guard::Expr(e) => r.expr(e),
        Guard::Star => {}
        Guard::Binding(q) => r.quantified(q),
    }
}

pub(super) fn walk_stmt<R: Rewrite + ?Sized>(r: &mut R, s: &mut Stmt) {
    stacker::maybe_grow(RED_ZONE, STACK, || walk_stmt_here(r, s));
}

fn walk_stmt_here<R: Rewrite + ?Sized>(r: &mut R, s: &mut Stmt) {
    match &mut s.kind {
        StmtKind::Block(b) => walk_block(r, b),
        StmtKind::Assert { cond, by, .. } => {
            r.expr(cond);
            if let Some(b) = by {
                walk_block(r, b);
            }
        }
        StmtKind::Assume(e) => r.expr(e),
        StmtKind::Expect { cond, message } => {
            r.expr(cond);
            if let Some(m) = message {
                r.expr(m);
            }
        }
        StmtKind::Print(es) => exprs(r, es),
        StmtKind::VarDecl(_) | StmtKind::Break { .. } | StmtKind::Return | StmtKind::Yield | StmtKind::Reveal(_) | StmtKind::Error => {}
        StmtKind::Assign { pairs, .. } => {
            for (t, rhs) in pairs {
                walk_target(r, t);
                walk_rhs(r, rhs);
            }
        }
        StmtKind::AssignPattern { pattern, value } => {
            r.expr(value);
            r.pattern(pattern);
        }
        StmtKind::Call { targets, call, .. } => {
            targets.iter_mut().for_each(|t| walk_target(r, t));
            walk_call(r, call);
        }
        StmtKind::SuchThat { targets, vars, .. } => {
            targets.iter_mut().for_each(|t| walk_target(r, t));
            r.quantified(vars);
        }
        StmtKind::AssignOrFail(a) => {
            r.stmt(&mut a.compute);
            r.expr(&mut a.is_failure);
            match &mut a.on_failure {
                OnFailure::Propagate { value, .. } => r.expr(value),
                OnFailure::Expect | OnFailure::Assert | OnFailure::Assume => {}
            }
            if let Some((t, e)) = &mut a.extract {
                walk_target(r, t);
                r.expr(e);
            }
        }
        StmtKind::If { guard, then, els } => {
            walk_guard(r, guard);
            walk_block(r, then);
            if let Some(e) = els {
                r.stmt(e);
            }
        }
        StmtKind::IfCase(cases) => {
            for c in cases {
                walk_guard(r, &mut c.guard);
                walk_block(r, &mut c.body);
            }
        }
        StmtKind::While { guard, spec, body } => {
            walk_guard(r, guard);
            walk_loop_spec(r, spec);
            if let Some(b) = body {
                walk_block(r, b);
            }
        }
        StmtKind::WhileCase { spec, cases } => {
            walk_loop_spec(r, spec);
            for c in cases {
                walk_guard(r, &mut c.guard);
                walk_block(r, &mut c.body);
            }
        }
        StmtKind::For { from, to, spec, body, .. } => {
            r.expr(from);
            if let Some(e) = to {
                r.expr(e);
            }
            walk_loop_spec(r, spec);
            if let Some(b) = body {
                walk_block(r, b);
            }
        }
        StmtKind::Forall { vars, ensures, body } => {
            r.quantified(vars);
            walk_clauses(r, ensures);
            if let Some(b) = body {
                walk_block(r, b);
            }
        }
        StmtKind::Match { scrutinee, cases } => {
            r.expr(scrutinee);
            for c in cases {
                r.pattern(&mut c.pattern);
                walk_block(r, &mut c.body);
            }
        }
        StmtKind::Modify { frame, body } => {
            walk_frames(r, frame);
            if let Some(b) = body {
                walk_block(r, b);
            }
        }
        StmtKind::Calc { steps, hints } => {
            exprs(r, steps);
            hints.iter_mut().for_each(|b| walk_block(r, b));
        }
    }
}

/// Replaces type parameters, parameters and `this`: a default value at its call.
pub(super) struct Instantiate<'a> {
    pub(super) types: &'a Substitution,
    pub(super) locals: &'a FxHashMap<LocalId, Expr>,
    pub(super) this: Option<&'a Expr>,
}

impl Instantiate<'_> {
    pub(super) fn apply(&mut self, e: &mut Expr) {
        self.expr(e);
    }
}

impl Rewrite for Instantiate<'_> {
    fn ty(&mut self, ty: &mut Type) {
        *ty = ty.subst(self.types);
    }

    fn expr(&mut self, e: &mut Expr) {
        match (&e.kind, self.this) {
            (ExprKind::Local(l), _) => match self.locals.get(l) {
                Some(value) => *e = value.clone(),
                None => walk_expr(self, e),
            },
            (ExprKind::This, Some(this)) => *e = this.clone(),
            _ => walk_expr(self, e),
        }
    }
}

/// Replaces places by variables.
pub(super) struct Replace<'a> {
    pub(super) places: &'a [(Expr, LocalId)],
    pub(super) found: fn(&Expr, &Expr) -> bool,
}

impl Replace<'_> {
    pub(super) fn apply(&mut self, e: &mut Expr) {
        if !self.places.is_empty() {
            self.expr(e);
        }
    }
}

impl Rewrite for Replace<'_> {
    fn expr(&mut self, e: &mut Expr) {
        match self.places.iter().find(|(p, _)| (self.found)(p, e)) {
            Some((_, local)) => e.kind = ExprKind::Local(*local),
            None => walk_expr(self, e),
        }
    }
}

/// Whether two expressions name the same place in the same words.
pub(super) fn same_place(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::This, ExprKind::This) => true,
        (ExprKind::Literal(x), ExprKind::Literal(y)) => x == y,
        (ExprKind::Field { object: o, field: f, .. }, ExprKind::Field { object: p, field: g, .. }) => {
            f == g
                && match (o, p) {
                    (Some(o), Some(p)) => same_place(o, p),
                    (None, None) => true,
                    (Some(_), None) | (None, Some(_)) => false,
                }
        }
        (ExprKind::Index { object: o, indices: i }, ExprKind::Index { object: p, indices: j }) => {
            same_place(o, p) && i.len() == j.len() && i.iter().zip(j).all(|(x, y)| same_place(x, y))
        }
        (ExprKind::Binary(p, a, b), ExprKind::Binary(q, c, d)) => p == q && same_place(a, c) && same_place(b, d),
        _ => false,
    }
}
