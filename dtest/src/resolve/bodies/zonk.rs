//! The end of inference: variables in types give way to what they stand for.

use crate::typed::{Block, Expr, ExprKind, Literal, Quantified, Type, UnaryOp};

use super::infer::Inference;
use super::{Pass, Resolver};
use crate::typed::rewrite::{Rewrite, walk_block, walk_bounds, walk_expr, walk_quantified};

struct Zonk<'a> {
    inf: &'a Inference,
    program: &'a crate::typed::Program,
    open: bool,
}

impl Rewrite for Zonk<'_> {
    fn ty(&mut self, ty: &mut Type) {
        if has_vars(ty) {
            *ty = self.inf.zonk(ty, &mut self.open);
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        walk_expr(self, e);
        match &mut e.kind {
            // `!` of a literal whose type came late.
            ExprKind::Unary(op @ UnaryOp::Not, x) if matches!(self.program.representation(&x.ty), Type::Bv(_)) => *op = UnaryOp::BitNot,
            _ => {}
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
    /// Makes the types of an expression final, then finds the bounds of its quantifiers.
    pub(super) fn finish_expr(&mut self, e: &mut Expr) {
        self.settle();
        self.finish_locals();
        let mut zonk = Zonk { inf: &self.st.inf, program: &self.cx.program, open: false };
        zonk.expr(e);
        super::bounds::Bounds { program: &self.cx.program }.expr(e);
    }

    /// As [`Self::finish_expr`], of a block.
    pub(super) fn finish_block(&mut self, b: &mut Block) {
        self.settle();
        self.finish_locals();
        let mut zonk = Zonk { inf: &self.st.inf, program: &self.cx.program, open: false };
        walk_block(&mut zonk, b);
        walk_block(&mut super::bounds::Bounds { program: &self.cx.program }, b);
    }

    /// Makes the types of variables final.
    pub(super) fn finish_locals(&mut self) {
        let last = self.cx.program.locals.len();
        let mut unknown = Vec::new();
        for i in self.st.first_local..last {
            let id = crate::typed::LocalId(i as u32);
            let ty = &self.cx.program[id].ty;
            if !has_vars(ty) {
                continue;
            }
            let mut open = false;
            let head_open = self.st.inf.kind(ty) == Some(super::infer::VarKind::Any);
            let ty = self.st.inf.zonk(ty, &mut open);
            if head_open && !self.cx.program[id].name.starts_with('_') {
                unknown.push(id);
            }
            self.cx.program[id].ty = ty;
        }
        self.st.first_local = last;
        if self.st.errors > 0 {
            return;
        }
        for id in unknown {
            let (name, span) = (self.cx.program[id].name.clone(), self.cx.program[id].span);
            let d = crate::diagnostic::Diagnostic::error(
                "resolve/underspecified-type",
                span,
                format!("the type of `{name}` cannot be inferred"),
            );
            self.report_in(Pass::Inference, d.with_help(format!("write it: `{name}: T`")));
        }
    }
}

/// The value of an integer literal, negated or not.
pub(super) fn constant(e: &Expr) -> Option<num_bigint::BigInt> {
    match &e.kind {
        ExprKind::Literal(Literal::Int(n)) => Some(n.clone()),
        ExprKind::Unary(UnaryOp::Neg, x) => constant(x).map(|n| -n),
        _ => None,
    }
}
