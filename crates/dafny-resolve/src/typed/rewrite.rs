//! Mutable traversal of typed trees.

use super::walk::walks;
use super::{
    ArrayInit, AssignOrFail, Block, Call, Clause, Domain, Expr, ExprCase, ExprKind, Frame, Guard,
    GuardedCase, Lambda, LetOrFail, LoopSpec, OnFailure, Pattern, PatternKind, Quantified, Rhs,
    Stmt, StmtCase, StmtKind, Target, Type, VarBound,
};

/// A rewriter with one method for each kind of node. The default methods only traverse the
/// children.
pub trait Rewrite: AsRewrite {
    /// Rewrites a type.
    fn ty(&mut self, _ty: &mut Type) {}
    /// Rewrites an expression. An override calls [`walk_expr`] to traverse the children.
    fn expr(&mut self, e: &mut Expr) {
        walk_expr(self.as_rewrite(), e);
    }
    /// Rewrites a statement.
    fn stmt(&mut self, s: &mut Stmt) {
        walk_stmt(self.as_rewrite(), s);
    }
    /// Rewrites a block.
    fn block(&mut self, b: &mut Block) {
        walk_block(self.as_rewrite(), b);
    }
    /// Rewrites the contract of a loop.
    fn loop_spec(&mut self, s: &mut LoopSpec) {
        walk_loop_spec(self.as_rewrite(), s);
    }
    /// Rewrites a clause of a loop, a `forall` statement or a lambda expression.
    fn clause(&mut self, c: &mut Clause) {
        walk_clause(self.as_rewrite(), c);
    }
    /// Rewrites an object of a frame.
    fn frame(&mut self, f: &mut Frame) {
        walk_frame(self.as_rewrite(), f);
    }
    /// Rewrites a call.
    fn call(&mut self, c: &mut Call) {
        walk_call(self.as_rewrite(), c);
    }
    /// Rewrites a pattern.
    fn pattern(&mut self, p: &mut Pattern) {
        walk_pattern(self.as_rewrite(), p);
    }
    /// Rewrites bound variables: their range, and the bounds that were discovered in it.
    fn quantified(&mut self, q: &mut Quantified) {
        walk_quantified(self.as_rewrite(), q);
        walk_bounds(self.as_rewrite(), q);
    }
}

/// Conversion to a trait object: the traversal is compiled once and not once for each rewriter.
pub trait AsRewrite {
    /// Returns the rewriter as a trait object.
    fn as_rewrite(&mut self) -> &mut dyn Rewrite;
}

impl<R: Rewrite> AsRewrite for R {
    fn as_rewrite(&mut self) -> &mut dyn Rewrite {
        self
    }
}

walks!(Rewrite, [&mut] mut);
