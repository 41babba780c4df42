//! Finalization of types: replaces the inference variables in a typed tree by the types they are
//! bound to.
//!
//! An unconstrained variable is reported as underspecified, once, at the first expression with it.

use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use crate::typed::rewrite::{
    Rewrite, walk_block, walk_bounds, walk_expr, walk_quantified, walk_stmt,
};
use crate::typed::{
    Block, Expr, ExprKind, Literal, LocalId, Quantified, Stmt, StmtKind, Type, UnaryOp,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::infer::{Inference, VarKind};
use super::{Pass, Resolver};

struct Zonk<'a> {
    inf: &'a Inference,
    program: &'a crate::typed::Program,
    /// Inference variables already reported as underspecified.
    reported: &'a mut FxHashSet<usize>,
    found: Vec<Diagnostic>,
    /// Underspecified types of type tests. The new type system finds them in a later pass.
    in_tests: Vec<Diagnostic>,
}

impl Zonk<'_> {
    /// Reports unknown parts of a type.
    fn determined(&mut self, ty: &Type, span: Span) {
        // Only variables that this body declares since the last time.
        let mut open = Vec::new();
        self.inf.undetermined(ty, &mut open);
        if open
            .into_iter()
            .filter(|v| self.reported.insert(*v))
            .count()
            > 0
        {
            let d = Diagnostic::error(
                "resolve/underspecified-type",
                span,
                "the type of this expression is underspecified",
            );
            self.found
                .push(d.with_help("assign this value to a variable with a declared type"));
        }
    }

    /// Reports unknown type arguments of a call.
    fn type_arguments(&mut self, what: &str, args: &[Type], span: Span) {
        let mut open = Vec::new();
        args.iter()
            .for_each(|a| self.inf.undetermined(a, &mut open));
        if !open.is_empty() {
            self.reported.extend(open);
            let message = format!("a type argument of `{what}` cannot be inferred");
            let d = Diagnostic::error("resolve/underspecified-type", span, message);
            self.found
                .push(d.with_help(format!("write it explicitly: `{what}<T>(…)`")));
        }
    }
}

impl Rewrite for Zonk<'_> {
    fn ty(&mut self, ty: &mut Type) {
        if has_vars(ty) {
            *ty = self.inf.zonk(ty, &mut false);
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        // Walking makes the types final, so keep the inference variables for the reports.
        let before = has_vars(&e.ty).then(|| e.ty.clone());
        // Type arguments are inferred by the call, so that they are reported there.
        let called = if let ExprKind::Call(c) = &e.kind {
            Some((c.callee, c.type_args.clone()))
        } else if let ExprKind::FunctionRef {
            callee, type_args, ..
        } = &e.kind
        {
            Some((*callee, type_args.clone()))
        } else {
            None
        };
        let constant = if let ExprKind::Field {
            object: None,
            field,
            type_args,
            ..
        } = &e.kind
        {
            Some((*field, type_args.clone()))
        } else {
            None
        };
        // The written type of a test may have omitted arguments.
        let target = if let ExprKind::Is(_, ty) = &e.kind {
            Some(ty.clone())
        } else {
            None
        };
        walk_expr(self, e);
        if let Some((callee, args)) = called {
            let name = self.program[callee].name.clone();
            self.type_arguments(&name, &args, e.span);
        }
        if let Some((field, args)) = constant {
            // Only a constant of a generic type has type arguments that its own type need not
            // mention.
            let open = args
                .iter()
                .any(|a| self.inf.is_unbound(a) && matches!(self.inf.kind(a), Some(VarKind::Any)));
            if let (true, Some(owner)) = (open, self.program[field].owner) {
                let name = self.program[owner].name.clone();
                self.type_arguments(&name, &args, e.span);
            }
        }
        if let Some(ty) = target {
            let before = self.found.len();
            self.determined(&ty, e.span);
            if self.program.options.type_system_refresh {
                self.in_tests.extend(self.found.drain(before..));
            }
        }
        // Variables and fields are reported at their declarations. Literals have a default type.
        if let Some(ty) = before
            && !matches!(
                e.kind,
                ExprKind::Local(_)
                    | ExprKind::Field { .. }
                    | ExprKind::Literal(_)
                    | ExprKind::Wildcard
                    | ExprKind::Error
            )
        {
            self.determined(&ty, e.span);
        }
        // A cardinality may have any newtype over `int`. Later stages count in `int`.
        if matches!(e.kind, ExprKind::Cardinality(_)) && !matches!(e.ty, Type::Int | Type::Error) {
            let ty = std::mem::replace(&mut e.ty, Type::Int);
            let span = e.span;
            let count = std::mem::replace(
                e,
                Expr {
                    kind: ExprKind::Error,
                    ty,
                    span,
                },
            );
            e.kind = ExprKind::Convert(Box::new(count));
        }
        if let ExprKind::Unary(op @ UnaryOp::Not, x) = &mut e.kind
            && matches!(self.program.representation(&x.ty), Type::Bv(_))
        {
            // The operator of a literal whose type was determined late.
            *op = UnaryOp::BitNot;
        } else if let ExprKind::Literal(Literal::Int(n)) = &mut e.kind
            && let Type::Bv(width) = self.program.representation(&e.ty)
            && *n >= BigInt::from(1) << width as usize
        {
            let message = format!(
                "the literal {n} is too large for the type {}",
                self.program.show_type(&e.ty)
            );
            self.found
                .push(Diagnostic::error("resolve/literal-range", e.span, message));
        }
    }

    fn stmt(&mut self, s: &mut Stmt) {
        let called = if let StmtKind::Call { call, .. } = &s.kind {
            Some((call.callee, call.type_args.clone()))
        } else {
            None
        };
        walk_stmt(self, s);
        if let Some((callee, args)) = called {
            let name = self.program[callee].name.clone();
            self.type_arguments(&name, &args, s.span);
        }
    }

    fn quantified(&mut self, q: &mut Quantified) {
        walk_quantified(self, q);
        walk_bounds(self, q);
    }
}

