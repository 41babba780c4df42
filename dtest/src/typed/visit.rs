//! Walking over typed trees to look at them.

use super::{
    ArrayInit, Block, Call, Clause, Expr, ExprKind, Frame, Guard, LoopSpec, OnFailure, Pattern, PatternKind, Quantified, Rhs, Stmt,
    StmtKind, Target, Type,
};

/// The stack that must be left before a recursive step, and how much is taken when it is not.
const RED_ZONE: usize = 256 * 1024;
/// See [`RED_ZONE`].
const STACK: usize = 4 * 1024 * 1024;

/// What is done at each node; the defaults only go on.
pub trait Visit {
    /// A type.
    fn ty(&mut self, _ty: &Type) {}
    /// An expression; an override calls [`walk_expr`] where it wants to go on.
    fn expr(&mut self, e: &Expr) {
        walk_expr(self, e);
    }
    /// A statement.
    fn stmt(&mut self, s: &Stmt) {
        walk_stmt(self, s);
    }
    /// A block.
    fn block(&mut self, b: &Block) {
        walk_block(self, b);
    }
    /// What is promised of a loop.
    fn loop_spec(&mut self, s: &LoopSpec) {
        walk_loop_spec(self, s);
    }
    /// A pattern.
    fn pattern(&mut self, p: &Pattern) {
        walk_pattern(self, p);
    }
    /// Bound variables.
    fn quantified(&mut self, q: &Quantified) {
        walk_quantified(self, q);
    }
}

fn types<R: Visit + ?Sized>(r: &mut R, ts: &[Type]) {
    for t in ts {
        r.ty(t);
    }
}

fn exprs<R: Visit + ?Sized>(r: &mut R, es: &[Expr]) {
    for e in es {
        r.expr(e);
    }
}

/// Visits the receiver, type arguments and arguments of a call.
pub fn walk_call<R: Visit + ?Sized>(r: &mut R, c: &Call) {
    if let Some(x) = &c.receiver {
        r.expr(x);
    }
    types(r, &c.type_args);
    exprs(r, &c.args);
}

/// Visits the objects of a frame.
pub fn walk_frames<R: Visit + ?Sized>(r: &mut R, fs: &[Frame]) {
    for f in fs {
        if let Some(o) = &f.object {
            r.expr(o);
        }
    }
}

/// Visits the conditions of clauses.
pub fn walk_clauses<R: Visit + ?Sized>(r: &mut R, cs: &[Clause]) {
    for c in cs {
        r.expr(&c.cond);
    }
}

/// Visits the parts of a pattern.
pub fn walk_pattern<R: Visit + ?Sized>(r: &mut R, p: &Pattern) {
    r.ty(&p.ty);
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Var(_) => {}
        PatternKind::Ctor { args, .. } | PatternKind::Tuple(args) | PatternKind::Or(args) => args.iter().for_each(|a| r.pattern(a)),
        PatternKind::Value(e) => r.expr(e),
    }
}

/// Visits the range of bound variables (their bounds are parts of it).
pub fn walk_quantified<R: Visit + ?Sized>(r: &mut R, q: &Quantified) {
    if let Some(e) = &q.range {
        r.expr(e);
    }
}

/// Visits the parts of an expression, its type first.
pub fn walk_expr<R: Visit + ?Sized>(r: &mut R, e: &Expr) {
    stacker::maybe_grow(RED_ZONE, STACK, || walk_expr_here(r, e));
}

fn walk_expr_here<R: Visit + ?Sized>(r: &mut R, e: &Expr) {
    r.ty(&e.ty);
    match &e.kind {
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
            updates.iter().for_each(|(_, v)| r.expr(v));
        }
        ExprKind::TupleUpdate { object, updates } => {
            r.expr(object);
            updates.iter().for_each(|(_, v)| r.expr(v));
        }
        ExprKind::Unary(_, x)
        | ExprKind::Convert(x)
        | ExprKind::Cardinality(x)
        | ExprKind::MultisetFrom(x)
        | ExprKind::Allocated(x)
        | ExprKind::Delayed(x)
        | ExprKind::Assigned(x)
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
            rest.iter().for_each(|(_, x)| r.expr(x));
        }
        ExprKind::PrefixEq { limit, left, right, .. } => {
            r.expr(limit);
            r.expr(left);
            r.expr(right);
        }
        ExprKind::Tuple(es) | ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) => exprs(r, es),
        ExprKind::MapDisplay(pairs) => pairs.iter().for_each(|(k, v)| {
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
            walk_clauses(r, &l.requires);
            walk_frames(r, &l.reads);
            r.expr(&l.body);
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
                r.pattern(&c.pattern);
                r.expr(&c.body);
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
            r.expr(&l.value);
            r.expr(&l.is_failure);
            r.expr(&l.propagate);
            if let Some(x) = &l.extract {
                r.expr(x);
            }
            if let Some(p) = &l.pattern {
                r.pattern(p);
            }
            r.expr(&l.body);
        }
        ExprKind::StmtExpr { stmt, body } => {
            r.stmt(stmt);
            r.expr(body);
        }
        ExprKind::Unchanged { frame, .. } => walk_frames(r, frame),
    }
}

