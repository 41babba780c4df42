//! The traversal of typed trees, written once for read-only ([`super::visit`]) and mutable
//! ([`super::rewrite`]) use.

/// The stack space, in bytes, that must remain before a recursive step.
pub const RED_ZONE: usize = 256 * 1024;
/// The size, in bytes, of the stack segment that is allocated when less than [`RED_ZONE`] remains.
pub const STACK: usize = 4 * 1024 * 1024;

/// Defines the functions `walk_…`, which call the trait `$Walk` for the children of a node, in the
/// order of the text. They take nodes by `$reference`: `[&'t]` with the lifetime `<'t>`, or
/// `[&mut]` and then `mut` again.
macro_rules! walks {
    ($Walk:ident $(<$life:lifetime>)?, [$($reference:tt)+] $($mutable:tt)?) => {
        /// Traverses the object of a frame.
        pub fn walk_frame$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, f: $($reference)+ Frame) {
            let Frame { object, .. } = f;
            if let Some(o) = object {
                r.expr(o);
            }
        }

        /// Traverses the condition of a clause.
        pub fn walk_clause$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, c: $($reference)+ Clause) {
            let Clause { cond, .. } = c;
            r.expr(cond);
        }

        /// Traverses the discovered domains of bound variables.
        pub fn walk_bounds$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, q: $($reference)+ Quantified) {
            let Quantified { bounds, .. } = q;
            let Some(bounds) = bounds else { return };
            for VarBound { domain, .. } in bounds {
                match domain {
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

        fn types$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, ts: $($reference)+ [Type]) {
            for t in ts {
                r.ty(t);
            }
        }

        fn exprs$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, es: $($reference)+ [Expr]) {
            for e in es {
                r.expr(e);
            }
        }

        /// Traverses the receiver, type arguments and arguments of a call.
        pub fn walk_call$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, c: $($reference)+ Call) {
            let Call { receiver, discarded, type_args, args, .. } = c;
            if let Some(x) = receiver {
                r.expr(x);
            }
            if let Some(x) = discarded {
                r.expr(x);
            }
            types(r, type_args);
            exprs(r, args);
        }

        /// Traverses the objects of a frame.
        pub fn walk_frames$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, fs: $($reference)+ [Frame]) {
            for f in fs {
                r.frame(f);
            }
        }

        /// Traverses the conditions of clauses.
        pub fn walk_clauses$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, cs: $($reference)+ [Clause]) {
            for c in cs {
                r.clause(c);
            }
        }

        /// Traverses the parts of a pattern.
        pub fn walk_pattern$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, p: $($reference)+ Pattern) {
            let Pattern { ty, kind, .. } = p;
            r.ty(ty);
            match kind {
                PatternKind::Wildcard | PatternKind::Var(_) => {}
                PatternKind::Ctor { args, .. } | PatternKind::Tuple(args) | PatternKind::Or(args) => {
                    for a in args {
                        r.pattern(a);
                    }
                }
                PatternKind::Value(e) => r.expr(e),
            }
        }

        /// Traverses the range of bound variables, which contains their bounds.
        pub fn walk_quantified$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, q: $($reference)+ Quantified) {
            let Quantified { range, .. } = q;
            if let Some(e) = range {
                r.expr(e);
            }
        }

        /// Traverses the children of an expression, its type first.
        pub fn walk_expr$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, e: $($reference)+ Expr) {
            stacker::maybe_grow($crate::typed::walk::RED_ZONE, $crate::typed::walk::STACK, || walk_expr_here(r, e));
        }

        fn walk_expr_here$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, e: $($reference)+ Expr) {
            let Expr { ty, kind, .. } = e;
            r.ty(ty);
            match kind {
                ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::This | ExprKind::Wildcard | ExprKind::Error => {}
                ExprKind::Field { object, discarded, type_args, .. } => {
                    if let Some(o) = object {
                        r.expr(o);
                    }
                    if let Some(o) = discarded {
                        r.expr(o);
                    }
                    types(r, type_args);
                }
                ExprKind::Builtin { object, .. } | ExprKind::CtorTest { object, .. } | ExprKind::TupleField { object, .. } => r.expr(object),
                ExprKind::Construct { args, .. } => exprs(r, args),
                ExprKind::Call(c) => r.call(c),
                ExprKind::FunctionRef { receiver, discarded, type_args, .. } => {
                    if let Some(x) = receiver {
                        r.expr(x);
                    }
                    if let Some(x) = discarded {
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
                    for (_, v) in updates {
                        r.expr(v);
                    }
                }
                ExprKind::TupleUpdate { object, updates } => {
                    r.expr(object);
                    for (_, v) in updates {
                        r.expr(v);
                    }
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
                    for (_, x) in rest {
                        r.expr(x);
                    }
                }
                ExprKind::PrefixEq { limit, left, right, .. } => {
                    r.expr(limit);
                    r.expr(left);
                    r.expr(right);
                }
                ExprKind::Tuple(es) | ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) => exprs(r, es),
                ExprKind::MapDisplay(pairs) => {
                    for (k, v) in pairs {
                        r.expr(k);
                        r.expr(v);
                    }
                }
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
                    let Lambda { requires, reads, body, .. } = &$($mutable)? **l;
                    walk_clauses(r, requires);
                    walk_frames(r, reads);
                    r.expr(body);
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
                    for ExprCase { pattern, body, .. } in cases {
                        r.pattern(pattern);
                        r.expr(body);
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
                    let LetOrFail { value, is_failure, propagate, extract, pattern, body, .. } = &$($mutable)? **l;
                    r.expr(value);
                    r.expr(is_failure);
                    r.expr(propagate);
                    if let Some(x) = extract {
                        r.expr(x);
                    }
                    if let Some(p) = pattern {
                        r.pattern(p);
                    }
                    r.expr(body);
                }
                ExprKind::StmtExpr { stmt, body } => {
                    r.stmt(stmt);
                    r.expr(body);
                }
                ExprKind::Unchanged { frame, .. } => walk_frames(r, frame),
            }
        }

        /// Traverses the statements of a block.
        pub fn walk_block$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, b: $($reference)+ Block) {
            let Block { stmts, .. } = b;
            for s in stmts {
                r.stmt(s);
            }
        }

        fn walk_target$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, t: $($reference)+ Target) {
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

        fn walk_rhs$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, rhs: $($reference)+ Rhs) {
            match rhs {
                Rhs::Expr(e) => r.expr(e),
                Rhs::Havoc(t) => r.ty(t),
                Rhs::New { ty, ctor } => {
                    r.ty(ty);
                    if let Some(c) = ctor {
                        r.call(c);
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

        /// Traverses the invariants, the measure and the frame of a loop.
        pub fn walk_loop_spec$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, s: $($reference)+ LoopSpec) {
            let LoopSpec { invariants, decreases, modifies, .. } = s;
            walk_clauses(r, invariants);
            exprs(r, decreases);
            if let Some(fs) = modifies {
                walk_frames(r, fs);
            }
        }

        /// Traverses the condition or the variables of a guard.
        pub fn walk_guard$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, g: $($reference)+ Guard) {
            match g {
                Guard::Expr(e) => r.expr(e),
                Guard::Star => {}
                Guard::Binding(q) => r.quantified(q),
            }
        }

        /// Traverses the parts of a statement.
        pub fn walk_stmt$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, s: $($reference)+ Stmt) {
            stacker::maybe_grow($crate::typed::walk::RED_ZONE, $crate::typed::walk::STACK, || walk_stmt_here(r, s));
        }

        fn walk_stmt_here$(<$life>)?(r: &mut dyn $Walk $(<$life>)?, s: $($reference)+ Stmt) {
            let Stmt { kind, .. } = s;
            match kind {
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
                    for t in targets {
                        walk_target(r, t);
                    }
                    r.call(call);
                }
                StmtKind::SuchThat { targets, vars, .. } => {
                    for t in targets {
                        walk_target(r, t);
                    }
                    r.quantified(vars);
                }
                StmtKind::AssignOrFail(a) => {
                    let AssignOrFail { compute, is_failure, on_failure, extract, .. } = &$($mutable)? **a;
                    r.stmt(compute);
                    r.expr(is_failure);
                    match on_failure {
                        OnFailure::Propagate { value, .. } => r.expr(value),
                        OnFailure::Expect | OnFailure::Assert | OnFailure::Assume => {}
                    }
                    if let Some((t, e)) = extract {
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
                    for GuardedCase { guard, body, .. } in cases {
                        walk_guard(r, guard);
                        r.block(body);
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
                    for GuardedCase { guard, body, .. } in cases {
                        walk_guard(r, guard);
                        r.block(body);
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
                    for StmtCase { pattern, body, .. } in cases {
                        r.pattern(pattern);
                        r.block(body);
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
                    for b in hints {
                        r.block(b);
                    }
                }
            }
        }
    };
}

pub(super) use walks;