fn has_vars(ty: &Type) -> bool {
    ty.any(&mut |t| matches!(t, Type::Param(p) if super::infer::is_variable(*p)))
}

impl Resolver<'_> {
    /// Makes the types in an expression final, then discovers the bounds of its quantifiers.
    pub(super) fn finish_expr(&mut self, e: &mut Expr) {
        self.solve();
        self.finish_locals();
        self.zonk(|zonk| zonk.expr(e));
        // Narrowing and the bounds depend on final types.
        super::narrow::narrow_expr(&mut self.cx.program, &self.cx.variables.synonym_params, e);
        super::bounds::Bounds {
            program: &self.cx.program,
        }
        .expr(e);
    }

    /// Like [`Self::finish_expr`], for a block.
    pub(super) fn finish_block(&mut self, b: &mut Block) {
        self.solve();
        self.finish_locals();
        self.zonk(|zonk| walk_block(zonk, b));
        super::narrow::narrow_block(&mut self.cx.program, &self.cx.variables.synonym_params, b);
        walk_block(
            &mut super::bounds::Bounds {
                program: &self.cx.program,
            },
            b,
        );
    }

    fn zonk(&mut self, act: impl FnOnce(&mut Zonk<'_>)) {
        // One variable may occur in several types: it is reported once.
        let mut reported = std::mem::take(&mut self.st.reported);
        let mut zonk = Zonk {
            inf: &self.st.inf,
            program: &self.cx.program,
            reported: &mut reported,
            found: Vec::new(),
            in_tests: Vec::new(),
        };
        act(&mut zonk);
        // Types whose expressions are not in the tree.
        self.st
            .left_out
            .iter()
            .for_each(|(ty, span)| zonk.determined(ty, *span));
        let (found, in_tests) = (zonk.found, zonk.in_tests);
        self.st.reported = reported;
        self.later(Pass::Inference, found);
        self.later(Pass::Defaults, in_tests);
    }

    /// Reports errors that count only if the module has no others so far.
    fn later(&mut self, pass: Pass, mut found: Vec<Diagnostic>) {
        // A type that cannot be inferred is often the consequence of another error.
        if self.st.errors == self.st.unclear {
            self.st.errors += found.len();
            self.st.unclear += found.len();
            found.sort_by_key(|d| d.span.map(|s| s.start));
            found
                .into_iter()
                .for_each(|d| self.cx.diagnostics.push_in(pass, d));
        }
    }

    /// Makes the types of variables final.
    pub(super) fn finish_locals(&mut self) {
        let last = self.cx.program.locals.len();
        let mut found = Vec::new();
        // The variables that were declared since the last call belong to this body.
        for i in self.st.first_local..last {
            let id = LocalId(i as u32);
            let local = &self.cx.program[id];
            if !has_vars(&local.ty) {
                continue;
            }
            let mut open = Vec::new();
            self.st.inf.undetermined(&local.ty, &mut open);
            // A variable without a name is reported at its value.
            if !local.name.starts_with('_')
                && open
                    .into_iter()
                    .filter(|v| self.st.reported.insert(*v))
                    .count()
                    > 0
            {
                let message = format!("the type of `{}` cannot be inferred", local.name);
                let d = Diagnostic::error("resolve/underspecified-type", local.span, message);
                found.push(d.with_help(format!("add a type annotation: `{}: T`", local.name)));
            }
            let ty = self.st.inf.zonk(&local.ty, &mut false);
            self.cx.program[id].ty = ty;
        }
        self.st.first_local = last;
        self.later(Pass::Inference, found);
    }
}

/// The value of an integer literal, possibly negated.
pub(super) fn constant(e: &Expr) -> Option<num_bigint::BigInt> {
    if let ExprKind::Literal(Literal::Int(n)) = &e.kind {
        Some(n.clone())
    } else if let ExprKind::Unary(UnaryOp::Neg, x) = &e.kind {
        constant(x).map(|n| -n)
    } else {
        None
    }
}