/// Visits the statements of a block.
pub fn walk_block<R: Visit + ?Sized>(r: &mut R, b: &Block) {
    b.stmts.iter().for_each(|s| r.stmt(s));
}

fn walk_target<R: Visit + ?Sized>(r: &mut R, t: &Target) {
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

fn walk_rhs<R: Visit + ?Sized>(r: &mut R, rhs: &Rhs) {
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

/// Visits invariants, measure and frame of a loop.
pub fn walk_loop_spec<R: Visit + ?Sized>(r: &mut R, s: &LoopSpec) {
    walk_clauses(r, &s.invariants);
    exprs(r, &s.decreases);
    if let Some(fs) = &s.modifies {
        walk_frames(r, fs);
    }
}

/// Visits the condition or the variables of a guard.
pub fn walk_guard<R: Visit + ?Sized>(r: &mut R, g: &Guard) {
    match g {
        Guard::Expr(e) => r.expr(e),
        Guard::Star => {}
        Guard::Binding(q) => r.quantified(q),
    }
}

/// Visits the parts of a statement.
pub fn walk_stmt<R: Visit + ?Sized>(r: &mut R, s: &Stmt) {
    stacker::maybe_grow(RED_ZONE, STACK, || walk_stmt_here(r, s));
}

fn walk_stmt_here<R: Visit + ?Sized>(r: &mut R, s: &Stmt) {
    match &s.kind {
        StmtKind::Block(b) => r.block(b),
        StmtKind::Assert { cond, by, .. } => {
            r.expr(cond);
            if let Some(b) = by {
                r.block(b);
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
            targets.iter().for_each(|t| walk_target(r, t));
            walk_call(r, call);
        }
        StmtKind::SuchThat { targets, vars, .. } => {
            targets.iter().for_each(|t| walk_target(r, t));
            r.quantified(vars);
        }
        StmtKind::AssignOrFail(a) => {
            r.stmt(&a.compute);
            r.expr(&a.is_failure);
            match &a.on_failure {
                OnFailure::Propagate { value, .. } => r.expr(value),
                OnFailure::Expect | OnFailure::Assert | OnFailure::Assume => {}
            }
            if let Some((t, e)) = &a.extract {
                walk_target(r, t);
                r.expr(e);
            }
        }
        StmtKind::If { guard, then, els } => {
            walk_guard(r, guard);
            r.block(then);
            if let Some(e) = els {
                r.stmt(e);
            }
        }
        StmtKind::IfCase(cases) => {
            for c in cases {
                walk_guard(r, &c.guard);
                r.block(&c.body);
            }
        }
        StmtKind::While { guard, spec, body } => {
            walk_guard(r, guard);
            r.loop_spec(spec);
            if let Some(b) = body {
                r.block(b);
            }
        }
        StmtKind::WhileCase { spec, cases } => {
            r.loop_spec(spec);
            for c in cases {
                walk_guard(r, &c.guard);
                r.block(&c.body);
            }
        }
        StmtKind::For { from, to, spec, body, .. } => {
            r.expr(from);
            if let Some(e) = to {
                r.expr(e);
            }
            r.loop_spec(spec);
            if let Some(b) = body {
                r.block(b);
            }
        }
        StmtKind::Forall { vars, ensures, body } => {
            r.quantified(vars);
            walk_clauses(r, ensures);
            if let Some(b) = body {
                r.block(b);
            }
        }
        StmtKind::Match { scrutinee, cases } => {
            r.expr(scrutinee);
            for c in cases {
                r.pattern(&c.pattern);
                r.block(&c.body);
            }
        }
        StmtKind::Modify { frame, body } => {
            walk_frames(r, frame);
            if let Some(b) = body {
                r.block(b);
            }
        }
        StmtKind::Calc { steps, hints } => {
            exprs(r, steps);
            hints.iter().for_each(|b| r.block(b));
        }
    }
}
